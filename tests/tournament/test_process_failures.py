"""Processes of bots that are killed from outside: each is a row that their owner finds, whatever became of the rest."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.plan.schedule import Deal, MatchPlan
from arena.plan.seating import Player
from arena.results.standings import standings
from arena.results.stored_tournament import StoredTournament
from arena.run.record_rows import failure_row
from arena.run.work_units import WorkUnit
from arena.store import Store, open_store
from referee.v1.work_pb2 import ProcessFailure
from tests.tournament.processes import descendants

SECONDS = 120

VICTIM = """
import os, signal
from pathlib import Path
from arena.sdk import Bot

signal.signal(signal.SIGUSR1, lambda *_: None)

class Victim(Bot):
    asked = 0
    def choose(self, question):
        Victim.asked += 1
        if Victim.asked == 5:
            print("process of", question.match.seat, "is ready", flush=True)
            Path("/proc/self/comm").write_text("ready-to-die")
            signal.pause()
            Path("/proc/self/comm").write_text("going-on")
        return question.legal[0]

Victim().run()
"""
"""Plays, and at its fifth question waits to be killed, or to be told to go on. Its name for the system says so."""


class Running:
    """A tournament in a process of its own, in which processes of one bot are waited for and killed."""

    def __init__(self, folder: Path, *words: str) -> None:
        environment = {name: text for name, text in os.environ.items() if not name.startswith("ARENA_")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "arena", "tourney", *words, "--jobs", "1", "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, env=environment,
        )  # fmt: skip

    def ready(self) -> int:
        """Return the id of a process that is ready to die, once there is one."""
        poll = select.poll()
        for _ in range(SECONDS * 20):
            for pid in descendants(self.process.pid):
                try:
                    if Path(f"/proc/{pid}/comm").read_text() == "ready-to-die\n":
                        return pid
                except OSError:
                    continue
            assert self.process.poll() is None, self.process.communicate()
            poll.poll(50)
        raise AssertionError("no process became ready")

    def kill(self) -> None:
        """Kill the process that is ready, from outside, and wait until it is gone."""
        pid = self.ready()
        pidfd = os.pidfd_open(pid)
        os.kill(pid, signal.SIGKILL)
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        assert poll.poll(SECONDS * 1000)
        os.close(pidfd)

    def spare(self) -> None:
        """Tell those that are ready to go on, until all is over."""
        poll = select.poll()
        for _ in range(SECONDS * 20):
            if self.process.poll() is not None:
                return
            for pid in descendants(self.process.pid):
                try:
                    if Path(f"/proc/{pid}/comm").read_text() == "ready-to-die\n":
                        os.kill(pid, signal.SIGUSR1)
                except OSError:
                    continue
            poll.poll(50)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[list[Running]]:
    (tmp_path / "victim.py").write_text(VICTIM)
    running: list[Running] = []
    yield running
    for each in running:
        each.process.kill()
        each.process.communicate()


SHORT = ("--game", "cambio", "--bots", "./victim.py,random", "-o", "chips=3", "--rounds", "16", "--move-time", "0")


@pytest.mark.processes
def test_three_kills_from_outside_are_three_rows_and_nobody_elses_faults(
    tmp_path: Path, started: list[Running]
) -> None:
    events = tmp_path / "events"
    started.append(one := Running(tmp_path, *SHORT, "--events", str(events)))
    for _ in range(3):
        one.kill()
    one.spare()
    out, err = one.process.communicate(timeout=SECONDS)
    assert one.process.returncode == 0, err
    assert "processes of victim fail: `arena failures --bot victim` lists when and how" in err
    rows = {row["bot"]: row for row in json.loads(out)["ranking"]}
    assert rows["victim"]["process_failures"] == {"crash": 3}
    assert rows["random"]["process_failures"] == rows["random"]["faults"] == {}
    with open_store(tmp_path / "arena.db") as store:
        found = store.process_failures.listed(tournament=1)
        played_by = {each.bot for each in found}
        crashes = sum(kinds.get("crash", 0) for kinds in store.fault_counts(1).values())
        assert store.count(1) == 32
    assert played_by == {"victim"}
    assert [each.row.signal for each in found] == [signal.SIGKILL] * 3
    assert all(each.row.matches for each in found), "it had a question open"
    assert all(each.row.output.endswith("is ready\n") for each in found)
    assert "was ended by signal SIGKILL" in found[0].row.sentence
    assert crashes == sum(each.row.guilty is not None for each in found)
    told = [line for line in map(json.loads, events.read_text().splitlines()) if line["event"] == "process_failed"]
    assert [(line["bot"], line["signal"], line["matches"]) for line in told] == [
        ("victim", 9, each.match_ids) for each in reversed(found)
    ]


@pytest.mark.processes
def test_a_tournament_that_is_killed_keeps_what_was_reported(tmp_path: Path, started: list[Running]) -> None:
    started.append(one := Running(tmp_path, *SHORT))
    one.kill()
    one.ready()  # its successor; and the failure may still be on its way
    poll = select.poll()
    with open_store(tmp_path / "arena.db") as store:
        for _ in range(SECONDS * 20):
            if store.process_failures.listed():
                break
            poll.poll(50)
    one.process.kill()
    one.process.communicate()
    with open_store(tmp_path / "arena.db") as store:
        (before,) = store.process_failures.listed()
        assert store.tournament(1).finished is None
    started.append(again := Running(tmp_path, "resume", "1"))
    again.kill()
    again.spare()
    out, err = again.process.communicate(timeout=SECONDS)
    assert again.process.returncode == 0, err
    with open_store(tmp_path / "arena.db") as store:
        later, earlier = store.process_failures.listed()
        assert earlier.row == before.row
        assert later.row.phase > earlier.row.phase
    (victim,) = (row for row in json.loads(out)["ranking"] if row["bot"] == "victim")
    assert victim["process_failures"] == {"crash": 2}


def test_a_report_becomes_a_row() -> None:
    players = (Player(1, 0), Player(0, 0))
    plan = MatchPlan(14, Deal(4, 2, 0, players), 0, players)
    report = ProcessFailure(
        phase=2, player=1, time_us=7, kind=ProcessFailure.KIND_CONNECTION, sentence="it went", matches=[14], output="x"
    )
    row = failure_row(report, WorkUnit(2, {14: plan}))
    assert (row.phase, row.player, row.entrant, row.time_us, row.kind, row.sentence) == (
        2,
        1,
        0,
        7,
        "connection",
        "it went",
    )
    assert (row.exit_code, row.signal, row.matches, row.guilty) == (None, None, (14,), None)
    report.exit_code, report.guilty = 0, 14
    row = failure_row(report, WorkUnit(2, {14: plan}))
    assert (row.exit_code, row.guilty) == (0, 14)


def test_rankings_count_them(store_with_failures: Store) -> None:
    found = standings(StoredTournament.load(store_with_failures, 1))
    assert {bot: dict(each.process_failures) for bot, each in found.conduct.items()} == {
        "a": {}, "b": {"crash": 2, "start": 1}, "c": {}, "d": {},
    }  # fmt: skip


@pytest.fixture
def store_with_failures(tmp_path: Path) -> Iterator[Store]:
    from arena.values.failure_rows import ProcessFailureRow
    from referee.games.cambio import CAMBIO
    from tests import played

    with open_store(tmp_path / "a.db", create=True) as store:
        store.add_tournament(played.tournament(CAMBIO, matches=8))
        failures = [
            ProcessFailureRow(0, 0, 1, time, kind, "x") for time, kind in ((1, "crash"), (2, "crash"), (3, "start"))
        ]
        store.add_matches(1, [played.match(CAMBIO, number) for number in range(8)], failures=failures)
        yield store
