"""How a match goes by other cards: as its seat was told, whatever the others must play for that."""

from collections.abc import Iterator
from typing import NamedTuple

from arena.determinisation.knowledge import (
    Moment,
    MoveWithTalk,
    ObservedMatch,
    play,
)
from arena.determinisation.overridable_chance import ChanceRequest, Values
from arena.snapshot import attributes, take_snapshot
from referee.engine.errors import RecordError
from referee.engine.events import Event
from referee.engine.game import State

SILENT = 200
"""How many questions in a row may be answered without a word that the seat hears."""


def state_values(state: State) -> dict[str, object]:
    """Return what a state is but for its log, to be compared."""
    return {name: take_snapshot(value) for name, value in attributes(state).items() if name != "events"}


class AnsweredQuestion(NamedTuple):
    """One question with its answers.

    state: which asks it; it is not changed. moment: when it is, as the seat counts. given: by the seats that are asked.
    requests: what chance was asked for between the question before and this one.
    """

    state: State
    moment: Moment
    given: tuple[MoveWithTalk, ...]
    requests: tuple[ChanceRequest, ...]


class Attempt(NamedTuple):
    """The course by another answer of chance.

    place, values: that answer. first: the first step that is another. steps: from there on. last: the state at the
    moment. requests: what was asked for after the last step.
    """

    place: str
    values: Values
    first: int
    steps: list[AnsweredQuestion]
    last: State
    requests: tuple[ChanceRequest, ...]


class ConsistentMatch:
    """A match that its seat cannot tell from the observed one, up to the moment.

    steps: its questions. last: the state at the moment. played: how often anything was played, tries included.
    """

    def __init__(self, observed: ObservedMatch) -> None:
        """Play the observed match, whose record has been read."""
        self.observed = observed
        self.played = 0
        self.steps: list[AnsweredQuestion] = []
        state, new_lines = self._begun()
        moment: Moment = len(new_lines), 0
        requests = tuple(observed.dealer.asked)
        # Not searched for: a seat that answers twice before this one hears of it might answer in another order.
        for given in observed.course:
            if observed.reached(state, moment):
                break
            self.steps.append(AnsweredQuestion(state, moment, given, requests))
            twin, new_lines = self._answered(state, given)
            moment = moment[0] + len(new_lines), moment[1] + (observed.seat in state.asked)
            state, requests = twin, tuple(observed.dealer.asked)
        self.last, self.requests = state, requests

    def take(self, attempt: Attempt) -> None:
        """Go on from what was attempted; it must be the last that was, or nothing was taken since."""
        self.observed.dealer.values[attempt.place] = attempt.values
        del self.steps[attempt.first :]
        self.steps += attempt.steps
        self.last, self.requests = attempt.last, attempt.requests

    def asked(self) -> Iterator[ChanceRequest]:
        """Yield what chance was asked for, in order."""
        for step in self.steps:
            yield from step.requests
        yield from self.requests

    def after(self, place: str) -> object:
        """Return the values of the state at the question after a request."""
        number = self._where(place)
        return state_values(self.last if number is None or number == len(self.steps) else self.steps[number].state)

    def length(self, place: str) -> int:
        """Return how many questions lie between a request and the moment."""
        return len(self.steps) - (self._where(place) or 0)

    def attempt(self, place: str, values: Values, unlike: object = None) -> Attempt | None:
        """Let chance answer otherwise at a place. Return the course by that; None where the seat can tell.

        unlike: None as well where the question after the change finds those values: two cards of one hand changed.
        """
        number = self._where(place)
        if number is None:
            return None
        dealer = self.observed.dealer
        before = dealer.values[place]
        dealer.values[place] = values
        try:
            return self._run(place, values, number - 1, unlike)
        except RecordError:  # another place has another number of cards now
            return None
        finally:
            dealer.values[place] = before

    def _where(self, place: str) -> int | None:
        """Return the step before which something was asked for; the last ones are looked at first."""
        for number in range(len(self.steps), -1, -1):
            requests = self.requests if number == len(self.steps) else self.steps[number].requests
            if any(request.place == place for request in requests):
                return number
        return None

    def _run(self, place: str, values: Values, first: int, unlike: object) -> Attempt | None:
        """Play from step `first` on, -1: from the deal, as far as the moment. unlike: as in `attempt`."""
        observed = self.observed
        if first < 0:
            state, new_lines = self._begun()
            if new_lines != observed.lines[: len(new_lines)]:
                return None
            moment, requests = (len(new_lines), 0), tuple(observed.dealer.asked)
        else:
            state, moment, _, requests = self.steps[first]
        steps: list[AnsweredQuestion] = []
        silent = 0
        while not observed.reached(state, moment):
            if unlike is not None and len(steps) == (first >= 0) and state_values(state) == unlike:
                return None
            following = self._play(state, moment) if silent < SILENT and self._known(state, moment) else None
            if following is None:
                return None
            twin, given, heard = following
            steps.append(AnsweredQuestion(state, moment, given, requests))
            state, requests = twin, tuple(observed.dealer.asked)
            answers = moment[1] + (observed.seat in steps[-1].state.asked)
            silent = 0 if heard else silent + 1
            moment = moment[0] + heard, answers
        if not self._known(state, moment):
            return None
        return Attempt(place, values, max(first, 0), steps, state, requests)

    def _begun(self) -> tuple[State, list[Event]]:
        """Return the state at the first question, and what the seat was told before it."""
        self.observed.dealer.asked.clear()
        return self._heard(self.observed.start())

    def _answered(self, state: State, given: tuple[MoveWithTalk, ...]) -> tuple[State, list[Event]]:
        """Return the state after the answers to a question, and what the seat was told then."""
        self.played += 1
        self.observed.dealer.asked.clear()
        twin = state.copy()
        play(twin, given)
        return self._heard(twin)

    def _heard(self, state: State) -> tuple[State, list[Event]]:
        new_lines = self.observed.told(state.events)
        state.events.clear()  # to copy the log of a long match again and again takes long
        return state, new_lines

    def _known(self, state: State, moment: Moment) -> bool:
        """Tell whether the seat, where it is asked, is asked what it was asked in the match."""
        return self.observed.seat not in state.asked or self.observed.fits(state, moment[1])

    def _play(self, state: State, moment: Moment) -> tuple[State, tuple[MoveWithTalk, ...], int] | None:
        """Play a question so that the seat is told what it was told.

        Return the state then, the answers, and how many lines the seat heard; None where there is no way.
        """
        observed = self.observed
        lines, answers = moment
        if answers > len(observed.own) - (observed.seat in state.asked):
            return None
        for given in self._tries(state, moment):
            twin, new_lines = self._answered(state, given)
            if new_lines == observed.lines[lines : lines + len(new_lines)]:
                return twin, given, len(new_lines)
        return None

    def _tries(self, state: State, moment: Moment) -> Iterator[tuple[MoveWithTalk, ...]]:
        """Yield the answers by which the match may go on, those of the record first; its own seat answers as it did."""
        observed = self.observed
        choices: list[list[MoveWithTalk]] = []
        for seat in state.asked:
            if seat == observed.seat:
                choices.append([observed.own[moment[1]]])
            else:
                legal = state.legal(seat)
                wanted = [each for each in observed.others.get((seat, moment), ()) if each[0] in legal]
                rest = [(move, "") for move in (state.default(seat), *legal)]
                choices.append([*dict.fromkeys([*wanted, *rest])])
        usual = tuple([choice[0] for choice in choices])
        yield usual
        # Of sealed answers one at a time is another.
        for place, choice in enumerate(choices):
            for given in choice[1:]:
                yield (*usual[:place], given, *usual[place + 1 :])
