"""Tournaments of the library, with real referees and in-process bots beside programs."""

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import click.testing
import pytest
import trio

from arena import cli
from arena.api import (
    ArenaError,
    Question,
    load_results,
    resume_tournament,
    resume_tournament_async,
    tournament,
    tournament_async,
)
from arena.api.field import BotSpec
from arena.api.tournament_plan import _is_trusted
from arena.values.tournament_errors import FieldError, HostingError, PlanError
from tests.api.bots import SHORT, Drawer, broken, first


def arena(*arguments: str) -> click.testing.Result:
    return click.testing.CliRunner().invoke(cli.main, arguments)


@pytest.mark.processes
def test_a_tournament_is_played_rated_and_stored_as_that_of_the_command(
    tmp_path: Path, remaining_processes: Callable[[], dict[int, str]]
) -> None:
    database, told = str(tmp_path / "arena.db"), []
    made = Drawer.made
    results = tournament(
        "cambio",
        {"mine": first, "theirs": "random", "drawn": Drawer},
        rounds=2,
        seed=1,
        options=SHORT,
        db=database,
        progress=lambda stored, total: told.append((stored, total)),
    )
    assert results.bots == ("mine", "theirs", "drawn")
    assert len(results.matches) == 6
    assert told[-1] == (6, 6)
    assert Drawer.made >= made + 3  # one for each rotation
    assert {row.bot for row in results.ranking} == set(results.bots)
    assert not any(fault for match in results.matches for fault in match.faults)
    verified = arena("tourney", "verify", "1", "--db", database)
    assert verified.exit_code == 0, verified.output
    assert "In-process bots" in arena("ranking", "1", "--db", database).output
    event = arena("tourney", "show", "1", "--toml", "--db", database)
    assert (event.exit_code, "mine is a function or class" in event.stderr) == (2, True), event.output
    assert arena("tourney", "export", "1", "--to", str(tmp_path / "exported"), "--db", database).exit_code == 0
    resumed = arena("tourney", "resume", "1", "--db", database)
    assert (resumed.exit_code, "with resume_tournament of arena.api" in resumed.stderr) == (2, True), resumed.output
    assert load_results(database).ranking["mine"] == results.ranking["mine"]
    assert not remaining_processes()


@pytest.mark.processes
def test_a_temporary_database_goes_with_the_results() -> None:
    results = tournament("cambio", [first, Drawer], rounds=1, options=SHORT, progress=False)
    database, match = Path(results.db), results.matches[0]
    assert database.exists()
    del results
    assert not database.parent.exists()
    assert match.replay.text().startswith("match ")


@pytest.mark.processes
def test_what_a_bot_raises_ends_the_tournament(remaining_processes: Callable[[], dict[int, str]]) -> None:
    with pytest.raises(KeyError, match="not "):
        tournament("cambio", [broken, "random"], rounds=50, options=SHORT, progress=False)
    assert not remaining_processes()


@pytest.mark.toolchain  # three tournaments
def test_one_that_was_stopped_is_resumed_with_the_same_bots_only(tmp_path: Path) -> None:
    database, asked, failing = str(tmp_path / "arena.db"), count(1), [True]

    def flaky(question: Question[Any]) -> str:
        if failing and next(asked) == 60:
            raise ValueError("out of luck")
        return question.legal[0]

    def other(question: Question[Any]) -> str:
        return question.legal[-1]

    with pytest.raises(ValueError, match="out of luck"):
        tournament("cambio", {"mine": flaky, "drawn": Drawer}, rounds=40, seed=1, options=SHORT, db=database)
    stored = len(load_results(database).matches)
    assert stored < 80
    resumed = arena("tourney", "resume", "1", "--db", database)
    assert resumed.exit_code == 2
    assert "mine is a function or class of the program that began the tournament" in resumed.output
    assert 'resume_tournament of arena.api, and give it there as bots={"mine": ...}' in resumed.output
    with pytest.raises(FieldError, match="the source of mine has changed"):
        resume_tournament(database, 1, {"mine": other, "drawn": Drawer})
    failing.clear()
    assert len(resume_tournament(database, 1, {"mine": flaky, "drawn": Drawer}).matches) == 80
    whole = tournament("cambio", {"mine": flaky, "drawn": Drawer}, rounds=40, seed=1, options=SHORT)
    assert whole.ranking["mine"].elo == load_results(database, 1).ranking["mine"].elo


@pytest.mark.toolchain  # two tournaments
def test_one_that_was_cancelled_is_resumed_within_asyncio_and_trio(tmp_path: Path) -> None:
    database = str(tmp_path / "arena.db")
    bots: dict[str, BotSpec] = {"mine": first, "drawn": Drawer}

    async def begin() -> None:
        begun = asyncio.Event()
        cancelled = threading.Event()
        loop = asyncio.get_running_loop()

        def report(stored: int, total: int) -> None:
            loop.call_soon_threadsafe(begun.set)
            assert cancelled.wait(60)  # a fast machine would play all matches in the meantime

        playing = tournament_async(
            "cambio", bots, rounds=1000, seed=1, jobs=1, options=SHORT, db=database, progress=report
        )
        task = asyncio.ensure_future(playing)
        await begun.wait()
        task.cancel()
        await asyncio.sleep(0)  # the task is told
        cancelled.set()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(begin())
    assert 0 < len(load_results(database).matches) < 2000
    with pytest.raises(FieldError, match="the source of mine has changed"):
        asyncio.run(resume_tournament_async(database, 1, {"mine": broken, "drawn": Drawer}))
    assert len(asyncio.run(resume_tournament_async(database, 1, bots, progress=False)).matches) == 2000
    assert len(trio.run(partial(resume_tournament_async, database, 1, bots, progress=False)).matches) == 2000


@pytest.mark.toolchain  # a rare mistake
def test_what_a_function_that_reports_progress_raises_ends_the_tournament(
    remaining_processes: Callable[[], dict[int, str]],
) -> None:
    def report(stored: int, total: int) -> None:
        raise OSError(f"{stored} of {total}")

    with pytest.raises(OSError, match="of 20"):
        tournament("cambio", [first, Drawer], rounds=10, options=SHORT, progress=report)
    assert not remaining_processes()


@pytest.mark.toolchain  # as matches are, by the same code
def test_it_is_played_within_asyncio() -> None:
    results = asyncio.run(tournament_async("cambio", [first, Drawer], rounds=1, options=SHORT, progress=False))
    assert len(results.matches) == 2


@pytest.mark.processes
@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rounds": 0}, "at least 1 round"),
        ({"bots": [first]}, "a tournament needs at least 2 bots: add another one"),
        ({"mode": "clock"}, r"an in-process bot \(first\) shares its process"),
        ({"mode": "slow"}, "mode is one of fast, clock, not 'slow'"),
        ({"schedule": "swiss"}, "set their number with `stages`"),
        ({"schedule": "cup"}, "schedule is one of round-robin, gauntlet"),
        ({"jobs": 0}, "jobs is at least 1"),
        ({"sprt": "elo0=0,elo1=5", "until_separated": True}, "exclude each other"),
        ({"db": "/nonexistent/arena.db"}, "/nonexistent"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ArenaError, match=sentence):
        tournament("cambio", **{"bots": [first, "random"], **changes})


@pytest.mark.parametrize(
    ("text", "is_trusted"), [("1", True), (" Yes ", True), ("on", True), ("0", False), ("no", False), ("", False)]
)
def test_the_environment_says_whether_bots_are_trusted(
    text: str, is_trusted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_TRUST_BOTS", text)
    assert _is_trusted(None) is is_trusted
    assert _is_trusted(not is_trusted) is not is_trusted


def test_an_environment_that_says_neither_yes_nor_no_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_TRUST_BOTS", "perhaps")
    with pytest.raises(HostingError, match="ARENA_TRUST_BOTS: 'perhaps' is not a valid boolean"):
        tournament("cambio", [first, "random"])


def test_a_choice_that_does_not_exist_is_a_plan_error() -> None:
    with pytest.raises(PlanError):
        tournament("cambio", [first, "random"], rotations="both")  # type: ignore[arg-type]
