"""The final of a season: a round-robin of all tables of the finalists, in all rotations, cut into parts.

A part is what a batch plays. A final is no single tournament, as runners share its parts under leases, like all matches
of leagues, and need no second way of playing. Everything but the deals follows from the definition, from a snapshot of
the ratings and from what was decided when the season was frozen; the deals follow from the secret of the batch.
"""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb

from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.matchmaking.errors import DrawError
from arena.league.plan.matchmaking.snapshot import BatchDraw, Snapshot, batch_of
from arena.league.store.league_rows import Final
from arena.values.tournament_errors import PlanError

FINALISTS = 8
"""Unless a table needs more, or the organiser says otherwise."""

DEALS_EACH = 1000
"""Deals that each finalist plays at least, unless the organiser says otherwise."""

MOST_TABLES = 5000
"""Tables of a final: with more finalists it would take days."""

MOST_DRAWS = 2
"""Draws of a part of the final that come to no result, until it is left out."""


def define_final(definition: LeagueDefinition, top: int | None, deals: int | None, *, closes: bool) -> Final:
    """Return what is decided of a final as its season is frozen.

    top: the most finalists.
    deals: of each table. None, of either: as the definition says.
    closes: whether the league is closed after it.

    Raises PlanError for numbers that cannot be played.
    """
    size = definition.table_size
    top = definition.final_top if top is None else top
    top = top or max(FINALISTS, size)
    deals = definition.final_deals if deals is None else deals
    if top < size:
        raise PlanError(f"a final needs the finalists of a table, {size}, and not {top}: name more")
    if (tables := comb(top, size)) > MOST_TABLES:
        raise PlanError(
            f"{top} finalists have {tables:,} tables of {size}, and a final has at most {MOST_TABLES:,}: name fewer"
        )
    if not 0 <= deals <= definition.process_matches:
        raise PlanError(f"a table of a final has 1 to {definition.process_matches} deals, not {deals}")
    return Final(top, deals, closes)


def choose_finalists(
    snapshot: Snapshot,
    anchors: Collection[int],
    top: int,
    table_size: int,
    among: Collection[int] | None = None,
) -> tuple[int, ...]:
    """Return the finalists, the best first: of each owner the best entry whose placement is over.

    among: the entries that may be finalists, as those of the first division; None: all.

    Empty if they do not fill a table.
    """
    placed = [
        entry
        for entry in snapshot.entries
        if not entry.is_placing and entry.number not in anchors and (among is None or entry.number in among)
    ]
    best: dict[int | str, int] = {}
    for entry in sorted(placed, key=lambda entry: (-entry.elo, entry.number)):
        best.setdefault(entry.owner, entry.number)
    finalists = tuple(best.values())[:top]
    return finalists if len(finalists) >= table_size else ()


def usual_deals(definition: LeagueDefinition, finalists: int) -> int:
    """Return the deals of a table with which each finalist plays `DEALS_EACH`."""
    tables = comb(finalists - 1, definition.table_size - 1)
    return min(-(-DEALS_EACH // tables), definition.process_matches)


@dataclass(frozen=True, slots=True)
class FinalPart:
    """A part of a settled final."""

    final: Final
    """The final, with its finalists."""
    size: int
    """The number of entries at a table."""
    number: int
    """The number of the part, from 0."""

    def tables(self, playing: Collection[int]) -> list[tuple[int, ...]]:
        """Return the tables of the part.

        playing: the finalists that still play; tables with others are left out.
        """
        assert self.final.entries is not None
        first = self.number * self.final.tables
        whole = islice(combinations(sorted(self.final.entries), self.size), first, first + self.final.tables)
        return [table for table in whole if all(entry in playing for entry in table)]

    def draw(self, snapshot: Snapshot) -> BatchDraw:
        """Return the part as a batch.

        snapshot: of the finalists that still play.

        Raises DrawError if it has no table.
        """
        tables = self.tables({entry.number for entry in snapshot.entries})
        if not tables:
            raise DrawError(f"part {self.number + 1} of the final has no table of finalists that still play")
        return batch_of(tables, self.final.deals, "random")


def part_count(final: Final, size: int) -> int:
    """Return the number of parts of a settled final.

    size: entries at a table.
    """
    return -(-comb(len(final.entries or ()), size) // final.tables) if final.entries else 0
