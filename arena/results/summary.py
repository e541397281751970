"""Sums over the matches of a tournament, kept as they are stored, so that a million matches are rated at once.

All of them are sums of whole numbers, per deal and pair, so no digit depends on which matches were added up together.
They can always be rebuilt from the matches: a version of arena that sums something else drops the old ones. Nothing can
be subtracted from a sum, so a decision that changes what counts sends all matches back to be added up again.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

from arena.ratings.integer_columns import pack_columns, unpack_columns
from arena.ratings.keyed_sums import Ints
from arena.ratings.tally import Tally
from arena.results.meetings import COLUMNS, Meetings
from arena.results.team_results import team_result
from arena.store import StoreError
from arena.values.result import Result
from arena.values.rows import EffortRow, SummedResults, TournamentRow


@dataclass(frozen=True, slots=True)
class Summary:
    """Sums over all stored matches of a tournament; the tally alone is only of those that count in the ranking."""

    tally: Tally
    """The tally of the matches that count in the ranking; until the verdict that ended a tournament early is stored,
    all of them seem to.
    """
    efforts: Mapping[int, EffortRow]
    """The decisions of each bot and the time charged for them, by place in the field."""
    faults: Mapping[int, Mapping[str, int]]
    """The number of faults of each bot by kind, by place in the field."""
    meetings: Meetings

    @classmethod
    def of(cls, tournament: TournamentRow, parts: Iterable[SummedResults]) -> Self:
        """Return the sums over parts of a tournament: stored summaries, and matches that are in none.

        Raises StoreError with a sentence where a summary cannot be read.
        """
        tally = Tally()
        efforts, faults, meetings = add_up(tournament, parts, tally)
        return cls(tally, efforts, faults, meetings)

    def to_bytes(self) -> bytes:
        """Return the sums in the form that `of` reads; the same matches give the same bytes."""
        header, columns = self.tally.state()
        efforts = [[place, _counts(effort)] for place, effort in self.efforts.items()]
        header = {**header, "efforts": efforts, "faults": list(self.faults.items())}
        return pack_columns(header, [*columns, *self.meetings.columns()])


class Collector(Protocol):
    """Takes single results, and the state of tallies."""

    def add(self, result: Result) -> None:
        """Add one match."""

    def add_state(self, header: Mapping[str, Any], columns: Sequence[Ints]) -> None:
        """Add all that a tally added, as its `state` returns it."""


def add_up(
    tournament: TournamentRow, parts: Iterable[SummedResults], collector: Collector
) -> tuple[dict[int, EffortRow], dict[int, dict[str, int]], Meetings]:
    """Pass all results that count to the collector; return efforts, faults and meetings, as in `Summary`.

    Raises StoreError with a sentence where a summary cannot be read.
    """
    names, team_of = tournament.names, tournament.definition.team_of
    meetings = Meetings()
    efforts: dict[int, Counter[str]] = {}
    faults: dict[int, Counter[str]] = {}
    for part in parts:
        for summary in part.parts:
            try:
                header, columns = unpack_columns(summary)
                collector.add_state(*_as_shown(header, columns[:-COLUMNS], tournament.shown_names))
                meetings.absorb(columns[-COLUMNS:])
                for place, counts in header["efforts"]:
                    efforts.setdefault(place, Counter()).update(counts)
                for place, counts in header["faults"]:
                    faults.setdefault(place, Counter()).update(counts)
            except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
                raise StoreError(
                    f"a summary of tournament {tournament.id} cannot be read ({error!r}): "
                    f"`arena db rebuild {tournament.id}` rebuilds it from the matches"
                ) from None
        for result in part.results:
            collector.add(team_result(result, names, team_of))
        meetings.add(result.entrants for results in (part.results, part.uncounted) for result in results)
        for place, effort in part.efforts.items():
            efforts.setdefault(place, Counter()).update(_counts(effort))
        for place, kinds in part.faults.items():
            faults.setdefault(place, Counter()).update(kinds)
    return (
        {place: EffortRow(**efforts[place]) for place in sorted(efforts)},
        {place: dict(sorted(faults[place].items())) for place in sorted(faults)},
        meetings,
    )


def _as_shown(
    header: Mapping[str, Any], columns: Sequence[Ints], shown_names: Mapping[str, str]
) -> tuple[Mapping[str, Any], Sequence[Ints]]:
    """Return the state of a tally with the names under which bots are shown, in the order of these names."""
    if not shown_names:
        return header, columns
    tally = Tally()
    teams = [[shown_names.get(bot, bot) for bot in team] for team in header["teams"]]
    tally.add_state({**header, "teams": teams}, columns)
    return tally.state()


def _counts(effort: EffortRow) -> dict[str, int]:
    return {"matches": effort.matches, "decisions": effort.decisions, "charged_us": effort.charged_us}
