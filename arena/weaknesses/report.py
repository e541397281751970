"""The report on why a bot loses: what it chooses otherwise than better bots, and its results on the same deals."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from arena.store.rows import StoredMatch
from arena.weaknesses.contest import Contest
from arena.weaknesses.costly_decisions import CostlyDecisions
from arena.weaknesses.decisions import read_decisions, sample_sittings
from arena.weaknesses.differences import ChoiceComparison, compare_choices
from arena.weaknesses.same_deals import SameDeals, compare_deals


@dataclass(frozen=True, slots=True)
class WeaknessReport:
    """Why a bot loses.

    contest: what the report is about. choices: None where no better bot held one of its seats. costly: its costliest
    decisions; None unless they were searched.
    """

    contest: Contest
    choices: ChoiceComparison | None
    deals: SameDeals
    costly: CostlyDecisions | None = None


def report_weaknesses(
    contest: Contest,
    load: Callable[[Sequence[int]], Iterable[StoredMatch]],
    most_decisions: int,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> WeaknessReport:
    """Return the report on a bot.

    load: returns stored matches by their ids. most_decisions: about so many are replayed to compare choices.
    progress: as in `read_decisions`.
    """
    sittings = sample_sittings(contest, most_decisions)
    choices = compare_choices(contest, read_decisions(contest, sittings, load, progress)) if sittings else None
    return WeaknessReport(contest, choices, compare_deals(contest))
