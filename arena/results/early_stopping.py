"""When a tournament ends before its last round.

Results are looked at after certain rounds (`StopRule.looks`), in the order of the schedule, and only once all matches
of these rounds are stored. So the verdict depends on nothing but the results: not on the number of referees, the order
in which matches ended, or interruptions. Matches beyond the deciding look are kept and not rated.

A look costs as much as the rounds that are new since the last. Where many are new, as after an interruption, they are
taken from the summary of the tournament, in which every deal, and so every round, can be told from the others.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from itertools import pairwise
from typing import Protocol

import numpy as np

from arena.plan.schedule import Plan
from arena.ratings import Result, Tally
from arena.ratings.experiments import Experiments, LoggedResult
from arena.ratings.incremental_fit import IncrementalFit
from arena.ratings.lineup import Lineup
from arena.ratings.ranking import jointly_separated_from_above, separated_from_above
from arena.ratings.repeats import Repeats
from arena.ratings.sprt import DealScores, Sprt, deal_scores
from arena.ratings.stopped_estimate import StoppedEstimate, estimate_stopped
from arena.ratings.totals import PairSums
from arena.values.rows import VerdictRow
from arena.values.stop_rule import StopRule

SEPARATED, ACCEPTED, REJECTED = 3, 4, 5
"""Exit codes of a tournament that ended early: the ranking is settled; elo1 is accepted; elo0 is."""


_FEW = 4
"""Looks whose matches are read one by one; more are taken from the summary."""


class _Criterion(Protocol):
    """Decides by the results between one look and the next."""

    status: str
    """The state so far, for the progress line."""

    def add(self, lineup: Lineup, pairs: PairSums, looks: float) -> tuple[str, int] | None:
        """Take a look, with the results since the last; return a sentence and an exit code once it is settled.

        looks: the rounds so far, in blocks.
        """

    def restart(self, repeats: Repeats) -> None:
        """Forget all looks: the next one has all comparisons so far.

        repeats: what was found of repeats among all comparisons so far.
        """

    def estimate(self) -> StoppedEstimate | None:
        """Return the difference of the two bots that are tested, by the looks so far."""


class _SequentialTest:
    def __init__(self, sprt: Sprt, one: str, other: str) -> None:
        self._sprt = sprt
        self._one = one
        self._other = other
        self._scores = DealScores()
        self._looks: list[int] = []
        self.status = ""

    def add(self, lineup: Lineup, pairs: PairSums, looks: float) -> tuple[str, int] | None:
        self._scores.add(deal_scores(lineup, pairs, self._one, self._other))
        self._looks.append(self._scores.deals)
        sprt = self._sprt
        self.status = f"LLR {sprt.llr(self._scores):+.2f} ({sprt.lower:.2f} to {sprt.upper:.2f})"
        if sprt.model == "normalized" and (nelo := self._scores.nelo()) is not None:
            self.status += ", nElo {:+.1f} ± {:.1f}".format(*nelo)
        verdict = sprt.verdict(self._scores)
        if not verdict:
            return None
        # An accepted hypothesis is a bound, no estimate: the test rejected the other one.
        bound, code = (f"above {sprt.elo0:+g}", ACCEPTED) if verdict == "H1" else (f"below {sprt.elo1:+g}", REJECTED)
        return f"{verdict} accepted, {self._one} is {bound} {sprt.unit} against {self._other}: {self.status}", code

    def restart(self, repeats: Repeats) -> None:
        self._scores = DealScores()

    def estimate(self) -> StoppedEstimate | None:
        return estimate_stopped(self._sprt, self._looks, self._scores)


class _Separation:
    def __init__(self, rule: StopRule) -> None:
        self._rule = rule
        self._fit = IncrementalFit()
        self._repeats: Repeats | None = None
        self.status = ""

    def add(self, lineup: Lineup, pairs: PairSums, looks: float) -> tuple[str, int] | None:
        self._fit.add(lineup, pairs)
        bots, solution = self._fit.solution()
        if self._repeats is not None:
            solution = replace(solution, naive=self._repeats.inflate(solution.naive, bots))
        if self._rule.control == "pairwise":
            apart, confidence = separated_from_above(solution, bots)[1:], ""
        else:
            apart = jointly_separated_from_above(solution, bots, looks, self._rule.alpha)[1:]
            confidence = f", with {100 * (1 - self._rule.alpha):g} % confidence over all pairs and tests"
        self.status = f"{sum(separated is True for separated in apart)} of {len(apart)} neighbours told apart"
        return (f"every two neighbours of the ranking are told apart{confidence}", SEPARATED) if all(apart) else None

    def restart(self, repeats: Repeats) -> None:
        self._fit, self._repeats = IncrementalFit(), repeats

    def estimate(self) -> None:
        return None


class StopMonitor:
    """Looks at the results of a tournament as they become complete."""

    def __init__(
        self,
        rule: StopRule,
        names: list[str],
        plan: Plan,
        read: Callable[[range], Iterable[Result]],
        added_up: Callable[[], Tally] | None = None,
        read_logged: Callable[[range], Iterable[LoggedResult]] | None = None,
    ) -> None:
        """Start before the first look.

        names: of the field.
        read: returns the results of the matches with these numbers.
        added_up: returns the tally of all stored results; without it every match is read.
        read_logged: as `read`, in games in which several deals may be one experiment; then it is read in the place of
            both.
        """
        self._plan = plan
        self._read = read
        self._added_up = added_up
        self._read_logged = read_logged
        self._experiments, self._tally = Experiments(), Tally()
        self._criterion: _Criterion = (
            _SequentialTest(Sprt(rule.elo0, rule.elo1, rule.alpha, rule.beta, rule.model), *names[:2])
            if rule.kind == "sprt"
            else _Separation(rule)
        )
        self._rounds = rule.looks(plan.rounds, plan.block)
        self._ends = [rounds * plan.tables * plan.rotations for rounds in self._rounds]
        self._left = [len(self._numbers(look)) for look in range(len(self._ends))]
        self._next = 0
        self.verdict: VerdictRow | None = None

    @property
    def status(self) -> str:
        """The state so far in a few words; empty before the first look."""
        return self._criterion.status

    @property
    def estimate(self) -> StoppedEstimate | None:
        """The difference of the bots of a sequential test by all looks so far; None of other rules or few deals."""
        return self._criterion.estimate()

    def add(self, numbers: Iterable[int]) -> bool:
        """Note that these matches are stored; return whether a look is due."""
        for number in numbers:
            self._left[bisect_right(self._ends, number)] -= 1
        return self.verdict is None and self._next < len(self._left) and not self._left[self._next]

    def evaluate(self) -> VerdictRow | None:
        """Take all looks that are due; return the verdict, None while there is none."""
        if self.verdict is None:
            for lineup, pairs in self._new_looks():
                last_match, rounds = self._ends[self._next], self._rounds[self._next]
                decision = self._criterion.add(lineup, pairs, rounds / self._plan.block)
                self._next += 1
                if decision is not None:
                    sentence, code = decision
                    is_early = self._next < len(self._left)
                    when = f"after {rounds:,} rounds" if is_early else "after the last round"
                    self.verdict = VerdictRow(rounds, last_match, f"{sentence} ({when})", code)
                    break
        return self.verdict

    def _new_looks(self) -> Iterator[tuple[Lineup, PairSums]]:
        """Yield the comparisons of the looks that have become due since the last evaluation."""
        new = range(self._next, next((look for look, left in enumerate(self._left) if left), len(self._left)))
        if self._read_logged is not None:
            for look in new:
                for result in self._experiments.add(self._read_logged(self._numbers(look))):
                    self._tally.add(result)
                self._criterion.restart(self._experiments.repeats)
                totals = self._tally.totals()
                yield totals.lineup, totals.pairs
            return
        if self._added_up is None or len(new) <= _FEW:
            for look in new:
                totals = Tally(self._read(self._numbers(look))).totals()
                yield totals.lineup, totals.pairs
            return
        totals = self._added_up().totals()
        first_deals = [rounds * self._plan.tables for rounds in (0, *self._rounds)]
        ends = np.searchsorted(totals.pairs.deal, first_deals[new.start : new.stop + 1]).tolist()
        for low, high in pairwise(ends):
            part = slice(low, high)
            yield totals.lineup, PairSums(*(getattr(totals.pairs, field.name)[part] for field in fields(PairSums)))

    def _numbers(self, look: int) -> range:
        """Return the matches between a look and the one before."""
        return range(self._ends[look - 1] if look else 0, self._ends[look])
