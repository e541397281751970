"""What visitors can have computed: the chances to win in a match, and the costliest decisions of a bot."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from arena.record.played_rules import rules
from arena.store import Store
from arena.values.rows import StoredMatch
from arena_insight.stored_analysis import analysis_values
from arena_insight.stored_chances import ChancesKey, StoredChances
from arena_insight.weakness_cache import DECISIONS, ReportKey, WeaknessCache
from arena_insight.weaknesses.candidates import Candidate, choose_candidates
from arena_insight.weaknesses.contest import Contest
from arena_insight.weaknesses.costly_decisions import CostlyDecisions, candidates_for, find_costly_decisions
from arena_insight.weaknesses.loading import load_matches
from arena_insight.weaknesses.report import report_weaknesses

PLAYOUTS = 2_000
"""Playouts in a search of costliest decisions."""

Report = Callable[[int, int], None]
"""Is told how much is done, and how much there is to do."""

Work = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function for a process of its own, and its arguments; `Report` follows them."""


class AnalysisTask(Protocol):
    """A computation."""

    @property
    def unit(self) -> str:
        """What is counted as done: moves, playouts."""

    def prepare(self) -> Work:
        """Read what the computation needs, in a thread. Raises ArenaError or EngineError."""

    def keep(self, result: Any) -> None:
        """Keep the result, in a thread."""


class ChancesTask(NamedTuple):
    """The chances to win in a match."""

    store: Store
    match: int
    seat: int | None
    """The seat whose knowledge is kept; None: that of the whole match."""
    unit: str = "moves"

    def prepare(self) -> Work:
        """Read the match."""
        return _chances, (self.store.match(self.match), self.seat)

    def keep(self, result: dict[str, Any]) -> None:
        """Store the chances."""
        match = self.store.match(self.match)
        key = ChancesKey(self.seat, rules(match).game.behaviour, result["policy"], result["playouts"])
        StoredChances(self.store).save(match, key, result)


class CostlyDecisionsTask(NamedTuple):
    """The costliest decisions of a bot.

    key, load: as `WeaknessCache.of` takes them.
    """

    store: Store
    reports: WeaknessCache
    key: ReportKey
    load: Callable[[], Contest]
    unit: str = "playouts"

    def prepare(self) -> Work:
        """Choose the decisions to compare."""
        contest = self.load()

        def load(ids: Sequence[int]) -> Any:
            return load_matches(self.store, ids)

        report = report_weaknesses(contest, load, DECISIONS)
        candidates = choose_candidates(contest, report.choices, load, candidates_for(PLAYOUTS))
        return _costly_decisions, (candidates, PLAYOUTS)

    def keep(self, result: CostlyDecisions) -> None:
        """Have the report show them."""
        self.reports.add_costly(self.key, result)


def _chances(match: StoredMatch, seat: int | None, report: Report) -> dict[str, Any]:
    return analysis_values(match, seat, report=report)


def _costly_decisions(candidates: Sequence[Candidate], playouts: int, report: Report) -> CostlyDecisions:
    return find_costly_decisions(candidates, playouts, progress=report)
