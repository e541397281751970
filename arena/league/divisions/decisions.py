"""The decisions on divisions in the log of a league: what each says, and who holds the places now."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Self

from sqlalchemy import select

from arena.league.divisions.rules import Division, Places, division_of
from arena.league.store.league_log import append_to_log, lock_league
from arena.league.store.league_rows import EntryRow
from arena.league.store.leagues import Leagues
from arena.league.store.outbox_events import add_division_change
from arena.league.store.seasons import progress
from arena.store import Store
from arena.store.engine.schema import leagues
from arena.values.rows import PROGRAM, DecisionRow

DIVIDE = "divide"
"""The kind of these decisions."""


@dataclass(frozen=True, slots=True)
class DivisionDecision:
    """A decision who is in which division."""

    season: int
    span: int
    """The number of the span in the season that it ends, from 1."""
    batch: int
    """The number of the first batch that was drawn after it."""
    snapshot: int
    """The number of the ratings from which it follows."""
    places: Places
    up: tuple[int, ...]
    """The entries that were promoted."""
    down: tuple[int, ...]
    """The entries that were relegated."""
    created: str = ""
    """When it was taken, UTC, ISO 8601."""
    number: int = 0
    """Its number in the log; 0 before it is written."""

    @property
    def promoted(self) -> list[tuple[int, int]]:
        """The entries that were promoted, each with its new division."""
        numbers = division_of(self.places)
        return [(entry, numbers[entry]) for entry in self.up if entry in numbers]

    def relegated(self, lowest: int) -> list[tuple[int, int]]:
        """Return the entries that were relegated, each with its new division."""
        numbers = division_of(self.places)
        return [(entry, numbers.get(entry, lowest)) for entry in self.down]

    def details(self) -> dict[str, Any]:
        """Return what the log says of it: all lists are of numbers."""
        return {
            "season": self.season,
            "span": self.span,
            "batch": self.batch,
            "snapshot": self.snapshot,
            "sizes": [len(entries) for entries in self.places],
            "members": [entry for entries in self.places for entry in entries],
            "up": list(self.up),
            "down": list(self.down),
        }

    @classmethod
    def of_row(cls, row: DecisionRow) -> Self:
        """Return the decision of an entry of the log."""
        values, members = row.details, iter(row.details["members"])
        places = tuple(tuple(islice(members, max(size, 0))) for size in values["sizes"])
        return cls(
            values["season"], values["span"], values["batch"], values["snapshot"], places,
            tuple(values["up"]), tuple(values["down"]), row.created, row.number,
        )  # fmt: skip

    @classmethod
    def of_outcome(
        cls, outcome: Division, before: Places, lowest: int, *, season: int, span: int, batch: int, snapshot: int
    ) -> Self:
        """Return the decision that follows from the outcome of a span.

        before: the active entries in each division but the lowest, before it.
        lowest: the number of the lowest division.
        """
        moves = outcome.moves(before, lowest)
        return cls(
            season,
            span,
            batch,
            snapshot,
            outcome.places,
            tuple(entry for entry, old, new in moves if new < old),
            tuple(entry for entry, old, new in moves if new > old),
        )


class DivisionDecisions:
    """The decisions on the divisions of a league."""

    def __init__(self, store: Store, league: int) -> None:
        self._store = store
        self._league = league

    def all(self) -> list[DivisionDecision]:
        """Return all of them, the oldest first."""
        return list(map(DivisionDecision.of_row, Leagues(self._store).log(self._league, DIVIDE)))

    def latest(self, limit: int) -> list[DivisionDecision]:
        """Return so many of them, the newest first."""
        return list(map(DivisionDecision.of_row, Leagues(self._store).newest_decisions(self._league, DIVIDE, limit)))

    def newest(self) -> DivisionDecision | None:
        """Return the last of them; None before the first."""
        return next(iter(self.latest(1)), None)

    def freeze(self, season: int) -> int:
        """Return the number in the log of the decision that froze a season; 0 unless it is the last frozen one."""
        rows = Leagues(self._store).newest_decisions(self._league, "freeze", 1)
        return rows[0].number if rows and rows[0].details["season"] == season else 0

    def add(
        self, decision: DivisionDecision, moves: Sequence[tuple[int, int, int]], results: int, seen: tuple[int, int]
    ) -> bool:
        """Write a decision into the log and tell the owners of those that move, in one transaction.

        moves: as `Division.moves` returns them.
        results: how many batches the ratings hold.
        seen: as in `Seasons.end`.

        Returns False if the league is not open, or if there were batches, results or decisions meanwhile.
        """
        with self._store.write(numbers=True) as connection:
            lock_league(connection, self._league)
            is_league = leagues.c.id == self._league
            row = connection.execute(select(leagues.c.state, leagues.c.results).where(is_league)).one()
            if tuple(row) != ("open", results) or progress(connection, self._league) != seen:
                return False
            append_to_log(connection, self._league, PROGRAM, DIVIDE, decision.details())
            for entry, old, new in moves:
                add_division_change(connection, self._league, entry, new, is_up=new < old)
            return True


def holders(places: Places, entries: Mapping[int, EntryRow], active: Collection[int]) -> Places:
    """Return the active entries that hold places: a place belongs to a bot, so its newest version has it.

    entries: all entries of the league, by number.
    active: the numbers of those that play.
    """
    newest = _newest(entries[number] for number in active if number in entries)
    known = [[entries[number].submission[0] for number in numbers if number in entries] for numbers in places]
    return tuple(tuple(dict.fromkeys(newest[bot] for bot in bots if bot in newest)) for bots in known)


def _newest(entries: Iterable[EntryRow]) -> dict[str, int]:
    """Return the newest entry of each bot."""
    ordered = sorted(entries, key=lambda entry: entry.number)
    return {entry.submission[0]: entry.number for entry in ordered if not entry.is_anchor}
