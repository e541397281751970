import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from sqlalchemy import update

from arena.cli import main
from arena.plan.formats import SingleStage
from arena.results.control import withdraw
from arena.results.stored_tournament import StoredTournament
from arena.run import runner
from arena.run.runner import RunResult, run
from arena.store import Store, StoreError, open_store
from arena.store.engine.schema import runs
from arena.store.matches.runs import Run
from arena.values.definition import Definition, TimeControl
from arena.values.errors import ArenaError
from arena.values.tournament_errors import PlayedError, RefereeError
from tests.tournament.processes import Watched, command, descendants
from tests.tournament.runs import Watcher, begin, results

pytestmark = pytest.mark.usefixtures("in_process")

Make = Callable[..., Definition]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.fixture
def short(cambio: Make) -> Definition:
    """A tournament of four bots at tables of three; matches are short, and clocks do not matter."""
    definition = cambio("random", "cautious", "random", "random", rounds=40, seats=3)
    time = TimeControl(move_time_ms=0, start_time_ms=60_000)
    return replace(definition, options={"chips": "2"}, block=25, time=time)


def play(store: Store, number: int, watcher: Watcher, jobs: int = 2) -> RunResult:
    tournament = StoredTournament.load(store, number)
    return run(tournament, tournament.resumable_definition(), jobs, watcher)


def referees() -> list[int]:
    return [pid for pid in descendants(os.getpid()) if "-m referee" in command(pid)]


@pytest.mark.processes
@pytest.mark.usefixtures("with_processes")
def test_results_do_not_depend_on_the_number_of_referees_or_on_interruptions(store: Store, short: Definition) -> None:
    alone, together, interrupted = (begin(store, short) for _ in range(3))
    played = play(store, alone, Watcher(), jobs=1)
    assert (played.matches, played.stopped) == (120, None)
    assert played.decisions > 120
    assert store.tournament(alone).finished

    watcher = Watcher()
    play(store, together, watcher, jobs=3)
    assert watcher.matches == 120

    stopped = play(store, interrupted, Watcher(lambda: os.kill(os.getpid(), signal.SIGINT)), jobs=2)
    assert stopped.stopped == signal.SIGINT
    assert not referees()
    assert 0 < stopped.matches == len(store.played(interrupted)) < 120
    assert store.tournament(interrupted).finished is None
    rest = play(store, interrupted, Watcher(), jobs=2)
    assert rest.matches == 120 - stopped.matches

    assert results(store, alone) == results(store, together) == results(store, interrupted)


@pytest.mark.promise
@pytest.mark.usefixtures("with_processes")
def test_a_referee_that_is_killed_costs_no_match_and_leaves_no_bot(store: Store, short: Definition) -> None:
    number = begin(store, short)
    killed: list[Watched] = []

    def kill() -> None:
        victim = referees()[0]
        killed.append(Watched(descendants(victim)))
        os.kill(victim, signal.SIGKILL)

    watcher = Watcher(kill)
    played = play(store, number, watcher, jobs=1)
    assert played.matches == 120
    assert not any(row[5] for row in results(store, number))
    assert any(line.startswith("a referee process died") for line in watcher.lines)
    assert killed[0].survivors() == []
    assert not referees()


@pytest.mark.processes
@pytest.mark.usefixtures("with_processes")
def test_a_tournament_gives_up_where_referees_cannot_play(store: Store, short: Definition) -> None:
    number = begin(store, replace(short, options={"no_such_option": "1"}))
    with pytest.raises(RefereeError, match="3 referees in a row could not go on with the same matches.*no_such_option"):
        play(store, number, Watcher(), jobs=1)
    assert not referees()


def test_a_log_that_cannot_be_written_or_read_ends_it_with_a_sentence(
    store: Store, short: Definition, monkeypatch: pytest.MonkeyPatch
) -> None:
    act = store.append_decision

    def full(tournament: int, who: str, kind: str, details: dict[str, Any], *rest: Any, **more: Any) -> object:
        if details.get("leg") == 1:
            raise StoreError("the disk is full")
        return act(tournament, who, kind, details, *rest, **more)

    number = begin(store, short)
    with monkeypatch.context() as patch:
        patch.setattr(store, "append_decision", full)
        with pytest.raises(StoreError, match="the disk is full"):
            play(store, number, Watcher())

    def gone(tournament: int) -> int:
        raise StoreError("the database is gone")

    number = begin(store, short)
    with monkeypatch.context() as patch:
        patch.setattr("arena.run.runner.LOG_SECONDS", 0)
        patch.setattr(store, "decision_count", gone)
        with pytest.raises(StoreError, match="the database is gone"):
            play(store, number, Watcher())
    assert not referees()


def test_what_is_all_played_starts_nothing(store: Store, cambio: Make) -> None:
    number = begin(store, cambio("random", "random", rounds=1))
    assert play(store, number, Watcher()).matches == 2
    assert play(store, number, Watcher()).matches == 0


def test_a_bot_that_always_fails_is_withdrawn_and_said_so(store: Store, cambio: Make, tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("raise SystemExit('no licence')\n")
    definition = replace(cambio("random", str(bad), rounds=12, seats=2), options={"chips": "1"}, block=6)
    number = begin(store, definition)
    watcher = Watcher()
    assert play(store, number, watcher, jobs=1).matches == 24
    assert list(store.withdrawn(number)) == [1]
    assert any(line.startswith("bad is withdrawn from the tournament") for line in watcher.lines)
    assert "no licence" not in store.withdrawn(number)[1], "everybody may read why; what it printed is its owner's"
    (kinds,) = store.process_failures.counts(number).values()
    assert kinds in ({"start": 3}, {"start": 6}), "the next phase may have begun by then"
    assert {each.row.output for each in store.process_failures.listed(tournament=number)} == {"no licence\n"}
    last = store.match(store.tournament(number).first_match + 23).row
    assert {fault.kind for fault in last.faults} == {"withdrawn"}


async def no_signals(stop: Callable[[signal.Signals], None]) -> None:
    """Heed none, as only the main thread can."""


def test_a_tournament_that_is_being_played_is_refused(store: Store, cambio: Make) -> None:
    number = begin(store, cambio("random", "random", rounds=2))
    refused = list[str]()

    def play_beside() -> None:
        tournament = StoredTournament.load(store, number)
        definition = tournament.resumable_definition()
        with pytest.raises(PlayedError, match=f"^tournament {number} is being played by process {os.getpid()} of "):
            run(tournament, definition, 1, Watcher(), stop_source=no_signals)
        words = ["tourney", "resume", str(number), "--db", store.where]
        found = CliRunner().invoke(main, words, prog_name="arena", catch_exceptions=False)
        assert found.exit_code == 2
        refused.append(found.stderr)

    play(store, number, Watcher(play_beside))
    assert refused[0].startswith(f"Error: tournament {number} is being played by process {os.getpid()} of ")
    assert store.runs.current(number) is None
    assert store.count(number) == store.tournament(number).matches


def test_a_run_that_was_taken_over_stops_and_keeps_what_is_stored(
    store: Store, short: Definition, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "HEARD_SECONDS", 0.01)
    number = begin(store, replace(short, rounds=4000))

    def take_over() -> None:
        with store.write() as connection:
            connection.execute(update(runs).values(worker="elsewhere:1:5:99"))

    with pytest.raises(PlayedError, match=f"another process has taken tournament {number} over, as nothing was heard"):
        play(store, number, Watcher(take_over))
    assert 0 < store.count(number) < store.tournament(number).matches
    found = store.runs.current(number)
    assert found is not None
    assert found.worker == "elsewhere:1:5:99"


def test_who_is_refused_leaves_the_log_alone(store: Store, short: Definition) -> None:
    number = begin(store, short)
    play(store, number, Watcher(lambda: os.kill(os.getpid(), signal.SIGINT)))
    withdraw(StoredTournament.load(store, number), "cautious", "drop", "keep", "ann", "a test")
    assert store.runs.begin(number, Run("elsewhere:1:5:99", "2026-07-01")) is None
    log = store.decisions(number)
    with pytest.raises(PlayedError):
        play(store, number, Watcher())
    assert store.decisions(number) == log


def test_a_run_that_was_taken_over_begins_nothing_more(
    store: Store, short: Definition, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "HEARD_SECONDS", 0.01)
    number = begin(store, short)
    known, plan, fail = Event(), SingleStage.plan, runner._Runner._fail

    def note(self: Any, error: ArenaError) -> None:
        fail(self, error)
        known.set()

    def take_over(self: Any, *arguments: Any) -> Any:
        with store.write() as connection:
            connection.execute(update(runs).values(worker="elsewhere:1:5:99"))
        assert known.wait(60)
        return plan(self, *arguments)

    monkeypatch.setattr(runner._Runner, "_fail", note)
    monkeypatch.setattr(SingleStage, "plan", take_over)
    with pytest.raises(PlayedError, match="taken"):
        play(store, number, Watcher())
    assert store.count(number) == 0
