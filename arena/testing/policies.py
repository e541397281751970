"""How the seats of matches under test choose their moves: a few policies, each with a seed."""

from collections.abc import Callable
from random import Random

from referee.engine.game import State

Policy = Callable[[State, int], str]


def any_move(rng: Random) -> Policy:
    """Choose uniformly among all moves."""

    def choose(state: State, seat: int) -> str:
        legal = state.legal(seat)
        return legal[int(rng.random() * len(legal))]

    return choose


def any_kind(rng: Random) -> Policy:
    """Choose uniformly among the kinds of moves (their first words), then among the moves of that kind."""

    def choose(state: State, seat: int) -> str:
        legal = state.legal(seat)
        kinds: dict[str, list[str]] = {}
        for move in legal:
            kinds.setdefault(move.split(" ", 1)[0], []).append(move)
        kind = list(kinds.values())[int(rng.random() * len(kinds))]
        return kind[int(rng.random() * len(kind))]

    return choose


def mostly_default(rng: Random) -> Policy:
    """Play the default move three times in four, so that matches and hands last long."""
    other = any_kind(rng)

    def choose(state: State, seat: int) -> str:
        return state.default(seat) if rng.random() < 0.75 else other(state, seat)

    return choose


POLICIES = (any_move, any_kind, mostly_default)


def policy(number: int) -> Policy:
    """Return policy `number`: the policies in turn, seeded with the number."""
    return POLICIES[number % len(POLICIES)](Random(number))
