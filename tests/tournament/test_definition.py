import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.league.plan.definition import LeagueDefinition, define_league
from arena.plan.definition_builder import define
from arena.plan.field import find_bots, samples
from arena.values.canonical_json import canonical_json, hash_of_definition
from arena.values.definition import Definition, Entrant, TimeControl
from arena.values.stop_rule import StopRule
from arena.values.tournament_errors import PlanError
from referee.engine.errors import SeatsError
from referee.engine.redeal import Redeal
from referee.engine.registry import game

Make = Callable[..., Definition]


def test_a_definition_survives_json(cambio: Make) -> None:
    definition = replace(cambio("random", "cautious"), options={"chips": "2"})
    assert Definition.from_json(json.loads(json.dumps(definition.to_json()))) == definition


CLOCK = TimeControl(
    move_time_ms=50, bank_ms=1500, start_time_ms=7000, memory_bytes=64 << 20, strikes=1, remote_ms=9000, mode="clock",
    ponder=True, most_lag_ms=30,
)  # fmt: skip
ELSEWHERE = Entrant("ann/owl", (), "", (), "ab", remote="ann/owl", author="ann")
HANDED_IN = Entrant(
    "club/owl@3", ("./owl", "-v"), "/bots", (), "cd", submission="club/owl@3", memory_bytes=1 << 20, matches_at_once=2,
    games=("cambio", "coch"),
)  # fmt: skip


REDEAL = Redeal({"deck/1": (2, 0, 1)}, bytes(range(32)), 40, 1).to_json()


@pytest.mark.parametrize(
    "changed",
    [
        {"time": CLOCK},
        {"time": replace(CLOCK, slot_ms=5)},
        {"time": replace(CLOCK, ready_time_ms=0)},
        {"stop": StopRule("sprt", -5, 5, 0.01, 0.02)},
        {"stop": StopRule("separated"), "block": 250},
        {"teams": "mixed", "team_of": (0, 1, 0, 1), "rotations": "all", "seats": 4},
        {"schedule": "swiss", "stages": 3, "tie_break": ("direct", "lot"), "same_author": "apart", "names": True},
        {"schedule": "ladder", "challengers": 1, "entropy": "the draw of Saturday"},
        {"opening": (12, 57), "redeal": REDEAL},
        {"field": (ELSEWHERE, HANDED_IN)},
    ],
    ids=lambda changed: " ".join(changed),
)
def test_all_that_is_not_as_usual_survives_json_and_nothing_else_is_said(cambio: Make, changed: dict[str, Any]) -> None:
    usual = cambio("random", "cautious")
    definition = replace(usual, **changed)
    told = json.loads(json.dumps(definition.to_json()))
    assert Definition.from_json(told) == definition
    seldom = {"opening", "redeal", "tie_break", "same_author", "names", "entropy"}
    assert seldom & told.keys() == seldom & changed.keys(), "hashes of definitions stand"
    assert ("slot_ms" in told["time"]) == bool(definition.time.slot_ms)
    assert ("ready_time_ms" in told["time"]) == (definition.time.ready_time_ms != 10_000)


def test_tables_have_the_recommended_size_or_that_of_a_smaller_field(cambio: Make) -> None:
    recommended = game("cambio").recommended
    assert cambio("random", "random").seats == 2
    assert cambio(*["random"] * (recommended + 3)).seats == recommended
    assert cambio("random", "random", seats=5).seats == 5


@pytest.mark.parametrize("rounds", [0, -3])
def test_there_is_at_least_one_round(cambio: Make, rounds: int) -> None:
    with pytest.raises(PlanError, match=rf"^a tournament has at least 1 round, not {rounds}$"):
        cambio("random", "cautious", rounds=rounds)


def test_there_are_at_least_two_bots(cambio: Make) -> None:
    with pytest.raises(PlanError, match='name another one, or "cautious,cautious" to play'):
        cambio("cautious")


def test_seats_must_suit_the_game(cambio: Make) -> None:
    with pytest.raises(SeatsError, match="99"):
        cambio("random", "cautious", seats=99)


def test_options_are_kept_where_they_differ() -> None:
    rules = game("cambio")
    given = rules.options.parse({"chips": "2"})
    assert define(rules, given, find_bots(["random", "random"], samples("cambio"))).options == {"chips": "2"}


def test_a_fischer_clock_is_a_part_of_the_definition_only_where_there_is_one(cambio: Make) -> None:
    plain = cambio("random", "cautious")
    assert "fischer" not in plain.to_json()["time"]
    definition = replace(plain, time=TimeControl(fischer=True))
    assert Definition.from_json(definition.to_json()) == definition
    bots = find_bots(["random", "random"], samples("cambio"))
    rules = game("cambio")
    with pytest.raises(PlanError, match="--fischer adds what is left of the move time"):
        define(rules, rules.options(), bots, time=TimeControl(move_time_ms=0, fischer=True))


def test_the_definition_of_another_version_is_refused(cambio: Make) -> None:
    values = cambio("random", "cautious").to_json()
    with pytest.raises(PlanError, match="begun with version 99 of the schedule"):
        Definition.from_json(values | {"schedule_version": 99})
    with pytest.raises(PlanError, match="this version of arena cannot read the stored definition"):
        Definition.from_json(values | {"handicap": 3})
    for version in ({}, {"hash_version": 1}, {"hash_version": 3}):
        known = {key: value for key, value in values.items() if key != "hash_version"} | version
        with pytest.raises(PlanError, match="cannot read the stored definition of the tournament .*hash"):
            Definition.from_json(known)


def test_the_definition_of_another_version_is_read_as_far_as_it_is_known(cambio: Make) -> None:
    definition = cambio("random", "cautious")
    values = definition.to_json()
    bots = [bot | {"colour": "red"} for bot in values["field"]]
    newer = {**values, "handicap": 3, "schedule_version": 99, "time": values["time"] | {"delay_ms": 5}, "field": bots}
    assert Definition.read(newer) == replace(definition, schedule_version=99)
    with pytest.raises(PlanError, match="cannot read the stored definition of the tournament .Expected `int`"):
        Definition.read(newer | {"rounds": "many"})


PLAYED = Definition(
    game="cambio", options={"chips": "2"}, behaviour=1, rounds=10, seats=2, field=(ELSEWHERE, HANDED_IN)
)  # fmt: skip


@pytest.mark.parametrize(
    ("published", "changed"),
    [
        ("d2a9286f316a1df3", {}),
        ("63962ce5bfb74b42", {"time": CLOCK}),
        ("0085cc58c794b926", {"time": replace(CLOCK, slot_ms=5, fischer=True, ready_time_ms=0)}),
        ("19e935f4c3e5962a", {"stop": StopRule("sprt", -5.0, 5.0, 0.01, 0.02)}),
        ("fabcf35e2c528add", {"stop": StopRule("separated"), "block": 250}),
        ("6c5a0ce740262678", {"teams": "mixed", "team_of": (0, 1, 0, 1), "rotations": "all", "seats": 4}),
        (
            "8c8a89126671bfd9",
            {"schedule": "swiss", "stages": 3, "tie_break": ("direct", "lot"), "same_author": "apart", "names": True},
        ),
        ("b5673fadaad46cf6", {"schedule": "ladder", "challengers": 1, "entropy": "the draw of Saturday"}),
        ("1eed0c3c38712c0d", {"opening": (12, 57), "redeal": REDEAL}),
        ("f65744b07e575944", {"schedule": "tables", "tables": ((0, 1), (1, 0)), "matches_at_once": 1}),
        (
            "f21d466fa4e4d107",
            {
                "field": (
                    replace(HANDED_IN, grants=("network",), start_time_ms=60_000),
                    replace(ELSEWHERE, in_process=True),
                )
            },
        ),
    ],
)
def test_published_hashes_never_change(published: str, changed: dict[str, Any]) -> None:
    definition = replace(PLAYED, **changed)
    assert hash_of_definition(definition.to_json())[:16] == published
    assert Definition.from_json(json.loads(canonical_json(definition.to_json()))) == definition


def test_hashes_of_leagues_never_change() -> None:
    league = LeagueDefinition(game="cambio", options={"chips": "2"}, behaviour=1, seats=4)
    timed = replace(league, time=CLOCK, team_of=(0, 1, 0, 1), season_days=30)
    hashes = [hash_of_definition(each.to_json())[:16] for each in (league, timed)]
    assert hashes == ["626daaeaea94c963", "d715a24c0909934f"]
    assert [LeagueDefinition.from_json(each.to_json()) for each in (league, timed)] == [league, timed]


def test_what_the_first_release_stored_is_read_and_written_as_it_was() -> None:
    released = Path(__file__).parent.parent / "store/data/first_release.sql"
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(released.read_text())
        [text] = connection.execute("SELECT definition FROM events WHERE tournament IS NOT NULL").fetchone()
    assert canonical_json(Definition.from_json(json.loads(text)).to_json()) == text


def test_who_chose_no_number_of_strikes_has_that_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, field = game("cambio"), find_bots(["random", "cautious"], samples("cambio"))

    def strikes(**chosen: int) -> int:
        return define(rules, rules.options(), field, time=TimeControl.choose(chosen)).time.strikes

    assert strikes() == TimeControl().strikes == 3
    monkeypatch.setattr(type(rules), "strikes", 1)
    assert strikes() == 1
    assert strikes(strikes=2) == 2
    assert define_league(rules, rules.options(), time=TimeControl.choose({})).time.strikes == 1
