"""What is stored of a batch in which bots of closed accounts still played."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from sqlalchemy import Connection, select

from arena.league.store.league_rows import BatchResult
from arena.store.engine.schema import entries
from arena.store.people.closed_names import load_closed_names
from arena.values.rows import MatchRow


def without_closed(connection: Connection, league: int, numbers: Sequence[int], result: BatchResult) -> BatchResult:
    """Return a result without notes and output of bots whose accounts were closed while it was played.

    numbers: of the entries that played, by place in the field.
    """
    closed = load_closed_names(connection).shown
    if not closed:
        return result
    rows = connection.execute(select(entries.c.number, entries.c.owner).where(entries.c.league_id == league))
    gone = {row.number for row in rows if row.owner in closed}
    places = {place for place, number in enumerate(numbers) if number in gone}
    return replace(
        result,
        rows=[_without_notes(row, places) for row in result.rows],
        outputs=[row for row in result.outputs if row.entrant not in places],
        failures=[
            replace(row, output="", truncated=False) if row.entrant in places else row for row in result.failures
        ],
    )


def _without_notes(row: MatchRow, places: Collection[int]) -> MatchRow:
    return replace(row, notes=tuple(note for note in row.notes if row.seats[note.seat].entrant not in places))
