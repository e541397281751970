"""From one deal that fits what a seat knew to another: a Metropolis chain, after which all of them are equally likely.

Each step proposes a change, as likely as the one that takes it back, and is taken where the seat cannot tell. So every
deal that fits is as likely as any other in the long run, whatever was the first. Deals that differ in what only the
others knew count alike; how likely these were to play as they did is not weighed.
"""

from collections.abc import Sequence

from arena.determinisation.consistent_play import ConsistentMatch
from arena.determinisation.hidden_chance import HiddenChance, exchanged, turned
from arena.determinisation.overridable_chance import Values
from arena.determinisation.random_draws import RandomDraws

EACH = 20
"""Proposals for each hidden card or die: few of them are of use where little is hidden, or others' moves tell much."""

WORK = 20_000
"""How many answers are played in all, where each attempt is played as far as the moment."""

LEAST = 200
"""Proposals besides: where little is hidden, others' moves leave few ways from one deal to the next."""

SURE = 4
"""Proposals for each hidden card or die in any case."""


class MarkovChain:
    """A chain from the deal that a course stands at. hidden: what `search` found there."""

    def __init__(self, course: ConsistentMatch, hidden: Sequence[HiddenChance], draws: RandomDraws) -> None:
        self._course = course
        self._draws = draws
        self._elements = [(each, at) for each in hidden for at in each.at]

    def run(self) -> None:
        """MarkovChain so far that the first deal is forgotten."""
        for _ in range(self._length()):
            self.step()

    def step(self) -> None:
        """Propose a change, and take it where the seat cannot tell."""
        hidden, at = self._draws.one(self._elements)
        values = self._course.observed.dealer.values[hidden.request.place]
        proposed = proposal(hidden, values, at, self._draws)
        place, given = hidden.request.place, hidden.request.given
        if all(given[new] == given[old] for new, old in zip(proposed, values, strict=True)):
            self._course.observed.dealer.values[place] = proposed  # equal cards have changed places, if any
        elif (attempt := self._course.attempt(place, proposed)) is not None:
            self._course.take(attempt)

    def _length(self) -> int:
        """Return how many steps are walked: settled before the first, as it must not hang on how they end."""
        count = len(self._elements)
        if not count:
            return 0
        cost = sum(self._course.length(hidden.request.place) for hidden, _ in self._elements) // count
        return max(SURE * count, min(LEAST + EACH * count, WORK // max(1, cost)))


def proposal(hidden: HiddenChance, values: Values, at: int, draws: RandomDraws) -> Values:
    """Return a changed answer. One in four changes are of several cards or dice: some deals are not reached one by one.

    One in ten cards changes places with any: where the others' moves leave little room, more may be hidden than
    single changes showed.
    """
    for _ in range(draws.one((1, 1, 1, 1, 1, 1, 2, 3))):
        if hidden.request.kind == "shuffle":
            other = draws.one(hidden.at) if draws.below(10) else draws.below(len(values))
            values = exchanged(values, at, other)
        else:
            values = turned(values, at, draws.below(len(hidden.request.given)))
        at = draws.one(hidden.at)
    return values
