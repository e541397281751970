"""What a seat knew of a match up to a moment, and what the other seats answered."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.redeal.overridable_chance import OverridableChance
from referee.engine.events import Event, visible
from referee.engine.game import Game, State
from referee.engine.record import Say

Moment = tuple[int, int]
"""A moment as a seat can know it: the number of log lines it has seen, and of answers it has given."""

MoveWithTalk = tuple[str, str]
"""A move with its table talk, which may be empty."""


@dataclass(slots=True)
class ObservedMatch:
    """A match up to a moment, as one seat knew it."""

    game: Game
    options: Any
    seats: int
    seat: int
    chance: OverridableChance
    lines: list[Event] = field(default_factory=list)
    """The log lines that the seat saw."""
    own: list[MoveWithTalk] = field(default_factory=list)
    """The answers of the seat."""
    questions: list[tuple[Any, tuple[str, ...]]] = field(default_factory=list)
    """The seat's view and legal moves for each of its answers, and for the open question if it is asked at the moment.
    """
    others: dict[tuple[int, Moment], list[MoveWithTalk]] = field(default_factory=dict)
    """The answers of the other seats, by seat and moment."""
    course: list[tuple[MoveWithTalk, ...]] = field(default_factory=list)
    """All answers, question by question."""
    asked: tuple[int, ...] = ()
    """The seats that are to move at the moment."""
    view: Any = None
    """What the seat sees at the moment."""

    def start(self) -> State:
        """Return the opening position with the current answers of chance."""
        return self.game.start(self.options, self.seats, self.chance)

    @property
    def end(self) -> Moment:
        """The moment, as the seat knows it."""
        return len(self.lines), len(self.own)

    def visible_events(self, events: Sequence[Event]) -> list[Event]:
        """Return the events that the seat may see."""
        lines = self.game.lines
        return [event for event in events if visible(lines, event, self.seat)]

    def read(self, answers: Sequence[int], says: Iterable[Say]) -> None:
        """Read a record up to the moment.

        answers: as indices into the legal moves.
        """
        talk = {(say.ply, say.seat): say.text for say in says}
        state, seen, ply = self.start(), 0, 0
        while True:
            self.lines += self.visible_events(state.events[seen:])
            seen = len(state.events)
            if self.seat in state.asked:
                self.questions.append((state.view(self.seat), state.legal(self.seat)))
            if ply >= len(answers):
                break
            moment, moves = self.end, []
            for seat in state.asked:
                moves.append((state.legal(seat)[answers[ply]], talk.get((ply, seat), "")))
                ply += 1
            for seat, move in zip(state.asked, moves, strict=True):
                if seat == self.seat:
                    self.own.append(move)
                else:
                    self.others.setdefault((seat, moment), []).append(move)
            self.course.append(tuple(moves))
            play(state, moves)
        self.asked, self.view = state.asked, state.view(self.seat)

    def asks_the_same(self, state: State, answers: int) -> bool:
        """Return whether the seat, after `answers` of its own, sees the same view and legal moves as in the match."""
        if answers >= len(self.questions):
            return False
        view, legal = self.questions[answers]
        return state.legal(self.seat) == legal and state.view(self.seat) == view

    def reached(self, state: State, moment: Moment) -> bool:
        """Return whether a match that is consistent with this one so far has reached the moment."""
        if moment != self.end:
            return False
        if self.seat in self.asked:
            return self.seat in state.asked
        return state.asked == self.asked and state.view(self.seat) == self.view


def play(state: State, answers: Sequence[MoveWithTalk]) -> None:
    """Play the answers to a question, with their talk."""
    for seat, (_, words) in zip(state.asked, answers, strict=True):
        if words:
            state.say(seat, words)
    state.apply([move for move, _ in answers])
