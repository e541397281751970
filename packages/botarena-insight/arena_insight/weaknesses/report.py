"""The report on why a bot loses: what it chooses otherwise than better bots, and its results on the same deals."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from arena.values.rows import StoredMatch
from arena_insight.weaknesses.contest import Contest
from arena_insight.weaknesses.costly_decisions import CostlyDecisions
from arena_insight.weaknesses.decisions import read_decisions, sample_sittings
from arena_insight.weaknesses.differences import ChoiceComparison, compare_choices
from arena_insight.weaknesses.same_deals import SameDeals, compare_deals


@dataclass(frozen=True, slots=True)
class WeaknessReport:
    """Why a bot loses."""

    contest: Contest
    """The bot and its matches, which the report is about."""
    choices: ChoiceComparison | None
    """How its choices differ from those of better bots; None where no better bot held one of its seats."""
    deals: SameDeals
    costly: CostlyDecisions | None = None
    """Its costliest decisions; None unless they were searched."""


def report_weaknesses(
    contest: Contest,
    load: Callable[[Sequence[int]], Iterable[StoredMatch]],
    most_decisions: int,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> WeaknessReport:
    """Return the report on a bot.

    load: returns stored matches by their ids.
    most_decisions: about so many are replayed to compare choices.
    progress: as in `read_decisions`.
    """
    sittings = sample_sittings(contest, most_decisions)
    choices = compare_choices(contest, read_decisions(contest, sittings, load, progress)) if sittings else None
    return WeaknessReport(contest, choices, compare_deals(contest))
