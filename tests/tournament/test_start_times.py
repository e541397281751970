"""How long single bots may take to start."""

from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

import arena.plan.field as field_module
from arena.cli import main
from arena.plan.definition_builder import check_time_control
from arena.plan.schedule import Plan
from arena.plan.start_times import with_start_times
from arena.results.stored_tournament import StoredTournament
from arena.run.work_units import units
from arena.store import open_store
from arena.values.definition import Definition, Entrant, TimeControl
from arena.values.tournament_errors import FieldError, PlanError

OWL = Entrant("club/owl@3", ("./owl",), "/bots", (), "ab", submission="club/owl@3")
FIELD = (OWL, Entrant("crow", ("./crow",), "/bots", (), "cd"), Entrant("mine", (), "", (), "ef", in_process=True))


def test_only_the_bots_that_are_named_have_another_start_time() -> None:
    field = with_start_times(FIELD, [("club/owl", 60_000)])
    assert [bot.start_time_ms for bot in field] == [60_000, 0, 0]
    assert [bot.start_time_ms for bot in with_start_times(field, [("crow", 1)])] == [60_000, 1, 0]


@pytest.mark.parametrize(
    ("times", "error", "sentence"),
    [
        ([("rook", 5)], FieldError, 'there is no bot "rook" in the field'),
        ([("mine", 5)], FieldError, "mine is not started by arena, so it has no start time"),
        ([("crow", 0)], PlanError, "no bot starts in no time: give --start at least 1ms, such as 10s"),
    ],
)
def test_what_is_no_start_time_is_said(times: Iterable[tuple[str, int]], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        with_start_times(FIELD, times)


def test_no_bot_starts_in_no_time() -> None:
    with pytest.raises(PlanError, match="no bot starts in no time"):
        check_time_control(TimeControl(start_time_ms=0))


def test_a_definition_says_it_of_bots_that_have_another(cambio: Callable[..., Definition]) -> None:
    usual = cambio("random", "cautious")
    definition = replace(usual, field=with_start_times(usual.field, [("cautious", 60_000)]))
    assert [bot.get("start_time_ms") for bot in definition.to_json()["field"]] == [None, 60_000]
    assert Definition.from_json(definition.to_json()) == definition
    [first, *_] = units(Plan.of(definition, bytes(32)), (), 1)
    players = first.message(definition, bytes(32), ()).players
    assert {player.bot: player.start_time_ms for player in players} == {"random": 0, "cautious": 60_000}


def test_an_organiser_gives_all_bots_a_time_and_one_another(tmp_path: Path) -> None:
    db = str(tmp_path / "a.db")
    words = ["--bots", "random,cautious", "--rounds", "1", "--entropy", "a lottery", "--db", db]
    done = CliRunner().invoke(
        main, ["tourney", "--game", "cambio", "--start", "15s", "--start", "cautious=1min", "--ready", "3s", *words]
    )
    assert done.exit_code == 0, done.output
    with open_store(db) as store:
        definition = StoredTournament.load(store, 1).definition
    assert (definition.time.start_time_ms, definition.time.ready_time_ms) == (15_000, 3000)
    assert [bot.start_time_ms for bot in definition.field] == [0, 60_000]


@pytest.mark.parametrize(
    ("starts", "sentence"),
    [
        (("soon",), "'soon' is not a duration"),
        (("owl=",), "'' is not a duration"),
        (("5s", "6s"), "all bots have two start times, 5s and 6s: give one"),
    ],
)
def test_a_start_time_that_cannot_be_read_is_a_sentence(starts: tuple[str, ...], sentence: str) -> None:
    words = [word for start in starts for word in ("--start", start)]
    done = CliRunner().invoke(main, ["match", "--game", "cambio", "random", "random", *words])
    assert done.exit_code == 2
    assert sentence in done.output


def test_a_submitted_bot_keeps_its_start_time_when_a_tournament_is_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    unpacked = replace(OWL, name="owl", folder="/elsewhere")
    monkeypatch.setattr(field_module, "entrant_from_submission", lambda row, roster: unpacked)
    roster: Any = SimpleNamespace(version=lambda name: SimpleNamespace(content=OWL.sha256))
    [bot] = field_module.unpack_submissions([replace(OWL, start_time_ms=60_000, grants=("network",))], roster)
    assert bot == replace(OWL, folder="/elsewhere", start_time_ms=60_000, grants=("network",))
