"""When a tournament ends before its last round.

What has been played is looked at after every block of rounds, block by block in the order of the schedule, and only
when all its matches are there. So the verdict depends on nothing but the results: not on the number of referees, the
order in which matches ended, or on being stopped and resumed. What was played beyond the deciding block is kept and
not rated.

A look costs what is new since the one before. Where many blocks are new at once, as after an interruption, they are
taken from the sums of the tournament, in which every deal, and so every block, stands by itself.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from itertools import pairwise
from typing import Protocol

import numpy as np

from arena.ratings import Result, Tally
from arena.ratings.incremental_fit import IncrementalFit
from arena.ratings.lineup import Lineup
from arena.ratings.ranking import separated_from_above
from arena.ratings.sprt import Sprt, deal_scores
from arena.ratings.totals import PairSums
from arena.store.rows import VerdictRow
from arena.tournament.plan.schedule import Plan
from arena.tournament.plan.stop_rule import StopRule

SEPARATED, ACCEPTED, REJECTED = 3, 4, 5
"""Exit codes of a tournament that ended early: the ranking is settled; elo1 is accepted; elo0 is."""


_FEW = 4
"""Blocks that are read match by match; more are taken from sums."""


class _Judge(Protocol):
    """Weighs the results of one block after the other."""

    status: str
    """How it stands, for the progress line."""

    def weigh(self, lineup: Lineup, pairs: PairSums) -> tuple[str, int] | None:
        """Add a block; return a sentence and an exit code once it is settled."""


class _Test:
    def __init__(self, sprt: Sprt, one: str, other: str) -> None:
        self._sprt = sprt
        self._one = one
        self._other = other
        self._deals: dict[float, int] = {}
        self.status = ""

    def weigh(self, lineup: Lineup, pairs: PairSums) -> tuple[str, int] | None:
        for mean, count in deal_scores(lineup, pairs, self._one, self._other).items():
            self._deals[mean] = self._deals.get(mean, 0) + count
        sprt = self._sprt
        self.status = f"LLR {sprt.llr(self._deals):+.2f} ({sprt.lower:.2f} to {sprt.upper:.2f})"
        verdict = sprt.verdict(self._deals)
        if not verdict:
            return None
        elo, code = (sprt.elo1, ACCEPTED) if verdict == "H1" else (sprt.elo0, REJECTED)
        return f"{verdict} accepted, {self._one} is {elo:+g} Elo or so against {self._other}: {self.status}", code


class _Ranking:
    def __init__(self) -> None:
        self._fit = IncrementalFit()
        self.status = ""

    def weigh(self, lineup: Lineup, pairs: PairSums) -> tuple[str, int] | None:
        self._fit.add(lineup, pairs)
        bots, solution = self._fit.solution()
        apart = separated_from_above(solution, bots)[1:]
        self.status = f"{sum(each is True for each in apart)} of {len(apart)} neighbours told apart"
        return ("every two neighbours of the ranking are told apart", SEPARATED) if all(apart) else None


class StopMonitor:
    """Looks at the blocks of a tournament as they become complete."""

    def __init__(
        self,
        rule: StopRule,
        names: list[str],
        plan: Plan,
        read: Callable[[range], Iterable[Result]],
        added_up: Callable[[], Tally] | None = None,
    ) -> None:
        """Begin before the first block.

        names: of the field. read: returns the results of the matches with these numbers. added_up: returns all results
        that are stored, without which every block is read.
        """
        self._plan = plan
        self._read = read
        self._added_up = added_up
        self._judge: _Judge = _Test(rule.sprt(), *names[:2]) if rule.kind == "sprt" else _Ranking()
        self._size = plan.block * plan.tables * plan.rotations
        self._left = [len(self._numbers(block)) for block in range(-(-plan.matches // self._size))]
        self._next = 0
        self.verdict: VerdictRow | None = None

    @property
    def status(self) -> str:
        """How it stands, in a few words; nothing before the first block."""
        return self._judge.status

    def add(self, numbers: Iterable[int]) -> bool:
        """Note that these matches are stored; return whether there is something new to look at."""
        for number in numbers:
            self._left[number // self._size] -= 1
        return self.verdict is None and self._next < len(self._left) and not self._left[self._next]

    def evaluate(self) -> VerdictRow | None:
        """Look at all blocks that have become complete, and return the verdict where there is one."""
        if self.verdict is None:
            for lineup, pairs in self._blocks():
                last = self._numbers(self._next).stop
                found = self._judge.weigh(lineup, pairs)
                self._next += 1
                if found is not None and self._next < len(self._left):
                    rounds = self._next * self._plan.block
                    self.verdict = VerdictRow(rounds, last, f"{found[0]} (after {rounds:,} rounds)", found[1])
                    break
                if found is not None:
                    self.verdict = VerdictRow(self._plan.rounds, last, f"{found[0]} (after the last round)", found[1])
        return self.verdict

    def _blocks(self) -> Iterator[tuple[Lineup, PairSums]]:
        """Yield the comparisons of the blocks that have become complete since the last look."""
        new = range(self._next, next((at for at, left in enumerate(self._left) if left), len(self._left)))
        if self._added_up is None or len(new) <= _FEW:
            for block in new:
                totals = Tally(self._read(self._numbers(block))).totals()
                yield totals.lineup, totals.pairs
            return
        totals = self._added_up().totals()
        deals = self._plan.block * self._plan.tables
        ends = np.searchsorted(totals.pairs.deal, deals * np.arange(new.start, new.stop + 1)).tolist()
        for low, high in pairwise(ends):
            part = slice(low, high)
            yield totals.lineup, PairSums(*(getattr(totals.pairs, each.name)[part] for each in fields(PairSums)))

    def _numbers(self, block: int) -> range:
        return range(block * self._size, min((block + 1) * self._size, self._plan.matches))
