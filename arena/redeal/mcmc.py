"""Sample a deal that is consistent with what a seat knew, with a Metropolis chain over such deals.

Each step proposes a change that is as likely as its reverse, and accepts it if the deal stays consistent. So in the
long run every consistent deal is equally likely, whatever the first one was. How well a deal explains the choices of
the other seats is not weighed.
"""

from collections.abc import Sequence

from arena.redeal.consistent_play import ConsistentMatch
from arena.redeal.hidden_chance import HiddenChance, swap_cards, turn_die
from arena.redeal.overridable_chance import Values
from arena.redeal.random_draws import RandomDraws

STEPS_PER_ELEMENT = 20
"""Steps for each hidden card or die; many proposals are rejected if the moves of the other seats reveal much."""

WORK = 20_000
"""The number of answers to play in all; each proposal is played up to the moment."""

EXTRA_STEPS = 200
"""Further steps: with few hidden cards there are few accepted changes from one deal to the next."""

MIN_STEPS_PER_ELEMENT = 4
"""Steps for each hidden card or die even if that exceeds `WORK`."""


class MarkovChain:
    """A Markov chain that starts at the current deal of a match.

    hidden: the result of `search` for it.
    """

    def __init__(self, course: ConsistentMatch, hidden: Sequence[HiddenChance], draws: RandomDraws) -> None:
        self._course = course
        self._draws = draws
        self._elements = [(part, at) for part in hidden for at in part.at]

    def run(self) -> None:
        """Run the chain until the deal no longer depends on the first one."""
        for _ in range(self._step_count()):
            self.step()

    def step(self) -> None:
        """Propose a change, and accept it if the deal stays consistent."""
        hidden, at = self._draws.choice(self._elements)
        place, elements = hidden.request.place, hidden.request.elements
        values = self._course.observed.chance.values[place]
        proposed = proposal(hidden, values, at, self._draws)
        if all(elements[new] == elements[old] for new, old in zip(proposed, values, strict=True)):
            self._course.observed.chance.values[place] = proposed  # at most equal cards have changed places
        elif (attempt := self._course.attempt(place, proposed)) is not None:
            self._course.accept(attempt)

    def _step_count(self) -> int:
        """Return the number of steps; it is fixed before the first one, so as not to depend on their outcomes."""
        count = len(self._elements)
        if not count:
            return 0
        cost = sum(self._course.questions_after(hidden.request.place) for hidden, _ in self._elements) // count
        return max(MIN_STEPS_PER_ELEMENT * count, min(EXTRA_STEPS + STEPS_PER_ELEMENT * count, WORK // max(1, cost)))


def proposal(hidden: HiddenChance, values: Values, at: int, draws: RandomDraws) -> Values:
    """Return a changed answer.

    One in four proposals changes several cards or dice, because single changes do not reach all deals. One in ten
    cards changes places with any other, because more cards may be hidden than single changes have shown.
    """
    for _ in range(draws.choice((1, 1, 1, 1, 1, 1, 2, 3))):
        if hidden.request.kind == "shuffle":
            other = draws.choice(hidden.at) if draws.below(10) else draws.below(len(values))
            values = swap_cards(values, at, other)
        else:
            values = turn_die(values, at, draws.below(len(hidden.request.elements)))
        at = draws.choice(hidden.at)
    return values
