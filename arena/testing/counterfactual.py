"""The twin of a match, which differs in one fact that a seat may not know; compares what the seat sees in both."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from arena.testing.seat_knowledge import SeatHistory
from arena.testing.violation import Violation
from arena.values.snapshot import difference, take_snapshot
from referee.codec import ViewEncoder
from referee.engine.events import Audience, Event, text
from referee.engine.game import State

MOST_MOMENTS = 60
"""Most lines or questions for which a twin is followed."""
POSITIONS = 250
"""Most positions that are searched for moves of the others that keep the seat's log the same."""

Divergence = tuple[int, Event | None, Event | None]
"""Where the logs of the two diverge: the number of lines before, the next line in the match, and in the twin.

None stands for no line: the seat is asked, or the match is over.
"""


class Counterfactual:
    """The twin of a match.

    history: what the seat knows of the match.
    state: the state of the twin.
    what: how the twin differs.
    lines, answers: numbers of lines and answers of the seat so far.
    step: the match's boundary at that moment.
    """

    __slots__ = ("history", "state", "what", "lines", "answers", "step", "encoder")

    def __init__(self, history: SeatHistory, state: State, step: int, what: str) -> None:
        self.history = history
        self.state = state
        self.what = what
        self.lines, self.answers = history.moments[step]
        self.step = step
        self.encoder = ViewEncoder(history.case.game)

    def begin(self) -> bool:
        """Compare the log of the opening position, which has another deal. Return False if it diverges."""
        self.lines = self.answers = 0
        news = self.history.visible(self.state.events)
        if divergence := self._diverge(news, 0):
            self._judge([divergence])
            return False
        self.lines = len(news)
        return True

    def play(self, moves: Sequence[str]) -> bool:
        """Play a step in which another seat chooses another move. Return False if the seat can tell."""
        seen = len(self.state.events)
        self.answers += self.history.seat in self.state.asked
        self.state.apply(moves)
        news = self.history.visible(self.state.events[seen:])
        if self._diverge(news, self.lines):
            return False
        self.lines += len(news)
        return True

    def follow(self) -> None:
        """Play on while the seat's log is that of the match. Raises Violation if the seat can tell the two apart."""
        for _ in range(MOST_MOMENTS):
            if not self._same_question() or not self._next():
                return

    def _same_question(self) -> bool:
        """Compare what the seat is shown with the same moment of the match. Return False if there is no such moment."""
        history, state = self.history, self.state
        moment = (self.lines, self.answers)
        if history.seat in state.asked:
            before = history.questions.get(moment)
            if before is not None and (change := before.difference(history.question(state, self.encoder))):
                raise self._leak(change)
            return before is not None and self.answers < len(history.answers)
        if moment in history.views and (view := state.view(history.seat)) != (shown := history.views[moment]):
            raise self._leak(difference(take_snapshot(_fields(shown)), take_snapshot(_fields(view)), "its view"))
        return bool(state.asked) and moment < history.moments[-1]

    def _next(self) -> bool:
        """Search for moves of the other seats that lead to the seat's next line or question, and play them."""
        while self.history.moments[self.step] < (self.lines, self.answers):
            self.step += 1
        divergences: list[Divergence] = []
        queue = [(self.state, self.answers)]
        positions = 0
        for state, answers in queue:  # grows during the loop
            for moves in self._tries(state, answers):
                positions += 1
                if positions > POSITIONS:
                    return False
                counterfactual = state.copy()
                counterfactual.apply(moves)
                news = self.history.visible(counterfactual.events[len(state.events) :])
                answered = answers + (self.history.seat in state.asked)
                if divergence := self._diverge(news, self.lines):
                    divergences.append(divergence)
                elif news or self._asked(counterfactual, answered):
                    self.state, self.answers = counterfactual, answered
                    self.lines += len(news)
                    return True
                elif counterfactual.asked and self.history.seat not in counterfactual.asked:
                    queue.append((counterfactual, answered))
                else:
                    divergences.append((self.lines, self._line(self.lines), None))
        self._judge(divergences)
        return False

    def _asked(self, counterfactual: State, answers: int) -> bool:
        """Return whether the seat is asked at the same moment as in the match."""
        return self.history.seat in counterfactual.asked and (self.lines, answers) in self.history.questions

    def _tries(self, state: State, answers: int) -> Iterator[tuple[str, ...]]:
        """Yield the moves to try, those of the match first; the seat itself answers as it did."""
        history = self.history
        choices = []
        for seat in state.asked:
            legal = state.legal(seat)
            if seat == history.seat:
                choices.append([history.answers[answers]] if answers < len(history.answers) else [])
            else:
                original = [move for move in self._moves_of(seat) if move in legal]
                choices.append([*dict.fromkeys([*original, state.default(seat), *legal])])
        if len(choices) == 1:
            yield from ((move,) for move in choices[0])
        elif all(choices):
            # Sealed answers: all as in the match, or all but one.
            usual = [choice[0] for choice in choices]
            yield tuple(usual)
            for place, choice in enumerate(choices):
                yield from ((*usual[:place], move, *usual[place + 1 :]) for move in choice[1:])

    def _moves_of(self, seat: int) -> list[str]:
        """Return the next moves that a seat made in the match."""
        played = self.history.case.played
        asked = zip(played.moves[self.step :], played.asked[self.step :], strict=False)
        return [*islice((moves[seats.index(seat)] for moves, seats in asked if seat in seats), 2)]

    def _diverge(self, news: Sequence[Event], lines: int) -> Divergence | None:
        """Return where new lines diverge from the seat's log; None if they do not."""
        for number, event in enumerate(news, lines):
            line = self._line(number)
            if line != event and (line is None or self._text(line) != self._text(event)):
                return number, line, event
        return None

    def _line(self, number: int) -> Event | None:
        return self.history.lines[number] if number < len(self.history.lines) else None

    def _judge(self, divergences: Sequence[Divergence]) -> None:
        """Raise Violation if the logs diverge at a line that may not reveal anything.

        Only the latest divergences count: there the moves of the others kept the logs the same for longest.
        """
        played = self.history.case.played
        farthest = max((number for number, _, _ in divergences), default=0)
        for number, line, other in divergences:
            if number < farthest or self._reveals(line) or self._reveals(other):
                continue
            if line is None and (self.lines, self.answers) == self.history.moments[-1] and played.state.asked:
                continue  # the match was not played to its end: its next line is unknown
            if line is None and other is None:
                continue
            one, two = (f'"{self._text(event)}"' if event else "nothing" for event in (line, other))
            raise Violation(
                f"seat {self.history.seat} can tell whether {self.what}: it is told {one}, or then {two}; "
                "mark a line that may reveal something with `reveals`",
                self.step,
            )

    def _leak(self, change: str) -> Violation:
        return Violation(
            f"seat {self.history.seat} can tell whether {self.what}, after the same log and the same answers, "
            f"by {change}",
            self.step,
        )

    def _reveals(self, event: Event | None) -> bool:
        if event is None:
            return False
        line = self.history.case.game.lines[int(event[0] or 0)]
        return line.reveals or line.to is not Audience.ALL

    def _text(self, event: Event) -> str:
        return text(self.history.case.game.lines, event)


def _fields(view: Any) -> dict[str, Any]:
    """Return the fields of a view, a NamedTuple, by name."""
    fields: dict[str, Any] = view._asdict()
    return fields
