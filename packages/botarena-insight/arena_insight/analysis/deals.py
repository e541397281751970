"""Sample deals that are consistent with what a perspective knows at a question of a recorded match.

The whole match is a perspective, too: it knows every card that is dealt, but not the order of the others.
"""

from dataclasses import dataclass
from typing import Protocol

from arena.record.played_rules import rules, steps, stored_redeal
from arena.redeal.consistent_play import ConsistentMatch
from arena.redeal.hidden_chance import search
from arena.redeal.knowledge import MoveWithTalk, ObservedMatch, play
from arena.redeal.mcmc import MarkovChain
from arena.redeal.overridable_chance import DealRequest, OverridableChance, Values
from arena.redeal.random_draws import RandomDraws
from arena.values.rows import StoredMatch
from arena_insight.analysis.errors import AnalysisError
from referee.engine.chance import Chance
from referee.engine.game import State
from referee.engine.record import unpack_answers
from referee.engine.redeal import dealer

MOST_SHUFFLES = 1_000
"""Attempts to shuffle the cards that are not dealt so that every seat sees what it saw."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A state at the question, with a deal that may be the real one for all that the perspective knows.

    All deals of a sampler share one object `chance`, so they are played one at a time, each with `continued`.
    """

    state: State
    chance: OverridableChance
    values: dict[str, Values]
    """The answers of chance up to the question, by place."""

    def continued(self, later: bytes) -> State:
        """Return a copy of the state that goes on with chance from the seed `later`; earlier copies become invalid."""
        self.chance.values = dict(self.values)
        self.chance.source = Chance(later)
        self.chance.requests.clear()
        return self.state.copy()


class DealSampler(Protocol):
    """Samples deals."""

    independent: bool
    """Whether the deals are independent of each other."""

    def draw(self) -> Deal:
        """Return the next deal. It remains valid when others are drawn."""


class WholeMatchDeals:
    """Deals for the perspective of the whole match: only the order of the cards that are not dealt is sampled.

    The rules deal from the front of what they shuffled last, and `State.undealt` counts what is left.

    question: its number, from 0.
    draws: the random numbers.

    Raises AnalysisError, UnknownGame, OptionError or RecordError.
    """

    independent = True

    def __init__(self, match: StoredMatch, question: int, draws: RandomDraws) -> None:
        self._draws = draws
        self._chance = OverridableChance(dealer(match.row.seed, stored_redeal(match)))
        self._rules, self._seats = rules(match), len(match.row.seats)
        self._answers = answered_questions(match)[:question]
        self._shuffle: DealRequest | None = None
        self._before: State | None = None
        """The state before the last shuffle; None if that opened the match."""
        self._since = 0
        """The number of questions before that state."""
        before, state = None, self._start()
        for number, answers in enumerate([*self._answers, None]):
            for request in self._chance.requests:
                if request.kind == "shuffle":
                    self._shuffle, self._before, self._since = request, before, max(0, number - 1)
            self._chance.requests.clear()
            state.events.clear()
            if answers is not None:
                before, state = state, state.copy()
                play(state, answers)
        self._real = state
        self._undealt = state.undealt() or 0
        self._values = dict(self._chance.values)

    def draw(self) -> Deal:
        """Shuffle the cards that are not dealt; return the question with this deal."""
        if self._shuffle is None or self._undealt < 2:
            return Deal(self._real, self._chance, self._values)
        order = self._values[self._shuffle.place]
        kept = len(order) - self._undealt
        rest = sorted(order[kept:])  # so that the deals do not depend on the real order
        for _ in range(MOST_SHUFFLES):
            values = {**self._values, self._shuffle.place: (*order[:kept], *self._draws.shuffled(rest))}
            self._chance.values = dict(values)
            state = self._replay()
            if state is not None and self._looks_real(state):
                return Deal(state, self._chance, values)
        raise AnalysisError(
            f"{self._rules.game.name} cannot be analysed: what the seats see depends on the last cards of the pack, "
            "which State.undealt counts as not dealt"
        )

    def _replay(self) -> State | None:
        """Replay from the last shuffle on, with the current answers of chance; return None if the moves do not fit.

        In some games a card that is not dealt may be looked at, or taken instead of another one.
        """
        state = self._start() if self._before is None else self._before.copy()
        for answers in self._answers[self._since :]:
            if len(state.asked) != len(answers):
                return None
            if any(move not in state.legal(seat) for seat, (move, _) in zip(state.asked, answers, strict=True)):
                return None
            play(state, answers)
        state.events.clear()
        return state

    def _looks_real(self, state: State) -> bool:
        """Return whether every seat sees what it saw in the match."""
        return all(state.view(seat) == self._real.view(seat) for seat in range(self._seats))

    def _start(self) -> State:
        game, options = self._rules
        return game.start(options, self._seats, self._chance)


class SeatDeals:
    """Deals for the perspective of a seat, from a Markov chain that starts at the real one (`arena.redeal`).

    Consecutive deals resemble each other; the first comes after a whole run of the chain.

    question: its number, from 0.
    draws: the random numbers.

    Raises UnknownGame, OptionError or RecordError.
    """

    independent = False

    def __init__(self, match: StoredMatch, question: int, seat: int, draws: RandomDraws) -> None:
        row = match.row
        game, options = rules(match)
        self._chance = OverridableChance(dealer(row.seed, stored_redeal(match)))
        observed = ObservedMatch(game, options, len(row.seats), seat, self._chance)
        answers = sum(map(len, answered_questions(match)[:question]))
        observed.read(unpack_answers(row.answers)[:answers], row.says)
        # Not the match seed: where a deal leads to another request before the question, the real answer is no choice.
        self._source = self._chance.source = Chance(bytes([draws.below(256) for _ in range(32)]))
        self._course = ConsistentMatch(observed)
        hidden = search(self._course, draws)
        self._chain = MarkovChain(self._course, hidden, draws)
        self._spacing = sum(len(part.at) for part in hidden)
        self._values: dict[str, Values] | None = None

    def draw(self) -> Deal:
        """Run the chain on; return the question with the deal that it has reached."""
        if self._values is None:
            self._chain.run()
        else:
            self._chance.values, self._chance.source = self._values, self._source
            for _ in range(self._spacing):
                self._chain.step()
        self._values = self._chance.values
        known = {request.place: self._values[request.place] for request in self._course.requests()}
        return Deal(self._course.last, self._chance, known)


def answered_questions(match: StoredMatch) -> list[list[MoveWithTalk]]:
    """Return the recorded answers, by question. Raises UnknownGame, OptionError or RecordError."""
    talk = {(say.ply, say.seat): say.text for say in match.row.says}
    return [
        [(step.move, talk.get((step.ply, step.seat), "")) for step in answers] for _, answers in steps(match) if answers
    ]
