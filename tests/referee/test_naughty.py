"""Real bot processes under a real referee process: every mischief has its promised end."""

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Timer

import grpc
import pytest

from referee.engine.chance import deal_seed, seed_from_number
from referee.v1.work_pb2 import Fault, Phase, PhaseEnd, Record, WorkRequest, WorkResponse

ROOT = Path(__file__).parents[2]
NAUGHTY = str(ROOT / "sample_bots/naughty/naughty.py")
RANDOM = str(ROOT / "sample_bots/python/random_bot.py")
SECRET = seed_from_number(5)
DEADLINE = 60


@dataclass
class Report:
    """What a referee said of one phase."""

    records: list[Record]
    end: PhaseEnd

    def faults(self, seat: int) -> list[str]:
        """Return the kinds of faults of a seat, over all matches in their order."""
        kinds = [
            Fault.Kind.Name(fault.kind) for record in self.sorted() for fault in record.faults if fault.seat == seat
        ]
        return [kind.removeprefix("KIND_").lower() for kind in kinds]

    def sentences(self) -> str:
        """Return all sentences, one a line."""
        return "\n".join(fault.sentence for record in self.sorted() for fault in record.faults)

    def sorted(self) -> list[Record]:
        """Return the records in the order of the matches."""
        return sorted(self.records, key=lambda record: record.match)


class Referee:
    """A referee process and the stream to it."""

    def __init__(self, folder: Path) -> None:
        self.address = f"unix:{folder}/work.sock"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee", "--address", self.address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"
        self._requests: SimpleQueue[WorkRequest | None] = SimpleQueue()
        self._channel = grpc.insecure_channel(self.address, options=[("grpc.default_authority", "localhost")])
        self.responses = self._channel.stream_stream(
            "/referee.v1.WorkService/Work",
            request_serializer=WorkRequest.SerializeToString,
            response_deserializer=WorkResponse.FromString,
        )(iter(self._requests.get, None))

    def order(self, phase: Phase) -> None:
        self._requests.put(WorkRequest(phase=phase))

    def play(self, phase: Phase) -> Report:
        """Play a phase to its end."""
        self.order(phase)
        records: list[Record] = []
        watchdog = Timer(DEADLINE, self.process.kill)
        watchdog.start()
        try:
            for response in self.responses:
                assert not response.error, response.error
                records.extend(response.records)
                if response.ends:
                    return Report(records, response.ends[0])
        finally:
            watchdog.cancel()
        raise AssertionError("the referee's stream ended before the phase did")

    def close(self) -> None:
        self._requests.put(None)
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(DEADLINE)
        self._channel.close()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="module")
def referee(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Referee]:
    running = Referee(tmp_path_factory.mktemp("referee"))
    yield running
    running.close()


def phase(
    *commands: list[str],
    matches: int = 6,
    move_time: float = 5.0,
    bank: float = 1.0,
    sandbox: str = "auto",
    chips: int = 2,
) -> Phase:
    """Return a phase of short Cambio matches between bots."""
    order = Phase(id=1, game="cambio", options={"chips": str(chips)}, matches_at_once=64, sandbox=sandbox)
    for command in commands:
        order.players.add(bot="bot", command=command, folder=str(ROOT))
    for number in range(matches):
        match = order.matches.add()
        match.match = number
        match.seed = deal_seed(SECRET, number)
        match.players.extend(range(len(commands)))
        match.bot_seeds.extend(bot_seed(number, seat) for seat in range(len(commands)))
    order.time.move_time_ms = round(move_time * 1000)
    order.time.bank_ms = round(bank * 1000)
    order.time.start_time_ms = 20_000
    order.time.memory_bytes = 256 << 20
    order.time.strikes = 3
    return order


def bot_seed(match: int, seat: int) -> bytes:
    return bytes([match & 255, match >> 8, seat, 0]) * 8


def sample() -> list[str]:
    return [sys.executable, RANDOM]


def naughty(mischief: str, *arguments: str) -> list[str]:
    return [sys.executable, NAUGHTY, mischief, *arguments]


def test_good_bots_play_without_faults(referee: Referee) -> None:
    report = referee.play(phase(sample(), sample(), sample()))
    assert sorted(record.match for record in report.records) == list(range(6))
    assert report.sentences() == ""
    assert [player.process_faults for player in report.end.players] == [0, 0, 0]


@pytest.mark.parametrize(
    ("mischief", "kinds", "word"),
    [
        ("exit-at-once", {"start"}, "code 3"),
        ("other-protocol", {"start"}, "the bot speaks 98, 99, the referee 1"),
        ("other-game", {"start"}, "the bot plays only tiddlywinks"),
        ("wrong-token", {"start"}, "code 4"),
        ("crash-at-question", {"crash", "withdrawn"}, "code 7"),
        ("end-stream", {"crash", "withdrawn"}, "ended its side of the stream"),
        ("nonsense", {"illegal"}, "none of"),
        ("garbage", {"protocol", "withdrawn"}, "no message of the protocol"),
        ("giant", {"crash", "withdrawn"}, "stream"),
        ("flood", {"protocol", "withdrawn"}, "questions that were not open"),
        ("hello-again", {"protocol", "withdrawn"}, "hello twice"),
    ],
)
def test_mischief_has_its_promised_end(referee: Referee, mischief: str, kinds: set[str], word: str) -> None:
    report = referee.play(phase(naughty(mischief), sample(), sample()))
    assert len(report.records) == 6, "no match is lost"
    assert set(report.faults(0)) == kinds
    assert word in report.sentences()
    assert report.faults(1) == report.faults(2) == [], "nobody else suffers"
    assert all(record.ranks[0] == 3 for record in report.records if any(fault.forfeit for fault in record.faults))
    assert report.sentences().isascii() or "\x1b" not in report.sentences()


@pytest.mark.parametrize("mischief", ["twice", "old", "stay"])
def test_harmless_mischief_costs_nothing(referee: Referee, mischief: str) -> None:
    report = referee.play(phase(naughty(mischief), sample(), sample()))
    assert len(report.records) == 6
    assert report.sentences() == ""


@pytest.mark.parametrize("mischief", ["hang", "print-and-hang", "chatter"])
def test_bots_that_do_not_answer_run_out_of_time(referee: Referee, mischief: str) -> None:
    report = referee.play(phase(naughty(mischief), sample(), sample(), matches=1, move_time=0.2, bank=0.1, chips=10))
    assert report.faults(0)[:2] == ["timeout", "hung"]
    assert report.faults(1) == report.faults(2) == []
    assert len(report.end.players[0].output) <= 64 * 1024
    assert "\x1b" not in report.end.players[0].output
    assert report.end.players[0].truncated == (mischief == "print-and-hang")


def test_a_bot_that_never_dials_in_is_withdrawn(referee: Referee) -> None:
    order = phase(naughty("no-hello"), sample(), sample(), matches=2)
    order.time.start_time_ms = 300
    order.players[1].command[:] = order.players[2].command[:] = naughty("twice")
    report = referee.play(order)
    assert len(report.records) == 2
    assert "no valid hello within 0.3 s" in report.sentences()


def test_a_program_that_cannot_be_started_is_withdrawn(referee: Referee) -> None:
    report = referee.play(phase(["/nowhere/at/all"], sample(), sample(), matches=2))
    assert report.faults(0) == ["start"] * 2
    assert report.faults(1) == report.faults(2) == []


def test_only_the_poisoned_match_is_guilty(referee: Referee) -> None:
    report = referee.play(phase(naughty("crash-in-one-match", bot_seed(2, 0).hex()), sample(), sample(), chips=10))
    guilty = {record.match for record in report.records if record.faults}
    assert guilty == {2}
    assert report.faults(0) == ["crash"] * 3
    assert not report.end.players[0].withdrawn


def test_phases_follow_each_other(referee: Referee) -> None:
    first, second = phase(sample(), sample(), matches=4), phase(sample(), sample(), matches=4)
    first.id, second.id = 8, 9
    referee.order(first)
    referee.order(second)
    ends: list[int] = []
    records = 0
    for response in referee.responses:
        records += len(response.records)
        ends += [end.phase for end in response.ends]
        if len(ends) == 2:
            break
    assert sorted(ends) == [8, 9]
    assert records == 8


@pytest.mark.parametrize("sandbox", ["auto", "rlimits"])
def test_bots_do_not_outlive_a_killed_referee(tmp_path: Path, sandbox: str) -> None:
    running = Referee(tmp_path)
    marker = f"marker={tmp_path}"
    running.order(phase(naughty("stay", marker), naughty("hang", marker), matches=2, move_time=60, sandbox=sandbox))
    bots = wait_for_processes(marker, 2)
    running.process.kill()
    running.close()
    assert_all_end(bots)


def test_a_referee_ends_with_everything_when_its_pipe_closes(tmp_path: Path) -> None:
    running = Referee(tmp_path)
    marker = f"marker={tmp_path}"
    running.order(phase(naughty("stay", marker), naughty("hang", marker), matches=2, move_time=60))
    bots = wait_for_processes(marker, 2)
    running.close()
    assert running.process.returncode == 0
    assert_all_end(bots)


def test_bots_that_stay_are_ended_with_their_children(tmp_path: Path) -> None:
    running = Referee(tmp_path)
    marker = f"marker={tmp_path}"
    for sandbox in ("auto", "rlimits"):
        report = running.play(phase(naughty("stay", marker), sample(), matches=2, sandbox=sandbox))
        assert report.sentences() == ""
        assert processes(marker) == {}
    running.close()


def processes(marker: str) -> dict[int, str]:
    """Return the processes with `marker` on their command line and everything below them."""
    lines: dict[int, str] = {}
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                lines[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
    found = {pid for pid, line in lines.items() if marker in line}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return {pid: lines[pid] for pid in found}


def wait_for_processes(marker: str, asked: int) -> list[int]:
    """Wait until that many bots with `marker` run Python with gRPC loaded, and return a pidfd of each process."""
    poll = select.poll()
    while sum(connected(pid) for pid in processes(marker)) < asked:
        poll.poll(20)
    return [os.pidfd_open(pid) for pid in processes(marker)]


def connected(pid: int) -> bool:
    """Tell whether the process holds a socket."""
    try:
        return any(os.readlink(link).startswith("socket:") for link in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return False


def assert_all_end(pidfds: list[int]) -> None:
    for pidfd in pidfds:
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        assert poll.poll(10_000), "a process outlives its referee"
        os.close(pidfd)
