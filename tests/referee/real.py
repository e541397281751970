"""A real referee process, and phases for it."""

import os
import select
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from threading import Timer

import grpc

from referee.engine.chance import deal_seed, seed_from_number
from referee.v1.work_pb2 import Fault, Phase, PhaseEnd, ProcessFailure, Record, WorkRequest, WorkResponse

ROOT = Path(__file__).parents[2]
RANDOM = str(ROOT / "sample_bots/python/random_bot.py")
SECRET = seed_from_number(5)
DEADLINE = 60


@dataclass
class Report:
    """What a referee said of one phase."""

    records: list[Record]
    end: PhaseEnd
    failures: list[ProcessFailure] = field(default_factory=list)

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

    def __init__(self, folder: Path, program: str = "referee", *words: str) -> None:
        self.address = f"unix:{folder}/work.sock"
        self.process = subprocess.Popen(
            [sys.executable, "-m", program, "--address", self.address, *words],
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
        return self.await_end()

    def await_end(self) -> Report:
        """Wait for the end of the phase that was ordered."""
        records: list[Record] = []
        failures: list[ProcessFailure] = []
        watchdog = Timer(DEADLINE, self.process.kill)
        watchdog.start()
        try:
            for response in self.responses:
                assert not response.error, response.error
                failures.extend(response.process_failures)
                records.extend(response.records)
                if response.ends:
                    return Report(records, response.ends[0], failures)
        except grpc.RpcError as error:
            raise AssertionError(f"the referee has ended: {self.process.wait(DEADLINE)}") from error
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
    return pidfds(marker)


def pidfds(marker: str) -> list[int]:
    """Return a pidfd of each process with `marker`, and of everything below them, that is still there."""
    found = []
    for pid in processes(marker):
        with suppress(ProcessLookupError):
            found.append(os.pidfd_open(pid))
    return found


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
