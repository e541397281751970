"""What a seat has been told of a match: its log, its questions and its own answers."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from referee.engine.events import Event, text, visible
from referee.engine.game import Game
from referee.engine.known import SeatLog, beginnings

WORDS_AHEAD = 3
"""So many lines of the log are looked at to guess what a seat has answered before them."""


class Asked(NamedTuple):
    """A question to the seat."""

    lines: int
    """How many lines of the log it knew."""
    view: Any
    """What it saw."""
    legal: tuple[str, ...]


class Told:
    """What a seat has been told of a match so far.

    game, options, seats, seat: the match.
    lines: the lines of the log that the seat may know.
    questions: all questions to the seat, the open one last.
    own: its answers. The referee may have played the default move in their place.
    begin: the number of the last line with which a set, deal or round began, the outermost that the game names; 0
        before.
    is_late: whether the seat may have been asked before the first of these questions.
    """

    def __init__(self, game: Game, options: Any, seats: int, seat: int, *, is_late: bool = False) -> None:
        self.game = game
        self.options = options
        self.seats = seats
        self.seat = seat
        self.lines: list[Event] = []
        self.questions: list[Asked] = []
        self.own: list[str] = []
        self.begin = 0
        self.is_late = is_late
        self._begins = beginnings(game.lines)
        self._words: dict[int, list[tuple[Any, list[str]]]] = {}

    @property
    def is_open(self) -> bool:
        """Whether a question to the seat is open."""
        return len(self.questions) > len(self.own)

    def hear(self, events: Iterable[Event]) -> None:
        """Take more lines of the log."""
        for event in events:
            if event[0] in self._begins:
                self.begin = len(self.lines)
            self.lines.append(event)
        self._words.clear()

    def ask(self, view: Any, legal: Sequence[str]) -> None:
        """Take a question to the seat."""
        self.questions.append(Asked(len(self.lines), view, tuple(legal)))

    def answer(self, move: str) -> None:
        """Take the answer to the open question."""
        self.own.append(move)

    def log(self, first: int) -> SeatLog:
        """Return what the seat was told from a line on."""
        return SeatLog(self.options, self.seats, self.seat, self.lines[first:])

    def heard(self, events: Sequence[Event]) -> list[Event]:
        """Return the events that the seat may know."""
        lines, seat = self.game.lines, self.seat
        return [event for event in events if visible(lines, event, seat)]

    def resemblance(self, line: int, seat: int, move: str) -> int:
        """Return how many words of a move the next lines of the log have that tell of a seat."""
        if line not in self._words:
            self._words[line] = [
                (event[1] if len(event) > 1 else None, text(self.game.lines, event).split())
                for event in self.lines[line : line + WORDS_AHEAD]
            ]
        score = 0
        for owner, words in self._words[line]:
            if owner == seat:
                for word in move.split():
                    score += 2 if word in words else any(told.startswith(word) for told in words)
        return score
