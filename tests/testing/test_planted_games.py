"""The suite finds mistakes planted in any of the games: leaks through moves, their order and the log, and aliases."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any
from zlib import crc32

import pytest

from arena.testing import BrokenPromise, Check, check_copies, check_hiding
from referee.engine.chance import Chance
from referee.engine.events import Audience
from referee.engine.game import Game, State
from referee.engine.registry import game, names
from referee.games.exchange import ExchangeTable
from referee.games.pile import Pile

MATCHES = 12
"""A leak must be found in one of so many matches of a preset."""

UNSEEN = {("torionfo", "seat {} discards a card"), ("cucco", "OTHERS")}
"""Lines that tell nobody more when they are for all: the seat knows it all; Cucco has no hands that others see."""

PRIVATE = [
    pytest.param(name, number, id=f"{name}: {line.text} ({line.to.name})")
    for name in names()
    for number, line in enumerate(game(name).lines)
    if line.to is not Audience.ALL and not {(name, line.text), (name, line.to.name)} & UNSEEN
]


REPLACED = {("scopa", "moves"), ("scopa", "points")}
"""What is never changed, but replaced by another object: copies may share it."""


def opening(rules: Game) -> State:
    """Return an opening position."""
    return rules.start(rules.options(), rules.recommended, Chance(bytes(32)))


def mutable(rules: Game) -> list[str]:
    """Return the names of what a state holds that can be changed in place, those in a table as "table.name"."""
    return sorted(slot for slot in mutable_slots(opening(rules)) if (rules.name, slot) not in REPLACED)


def mutable_slots(holder: object) -> set[str]:
    slots = [slot for kind in type(holder).__mro__ for slot in getattr(kind, "__slots__", ())]
    kept = {slot for slot in slots if isinstance(getattr(holder, slot, None), list | dict | set | Pile | ExchangeTable)}
    tables = [slot for slot in kept if isinstance(getattr(holder, slot), ExchangeTable)]
    return kept | {f"{table}.{slot}" for table in tables for slot in mutable_slots(getattr(holder, table))}


ALIASES = [(name, slot) for name in names() for slot in mutable(game(name))]


def found(rules: Game, presets: Mapping[str, Mapping[str, Any]], check: Check = check_hiding) -> str:
    """Return what a check finds in the first matches of some presets. Fails where that is nothing."""
    for options in presets.values():
        for number in range(MATCHES):
            try:
                check(rules, options, seed=number, play=number)
            except BrokenPromise as broken:
                return broken.what
    pytest.fail(f"nothing is noticed in {MATCHES} matches of each preset")


def planted(rules: Game, wrap: Callable[[type[State]], Mapping[str, Any]]) -> Game:
    """Return a game whose states have other methods."""
    kind = type(opening(rules))
    other: Any = type("Planted", (kind,), {"__slots__": (), **wrap(kind)})

    def start(self: Game, options: Any, seats: int, chance: Any) -> State:
        state = rules.start(options, seats, chance)
        state.__class__ = other
        return state

    made: Game = type("PlantedGame", (type(rules),), {"start": start})()
    return made


def secret(state: State, seat: int) -> int:
    """Return 0 or 1 by what another seat sees; in a game in which nobody sees his own card, by the pack."""
    pack = getattr(state, "pack", ())
    return crc32(repr((state.view((seat + 1) % 2), pack if isinstance(pack, tuple) else ())).encode()) % 2


@pytest.mark.parametrize("name", names())
def test_a_leak_through_the_order_of_moves(name: str) -> None:
    def wrap(kind: type[State]) -> Mapping[str, Any]:
        def legal(self: State, seat: int) -> tuple[str, ...]:
            return kind.legal(self, seat)[:: -1 if secret(self, seat) else 1]

        return {"legal": legal}

    assert "the order of the moves it is offered" in found(planted(game(name), wrap), {"default": {}})


@pytest.mark.parametrize("name", names())
def test_a_leak_through_the_moves_offered(name: str) -> None:
    def wrap(kind: type[State]) -> Mapping[str, Any]:
        def legal(self: State, seat: int) -> tuple[str, ...]:
            moves = kind.legal(self, seat)
            return (*moves, "hint") if moves and secret(self, seat) else moves

        def apply(self: State, moves: Sequence[str]) -> None:
            answers = zip(self.asked, moves, strict=True)
            kind.apply(self, [self.default(seat) if move == "hint" else move for seat, move in answers])

        return {"legal": legal, "apply": apply}

    assert "the moves it is offered" in found(planted(game(name), wrap), {"default": {}})


@pytest.mark.parametrize(("name", "number"), PRIVATE)
def test_a_leak_through_a_line_that_is_for_some_seats_alone(name: str, number: int) -> None:
    rules = game(name)
    lines = tuple(replace(line, to=Audience.ALL) if n == number else line for n, line in enumerate(rules.lines))
    made: Game = type("PlantedGame", (type(rules),), {"lines": lines})()
    assert "with `reveals`" in found(made, rules.presets)


@pytest.mark.parametrize(("name", "slot"), ALIASES)
def test_an_alias_in_a_copy(name: str, slot: str) -> None:
    def wrap(kind: type[State]) -> Mapping[str, Any]:
        def copy(self: State) -> State:
            counterfactual = kind.copy(self)
            *holders, name = slot.split(".")
            owner, original = (reduce(getattr, holders, state) for state in (counterfactual, self))
            setattr(owner, name, getattr(original, name))
            return counterfactual

        return {"copy": copy}

    rules = game(name)
    assert found(planted(rules, wrap), rules.presets, check_copies)
