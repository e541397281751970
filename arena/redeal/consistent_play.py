"""Replay a match with another deal, consistent with what its seat knew; the other seats may answer differently.

They may where they hold other cards, as long as the seat is told, shown and offered the same. Answers for which that
works are searched for, so a seat that could not follow suit stays void in it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from arena.redeal.knowledge import (
    Moment,
    MoveWithTalk,
    ObservedMatch,
    play,
)
from arena.redeal.overridable_chance import DealRequest, Values
from arena.values.snapshot import attributes, take_snapshot
from referee.engine.errors import RecordError
from referee.engine.events import Event
from referee.engine.game import State

MOST_UNHEARD = 200
"""The largest number of questions in a row without an event that the seat sees."""


def state_values(state: State) -> dict[str, object]:
    """Return a snapshot of a state without its log, for comparison."""
    return {name: take_snapshot(value) for name, value in attributes(state).items() if name != "events"}


class AnsweredQuestion(NamedTuple):
    """One question with its answers."""

    state: State
    """The state that asks; it must not be changed."""
    moment: Moment
    """The time of the question, as the seat knows it."""
    answers: tuple[MoveWithTalk, ...]
    """The answers of the asked seats."""
    requests: tuple[DealRequest, ...]
    """The requests of chance between the previous question and this one."""


class Attempt(NamedTuple):
    """The match with one changed answer of chance.

    place, values: the changed answer, and where it stands.
    """

    place: str
    values: Values
    first: int
    """The index of the first step that differs."""
    steps: list[AnsweredQuestion]
    """The steps from the first that differs on."""
    last: State
    """The state at the moment."""
    requests: tuple[DealRequest, ...]
    """The requests of chance after the last step."""


class ConsistentMatch:
    """A match that its seat cannot tell from the observed one, up to the moment.

    steps: its questions.
    last: the state at the moment.
    played: the number of questions played so far, attempts included.
    """

    def __init__(self, observed: ObservedMatch) -> None:
        """Replay the observed match, whose record has been read."""
        self.observed = observed
        self.played = 0
        self.steps: list[AnsweredQuestion] = []
        state, new_lines = self._start()
        moment: Moment = len(new_lines), 0
        requests = tuple(observed.chance.requests)
        # The recorded answers are repeated, not searched for: a seat that answers twice before this one sees an event
        # could answer in another order.
        for answers in observed.course:
            if observed.reached(state, moment):
                break
            self.steps.append(AnsweredQuestion(state, moment, answers, requests))
            following, new_lines = self._play(state, answers)
            moment = moment[0] + len(new_lines), moment[1] + (observed.seat in state.asked)
            state, requests = following, tuple(observed.chance.requests)
        self.last, self.last_requests = state, requests

    def accept(self, attempt: Attempt) -> None:
        """Make an attempt the current match. No other attempt may have been accepted since it was made."""
        self.observed.chance.values[attempt.place] = attempt.values
        del self.steps[attempt.first :]
        self.steps += attempt.steps
        self.last, self.last_requests = attempt.last, attempt.requests

    def requests(self) -> Iterator[DealRequest]:
        """Yield all requests of chance, in order."""
        for step in self.steps:
            yield from step.requests
        yield from self.last_requests

    def state_after(self, place: str) -> object:
        """Return the values of the state at the question after a request."""
        number = self._step_after(place)
        return state_values(self.last if number is None or number == len(self.steps) else self.steps[number].state)

    def questions_after(self, place: str) -> int:
        """Return the number of questions between a request and the moment."""
        return len(self.steps) - (self._step_after(place) or 0)

    def attempt(self, place: str, values: Values, unchanged: object = None) -> Attempt | None:
        """Change the answer of chance at a place; return the match with it, or None if the seat can tell.

        unchanged: values of a state. The result is also None if the question after the change has these: then the
            change, such as two cards of one hand, makes no difference.
        """
        number = self._step_after(place)
        if number is None:
            return None
        chance = self.observed.chance
        before = chance.values[place]
        chance.values[place] = values
        try:
            return self._replay(place, values, number - 1, unchanged)
        except RecordError:  # the change gives a later shuffle or roll another number of elements
            return None
        finally:
            chance.values[place] = before

    def _step_after(self, place: str) -> int | None:
        """Return the index of the step after a request; the search starts at the end."""
        for number in range(len(self.steps), -1, -1):
            requests = self.last_requests if number == len(self.steps) else self.steps[number].requests
            if any(request.place == place for request in requests):
                return number
        return None

    def _replay(self, place: str, values: Values, first: int, unchanged: object) -> Attempt | None:
        """Play from step `first` (-1: from the deal) to the moment.

        unchanged: as in `attempt`.
        """
        observed = self.observed
        if first < 0:
            state, new_lines = self._start()
            if new_lines != observed.lines[: len(new_lines)]:
                return None
            moment, requests = (len(new_lines), 0), tuple(observed.chance.requests)
        else:
            state, moment, _, requests = self.steps[first]
        steps: list[AnsweredQuestion] = []
        unheard = 0
        while not observed.reached(state, moment):
            if unchanged is not None and len(steps) == (first >= 0) and state_values(state) == unchanged:
                return None
            if unheard >= MOST_UNHEARD or not self._is_consistent(state, moment):
                return None
            result = self._find_answers(state, moment)
            if result is None:
                return None
            following, answers, line_count = result
            steps.append(AnsweredQuestion(state, moment, answers, requests))
            moment = moment[0] + line_count, moment[1] + (observed.seat in state.asked)
            unheard = 0 if line_count else unheard + 1
            state, requests = following, tuple(observed.chance.requests)
        if not self._is_consistent(state, moment):
            return None
        return Attempt(place, values, max(first, 0), steps, state, requests)

    def _start(self) -> tuple[State, list[Event]]:
        """Return the state at the first question, and the events that the seat saw before it."""
        self.observed.chance.requests.clear()
        return self._take_events(self.observed.start())

    def _play(self, state: State, answers: tuple[MoveWithTalk, ...]) -> tuple[State, list[Event]]:
        """Return the state after the answers to a question, and the events that the seat then saw."""
        self.played += 1
        self.observed.chance.requests.clear()
        following = state.copy()
        play(following, answers)
        return self._take_events(following)

    def _take_events(self, state: State) -> tuple[State, list[Event]]:
        new_lines = self.observed.visible_events(state.events)
        state.events.clear()  # copying a long log with each state would be slow
        return state, new_lines

    def _is_consistent(self, state: State, moment: Moment) -> bool:
        """Return whether the seat, if it is asked, is asked what it was asked in the match."""
        return self.observed.seat not in state.asked or self.observed.asks_the_same(state, moment[1])

    def _find_answers(self, state: State, moment: Moment) -> tuple[State, tuple[MoveWithTalk, ...], int] | None:
        """Find answers to a question after which the seat sees what it saw in the match.

        Return the next state, the answers, and the number of lines that the seat saw; None if there are none.
        """
        observed = self.observed
        line, answer_count = moment
        if answer_count > len(observed.own) - (observed.seat in state.asked):
            return None
        for answers in self._candidates(state, moment):
            following, new_lines = self._play(state, answers)
            if new_lines == observed.lines[line : line + len(new_lines)]:
                return following, answers, len(new_lines)
        return None

    def _candidates(self, state: State, moment: Moment) -> Iterator[tuple[MoveWithTalk, ...]]:
        """Yield possible answers to a question, the recorded ones first; the seat itself answers as it did."""
        observed = self.observed
        choices: list[list[MoveWithTalk]] = []
        for seat in state.asked:
            if seat == observed.seat:
                choices.append([observed.own[moment[1]]])
            else:
                legal = state.legal(seat)
                recorded = [answer for answer in observed.others.get((seat, moment), ()) if answer[0] in legal]
                rest = [(move, "") for move in (state.default(seat), *legal)]
                choices.append([*dict.fromkeys([*recorded, *rest])])
        preferred = tuple([choice[0] for choice in choices])
        yield preferred
        # Of sealed answers only one at a time is varied.
        for index, choice in enumerate(choices):
            for answer in choice[1:]:
                yield (*preferred[:index], answer, *preferred[index + 1 :])
