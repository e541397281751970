"""Which matches of a tournament its ranking counts: none of omitted bots, and none after an early end."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from arena.store import decision_log
from arena.store.closed_names import load_closed_names
from arena.store.rows import ResultRow, VerdictRow
from arena.store.schema import verdicts


@dataclass(frozen=True, slots=True)
class CountedMatches:
    """Which matches count. omitted: entrants whose matches do not. limit: only match numbers below it do; None: all."""

    omitted: frozenset[int] = frozenset()
    limit: int | None = None

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
        """Return whether a match counts. number: its number in the schedule."""
        return (self.limit is None or number < self.limit) and self.omitted.isdisjoint(result.entrants)


def load_verdict(connection: Connection, event: int) -> VerdictRow | None:
    """Return the verdict that ended a tournament; None if none is stored."""
    row = connection.execute(select(verdicts).where(verdicts.c.event_id == event)).first()
    if row is None:
        return None
    return VerdictRow(row.rounds, row.matches, load_closed_names(connection).text(row.sentence), row.code)


def save_verdict(connection: Connection, event: int, row: VerdictRow | None) -> None:
    """Replace the verdict of a tournament; None deletes it."""
    connection.execute(delete(verdicts).where(verdicts.c.event_id == event))
    if row is not None:
        values = {"rounds": row.rounds, "matches": row.matches, "sentence": row.sentence, "code": row.code}
        connection.execute(insert(verdicts).values(event_id=event, **values))
