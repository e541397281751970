"""The sums of a batch's matches."""

from collections import Counter
from collections.abc import Mapping, Sequence

from arena.league.results.league_sums import LeagueSums, TableMatch
from arena.store.rows import EffortRow, MatchRow


def batch_sums(
    rows: Sequence[MatchRow], entries: Sequence[int], team_of: Sequence[int], ready_us: Mapping[int, int] | None = None
) -> LeagueSums:
    """Return the sums of the matches of a batch.

    entries: the number of the entry at each place of its field. ready_us: how long bots took to get ready for matches,
    in microseconds, by place in the field.
    """
    efforts: dict[int, Counter[str]] = {}
    faults: dict[int, Counter[str]] = {}
    forfeits = Counter[int]()
    for row in rows:
        for seat in row.seats:
            effort = efforts.setdefault(entries[seat.entrant], Counter())
            effort.update(matches=1, decisions=seat.decisions, charged_us=seat.charged_us)
            forfeits[entries[seat.entrant]] += seat.forfeit
        for fault in row.faults:
            faults.setdefault(entries[row.seats[fault.seat].entrant], Counter())[fault.kind] += 1
    return LeagueSums.of_matches(
        (
            TableMatch(
                row.table,
                row.deal,
                tuple(entries[seat.entrant] for seat in row.seats),
                tuple(seat.score for seat in row.seats),
                tuple(seat.rank for seat in row.seats),
            )
            for row in rows
        ),
        team_of=team_of,
        efforts={entry: EffortRow(**effort) for entry, effort in efforts.items()},
        faults=faults,
        forfeits=+forfeits,
        ready_us={entries[place]: micros for place, micros in (ready_us or {}).items()},
    )
