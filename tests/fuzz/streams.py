"""Damaged conversations at a referee's endpoints: `python -m tests.fuzz.streams [--count N] [--seed N]`.

Each stream is one connection of a bot that says what a good one would say, damaged: bits, whole HTTP/2 frames, or what
is in a message. It sits at a real match with a good bot, at a real endpoint, behind real gRPC. Every match must
end with a record, the good bot must be without a fault, and nothing may be raised or logged. A canary that says
everything right plays after them.

What went wrong is kept in build/fuzz, a file for each stream, whose name holds the numbers that make it again.
"""

import argparse
import faulthandler
import logging
import os
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import trio

from referee.connection.endpoints import Endpoint, Endpoints
from referee.connection.grpc_server import GrpcServers
from referee.match.faults import FaultKind
from referee.session.player import BotPlayer
from referee.session.session import BotSession
from referee.v1.play_pb2 import PlayRequest
from sample_bots.naughty.http2_attacker import (
    DATA,
    END_HEADERS,
    HEADERS,
    INITIAL_WINDOW,
    PREFACE,
    REQUEST,
    SETTINGS,
    WINDOW,
    frame,
)
from tests.referee.conftest import Bot, Table

COUNT = 100_000
LOT = 500
"""Streams of one process: a crash of gRPC's own code costs no more than these."""

AT_ONCE = 8
REPLY_SECONDS = 0.02
"""How long a bot waits for more to read before it goes."""

LOT_SECONDS = 120
KEPT = Path("build/fuzz")


class FuzzedSession(BotSession):
    """A bot whose process is this one."""

    async def run(self) -> None:
        await self.over.wait()
        assert self.fault is not None
        self.player.process_failed(*self.fault)
        if not self.player.withdrawn:
            self.player.withdraw("it does not come again")
        self.endpoints.grpc.flush()


@dataclass
class Failure:
    """A stream that went wrong."""

    number: int
    sentence: str


@dataclass
class Lot:
    """Some streams, one after the other in `AT_ONCE` places."""

    seed: int
    failures: list[Failure] = field(default_factory=list)
    faults: dict[str, int] = field(default_factory=dict)

    async def run(self, numbers: Sequence[int]) -> None:
        """Play them, and a canary at the end."""
        grpc = GrpcServers()
        endpoints = Endpoints(grpc, "arena-fuzz-")
        logged = _Logged()
        logging.getLogger().addHandler(logged)
        waiting = iter(numbers)
        try:
            async with trio.open_nursery() as nursery:
                await nursery.start(grpc.run)
                nursery.start_soon(endpoints.flood_detector.run)
                async with trio.open_nursery() as places:
                    for _ in range(AT_ONCE):
                        places.start_soon(self._place, endpoints, waiting)
                await self._play(endpoints, -1, conversation(Random(self.seed), b""))
                nursery.cancel_scope.cancel()
        finally:
            logging.getLogger().removeHandler(logged)
            endpoints.close()
        self.failures += [Failure(numbers[0], f"logged: {line}") for line in logged.lines]

    async def _place(self, endpoints: Endpoints, numbers: Iterator[int]) -> None:
        for number in numbers:
            await self._play(endpoints, number, damaged(Random(f"{self.seed}/{number}")))

    async def _play(self, endpoints: Endpoints, number: int, pieces: Sequence[bytes]) -> None:
        table = Table(
            move_time=0.05, bank=0.05, dirty=endpoints.grpc.unflushed_senders, flood_timer=endpoints.flood_detector
        )
        good = table.bot()
        good.player.move_time = 30.0
        player = BotPlayer(
            move_time=0.05,
            max_failed_matches=0,
            matches_at_once=4,
            on_pending=endpoints.grpc.unflushed_senders.append,
            flood_timer=endpoints.flood_detector,
            ready_time=0.05,
        )
        match = table.match([Bot(player), good], size=3)
        session = FuzzedSession(player, "heap", endpoints)
        endpoint = await endpoints.open()
        endpoint.expect(session)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(session.run)
                nursery.start_soon(player.watch_clock, endpoints.grpc.flush)
                nursery.start_soon(_answer_well, good, endpoints)
                with trio.move_on_after(10):
                    await _say(endpoint, pieces)
                session.fail(FaultKind.CRASH, "it has gone")
                with trio.move_on_after(10) as limit:
                    while not table.records:
                        endpoints.grpc.flush()
                        await trio.sleep(0.001)
                if limit.cancelled_caught:
                    self.failures.append(Failure(number, "its match has no end"))
                nursery.cancel_scope.cancel()
        finally:
            endpoint.close()
        for fault in match._faults:
            self.faults[fault.kind.name] = self.faults.get(fault.kind.name, 0) + 1
            if fault.seat != 0:
                self.failures.append(Failure(number, f"the good bot has a fault: {fault.sentence}"))
        if good.fault is not None:
            self.failures.append(Failure(number, f"the good bot was ended: {good.fault[1]}"))
        if number < 0 and not player.bot_name:
            self.failures.append(Failure(number, "a good conversation was not welcomed after these"))


class _Logged(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


async def _answer_well(good: Bot, endpoints: Endpoints) -> None:
    """Answer whatever the good bot is asked."""
    while True:
        if questions := good.questions():
            good.answer(*((question.id, question.legal[0]) for question in questions))
            endpoints.grpc.flush()
        await trio.sleep(0.001)


async def _say(endpoint: Endpoint, pieces: Sequence[bytes]) -> None:
    """Send the pieces, reading what comes meanwhile, and go."""
    token = endpoint.token.encode()
    try:
        async with await trio.open_unix_socket(endpoint.address.removeprefix("unix:")) as dialled:
            for place, piece in enumerate(pieces):
                with trio.move_on_after(1):
                    await dialled.send_all(piece.replace(TOKEN, token))
                # A welcome and a question come after the hello, and a question after each answer.
                messages = 1 if place else 2
                with trio.move_on_after(REPLY_SECONDS):
                    while messages > 0:
                        if not (reply := await dialled.receive_some()):
                            return
                        messages -= reply.count(_MESSAGE)
    except (OSError, trio.BrokenResourceError):
        pass


_MESSAGE = frame(DATA, 0, 1)[3:]
"""The head of a frame with a message, but for its length."""

TOKEN = b"0123456789abcdef" * 2
"""Stands for the token in a conversation, at its length."""


def requests(random: Random) -> list[PlayRequest]:
    """Return what a good bot says, more or less: a hello and answers, with words in all places for words."""
    hello = PlayRequest()
    hello.hello.protocols.append(1)
    hello.hello.token = TOKEN.decode()
    hello.hello.name = "fuzzed"
    hello.hello.wants_events = random.random() < 0.5
    hello.hello.wants_schema = random.random() < 0.1
    hello.hello.wants_ready = random.random() < 0.3
    hello.hello.wants_values = random.random() < 0.2
    if random.random() < 0.3:
        hello.hello.games.append("heap")
    said = [hello]
    for question in range(1, random.randrange(2, 5)):
        request = PlayRequest()
        answer = request.answers.answers.add(question=question)
        if question == 1 and hello.hello.wants_ready:
            answer.index = 0
        elif random.random() < 0.5:
            answer.index = random.randrange(3)
        else:
            answer.text = random.choice(("one", "two", "three\x1b[31m", "\u202eeno"))
        if random.random() < 0.3:
            answer.note = random.choice(("a note", "é" * 700, "\x00"))
        if random.random() < 0.3:
            answer.say = "words"
        said.append(request)
    return said


def conversation(random: Random, extra: bytes) -> list[bytes]:
    """Return what a good bot sends, in pieces that it sends one after the other.

    extra: more bytes of each message.
    """
    pieces = [
        PREFACE + frame(SETTINGS, 0, 0, struct.pack(">HI", INITIAL_WINDOW, 65_535)),
        frame(HEADERS, END_HEADERS, 1, REQUEST),
    ]
    for number, request in enumerate(requests(random)):
        payload = request.SerializeToString() + (extra if number else b"")
        pieces.append(frame(DATA, 0, 1, b"\0" + struct.pack(">I", len(payload)) + payload))
    return [b"".join(pieces[:3]), frame(SETTINGS, 1, 0) + pieces[3], *pieces[4:]]


def damaged(random: Random) -> list[bytes]:
    """Return a conversation with some damage."""
    kind = random.random()
    if kind < 0.3:
        return conversation(random, _wire(random))
    pieces = conversation(random, b"")
    for _ in range(random.choice((1, 1, 2, 3, 6))):
        place = random.randrange(len(pieces))
        if kind < 0.6:
            pieces[place] = _bytes(pieces[place], random)
        else:
            pieces[place] = _frames(pieces[place], random)
    if random.random() < 0.2:
        random.shuffle(pieces)
    if random.random() < 0.3:
        return [b"".join(pieces)]
    return pieces


def _wire(random: Random) -> bytes:
    """Return fields as protobuf has them, most of them odd."""
    out = bytearray()
    for _ in range(random.randrange(1, 6)):
        key = random.choice((1, 2, 3, 15, 100_000)) << 3 | random.choice((0, 1, 2, 3, 4, 5, 6, 7))
        out += _varint(key) + random.choice(
            (
                _varint(random.getrandbits(64)),
                random.randbytes(8),
                _varint(random.getrandbits(20)),
                b"\x02\x08\x01",
                b"",
            )
        )
    return bytes(out)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def _bytes(piece: bytes, random: Random) -> bytes:
    changed = bytearray(piece)
    kind = random.randrange(4)
    if kind == 0 and changed:
        for _ in range(random.choice((1, 1, 2, 8))):
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    elif kind == 1:
        del changed[random.randrange(len(changed) + 1) :]
    elif kind == 2:
        at = random.randrange(len(changed) + 1)
        changed[at:at] = random.randbytes(random.choice((1, 9, 100, 20_000)))
    else:
        at = random.randrange(len(changed) + 1)
        del changed[at : at + random.randrange(1, 30)]
    return bytes(changed)


def _frames(piece: bytes, random: Random) -> bytes:
    """Add an odd frame before or after a piece, or change the head of its first one."""
    kinds = (*range(10), 0xBB, random.randrange(256))
    payload = random.choice((b"", bytes(4), bytes(8), b"\xff" * 4, random.randbytes(random.choice((5, 100, 16_384)))))
    stream = random.choice((0, 1, 2, 3, 0x7FFFFFFF, 0xFFFFFFFF))
    odd = frame(random.choice(kinds), random.choice((0, 1, 4, 5, 8, 0x20, 0xFF)), stream, payload)
    if random.random() < 0.2:
        odd = frame(WINDOW, 0, stream, random.choice((bytes(4), b"\x7f\xff\xff\xff", b"\0\0\0\1")))
    if random.random() < 0.1:
        odd *= random.choice((2, 50, 500))
    place = random.randrange(3)
    if place == 2 and len(piece) > 9:
        return piece[:3] + odd[3:9] + piece[9:]
    return odd + piece if place else piece + odd


def play(seed: int, numbers: Sequence[int]) -> Lot:
    """Play some streams in this process."""
    lot = Lot(seed)
    trio.run(lot.run, numbers)
    return lot


def keep(seed: int, failure: Failure) -> None:
    """Write a stream to build/fuzz."""
    KEPT.mkdir(parents=True, exist_ok=True)
    path = KEPT / f"stream-{seed}-{failure.number}"
    path.write_bytes(b"".join(damaged(Random(f"{seed}/{failure.number}"))))
    print(f"stream {failure.number}: {failure.sentence} (kept as {path})", flush=True)


def _lot(seed: int, first: int, count: int) -> int:
    """Play a lot in a process of its own and return how many of its streams went wrong."""
    command = [sys.executable, "-m", "tests.fuzz.streams", "--seed", str(seed), "--first", str(first)]
    try:
        done = subprocess.run([*command, "--lot", str(count)], timeout=LOT_SECONDS, capture_output=True, text=True)
    except subprocess.TimeoutExpired:
        print(f"streams {first} to {first + count - 1}: no end after {LOT_SECONDS} s", flush=True)
        return 1
    print(done.stdout, end="", flush=True)
    if "streams; faults" not in done.stdout:
        print(
            f"streams {first} to {first + count - 1}: the process ended with {done.returncode}\n{done.stderr[-3000:]}"
        )
    return int(done.returncode != 0)


def main() -> int:
    """Parse the command line and play."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.streams", description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT, help="how many streams")
    parser.add_argument("--seed", type=int, default=1, help="from which they follow")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--lot", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    seed, first = arguments.seed, arguments.first
    if arguments.lot:
        faulthandler.enable()
        tempfile.tempdir = os.environ.get("TMPDIR")
        lot = play(seed, range(first, first + arguments.lot))
        for failure in lot.failures:
            keep(seed, failure)
        print(f"{first + arguments.lot} streams; faults: {dict(sorted(lot.faults.items()))}")
        return int(bool(lot.failures))
    print(f"{arguments.count} streams from seed {seed}", flush=True)
    wrong = sum(
        _lot(seed, number, min(LOT, first + arguments.count - number))
        for number in range(first, first + arguments.count, LOT)
    )
    print(f"{wrong} lots of streams went wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
