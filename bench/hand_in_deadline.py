"""What a deadline costs a server: many hand-ins of many owners within a minute, and the order of their checks.

    python -m bench.hand_in_deadline [--owners 200] [--each 5] [--kilobytes 100] [--postgres]

Owners hand in by the API, as fast as the server takes it, with some requests at a time: the real application, called
in this process, with a database in a file, or on a PostgreSQL server that is started for it. Meanwhile nothing is
checked. Then a list and the queue are asked for with all of them waiting.

At last two programs check them all, as if each was on a machine of its own: as `arena hand-ins check`, but a check
takes `CHECK_SECONDS` and nothing of the processor. Again and again one of the programs is killed and another begins,
so what it had is free only once its lease has run out. Each hand-in must be finished once, and owners take turns.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any
from unittest.mock import patch

import click
import httpx
import trio

from arena.bench.figures import BenchError
from arena.bots import hand_in_worker
from arena.bots.hand_in_check import CheckBegins, HandInOutcome, HandInTask
from arena.bots.hand_in_rows import Claim, HandInStep
from arena.bots.hand_in_worker import HandInWorker
from arena.bots.hand_ins import HandIns
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.run.remote.tokens import new_token, token_hash
from arena.server.access import VISITOR
from arena.server.site import application
from arena.store import Store, open_store
from tests.postgres import Server

AT_ONCE = 8
"""Requests at a time."""

LONGEST = 60.0
"""Seconds within which all are to be taken."""

MOST_AHEAD = 1
"""Turns: what is handed in, or ended, within the same second has no order."""

LIST = "/hand-ins?limit=200"

CHECK_SECONDS = 0.05
"""How long a stubbed check takes."""

LONGEST_CHECK = 1.0
"""Seconds for each hand-in in which all are to be checked."""

JOBS = 2
"""How many each program checks side by side."""

LEASE = 5.0
"""Seconds after which others take what a killed program had; a minute in earnest."""

KILL_EVERY = 10.0
"""Seconds between two kills."""


def make_account(store: Store, name: str, role: str, *scopes: str) -> str:
    """Make an account; return a token of it."""
    secret = new_token()
    store.accounts.add(name, role, token_hash(new_token()))
    store.account_tokens.add(name, "bench", scopes, token_hash(secret), None)
    return secret


async def hand_in_all(client: httpx.AsyncClient, tokens: dict[str, str], each: int, content: bytes) -> None:
    """Hand in so many bots of every owner, those of all owners in turn. Raises BenchError if one is not taken."""
    send, receive = trio.open_memory_channel[tuple[str, int]](0)

    async def hand_in() -> None:
        async for owner, number in receive:
            address = f"/hand-ins?name={owner}/bot{number}&file=bot.py"
            headers = {"authorization": f"Bearer {tokens[owner]}", "content-type": "text/x-python"}
            answer = await client.post(address, content=content, headers=headers)
            if answer.status_code != 202:
                raise BenchError(f"a hand-in of {owner} was answered with {answer.status_code}: {answer.text}")

    async with trio.open_nursery() as nursery:
        for _ in range(AT_ONCE):
            nursery.start_soon(hand_in)
        async with send:
            for number in range(each):
                for owner in tokens:
                    await send.send((owner, number))


@contextmanager
def stubbed_check(task: HandInTask) -> Iterator[tuple[None, Connection]]:
    """Check nothing: say so after a while, through the pipe of a check."""
    here, there = Pipe(duplex=False)
    steps = [CheckBegins(()), HandInStep("starts", "passed", "it runs"), HandInOutcome("refused", "is refused")]

    def check() -> None:
        time.sleep(CHECK_SECONDS)
        for step in steps:
            there.send(step)

    thread = Thread(target=check)
    thread.start()
    try:
        yield None, here
    finally:
        thread.join()
        here.close()
        there.close()


def run_worker(db: str) -> None:
    """Check hand-ins until killed, as on another machine; print the owner, number and attempt of each when it begins.

    And its number alone when it is finished.
    """
    name = f"elsewhere:1:{os.getpid()}:1"
    finish = HandIns.finish

    def finished(bots: HandIns, claim: Claim, *arguments: Any) -> bool:
        is_stored = finish(bots, claim, *arguments)
        if is_stored:
            print(claim.hand_in, flush=True)
        return is_stored

    def log(event: str, _sentence: str, *, hand_in: int, account: str, **_: Any) -> None:
        if event == "hand_in_claimed":
            print(account, hand_in, flush=True)

    with (
        patch.multiple(hand_in_worker, _process=stubbed_check, LEASE_SECONDS=LEASE, worker_name=lambda: name),
        patch.multiple(hand_in_worker, log_event=log),
        patch.object(HandIns, "finish", finished),
        open_store(db, write=True) as store,
    ):
        HandInWorker(store, Hosting(), BuildTerms(), click.echo, jobs=JOBS, is_server=False).start()
        Event().wait()


class Checks:
    """What programs that check hand-ins have printed.

    owners: of the hand-ins, in the order in which their checks began first.
    finished: how often each hand-in was finished.
    begun: how many checks have begun.
    """

    def __init__(self) -> None:
        self.owners: list[str] = []
        self.finished = Counter[int]()
        self.begun = 0
        self._seen = set[int]()
        self._lock = Lock()

    def read(self, lines: Iterable[str]) -> None:
        """Read what one program prints, until it ends."""
        for line in lines:
            owner, _, number = line.strip().rpartition(" ")
            with self._lock:
                if not owner:
                    self.finished[int(number)] += 1
                    continue
                self.begun += 1
                if int(number) not in self._seen:
                    self._seen.add(int(number))
                    self.owners.append(owner)


def check_all(db: str, count: int) -> tuple[Checks, float, int]:
    """Have all hand-ins checked amid kills; return what was printed, the seconds that it took, and the kills."""
    checks, began, kills = Checks(), time.monotonic(), 0
    programs: list[subprocess.Popen[str]] = []

    def begin() -> None:
        words = [sys.executable, "-m", "bench.hand_in_deadline", "--work", db]
        program = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert program.stdout is not None
        Thread(target=checks.read, args=(program.stdout,), daemon=True).start()
        programs.append(program)

    try:
        for _ in range(2):
            begin()
        while sum(checks.finished.values()) < count:
            if time.monotonic() - began > count * LONGEST_CHECK:
                raise BenchError(f"only {len(checks.finished)} of {count} hand-ins were checked")
            time.sleep(KILL_EVERY)
            victim = programs.pop(0)
            victim.kill()
            victim.wait()
            kills += 1
            begin()
        return checks, time.monotonic() - began, kills
    finally:
        for program in programs:
            program.kill()
            program.wait()


def turns_ahead(order: list[str]) -> list[int]:
    """Return by how many turns each hand-in was taken before that of the owner who had the fewest by then."""
    taken = dict.fromkeys(order, 0)
    ahead = []
    for owner in order:
        ahead.append(taken[owner] - min(taken.values()))
        taken[owner] += 1
    return ahead


def cost(function: Callable[[], object], times: int = 5) -> float:
    """Return the milliseconds of CPU that a call takes, on average, after a first one."""
    function()
    began = time.process_time()
    for _ in range(times):
        function()
    return (time.process_time() - began) / times * 1000


@click.command()
@click.option("--owners", default=200, show_default=True, type=click.IntRange(min=2))
@click.option("--each", default=5, show_default=True, type=click.IntRange(1, 5), help="Hand-ins of each owner.")
@click.option("--kilobytes", default=100, show_default=True, type=click.IntRange(1, 8000), help="Size of each.")
@click.option("--postgres", is_flag=True, help="Start a PostgreSQL server for the database.")
@click.option("--work", metavar="DB", hidden=True)
def main(owners: int, each: int, kilobytes: int, postgres: bool, work: str | None) -> None:
    """Measure a deadline."""
    if work is not None:
        run_worker(work)
        return
    with ExitStack() as opened:
        if postgres:
            db = opened.enter_context(Server.running()).database()
        else:
            db = str(Path(opened.enter_context(tempfile.TemporaryDirectory())) / "arena.db")
        measure(db, owners, each, b"import arena.sdk\n".ljust(kilobytes * 1000, b"#"))


def measure(db: str, owners: int, each: int, content: bytes) -> None:
    """Hand in, and have all checked. Raises BenchError where that is too slow, or not fair."""
    with open_store(db, create=True) as store:
        tokens = {f"o{number}": make_account(store, f"o{number}", "author", "submit") for number in range(owners)}
        reader = make_account(store, "organiser", "organiser", "read")
        worker = HandInWorker(store, Hosting(), BuildTerms(), click.echo)
        transport = httpx.ASGITransport(application(store, VISITOR, hand_ins=worker))

        async def main() -> tuple[float, float]:
            async with httpx.AsyncClient(transport=transport, base_url="http://arena/api/v1") as client:
                began, used = time.monotonic(), time.process_time()
                await hand_in_all(client, tokens, each, content)
                return time.monotonic() - began, time.process_time() - used

        async def ask() -> None:
            async with httpx.AsyncClient(transport=transport, base_url="http://arena/api/v1") as client:
                answer = await client.get(LIST, headers={"authorization": f"Bearer {reader}"})
                if answer.status_code != 200:
                    raise BenchError(f"the list was answered with {answer.status_code}: {answer.text}")

        seconds, used = trio.run(main)
        count = owners * each
        waiting = len(HandIns(store).queue_places())
        click.echo(f"{waiting} of {count} hand-ins taken in {seconds:.1f} s, {used / count * 1000:.1f} ms of CPU each")
        click.echo(f"a list of 200: {cost(partial(trio.run, ask)):.1f} ms of CPU")
        click.echo(f"the queue: {cost(HandIns(store).queue_places):.1f} ms of CPU")
        checks, passed, kills = check_all(db, count)
        finished = sum(row.is_finished for row in HandIns(store).newest(None, count))
    ahead = turns_ahead(checks.owners)
    early = sum(turns > 0 for turns in ahead)
    again = checks.begun - count
    click.echo(
        f"{finished} of {count} checked in {passed:.1f} s by two programs amid {kills} kills; {again} begun again"
    )
    click.echo(f"finished more than once: {sum(times > 1 for times in checks.finished.values())}")
    click.echo(f"begun before another owner's turn: {early}, by {max(ahead)} at most")
    is_whole = waiting == finished == len(checks.owners) == count and set(checks.finished.values()) == {1}
    if not is_whole or seconds > LONGEST or max(ahead) > MOST_AHEAD:
        raise BenchError("a deadline is too much for this server")


if __name__ == "__main__":
    main()
