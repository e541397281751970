"""Which matches of a tournament its ranking counts: not those of bots left out, nor what came after its early end."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from arena.store import decision_log
from arena.store.rows import ResultRow, VerdictRow
from arena.store.schema import verdicts


@dataclass(frozen=True, slots=True)
class CountedMatches:
    """Which matches count. omitted: entrants whose matches do not. most: only so many matches from the first do."""

    omitted: frozenset[int] = frozenset()
    most: int | None = None

    @classmethod
    def of(cls, connection: Connection, event: int) -> "CountedMatches":
        """Return what counts of a tournament."""
        omitted = frozenset(
            entry.details["place"]
            for entry in decision_log.entries(connection, event)
            if entry.kind == "withdraw" and entry.details["results"] == "omit"
        )
        found = load_verdict(connection, event)
        return cls(omitted, found.matches if found else None)

    def counts(self, number: int, result: ResultRow) -> bool:
        """Return whether a match counts. number: in the schedule."""
        return (self.most is None or number < self.most) and self.omitted.isdisjoint(result.entrants)


def load_verdict(connection: Connection, event: int) -> VerdictRow | None:
    """Return what ended a tournament, where that was noted."""
    found = connection.execute(select(verdicts).where(verdicts.c.event_id == event)).first()
    return VerdictRow(found.rounds, found.matches, found.sentence, found.code) if found else None


def save_verdict(connection: Connection, event: int, row: VerdictRow | None) -> None:
    """Note what ended a tournament; None: that it has not ended."""
    connection.execute(delete(verdicts).where(verdicts.c.event_id == event))
    if row is not None:
        values = {"rounds": row.rounds, "matches": row.matches, "sentence": row.sentence, "code": row.code}
        connection.execute(insert(verdicts).values(event_id=event, **values))
