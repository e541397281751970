from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli.slow_parts import slow_parts
from arena.plan.definition_builder import define
from arena.plan.field import find_bots, samples
from arena.plan.new_event import new_event
from arena.results.standings import standings
from arena.results.stored_tournament import StoredTournament
from arena.results.tournament_header import tournament_header
from arena.store import Store, open_store
from arena.values.definition import Settings, Teams
from referee import build_info
from referee.engine.registry import game


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.mark.parametrize(
    ("name", "teams", "tables"),
    [
        ("cambio", "one", "3 rounds at tables of 2, 0 of 6 matches"),
        ("coch", "one", "3 rounds at tables of 4 in 2 teams, one bot each, 0 of 6 matches"),
        ("coch", "mixed", "3 rounds at tables of 4 in 2 mixed teams, 0 of 6 matches"),
    ],
)
def test_the_heading_says_who_plays_a_team(store: Store, name: str, teams: Teams, tables: str) -> None:
    rules = game(name)
    definition = define(
        rules, rules.options(), find_bots(["random", "random"], samples(name)), Settings(rounds=3, teams=teams)
    )
    number = store.add_tournament(new_event(definition, bytes(32), None, 6))
    tournament = StoredTournament.load(store, number)
    first, *_ = tournament_header(tournament, standings(tournament))
    assert f": {name}, {tables}, " in first


@pytest.mark.parametrize(
    ("settings", "heading"),
    [
        (Settings(rounds=3), "3 rounds at tables of 2, 0 of"),
        (Settings(rounds=3, schedule="swiss", stages=2), "3 rounds per stage at tables of 2, swiss of 2 stages, 0 of"),
        (Settings(rounds=3, schedule="knockout"), "3 rounds per stage at tables of 2, knockout, 0 of"),
    ],
)
def test_the_heading_says_how_many_stages_there_are_and_how_long(
    store: Store, settings: Settings, heading: str
) -> None:
    rules = game("cambio")
    definition = define(rules, rules.options(), find_bots(["random", "random"], samples("cambio")), settings)
    tournament = StoredTournament.load(store, store.add_tournament(new_event(definition, bytes(32), None, 6)))
    first, *_ = tournament_header(tournament, standings(tournament))
    assert f": cambio, {heading} " in first


@pytest.mark.parametrize(
    ("codec", "chance", "remedy", "outdated", "named"),
    [
        ("native", "native", "", False, []),
        ("native", "native", "make fast", False, ["rules"]),
        ("native", "native", "make fast", True, ["rules"]),
        ("native", "pure", "make fast", False, ["chance", "rules"]),
        ("pure", "pure", "", False, ["codec"]),
        ("pure", "pure", "make fast", False, ["codec", "rules"]),
    ],
)
def test_slow_parts_are_named(
    monkeypatch: pytest.MonkeyPatch, codec: str, chance: str, remedy: str, outdated: bool, named: list[str]
) -> None:
    monkeypatch.setattr(build_info, "codec_name", lambda: codec)
    monkeypatch.setattr(build_info, "chance_name", lambda: chance)
    monkeypatch.setattr(build_info, "rules_remedy", lambda: remedy)
    monkeypatch.setattr(build_info, "is_outdated", lambda: outdated)
    lines = list(slow_parts())
    assert [line.split()[1] for line in lines] == named
    assert outdated == any(
        "as a source has changed since they were compiled; again: make fast" in line for line in lines
    )
