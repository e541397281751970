"""Matches with a scripted deck, for tests of the cuckoo-card games."""

from collections.abc import Sequence
from random import Random
from typing import Any

from referee.engine.chance import Chance, ScriptedChance, seed_from_number
from referee.engine.events import history
from referee.engine.game import Game, State


def deal(game: Game, seats: int, deck: Sequence[int], *, first: int = 0, **options: Any) -> Any:
    """Return a match in which `first` leads the first round and `deck` is dealt."""
    chance = ScriptedChance(seed_from_number(0), deck, picks={"first": first})
    return game.start(game.options.parse(options), seats, chance)


def play(state: State, *moves: str) -> None:
    """Play moves such as "2 exchange": the seat that is asked, and what it says. Sealed answers in seat order."""
    rest = list(moves)
    while rest:
        together = [rest.pop(0) for _ in state.asked]
        assert tuple(int(move.split(" ")[0]) for move in together) == state.asked, together
        texts = [move.split(" ", 1)[1] for move in together]
        for seat, text in zip(state.asked, texts, strict=True):
            assert text in state.legal(seat), f"seat {seat} may not {text}"
        state.apply(texts)


def random_match(game: Game, seats: int, number: int, **options: Any) -> State:
    """Return a match at its start, dealt by the seed `number`."""
    return game.start(game.options.parse(options), seats, Chance(seed_from_number(number)))


def step(state: State, rng: Random) -> None:
    """Answer the open question at random."""
    state.apply([rng.choice(state.legal(seat)) for seat in state.asked])


def log(game: Game, state: State, seat: int | None = None) -> list[str]:
    """Return the log as text: all of it, or as the seat may know it."""
    return history(game.lines, state.events, seat)
