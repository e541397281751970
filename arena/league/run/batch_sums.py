"""The sums of a batch's matches."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from arena.league.results.experiment_sums import SetNumbers
from arena.league.results.league_sums import LeagueSums
from arena.results.openings import OpeningOf
from arena.values.rows import EffortRow, MatchRow


def batch_sums(
    rows: Sequence[MatchRow],
    entries: Sequence[int],
    team_of: Sequence[int],
    ready_us: Mapping[int, int] | None = None,
    *,
    opening_of: OpeningOf | None,
) -> LeagueSums:
    """Return the sums of the matches of a batch.

    entries: the number of the entry at each place of its field.
    ready_us: how long bots took to get ready for matches, in microseconds, by place in the field.
    opening_of: what tells openings; None where each deal is an experiment of its own, or is taken for one.
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
        (row.result._replace(entrants=tuple(entries[seat.entrant] for seat in row.seats)) for row in rows),
        team_of=team_of,
        sets=None if opening_of is None else _set_numbers(rows, entries, opening_of),
        efforts={entry: EffortRow(**effort) for entry, effort in efforts.items()},
        faults=faults,
        forfeits=+forfeits,
        ready_us={entries[place]: micros for place, micros in (ready_us or {}).items()},
    )


def _set_numbers(
    rows: Iterable[MatchRow], entries: Sequence[int], opening_of: OpeningOf
) -> dict[tuple[int, int], SetNumbers]:
    """Return by table and deal what tells whether a set says anything new."""
    sets: dict[tuple[int, int], list[MatchRow]] = {}
    for row in rows:
        sets.setdefault((row.table, row.deal), []).append(row)
    return {
        deal: SetNumbers.of(
            ((tuple(entries[seat.entrant] for seat in row.seats), row.digest) for row in played),
            opening_of(played[0].seed, len(played[0].seats)),
        )
        for deal, played in sets.items()
    }
