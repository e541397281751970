"""What is told of a whole tournament, added up as its matches are stored, so that a million are rated at once.

Everything is a sum of whole numbers, so that no digit depends on which matches were added up together. What is kept can
always be made again from the matches: an arena that means something else by it throws the old ones away.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Protocol, Self

from arena.ratings.integer_columns import pack_columns, unpack_columns
from arena.ratings.keyed_sums import Ints
from arena.ratings.result import Result
from arena.ratings.tally import Tally
from arena.store import Store, StoreError
from arena.store.backoff import back_off
from arena.store.rows import EffortRow, SummedResults, TournamentRow
from arena.tournament.results.meetings import COLUMNS, Meetings
from arena.tournament.results.team_results import team_result

BATCH = 4096
"""Loose matches that are worth being added up: few enough that reading them one by one takes no time."""

_MOST = 2 * BATCH
"""Matches that are added up in one transaction, where many were left: nobody else writes to a file meanwhile."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Sums over matches. efforts, faults: by place in the field.

    tally: of the matches that count in the ranking; all else is of every stored match. settled: whether it was noted
    before what ended the tournament, if anything did: until then all matches seem to count.
    """

    tally: Tally
    efforts: Mapping[int, EffortRow]
    faults: Mapping[int, Mapping[str, int]]
    meetings: Meetings
    settled: bool = True

    @classmethod
    def of(cls, tournament: TournamentRow, lots: Iterable[SummedResults]) -> Self:
        """Return the sums of what is given: summaries that were made before, and matches.

        Raises StoreError with a sentence where a summary cannot be read.
        """
        tally = Tally()
        efforts, faults, meetings = gathered(tournament, lots, tally)
        return cls(tally, efforts, faults, meetings)

    def to_bytes(self) -> bytes:
        """Return the sums as `of` takes them; those of the same matches are the same bytes."""
        header, columns = self.tally.state()
        efforts = [[place, _counts(effort)] for place, effort in self.efforts.items()]
        told = {**header, "efforts": efforts, "faults": list(self.faults.items())}
        return pack_columns(told, [*columns, *self.meetings.columns()])


class Collector(Protocol):
    """Takes results, and what tallies have added up."""

    def add(self, result: Result) -> None:
        """Add one match."""

    def absorb(self, header: Mapping[str, Any], columns: Sequence[Ints]) -> None:
        """Add all that a tally added, as its `state` returns it."""


def gathered(
    tournament: TournamentRow, lots: Iterable[SummedResults], collector: Collector
) -> tuple[dict[int, EffortRow], dict[int, dict[str, int]], Meetings]:
    """Give the collector all results that count, and return efforts, faults and meetings, as in `Summary`.

    Raises StoreError with a sentence where a summary cannot be read.
    """
    names, team_of = tournament.names, tournament.definition.team_of
    meetings = Meetings()
    efforts: dict[int, Counter[str]] = {}
    faults: dict[int, Counter[str]] = {}
    for lot in lots:
        for part in lot.parts:
            try:
                header, columns = unpack_columns(part)
                collector.absorb(header, columns[:-COLUMNS])
                meetings.absorb(columns[-COLUMNS:])
                for place, counts in header["efforts"]:
                    efforts.setdefault(place, Counter()).update(counts)
                for place, counts in header["faults"]:
                    faults.setdefault(place, Counter()).update(counts)
            except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
                raise StoreError(
                    f"a summary of tournament {tournament.id} cannot be read ({error!r}): "
                    f"`arena db rebuild {tournament.id}` makes it again from the matches"
                ) from None
        for result in lot.results:
            collector.add(team_result(result, names, team_of))
        meetings.add(result.entrants for results in (lot.results, lot.aside) for result in results)
        for place, effort in lot.efforts.items():
            efforts.setdefault(place, Counter()).update(_counts(effort))
        for place, kinds in lot.faults.items():
            faults.setdefault(place, Counter()).update(kinds)
    return (
        {place: EffortRow(**efforts[place]) for place in sorted(efforts)},
        {place: dict(sorted(faults[place].items())) for place in sorted(faults)},
        meetings,
    )


def summary(store: Store, tournament: TournamentRow) -> Summary:
    """Return the sums over all stored matches of a tournament."""
    settled = not tournament.definition.stop or store.verdict(tournament.id) is not None
    return replace(Summary.of(tournament, [store.rating_sums(tournament.id)]), settled=settled)


def unsummed(store: Store, tournament: TournamentRow) -> int:
    """Return how many matches a ranking has to read one by one; 0 where they are few."""
    if tournament.definition.stop and tournament.finished and store.verdict(tournament.id) is None:
        return store.count(tournament.id)  # nobody has noted yet which of them count
    found = store.unsummarised(tournament.id)
    return found if found >= 2 * BATCH else 0


def keep_up(store: Store, tournament: TournamentRow, *, over: bool = False) -> None:
    """Add up stored matches, as long as there are enough that it was not done for.

    over: no more will come, so what is in several sums, if there are any, becomes one.
    """

    def add_up(summed: SummedResults) -> bytes:
        return Summary.of(tournament, [summed]).to_bytes()

    began = monotonic()
    while store.summarise(tournament.id, add_up, least=BATCH, most=_MOST) == _MOST:
        back_off(began)
        began = monotonic()
    if over and store.count(tournament.id) >= BATCH:
        store.summarise(tournament.id, add_up, least=0, most=BATCH, whole=True)


def _counts(effort: EffortRow) -> dict[str, int]:
    return {"matches": effort.matches, "decisions": effort.decisions, "charged_us": effort.charged_us}
