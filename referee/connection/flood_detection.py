"""Who floods: finds the bot whose connection keeps gRPC busy with what is no message, and cuts it off.

gRPC reads HTTP/2 in threads of its own, and tells us of messages alone. Frames that lead to none (pings, settings,
resets, headers that are too large) are read before we hear of anything, all connections in the same threads, and cost
the others their turn. So the processor time of these threads is watched. Where it is more than the messages explain,
the bytes that wait in each connection are looked at again and again: what was waiting and waits no more has been read.
Whoever had more read than its messages hold is the one. That is no guess: nothing counts that was read unseen.
"""

import os
import time
from collections.abc import Collection
from contextlib import suppress
from typing import Protocol

import trio

from referee.connection import own_sockets
from referee.connection.grpc_server import Link, Server
from referee.connection.own_sockets import Key

TICK_SECONDS = 0.05
"""How often the processor time is looked at."""

LOOK_SECONDS = 0.002
LOOKS = 20
ROUNDS = 5
"""How often the connections are looked at where it is too much, how many times in a row, and how often that."""

MESSAGE_SECONDS = 2e-4
"""Processor time of gRPC's threads that one message explains; it takes a third of that on a slow machine."""

UNEXPLAINED = 0.1
"""The share of one core beyond that from which connections are looked at."""

SPARE_BYTES = 1 << 16
"""Bytes that may be read and lead to no message, beside one that is under way."""

CONNECTIONS = 16
"""Connections of one bot, one after the other; a bot needs one."""

NEW_FILES = 32
"""So many more open files than before, and somebody may be opening connections."""


class Endpoint(Protocol):
    """What is to be known of the address of one bot (see `referee.connection.endpoints.Endpoint`)."""

    address: str
    server: Server | None
    untrusted: bool
    root: int | None
    was_cut: bool

    def message_bytes(self) -> int:
        """Return how large the next message may be that the bot is expected to send."""

    def cut(self, sentence: str) -> None:
        """Close every connection at once, because of what the sentence says of the bot."""


class Suspect:
    """A bot's endpoint, looked at. connections: how many there have been."""

    __slots__ = ("_endpoint", "_waiting", "_drained", "_received", "_most", "connections")

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._waiting: dict[Key, int] = {}
        self._drained = 0
        self._received = _received(endpoint)
        self._most = 0
        self.connections = 0

    def add(self, key: Key) -> None:
        """Look at one more connection from now on."""
        self._waiting[key] = 0
        self.connections += 1

    def look(self) -> None:
        """Note what has been read since the last look."""
        self._most = max(self._most, self._endpoint.message_bytes())
        for key, before in list(self._waiting.items()):
            waiting = own_sockets.unread(key)
            if waiting is None:
                del self._waiting[key]
            else:
                self._waiting[key] = waiting
                self._drained += max(0, before - waiting)

    def judge(self) -> str:
        """Return what the bot does that it may not, as a sentence; nothing where it does nothing of the kind."""
        if self.connections > CONNECTIONS:
            return f"it opened more than {CONNECTIONS} connections"
        # What was received before it was first looked at, and handed on since, speaks for the bot.
        if self._drained - (_received(self._endpoint) - self._received) > SPARE_BYTES + self._most:
            return "it floods its connection with what is no message"
        return ""

    def cut(self, sentence: str) -> None:
        """End the connections below gRPC, which may be busy with them, and then the bot."""
        for key in self._waiting:
            own_sockets.shut_down(key)
        self._endpoint.cut(sentence)


class FloodWatch:
    """Watches the endpoints of a link. `run` it beside the link.

    stalled: seconds in all that floods took of everybody's time.
    """

    def __init__(self, link: Link, endpoints: Collection[Endpoint]) -> None:
        """Make one. endpoints: those that are open, whenever it looks."""
        self.stalled = 0.0
        self._link = link
        self._measured = self._total = self._used = self._sampled = 0.0
        self._carried = 0
        self._endpoints = endpoints
        self._suspects: dict[Endpoint, Suspect] = {}
        self._known: set[Key] = set()
        self._files = 0
        own_sockets.reserve()

    async def run(self) -> None:
        """Watch until cancelled."""
        self.measure()
        while True:
            await trio.sleep(TICK_SECONDS)
            files = own_sockets.open_files()
            if self.measure():
                await self._look()
            elif files > self._files + NEW_FILES:
                self._scan()
                self._judge()
                self._files = files
            self._files = min(self._files, files)

    def measure(self) -> bool:
        """Add the time since the last measurement to `stalled`, as far as floods took it; return whether they did.

        What they took of our processor time, they took of the time of all who waited for us.
        """
        now, total, used, carried = trio.current_time(), time.process_time(), *self._link.load()
        used -= self._sampled
        seconds, ours = now - self._measured, total - self._total
        flooded = used - self._used - (carried - self._carried) * MESSAGE_SECONDS
        is_stalled = flooded > UNEXPLAINED * seconds and self._total > 0
        if is_stalled:
            self.stalled += seconds * min(1.0, flooded / max(ours, 1e-9))
        self._measured, self._total, self._used, self._carried = now, total, used, carried
        return is_stalled

    async def _look(self) -> None:
        for _ in range(ROUNDS):
            await trio.to_thread.run_sync(self._sample)
            self._judge()
            self.measure()

    def _sample(self) -> None:
        """Look again and again, in a thread of its own.

        What is to be seen is there while gRPC works. So we must be able to run beside it: on another core than ours,
        and on the same one without waiting for it to rest, as a thread of the batch class would.
        """
        with suppress(OSError):
            os.sched_setaffinity(0, os.sched_getaffinity(os.getppid()) | os.sched_getaffinity(0))
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        began = time.thread_time()
        self._scan()
        for _ in range(LOOKS):
            for suspect in list(self._suspects.values()):
                suspect.look()
            time.sleep(LOOK_SECONDS)
        self._sampled += time.thread_time() - began

    def _scan(self) -> None:
        """Find connections that are new, and end those that do not come from the bot whose endpoint it is."""
        self._suspects = {each: suspect for each, suspect in self._suspects.items() if each in self._endpoints}
        # A list at once, as endpoints come and go in trio's thread meanwhile.
        places = {each.address.removeprefix("unix:"): each for each in list(self._endpoints) if each.untrusted}
        found = set(own_sockets.sockets())
        for key in found - self._known:
            endpoint = places.get(own_sockets.address(key))
            if endpoint is None:
                continue
            if endpoint.root is not None and not _descends(own_sockets.peer(key), endpoint.root):
                own_sockets.shut_down(key)
                continue
            if endpoint not in self._suspects:
                self._suspects[endpoint] = Suspect(endpoint)
            self._suspects[endpoint].add(key)
        self._known = found

    def _judge(self) -> None:
        for endpoint, suspect in self._suspects.items():
            if not endpoint.was_cut and (sentence := suspect.judge()):
                suspect.cut(sentence)


def _received(endpoint: Endpoint) -> int:
    return endpoint.server.traffic.received if endpoint.server is not None else 0


def _descends(pid: int, root: int) -> bool:
    """Tell whether a process descends from another one, or is it."""
    while pid > 1 and pid != root:
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                pid = int(file.read().rpartition(b")")[2].split()[1])
        except OSError:
            return False
    return pid == root
