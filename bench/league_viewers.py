"""What it costs a server that many people watch a league.

    python -m bench.league_viewers [--viewers 200] [--tables 4] [--seconds 60]

Plays some batches of sample bots, serves them, and opens the events of the live page as often as there are viewers,
as browsers do. It prints the CPU time of the server's process, in turn without viewers and with them, and what a
referee spends on a report of its matches, which it makes once a second while somebody watches.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

import click
import httpx
import trio
import trio.testing

from arena.bench.figures import BenchError
from arena.packs.candidate import read_candidate
from arena.store import open_store
from arena.store.people.submissions import PackRow
from referee.engine.chance import Chance
from referee.games.cambio import CAMBIO
from referee.match.match import Match, MatchLimits, Seat
from referee.phase import Phase
from referee.v1 import work_pb2
from sample_bots import SAMPLES
from tools.serving import served

BATCHES = 6

MATCHES = 64
"""Matches at a time of a referee."""

SETTLING = 5.0
"""Seconds after all have connected, before the measurement."""

TICKS = 100.0
"""A second in /proc."""


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def submit(database: Path) -> None:
    """Store a bot without a check: a league of sample bots alone plays nothing."""
    candidate = read_candidate(SAMPLES["cautious"].path)
    source = PackRow(candidate.source.sha256, candidate.source.to_bytes(), 1, candidate.source.size)
    with open_store(database, write=True) as store:
        store.submissions.add("club/owl", source, source, candidate.manifest.to_json(), {"steps": []})


class Seen:
    """What all viewers have been sent."""

    def __init__(self) -> None:
        self.connected = self.events = self.bytes = 0


async def watch(client: httpx.AsyncClient, address: str, seen: Seen) -> None:
    """Read events until cancelled; count them, and their bytes."""
    async with client.stream("GET", address) as answer:
        if answer.status_code != 200:
            raise BenchError(f"the events were refused: status {answer.status_code}")
        seen.connected += 1
        async for data in answer.aiter_bytes():
            seen.events += data.count(b"event:")
            seen.bytes += len(data)


async def measure(address: str, pid: int, viewers: int, tables: int, seconds: float) -> None:
    """Print what the server spends, in turn without viewers and with them."""
    page = f"{address}/leagues/spring/live"
    limits = httpx.Limits(max_connections=viewers + 1)
    async with httpx.AsyncClient(timeout=httpx.Timeout(60, read=None), limits=limits) as client:
        for count in (0, viewers, 0, viewers):
            digest = re.search(r'data-digest="(\w+)"', (await client.get(f"{page}?tables={tables}")).text)
            if digest is None:
                raise BenchError("the page has no tables")
            seen = Seen()
            events = f"{page}/events?tables={tables}&has={digest[1]}"
            async with trio.open_nursery() as nursery:
                for _ in range(count):
                    nursery.start_soon(watch, client, events, seen)
                while seen.connected < count:
                    await trio.sleep(0.1)
                await trio.sleep(SETTLING)
                seen.events = seen.bytes = 0
                before = cpu_seconds(pid)
                await trio.sleep(seconds)
                share = (cpu_seconds(pid) - before) / seconds
                nursery.cancel_scope.cancel()
            each = f", {seen.events / count:.1f} events and {seen.bytes / count / 1000:.0f} kB each" if count else ""
            print(f"{count:4} viewers: {100 * share:5.2f} % of a core{each}", flush=True)


class _Asked:
    """A bot for all seats, which never answers."""

    move_time = 0.0

    def ask(self, seat: Seat) -> None:
        """Do nothing."""


def referee_share() -> float:
    """Return which part of a core a referee spends on reports while somebody watches, with all matches changed."""
    nothing: Any = None
    phase = Phase(work_pb2.Phase(game="cambio", matches_at_once=MATCHES), nothing, nothing, nothing, nothing, nothing)
    clock = trio.testing.MockClock()

    async def report() -> float:
        limits = MatchLimits(0, 0, 3)
        for number in range(MATCHES):
            chance = Chance(bytes([number]) * 32)
            match = Match(number, CAMBIO, CAMBIO.options(), chance, [_Asked()] * 4, [b""] * 4, limits, lambda _: None)
            match._answers = [0] * 185
            phase._matches[match] = []
        clock.jump(60)
        began, rounds = process_time(), 1000
        for _ in range(rounds):
            phase.forget_reports()
            response = work_pb2.WorkResponse(under_way=phase.under_way(trio.current_time()))
            response.SerializeToString()
        return (process_time() - began) / rounds

    return trio.run(report, clock=clock)


@click.command()
@click.option("--viewers", default=200, show_default=True, help="Browsers that watch.")
@click.option("--tables", default=4, show_default=True, help="Tables of each.")
@click.option("--seconds", default=60.0, show_default=True, help="Length of each measurement.")
def main(viewers: int, tables: int, seconds: float) -> None:
    """Measure what it costs that people watch a league."""
    print(f"a report of a referee: {referee_share() * 1e6:.0f} µs, once a second", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "bench.db"
        arena = [sys.executable, "-m", "arena", "league"]
        common = ["--db", str(database)]
        create = [*arena, "create", "spring", "--game", "cambio", "--seats", "4", *common]
        subprocess.run(create, check=True, stdout=subprocess.DEVNULL)
        submit(database)
        subprocess.run([*arena, "run", "spring", "--batches", str(BATCHES), "--trust-bots", *common], check=True)
        with served(database, "--public") as server:
            trio.run(measure, server.address, server.pid, viewers, tables, seconds)


if __name__ == "__main__":
    main()
