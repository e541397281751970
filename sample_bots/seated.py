"""Sample bots without a process: in the seats of playouts, and of training."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from arena.sdk.bot import Bot, Move
from arena.sdk.match import Match
from arena.sdk.question import Question
from referee.v1.play_pb2 import MatchStart
from sample_bots import SAMPLES


class SeatedBot:
    """A sample bot in one seat of a match.

    name: that of a bot in Python, a key of `SAMPLES`.
    start: the start of the match, as the referee would tell it.
    """

    def __init__(self, name: str, start: MatchStart) -> None:
        self._bot = load_sample(name)
        self._match = Match(start)
        self._bot.match_started(self._match)

    def choose(self, view: bytes, legal: Sequence[str]) -> Move:
        """Return what the bot answers, which need not be legal.

        view: encoded, as the protocol has it.
        """
        asked: Any = _Asked(view, legal)
        move: Move = self._bot.choose(Question(self._match, asked))  # type: ignore[assignment]
        return move


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
