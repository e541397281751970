"""Clocks of single bots: parsed, stored, refused, told to the referee, shown."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from arena.api.settings import bot_clocks
from arena.cli import main
from arena.plan.bot_clocks import with_clocks
from arena.plan.schedule import Plan
from arena.run.work_units import units
from arena.values.definition import Clock, Definition, Entrant, TimeControl
from arena.values.tournament_errors import FieldError, PlanError

Cambio = Callable[..., Definition]


def test_a_clock_of_its_own_is_stored_and_hashed_only_where_there_is_one(cambio: Cambio) -> None:
    plain = cambio("random", "cautious")
    field = with_clocks(plain.field, [("cautious", {"move_time_ms": 200, "bank_ms": 0})])
    odds = replace(plain, field=field)
    assert plain.odds == {}
    assert odds.odds == {0: Clock(1000, 10_000, fischer=False), 1: Clock(200, 0, fischer=False)}
    assert Definition.from_json(odds.to_json()) == odds
    stored = odds.to_json()["field"]
    assert {"move_time_ms", "bank_ms"} <= {*stored[1]}
    assert not {"move_time_ms", "bank_ms", "increment_ms"} & {*stored[0]}


@pytest.mark.parametrize(
    ("own", "usual", "clock", "words"),
    [
        ({}, {}, Clock(1000, 10_000, fischer=False), "1s, bank 10s"),
        ({"move_time_ms": 0}, {}, Clock(0, 10_000, fischer=False), "no limit"),
        ({"bank_ms": 500}, {"fischer": True}, Clock(1000, 500, fischer=True), "500ms + 1s"),
        ({"increment_ms": 50}, {}, Clock(50, 10_000, fischer=True), "10s + 50ms"),
        ({"move_time_ms": 50}, {"fischer": True}, Clock(50, 10_000, fischer=True), "10s + 50ms"),
    ],
)
def test_what_is_left_out_is_as_for_all(
    own: dict[str, int], usual: dict[str, bool], clock: Clock, words: str, cambio: Cambio
) -> None:
    bot: Entrant = replace(cambio("random", "cautious").field[0], **own)
    assert bot.clock(TimeControl(**usual)) == clock  # type: ignore[arg-type]
    assert str(clock) == words


def test_the_referee_is_told(cambio: Cambio) -> None:
    plain = cambio("random", "cautious", rounds=1, seats=2)
    definition = replace(plain, field=with_clocks(plain.field, [("random", {"increment_ms": 30})]))
    [first, *_] = units(Plan.of(definition, bytes(32)), (), 1)
    told = {player.bot: player for player in first.message(definition, bytes(32), ()).players}
    clock = told["random"].clock
    assert (clock.move_time_ms, clock.bank_ms, clock.fischer) == (30, 10_000, True)
    assert not told["cautious"].HasField("clock")


@pytest.mark.parametrize(
    ("clocks", "error", "sentence"),
    [
        ([("owl", {"bank_ms": 1})], FieldError, 'there is no bot "owl" in the field'),
        ([("random", {"bank_ms": 1})] * 2, PlanError, "random has two clocks: give one"),
        ([("random", {"move_time_ms": 1, "increment_ms": 1})], PlanError, "give one of the two"),
        ([("random", {"increment_ms": 0})], PlanError, "random needs an increment of at least 1ms"),
    ],
)
def test_clocks_that_are_refused(
    clocks: list[tuple[str, dict[str, int]]], error: type[Exception], sentence: str, cambio: Cambio
) -> None:
    with pytest.raises(error, match=sentence):
        with_clocks(cambio("random", "cautious").field, clocks)


def test_an_attached_bot_has_no_clock() -> None:
    with pytest.raises(FieldError, match="me is started by somebody else and has no clock"):
        with_clocks((Entrant("me", (), "", (), ""),), [("me", {"bank_ms": 1})])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("random", "is not NAME and a clock, such as owl,move-time=200ms,bank=5s"),
        (",bank=5s", "is not NAME and a clock"),
        ("random,bank=5s,bank=6s", "has two of bank: give one"),
        ("random,bank=much", "much"),
        ("random,speed=3", "is not NAME and a clock"),
        ("owl,bank=5s", 'there is no bot "owl" in the field'),
    ],
)
def test_options_that_cannot_be_read(text: str, sentence: str) -> None:
    command = ["tourney", "--game", "cambio", "--bots", "random,cautious", "--dry-run", "--bot", text]
    done = CliRunner().invoke(main, command)
    assert done.exit_code != 0
    assert sentence in (done.output or str(done.exception)) + str(done.exception)


def test_the_plan_tells_the_clocks() -> None:
    command = ["tourney", "--game", "cambio", "--bots", "random,cautious", "--dry-run", "--bot"]
    told = CliRunner().invoke(main, [*command, "cautious,move-time=200ms,bank=5s"]).output
    assert "random has the clock 1s, bank 10s\ncautious has the clock 200ms, bank 5s" in told
    values = json.loads(CliRunner().invoke(main, [*command, "cautious,increment=1s", "--json"]).output)
    assert values["clocks"]["cautious"] == {"move_time_ms": 1000, "bank_ms": 10_000, "fischer": True}


def test_clocks_of_the_library() -> None:
    assert bot_clocks({"owl": {"move_time": "200ms", "bank": 5}}) == [("owl", {"move_time_ms": 200, "bank_ms": 5000})]
    assert bot_clocks(None) == []
    wrong: Any
    for wrong in ([], {"owl": 3}):
        with pytest.raises(PlanError, match="clocks is a dict of bots and clocks"):
            bot_clocks(wrong)
    with pytest.raises(PlanError, match="a key of the clock of owl is one of move_time, bank, increment, not 'time'"):
        bot_clocks({"owl": {"time": 3}})
