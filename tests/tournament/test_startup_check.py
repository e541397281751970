"""Tournaments in which no bot comes up."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.run.dispatcher import ResultBatch
from arena.run.startup_check import Startup
from arena.store import open_store
from arena.values.definition import Entrant
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import FaultRow, MatchRow, SeatRow
from referee import sandbox
from referee.sandbox import bubblewrap

FIELD = tuple(Entrant(name, (name,), "/", (), "") for name in ("owl", "crow", "rook"))


def match(number: int, *, decisions: int = 0, kind: str = "start") -> MatchRow:
    seat = SeatRow(entrant=0, player=0, score=0, rank=1, decisions=decisions, charged_us=0, forfeit=True)
    fault = FaultRow(0, 0, kind, "it ended before it said hello", forfeit=True)
    return MatchRow(
        number=number, phase=0, round=0, table=0, deal=0, rotation=0, seed=b"", behaviour=1, answers=b"", times=b"",
        digest=b"", duration_ms=0, seats=(seat, seat), faults=(fault,), notes=(), says=(),
    )  # fmt: skip


def failed(*places: int) -> ResultBatch:
    return ResultBatch(rows=[match(place) for place in places], withdrawn=dict.fromkeys(places, "3 faults"))


def test_what_was_played_is_not_held_back() -> None:
    startup = Startup(FIELD, (), played=False)
    first, second = failed(0), ResultBatch(rows=[match(7, decisions=1)])
    assert startup.release([first]) == []
    assert startup.release([second]) == [first, second]
    assert startup.release([failed(1, 2)]) == [failed(1, 2)]
    assert startup.release_all() == []


@pytest.mark.parametrize("kind", ["crash", "hung", "illegal", "timeout", "memory", "protocol"])
def test_who_fails_after_its_hello_came_up(kind: str) -> None:
    batch = ResultBatch(rows=[match(0, kind=kind)])
    assert Startup(FIELD, (), played=False).release([batch]) == [batch]


def test_it_is_an_error_once_all_are_withdrawn() -> None:
    startup = Startup(FIELD, (), played=False)
    assert startup.release([failed(0), failed(2)]) == []
    assert startup.error is None
    assert startup.release([failed(1)]) == []
    assert "no bot of the field" in str(startup.error)
    assert "(owl: 3 faults; crow: 3 faults; rook: 3 faults)" in str(startup.error)
    assert startup.release_all() == []


def test_that_processes_failed_is_kept_in_any_case() -> None:
    startup = Startup(FIELD, (), played=False)
    failure = ProcessFailureRow(0, 0, 1, 0, "start", "it cannot be started", output="first\nno luck\n")
    assert startup.release([ResultBatch(failures=[failure])]) == [ResultBatch(failures=[failure])]
    assert startup.release([failed(0, 1, 2)]) == []
    assert 'crow: it cannot be started, last words "no luck"; rook: 3 faults' in str(startup.error)


def test_who_was_withdrawn_before_is_not_waited_for() -> None:
    startup = Startup(FIELD, {2}, played=True)
    assert startup.release([failed(0, 1)]) == []
    assert startup.error is not None


def test_a_bot_that_is_left_over_may_be_broken() -> None:
    assert Startup(FIELD, {0, 2}, played=True).release([failed(1)]) == [failed(1)]
    assert Startup(FIELD, {0, 1, 2}, played=True).release([failed()]) == [failed()]


@pytest.fixture
def broken(tmp_path: Path) -> list[str]:
    """Programs that exit at once, and say something before."""
    for name in ("owl", "crow"):
        (tmp_path / name).write_text(f"#!/bin/sh\necho {name} has no luck\nexit 3\n")
        (tmp_path / name).chmod(0o755)
    return [str(tmp_path / name) for name in ("owl", "crow")]


@pytest.mark.processes
def test_a_tournament_of_broken_bots_ends_with_an_error(broken: list[str], tmp_path: Path) -> None:
    db = str(tmp_path / "arena.db")
    words = ["tourney", "--game", "cambio", "--rounds", "3", "--bots", ",".join(broken), "--db", db]
    for again in (words, ["tourney", "resume", "1", "--db", db]):
        done = CliRunner().invoke(main, again, prog_name="arena")
        assert done.exit_code == 2
        assert "no bot of the field said hello, and no match was stored" in done.stderr
        assert 'last words "owl has no luck"' in done.stderr
        assert done.stdout == ""
    with open_store(db) as store:
        assert store.count(1) == 0
        assert not store.withdrawn(1)


@pytest.mark.promise
def test_one_bot_that_comes_up_is_enough(broken: list[str], tmp_path: Path) -> None:
    db = str(tmp_path / "arena.db")
    words = ["tourney", "--game", "cambio", "--rounds", "2", "--bots", f"{broken[0]},random", "--db", db]
    assert CliRunner().invoke(main, words, prog_name="arena").exit_code == 0
    with open_store(db) as store:
        assert store.count(1) == 4


@pytest.mark.processes
def test_a_sandbox_that_fails_for_all_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if sandbox.choose().mode != "bwrap":
        pytest.skip("it is bubblewrap that fails here")
    wrapper = tmp_path / "bwrap"
    real = bubblewrap.program()
    wrapper.write_text(
        f'#!/bin/sh\ncase "$*" in *--seccomp*) echo "bwrap: no room" >&2; exit 1;; esac\nexec {real} "$@"\n'
    )
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{Path(sys.executable).parent}:/usr/bin:/bin")
    db = str(tmp_path / "arena.db")
    words = ["tourney", "--game", "cambio", "--rounds", "2", "--bots", "random,random", "--db", db]
    done = CliRunner().invoke(main, words, prog_name="arena")
    assert done.exit_code == 2
    assert 'last words "bwrap: no room"' in done.stderr
