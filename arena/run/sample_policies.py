"""Choose moves without a bot process, in playouts and training: by a sample bot in this process, or any legal move."""

import hmac
from collections.abc import Mapping
from random import Random
from typing import Protocol

from arena.values.errors import ArenaError
from referee.engine.game import Game, State
from sample_bots.seated import SeatedBot, best, policies

RANDOM = "random"
"""The policy that chooses any legal move; all are equally likely."""


class UnknownPolicy(ArenaError):
    """There is no such policy for a game."""


class Policy(Protocol):
    """Chooses the moves of one match or playout."""

    def choose(self, state: State, seat: int) -> str:
        """Return a legal move of a seat that is asked."""


def best_policy(game: str) -> str:
    """Return the name of the policy that plays a game best: a sample bot of its own if there is one, or `RANDOM`."""
    return best(game) or RANDOM


def check_policy(name: str, game: str) -> str:
    """Return the name. Raises UnknownPolicy if no sample bot of that name plays the game and answers at once."""
    names = policies(game)
    if name not in names:
        raise UnknownPolicy(f'no sample bot "{name}" plays {game}: choose one of {", ".join(names)}')
    return name


class RandomPolicy:
    """Chooses any legal move.

    seed: of the playout; every seat has random numbers of its own.
    """

    def __init__(self, seats: int, seed: bytes) -> None:
        self._rngs = [Random(_seat_seed(seed, seat)) for seat in range(seats)]

    def choose(self, state: State, seat: int) -> str:
        """Return a legal move of a seat that is asked."""
        legal = state.legal(seat)
        return legal[int(self._rngs[seat].random() * len(legal))]


class BotPolicy:
    """Asks a sample bot, which sits in all seats.

    name: that of the bot.
    options: as the protocol sends them, those that differ from their defaults.
    seed: of the playout.
    """

    def __init__(self, name: str, game: Game, options: Mapping[str, str], seats: int, seed: bytes) -> None:
        self._bots = [SeatedBot(name, game, options, seats, seat, _seat_seed(seed, seat)) for seat in range(seats)]

    def choose(self, state: State, seat: int) -> str:
        """Return the bot's move for a seat that is asked; the default move if its own is not legal."""
        legal = state.legal(seat)
        move = self._bots[seat].choose(state.view(seat), legal)
        return move if move in legal else state.default(seat)


def make_policy(name: str, game: Game, options: Mapping[str, str], seats: int, seed: bytes) -> Policy:
    """Return the policy of a name for one playout.

    options: of the match, as texts.
    seed: of the playout.
    """
    if name == RANDOM:
        return RandomPolicy(seats, seed)
    return BotPolicy(name, game, options, seats, seed)


def _seat_seed(seed: bytes, seat: int) -> bytes:
    return hmac.digest(seed, f"seat/{seat}".encode(), "sha256")
