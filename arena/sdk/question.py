"""A question to a bot, and the note and talk that go with its answer."""

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from random import Random

    from arena.positions import Position
    from arena.sdk.look_ahead import LookAhead
    from arena.sdk.match import Match
    from referee.v1.play_pb2 import Question as Wire

View = TypeVar("View", covariant=True)
"""The message type of a game's views."""


class Question(Generic[View]):
    """A question: choose a move for a seat.

    match: the match, with its seats, options, `rng` and `memory`.
    legal: the texts of all legal moves, never empty. Answer with one of them or its index.
    """

    __slots__ = ("match", "legal", "_wire", "_view", "_note", "_say", "_look_ahead")

    _view: View

    def __init__(self, match: "Match", wire: "Wire", look_ahead: "LookAhead | None" = None) -> None:
        self._look_ahead = look_ahead
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
        """All that the seat may see now, as the game's view message. Parsed on first access."""
        try:
            return self._view
        except AttributeError:
            view: View = self.match.parse(self._wire.view)
            self._view = view
            return view

    @property
    def events(self) -> tuple[str, ...]:
        """The lines of the log since the last question of this match (only with `Bot.wants_events`)."""
        lines = self._wire.events
        return tuple(lines) if self._look_ahead is None else self._look_ahead.texts(lines)

    @property
    def position(self) -> "Position":
        """The position, to look ahead from (only with `Bot.wants_positions`).

        Raises NoPositions where there is none, and says why.
        """
        if self._look_ahead is None:
            from arena.sdk.errors import NoPositions

            raise NoPositions("the bot is not told enough to look ahead: set wants_positions = True in its class")
        return self._look_ahead.position()

    @property
    def bank_ms(self) -> int:
        """The time left in the match's bank, in milliseconds."""
        return self._wire.bank_ms

    @property
    def charged_us(self) -> int:
        """The time charged for the previous answer of this match, in microseconds."""
        return self._wire.charged_us

    @property
    def again(self) -> bool:
        """Whether an earlier process of this bot failed to answer this question; then `match.memory` starts empty."""
        return self._wire.again

    @property
    def rng(self) -> "Random":
        """The random number generator of the match: `match.rng`."""
        return self.match.rng

    def note(self, thought: str) -> None:
        """Add a line to the note of this answer, which the bot's owner finds in the replay."""
        self._note = f"{self._note}\n{thought}" if self._note else thought

    def say(self, words: str) -> None:
        """Say something to the table with this answer, in games with table talk. Replaces what was said before."""
        self._say = words
