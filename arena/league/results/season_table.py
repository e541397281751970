"""The final table of a season: the finalists by the final, the others by the ratings at the freeze.

The finalists are ranked by the joint fit of the matches of the final alone. All of them met all others equally often
then, so nobody is helped by whom the season drew, or by older results; where nobody left the final, that is the order
by points, too. The ratings of the season have chosen the finalists, and rank those that are equal. A finalist that was
suspended or retired before the end of the final stands after the other finalists.
"""

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from hashlib import sha256

import msgspec

from arena.league.plan.matchmaking.snapshot import Snapshot
from arena.league.results.league_fit import LeagueFit
from arena.league.store.league_rows import Final
from arena.store import StoreError
from arena.values.canonical_json import canonical_json
from arena.values.struct_types import ready


@dataclass(frozen=True, slots=True)
class FinalScore:
    """What a finalist did in the final.

    bound, ci95: as in `EntryRating`.
    """

    elo: float
    """The difference of its Elo to the mean of the finalists, from the final alone."""
    bound: str
    ci95: float | None
    deals: int
    matches: int
    points: float
    """The points in comparisons with the others at its tables: 1 for each that it was placed above, a half for each
    tie.
    """
    comparisons: int
    """The number of these comparisons."""


@dataclass(frozen=True, slots=True)
class SeasonPlace:
    """A place of the final table.

    elo, ci95, deals: the rounded rating at the freeze.
    """

    rank: int | None
    """The rank in the table; None where the placement of the entry was not over."""
    entry: int
    """The number of the entry."""
    elo: int
    ci95: int | None
    deals: int
    final: FinalScore | None = None
    """What it did in the final; None unless it was a finalist that played."""
    has_left: bool = False
    """Whether the entry left the final before its end."""


def season_table(
    snapshot: Snapshot, anchors: Collection[int], final: Final, left: Collection[int], sums: Iterable[bytes]
) -> tuple[SeasonPlace, ...]:
    """Return the final table of a season.

    snapshot: the ratings at the freeze.
    left: finalists that left.
    sums: of the final's batches.

    Raises StoreError where the sums are damaged.
    """
    finalists, scores = final.entries or (), _scores(final, sums)

    def order(entry: int) -> tuple[int, bool, float, int, int]:
        score, rated = scores.get(entry), ratings[entry]
        group = 0 if entry in finalists else 2 if rated.is_placing else 1
        return group, entry in left, -score.elo if score is not None else 0.0, -rated.elo, entry

    ratings = {rated.number: rated for rated in snapshot.entries if rated.number not in anchors}
    return tuple(
        SeasonPlace(
            None if ratings[entry].is_placing else place,
            entry,
            ratings[entry].elo,
            ratings[entry].ci95,
            ratings[entry].deals,
            scores.get(entry),
            entry in left,
        )
        for place, entry in enumerate(sorted(ratings, key=order), 1)
    )


def pack_table(table: Iterable[SeasonPlace]) -> bytes:
    """Return a table as JSON, from which `unpack_table` reads it."""
    return canonical_json([asdict(place) for place in table]).encode()


def unpack_table(packed: bytes) -> tuple[SeasonPlace, ...]:
    """Return the table that `pack_table` wrote. Raises StoreError if it is another text."""
    try:
        return msgspec.json.decode(packed, type=ready(tuple[SeasonPlace, ...]))
    except msgspec.DecodeError as error:
        raise StoreError(
            f"the final table of a season cannot be read ({error}): restore the database from a copy"
        ) from None


def table_digest(packed: bytes) -> str:
    """Return SHA-256 of a packed table, in hex, as the log has it."""
    return sha256(packed).hexdigest()


def _scores(final: Final, sums: Iterable[bytes]) -> dict[int, FinalScore]:
    """Return what the finalists did, by entry; those that played no match are not in it."""
    fit, is_empty = LeagueFit(), True
    for packed in sums:
        fit.add(packed)
        is_empty = False
    if is_empty or not final.entries:
        return {}
    return {
        row.entry: FinalScore(
            round(row.elo, 2),
            row.bound,
            None if row.ci95 is None else round(row.ci95, 2),
            row.deals,
            row.totals.matches,
            row.points,
            row.comparisons,
        )
        for row in fit.fit(final.entries).rows
    }
