"""One question to a bot, and what may be said with its answer."""

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from random import Random

    from arena.sdk.match import Match
    from referee.v1.play_pb2 import Question as Wire

View = TypeVar("View", covariant=True)
"""The message type of a game's views."""


class Question(Generic[View]):
    """A seat must choose.

    match: the match, with its seats, options, `rng` and `memory`.
    legal: the texts of all legal moves, never empty. Answer with one of them or with its index.
    """

    __slots__ = ("match", "legal", "_wire", "_view", "_note", "_say")

    _view: View

    def __init__(self, match: "Match", wire: "Wire") -> None:
        self.match = match
        self.legal = tuple(wire.legal)
        self._wire = wire
        self._note = ""
        self._say = ""

    @property
    def id(self) -> int:
        """The number of the question in this process, from 1."""
        return self._wire.id

    @property
    def view(self) -> View:
        """All that the seat may see now, as the game's view message. It is parsed when first looked at."""
        try:
            return self._view
        except AttributeError:
            view: View = self.match.parse(self._wire.view)
            self._view = view
            return view

    @property
    def events(self) -> tuple[str, ...]:
        """The lines of the log since the last question of this match (only with `Bot.wants_events`)."""
        return tuple(self._wire.events)

    @property
    def bank_ms(self) -> int:
        """What is left of the match's time bank, in milliseconds."""
        return self._wire.bank_ms

    @property
    def charged_us(self) -> int:
        """What the clock charged the previous answer of this match, in microseconds."""
        return self._wire.charged_us

    @property
    def again(self) -> bool:
        """Whether an earlier process of this bot left the question open; `match.memory` starts empty then."""
        return self._wire.again

    @property
    def rng(self) -> "Random":
        """The match's own randomness: `match.rng`."""
        return self.match.rng

    def note(self, thought: str) -> None:
        """Keep a thought with the match, for the bot's owner to read in its replay. Several are lines of one note."""
        self._note = f"{self._note}\n{thought}" if self._note else thought

    def say(self, words: str) -> None:
        """Say something to the whole table with this answer, in games that have table talk."""
        self._say = words
