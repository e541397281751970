"""Who plays the matches under test: a few temperaments, each a function of one number."""

from collections.abc import Callable
from random import Random

from referee.engine.game import State

Policy = Callable[[State, int], str]


def any_move(rng: Random) -> Policy:
    """Choose among all moves alike."""

    def choose(state: State, seat: int) -> str:
        legal = state.legal(seat)
        return legal[int(rng.random() * len(legal))]

    return choose


def any_kind(rng: Random) -> Policy:
    """Choose among the kinds of moves (their first words) alike, then among the moves of that kind."""

    def choose(state: State, seat: int) -> str:
        legal = state.legal(seat)
        kinds: dict[str, list[str]] = {}
        for move in legal:
            kinds.setdefault(move.split(" ", 1)[0], []).append(move)
        kind = list(kinds.values())[int(rng.random() * len(kinds))]
        return kind[int(rng.random() * len(kind))]

    return choose


def calm(rng: Random) -> Policy:
    """Play the default move three times in four: matches last long, and hands grow old."""
    other = any_kind(rng)

    def choose(state: State, seat: int) -> str:
        return state.default(seat) if rng.random() < 0.75 else other(state, seat)

    return choose


TEMPERAMENTS = (any_move, any_kind, calm)


def player(number: int) -> Policy:
    """Return player `number`: its temperament goes round, its choices follow from the number."""
    return TEMPERAMENTS[number % len(TEMPERAMENTS)](Random(number))
