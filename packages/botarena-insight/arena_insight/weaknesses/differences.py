"""What a bot chooses otherwise than better bots in the same seats of the same deals, and what that may cost.

Each action in each kind of position, and each action over all positions of a question, is one test; Holm's method
keeps the probability of a single false statement at 5 %. Only what passes is reported.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arena.ratings.keyed_sums import Floats
from arena.ratings.multiple_testing import ALPHA, holm
from arena_insight.weaknesses.contest import Contest, Interval, Sitting, mean_by_deal
from arena_insight.weaknesses.decisions import Decision, Decisions
from arena_insight.weaknesses.frequencies import FrequencyDifference, compare_frequencies

EXAMPLES = 3
"""Moments that are named for each difference."""

PRIOR = 20
"""The shortfall in few matches is drawn towards that in all, as if so many more matches had the latter."""

ALL_POSITIONS = ""
"""The position of a difference over all positions of a question."""


class Side(NamedTuple):
    """One action of a question with its frequencies in a kind of position."""

    action: str
    frequency: FrequencyDifference


@dataclass(frozen=True, slots=True)
class ChoiceDifference:
    """An action that a bot chooses more often, or less, than better bots."""

    question: str
    """The question, as in `Choice`."""
    position: str
    """The position, as in `Choice`; empty for a difference over all positions, weighted by those of the bot."""
    side: Side
    """The action, with its frequencies."""
    opposite: Side
    """The action whose frequency differs most the other way."""
    p_value: float
    """The p-value of the difference, adjusted for all tests."""
    per_match: float
    """In how many decisions of a match the bot chooses otherwise."""
    shortfall: Interval | None
    """The points that better bots made beyond those of the bot in the same seats, in matches where it chose what it
    chooses more often; None without such matches.
    """
    cost: float
    """The value by which differences are sorted: `per_match` times the shortfall, drawn towards that of all matches."""
    examples: Sequence[Decision]
    """Decisions of the bot for what it chooses more often, those with the largest shortfall first."""
    counterexample: Decision | None
    """A decision of a better bot for what the bot chooses less often, in the same seat of the same deal if there is
    one; None if there is no such decision.
    """

    @property
    def is_excess(self) -> bool:
        """Whether the bot chooses the action more often than better bots."""
        return self.side.frequency.difference > 0


@dataclass(frozen=True, slots=True)
class ChoiceComparison:
    """All differences of choice that are separated, those that seem to cost most first."""

    differences: Sequence[ChoiceDifference]
    tests: int
    """The number of tests that were made."""
    own: int
    """The number of decisions of the bot that were compared."""
    better: int
    """The number of decisions of better bots that were compared."""
    matches: int
    """The number of matches that were read."""
    unreadable: int
    """The number of matches that the installed rules cannot replay."""


class _Kind(NamedTuple):
    """The decisions of a question, or of a kind of position in it, with an action to test."""

    question: str
    position: str
    side: Side
    sides: Sequence[Side]


def compare_choices(contest: Contest, decisions: Decisions) -> ChoiceComparison:
    """Return the differences between the choices of the bot and those of better bots."""
    own, better = _by_question(decisions.own), _by_question(decisions.better)
    kinds = [
        kind
        for question in sorted(own.keys() & better.keys())
        for kind in _kinds(question, own[question], better[question])
    ]
    adjusted = holm(np.array([kind.side.frequency.p_value for kind in kinds]))
    sittings = {decision.sitting for decision in decisions.own}
    shortfalls = {sitting: contest.shortfall(sitting) or 0.0 for sitting in sittings}
    differences = [
        _difference(kind, float(p), own[kind.question], better[kind.question], shortfalls)
        for kind, p in zip(kinds, adjusted, strict=True)
        if p <= ALPHA
    ]
    return ChoiceComparison(
        sorted(
            _without_mirrors(differences),
            key=lambda difference: (-difference.cost, -difference.per_match, difference.question, difference.position),
        ),
        len(kinds),
        len(decisions.own),
        len(decisions.better),
        decisions.matches,
        decisions.unreadable,
    )


def _by_question(decisions: Sequence[Decision]) -> dict[str, list[Decision]]:
    found: dict[str, list[Decision]] = defaultdict(list)
    for decision in decisions:
        found[decision.choice.question].append(decision)
    return found


def _kinds(question: str, own: Sequence[Decision], better: Sequence[Decision]) -> list[_Kind]:
    """Return what is tested of a question: each action in each position and, if there are several, over all."""
    positions = sorted({decision.choice.position for decision in own})
    actions = sorted({decision.choice.action for decision in (*own, *better)})
    deals = {deal: n for n, deal in enumerate({decision.sitting.place.deal: 0 for decision in (*own, *better)})}
    own_counts, better_counts = (_counts(side, positions, actions, deals) for side in (own, better))
    rows = [(position, [place]) for place, position in enumerate(positions)]
    if len(positions) > 1:
        rows.append((ALL_POSITIONS, list(range(len(positions)))))
    kinds = []
    for position, places in rows:
        own_part, better_part = own_counts[:, places], better_counts[:, places]
        compared = (
            (action, compare_frequencies(own_part[n], own_part.sum(axis=0), better_part[n], better_part.sum(axis=0)))
            for n, action in enumerate(actions)
        )
        sides = [Side(action, found) for action, found in compared if found and found.own_count + found.other_count]
        # Of two actions one is chosen as much more often as the other less often: that is one test.
        sides.sort(key=lambda side: -side.frequency.difference)
        tested = sides if len(sides) > 2 else sides[:1] if sides[1:] else []
        kinds += [_Kind(question, position, side, sides) for side in tested]
    return kinds


def _counts(
    decisions: Sequence[Decision], positions: Sequence[str], actions: Sequence[str], deals: dict[tuple[bytes, int], int]
) -> Floats:
    """Return how often each action was chosen, by action, position and deal."""
    counts = np.zeros((len(actions), len(positions), len(deals)))
    action_of = {action: n for n, action in enumerate(actions)}
    position_of = {position: n for n, position in enumerate(positions)}
    for decision in decisions:
        place = position_of.get(decision.choice.position)
        if place is not None:  # where the bot never was, there is nothing to compare
            counts[action_of[decision.choice.action], place, deals[decision.sitting.place.deal]] += 1
    return counts


def _difference(
    kind: _Kind,
    p_value: float,
    own: Sequence[Decision],
    better: Sequence[Decision],
    shortfalls: Mapping[Sitting, float],
) -> ChoiceDifference:
    side, opposite = kind.side, _opposite(kind)
    more, less = (side, opposite) if side.frequency.difference > 0 else (opposite, side)
    here = [decision for decision in own if kind.position in (ALL_POSITIONS, decision.choice.position)]
    chosen = [decision for decision in here if decision.choice.action == more.action]
    seats = {decision.sitting for decision in chosen}
    shortfall = mean_by_deal((sitting.place.deal, shortfalls[sitting]) for sitting in seats) if seats else None
    overall = sum(shortfalls.values()) / len(shortfalls)
    drawn = (sum(shortfalls[sitting] for sitting in seats) + PRIOR * overall) / (len(seats) + PRIOR)
    per_match = abs(side.frequency.difference) * side.frequency.own_decisions / len(shortfalls)
    examples = _examples(chosen, shortfalls)
    return ChoiceDifference(
        kind.question,
        kind.position,
        side,
        opposite,
        p_value,
        per_match,
        shortfall,
        per_match * max(drawn, 0.0),
        examples,
        _counterexample(better, kind.position, less.action, examples),
    )


def _opposite(kind: _Kind) -> Side:
    """Return the action whose frequency differs most the other way."""
    others = [side for side in kind.sides if side.action != kind.side.action]
    sign = 1 if kind.side.frequency.difference > 0 else -1
    return min(others, key=lambda side: sign * side.frequency.difference)


def _examples(chosen: Sequence[Decision], shortfalls: Mapping[Sitting, float]) -> list[Decision]:
    """Return the first such decision of each of the matches with the largest shortfall."""
    first: dict[Sitting, Decision] = {}
    for decision in chosen:
        first.setdefault(decision.sitting, decision)
    ordered = sorted(
        first.values(), key=lambda decision: (-shortfalls[decision.sitting], decision.sitting.match, decision.ply)
    )
    return ordered[:EXAMPLES]


def _counterexample(
    better: Sequence[Decision], position: str, action: str, examples: Sequence[Decision]
) -> Decision | None:
    places = [example.sitting.place for example in examples]
    here = [
        decision
        for decision in better
        if decision.choice.action == action and position in (ALL_POSITIONS, decision.choice.position)
    ]  # fmt: skip
    order = {place: n for n, place in reversed(list(enumerate(places)))}
    return min(
        here,
        key=lambda decision: (order.get(decision.sitting.place, len(places)), -decision.sitting.points),
        default=None,
    )


def _without_mirrors(differences: Sequence[ChoiceDifference]) -> list[ChoiceDifference]:
    """Leave out what a bot chooses less often, where it is known what it chooses more often in these positions."""
    excess = {(difference.question, difference.position) for difference in differences if difference.is_excess}
    return [
        difference
        for difference in differences
        if difference.is_excess or (difference.question, difference.position) not in excess
    ]
