"""Every installed game keeps the contract: under each preset, and in matches that begin as its scenarios tell."""

from pathlib import Path

import pytest

from arena.testing import check_declaration, check_preset, check_scenarios
from referee.engine.chance import Chance
from referee.engine.registry import game, names

SCENARIOS = Path(__file__).parent.parent / "scenarios"
EXAMPLES = 48
"""Matches of each game, divided among its presets; four at the least for each."""

PRESETS = [(name, preset) for name in names() for preset in game(name).presets]


@pytest.mark.parametrize("name", names())
def test_the_game_says_what_it_is(name: str) -> None:
    check_declaration(game(name))


@pytest.mark.parametrize("name", names())
def test_the_game_counts_what_it_cannot_lose(name: str) -> None:
    rules = game(name)
    assert rules.start(rules.options(), rules.recommended, Chance(bytes(32))).counts()


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_the_game_keeps_the_contract(name: str, preset: str) -> None:
    check_preset(game(name), preset, examples=max(4, EXAMPLES // len(game(name).presets)))


@pytest.mark.parametrize("name", names())
def test_the_game_keeps_the_contract_where_its_scenarios_lead(name: str) -> None:
    folder = SCENARIOS / name
    assert folder.is_dir(), f"{name} has no scenarios"
    check_scenarios(game(name), folder, examples=12)
