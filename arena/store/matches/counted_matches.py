"""Which matches of a tournament its ranking counts: none of omitted bots, and none after an early end."""

from dataclasses import dataclass, replace

from sqlalchemy import Connection, delete, insert, select

from arena.store.engine.row_map import RowMap
from arena.store.engine.schema import verdicts
from arena.store.matches import decision_log
from arena.store.people.closed_names import load_closed_names
from arena.values.rows import ResultRow, VerdictRow

_VERDICT = RowMap(VerdictRow, verdicts)


@dataclass(frozen=True, slots=True)
class CountedMatches:
    """Which matches of a tournament count."""

    omitted: frozenset[int] = frozenset()
    """The places in the field of the entrants whose matches do not count."""
    limit: int | None = None
    """The match number from which on none counts; None where all do."""

    @classmethod
    def load(cls, connection: Connection, event: int) -> "CountedMatches":
        """Load which matches of a tournament count."""
        omitted = frozenset(
            entry.details["place"]
            for entry in decision_log.entries(connection, event)
            if entry.kind == "withdraw" and entry.details["results"] == "omit"
        )
        verdict = load_verdict(connection, event)
        return cls(omitted, verdict.matches if verdict else None)

    def counts(self, number: int, result: ResultRow) -> bool:
        """Return whether a match counts.

        number: its number in the schedule.
        """
        return (self.limit is None or number < self.limit) and self.omitted.isdisjoint(result.entrants)


def load_verdict(connection: Connection, event: int) -> VerdictRow | None:
    """Return the verdict that ended a tournament; None if none is stored."""
    row = connection.execute(select(*_VERDICT.columns).where(verdicts.c.event_id == event)).first()
    if row is None:
        return None
    verdict = _VERDICT.load(row)
    return replace(verdict, sentence=load_closed_names(connection).text(verdict.sentence))


def save_verdict(connection: Connection, event: int, row: VerdictRow | None) -> None:
    """Replace the verdict of a tournament; None deletes it."""
    connection.execute(delete(verdicts).where(verdicts.c.event_id == event))
    if row is not None:
        connection.execute(insert(verdicts).values(event_id=event, **_VERDICT.values(row)))
