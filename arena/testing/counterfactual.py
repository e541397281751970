"""A match that differs from another in one hidden thing, followed over the shoulder of a seat that may not know it."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from arena.snapshot import difference, take_snapshot
from arena.testing.seat_knowledge import SeatHistory
from arena.testing.violation import Violation
from referee.engine.events import Audience, Event, text
from referee.engine.game import State
from referee.wire import ViewEncoder

FARTHEST = 60
"""How many lines or questions a twin is followed at most."""
POSITIONS = 250
"""How many positions are looked at to find moves of the others by which the story goes on the same."""

Parting = tuple[int, Event | None, Event | None]
"""Where two stories part: after how many lines, the next one in the match, and in the twin.

None stands for no line: the seat is asked, or the match is over.
"""


class Counterfactual:
    """The twin of a match.

    told: what the seat was told in the match. state: of the twin. what: how the twin differs.
    lines, answers: how many lines and answers the seat has had. step: the match's boundary at that moment.
    """

    __slots__ = ("told", "state", "what", "lines", "answers", "step", "encode")

    def __init__(self, told: SeatHistory, state: State, step: int, what: str) -> None:
        self.told = told
        self.state = state
        self.what = what
        self.lines, self.answers = told.moments[step]
        self.step = step
        self.encode = ViewEncoder(told.case.game)

    def begin(self) -> bool:
        """Read the log of the opening position, which is dealt otherwise. Return False where the stories part."""
        self.lines = self.answers = 0
        news = self.told.told(self.state.events)
        if parting := self._part(news, 0):
            self._judge([parting])
            return False
        self.lines = len(news)
        return True

    def play(self, moves: Sequence[str]) -> bool:
        """Play a step in which another seat chose otherwise. Return False where the seat can tell."""
        seen = len(self.state.events)
        self.answers += self.told.seat in self.state.asked
        self.state.apply(moves)
        news = self.told.told(self.state.events[seen:])
        if self._part(news, self.lines):
            return False
        self.lines += len(news)
        return True

    def follow(self) -> None:
        """Play on while the seat is told the same as in the match. Raises Violation where it can tell the two apart."""
        for _ in range(FARTHEST):
            if not self._same_question() or not self._next():
                return

    def _same_question(self) -> bool:
        """Compare what the seat is shown now with the same moment of the match. Return False where there is none."""
        told, state = self.told, self.state
        moment = (self.lines, self.answers)
        if told.seat in state.asked:
            before = told.questions.get(moment)
            if before is not None and (found := before.difference(told.question(state, self.encode))):
                raise self._leak(found)
            return before is not None and self.answers < len(told.answers)
        if moment in told.views and (view := state.view(told.seat)) != (shown := told.views[moment]):
            raise self._leak(difference(take_snapshot(_fields(shown)), take_snapshot(_fields(view)), "its view"))
        return bool(state.asked) and moment < told.moments[-1]

    def _next(self) -> bool:
        """Go on to the next line or question of the story by whatever moves of the other seats lead there."""
        while self.told.moments[self.step] < (self.lines, self.answers):
            self.step += 1
        partings: list[Parting] = []
        waiting = [(self.state, self.answers)]
        looked = 0
        for state, answers in waiting:  # grows while it is read
            for moves in self._tries(state, answers):
                looked += 1
                if looked > POSITIONS:
                    return False
                counterfactual = state.copy()
                counterfactual.apply(moves)
                news = self.told.told(counterfactual.events[len(state.events) :])
                given = answers + (self.told.seat in state.asked)
                if parting := self._part(news, self.lines):
                    partings.append(parting)
                elif news or self._asked(counterfactual, given):
                    self.state, self.answers = counterfactual, given
                    self.lines += len(news)
                    return True
                elif counterfactual.asked and self.told.seat not in counterfactual.asked:
                    waiting.append((counterfactual, given))
                else:
                    partings.append((self.lines, self._line(self.lines), None))
        self._judge(partings)
        return False

    def _asked(self, counterfactual: State, answers: int) -> bool:
        """Tell whether the seat is asked just where it is in the match."""
        return self.told.seat in counterfactual.asked and (self.lines, answers) in self.told.questions

    def _tries(self, state: State, answers: int) -> Iterator[tuple[str, ...]]:
        """Yield the moves by which the story may go on, those of the match first; its own seat answers as it did."""
        told = self.told
        choices = []
        for seat in state.asked:
            legal = state.legal(seat)
            if seat == told.seat:
                choices.append([told.answers[answers]] if answers < len(told.answers) else [])
            else:
                wanted = [move for move in self._moves_of(seat) if move in legal]
                choices.append([*dict.fromkeys([*wanted, state.default(seat), *legal])])
        if len(choices) == 1:
            yield from ((move,) for move in choices[0])
        elif all(choices):
            # Sealed answers: all as in the match, or one of them another.
            usual = [choice[0] for choice in choices]
            yield tuple(usual)
            for place, choice in enumerate(choices):
                yield from ((*usual[:place], move, *usual[place + 1 :]) for move in choice[1:])

    def _moves_of(self, seat: int) -> list[str]:
        """Return the next moves that a seat made in the match."""
        played = self.told.case.played
        asked = zip(played.moves[self.step :], played.asked[self.step :], strict=False)
        return [*islice((moves[seats.index(seat)] for moves, seats in asked if seat in seats), 2)]

    def _part(self, news: Sequence[Event], lines: int) -> Parting | None:
        """Return where new lines part from the story, None where they go on the same."""
        for number, event in enumerate(news, lines):
            line = self._line(number)
            if line != event and (line is None or self._text(line) != self._text(event)):
                return number, line, event
        return None

    def _line(self, number: int) -> Event | None:
        return self.told.lines[number] if number < len(self.told.lines) else None

    def _judge(self, partings: Sequence[Parting]) -> None:
        """Raise Violation where the story parts from the twin in a line that may not tell anything new.

        That is looked at where the moves of the others let the two go on together the longest.
        """
        played = self.told.case.played
        farthest = max((number for number, _, _ in partings), default=0)
        for number, line, other in partings:
            if number < farthest or self._reveals(line) or self._reveals(other):
                continue
            if line is None and (self.lines, self.answers) == self.told.moments[-1] and played.state.asked:
                continue  # the match was not played to its end: nobody knows what comes next
            if line is None and other is None:
                continue
            one, two = (f'"{self._text(event)}"' if event else "nothing" for event in (line, other))
            raise Violation(
                f"seat {self.told.seat} can tell whether {self.what}: it is told {one}, or then {two}; "
                "a line that rightly tells something new is marked with `reveals`",
                self.step,
            )

    def _leak(self, found: str) -> Violation:
        return Violation(
            f"seat {self.told.seat} can tell whether {self.what}, after the same log and the same answers, by {found}",
            self.step,
        )

    def _reveals(self, event: Event | None) -> bool:
        if event is None:
            return False
        line = self.told.case.game.lines[int(event[0] or 0)]
        return line.reveals or line.to is not Audience.ALL

    def _text(self, event: Event) -> str:
        return text(self.told.case.game.lines, event)


def _fields(view: Any) -> dict[str, Any]:
    """Return the fields of a view, a NamedTuple, by name."""
    fields: dict[str, Any] = view._asdict()
    return fields
