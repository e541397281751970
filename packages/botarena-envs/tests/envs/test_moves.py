"""The actions of a game are all moves that can ever be legal."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from arena.envs.episode import Setup
from arena.envs.errors import EnvError
from arena.envs.moves import ActionTable
from arena.envs.observation import LAYOUTS
from referee.engine.chance import Chance, deal_seed, seed_from_number
from referee.engine.registry import game
from referee.games.captures import MOST_WAYS, captures
from referee.games.hypp import Hypp

PLAYTHROUGHS = Path(__file__).parents[4] / "tests" / "playthroughs"
PRESETS = [(name, preset) for name in LAYOUTS for preset in game(name).presets]
MOVES = 120
"""Answers of a random match that are looked at."""


def offered(name: str, preset: str, seats: int) -> Iterator[tuple[str, ...]]:
    """Yield the legal moves of the questions of a random match."""
    rules = game(name)
    state = rules.start(
        rules.options.parse(rules.presets[preset]), seats, Chance(deal_seed(seed_from_number(3), seats))
    )
    rng = Random(f"{name} {preset} {seats}")
    for _ in range(MOVES):
        if not state.asked:
            return
        legal = [state.legal(seat) for seat in state.asked]
        yield from legal
        state.events.clear()
        state.apply([rng.choice(moves) for moves in legal])


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_every_legal_move_of_random_matches_has_an_action(name: str, preset: str) -> None:
    rules = game(name)
    options = rules.options.parse(rules.presets[preset])
    tables = rules.tables(options)
    for seats in {tables[0], tables[len(tables) // 2]}:
        table = ActionTable(rules, options, seats)
        assert len(set(table.listed)) == len(table.listed)
        for legal in offered(name, preset, seats):
            offer = table.offer(legal)
            assert sorted(offer.moves.values()) == sorted(legal)
            assert offer.mask.count(1) == len(offer.moves)
            assert all(offer.mask[action] == 1 for action in offer.moves)
            if name not in ("perudo", "scopa"):
                assert set(legal) <= set(table.listed)


@pytest.mark.parametrize("path", [path for name in LAYOUTS for path in sorted((PLAYTHROUGHS / name).iterdir())])
def test_every_move_of_the_playthroughs_has_an_action(path: Path) -> None:
    name, preset, text = path.parent.name, path.stem, path.read_text()
    seats = int(re.findall(r"^(\d+) seats", text, re.MULTILINE)[0])
    setup = Setup(name, seats, game(name).presets[preset])
    shown = re.findall(r"^ +seat \d+\? (.*?)(?: \(\d+ moves\))?$", text, re.MULTILINE)
    moves = {move.strip("[]") for line in shown for move in line.split(", ")}
    assert moves
    unlisted = moves - set(setup.actions.listed)
    assert not unlisted or name in ("perudo", "scopa"), unlisted
    if name == "scopa":
        assert all(" take " in move for move in unlisted)
    if name == "perudo":
        assert all(len(move.split()) - 2 > 4 for move in unlisted)


def test_the_table_with_the_most_captures_of_scopa_has_as_many_as_the_rules_say() -> None:
    table = tuple(f"{suit}{value}" for suit in "CUSB" for value in (1, 2, 3, 6)) + ("C5",)
    assert len(captures(table, "C10")) == MOST_WAYS


def test_a_move_that_is_not_listed_is_numbered_by_its_place() -> None:
    table = Setup("scopa", 2, {}).actions
    offer = table.offer(("play C1", "play C5 take C2 C3", "play C5 take U2 C3"))
    assert offer.moves == {0: "play C1", 40: "play C5 take C2 C3", 41: "play C5 take U2 C3"}


def test_a_game_that_lists_no_actions_is_refused_in_a_sentence() -> None:
    class Silent(Hypp):
        def actions(self, options: object, seats: int) -> tuple[str, ...]:
            return ()

    with pytest.raises(EnvError, match="hypp lists no actions"):
        ActionTable(Silent(), Silent.options(), 2)
