"""Sample bots without a process: in the seats of playouts, and of training."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from random import Random
from typing import Any

from arena.sdk.bot import Bot
from arena.sdk.match import Match
from arena.sdk.question import Question
from referee.codec import ViewEncoder
from referee.engine.game import Game
from referee.v1.play_pb2 import MatchStart
from referee.wire import view_message
from sample_bots import SAMPLES


def policies(game: str) -> list[str]:
    """Return the names of the sample bots that play a game and answer at once, so that they can play in playouts."""
    return [name for name, sample in SAMPLES.items() if sample.plays(game) and not sample.thinks]


BEST = {"cambio": "counter", "cucco": "counter"}
"""The best sample bot of a game with several of its own."""


def best(game: str) -> str | None:
    """Return the name of the sample bot that plays a game best by rules of its own; None where there is none."""
    own = [name for name, sample in SAMPLES.items() if game in sample.games]
    return BEST.get(game) or next(iter(own), None)


def best_policies(game: Game, options: Mapping[str, str], seats: int, rng: Random) -> "list[SeatedBot]":
    """Return the best sample bot of a game in each seat of a match: the base policy of a search.

    game: one with a sample bot of its own.
    options: of the match, as texts.
    """
    name = best(game.name)
    if name is None:
        raise LookupError(f"no sample bot plays {game.name} by rules of its own")
    return [SeatedBot(name, game, options, seats, seat, rng.randbytes(32)) for seat in range(seats)]


class SeatedBot:
    """A sample bot in one seat of a match, which it remembers.

    name: that of a bot in Python, a key of `SAMPLES`.
    game, options, seats, seat: the match; the options as the protocol sends them.
    seed: its random numbers follow from it.
    """

    def __init__(self, name: str, game: Game, options: Mapping[str, str], seats: int, seat: int, seed: bytes) -> None:
        self._bot = load_sample(name)
        self._encode, view_type = _encoder(game)
        self._match = Match(
            MatchStart(
                match=seat + 1,
                game=game.name,
                behaviour=game.behaviour,
                options=options,
                seats=seats,
                seat=seat,
                view_type=view_type,
                bot_seed=seed,
            )
        )
        self._bot.match_started(self._match)
        self.__qualname__ = name

    def choose(self, view: Any, legal: Sequence[str]) -> str:
        """Return what the bot answers, which need not be legal.

        view: as `State.view` returns it.
        """
        asked: Any = _Asked(self._encode(view), legal)
        move = self._bot.choose(Question(self._match, asked))
        if isinstance(move, int):
            return legal[move] if 0 <= move < len(legal) else ""
        return str(move)

    def __call__(self, view: Any, legal: Sequence[str], rng: Random) -> str:
        """Choose as a policy of playouts."""
        return self.choose(view, legal)


@cache
def _encoder(game: Game) -> tuple[Callable[[Any], bytes], str]:
    return ViewEncoder(game).encode, view_message(game).DESCRIPTOR.full_name


class _Asked:
    """A question with the fields of the protocol's message that sample bots read."""

    __slots__ = ("view", "legal")

    def __init__(self, view: bytes, legal: Sequence[str]) -> None:
        self.view = view
        self.legal = legal


@cache
def load_sample(name: str) -> Bot[Any]:
    """Return the sample bot in Python of a name."""
    module = import_module(f"sample_bots.python.{SAMPLES[name].path.stem}")
    return next(
        value()
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Bot) and value.name == name
    )
