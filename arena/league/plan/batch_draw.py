"""The draw of a batch of any kind: a pure function, which whoever has the snapshot and the secret can repeat.

Its arithmetic is the same on every machine. Which batch is stored first depends on the machine; what was drawn from
which ratings does not have to.
"""

from collections.abc import Sequence
from itertools import combinations, cycle, islice

from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.final import FinalPart
from arena.league.plan.matchmaking.placement import draw_placement
from arena.league.plan.matchmaking.shape import PlacementShape, Shape
from arena.league.plan.matchmaking.snapshot import BatchDraw, Snapshot
from arena.league.plan.matchmaking.standing import draw
from arena.league.store.league_rows import BatchKind
from referee.engine.chance import Chance

PLACEMENT_DEALS = 6
"""Deals of each table of a batch for newcomers: more tables tell more than more deals."""

NEWCOMERS = 2
"""The most newcomers that a batch places."""

TRIAL_TABLES = 4
"""Tables at which an entry plays alone with anchors, after batches with it came to no result."""


def deals_of(definition: LeagueDefinition, kind: BatchKind) -> int:
    """Return the deals that each table of a batch plays."""
    return PLACEMENT_DEALS if kind == "placement" else definition.deals


def draw_batch(
    definition: LeagueDefinition,
    kind: BatchKind,
    snapshot: Snapshot,
    tables: int,
    secret: bytes,
    *,
    deals: int | None = None,
    tried: int | None = None,
    against: Sequence[int] = (),
    anchors: Sequence[int] = (),
    part: FinalPart | None = None,
) -> BatchDraw:
    """Draw a batch.

    tables: their number.
    secret: of the batch.
    deals: of each table, where they are fewer than usual as somebody is slow.
    anchors: of the league.
    tried, against: the entry on trial; or the challenger, and those whom it challenges.
    part: of a final.

    Raises DrawError if the entries of the snapshot fill no table.
    """
    chance = Chance(secret)
    deals = deals_of(definition, kind) if deals is None else deals
    if kind == "placement":
        size, entries = definition.table_size, definition.batch_entries
        newcomers = min(NEWCOMERS, tables, entries - size + 1)
        shape = PlacementShape(size, entries, tables, deals, newcomers)
        return draw_placement(snapshot, shape, chance)
    if kind == "final":
        assert part is not None
        return part.draw(snapshot)
    if kind in ("trial", "challenge"):
        assert tried is not None
        others = _others(definition.table_size - 1, against, [anchor for anchor in sorted(anchors) if anchor != tried])
        seated = tuple((tried, *table) for table in islice(cycle(others), tables))
        return BatchDraw(tuple(sorted({entry for table in seated for entry in table})), seated, deals, "random")
    return draw(snapshot, Shape(definition.table_size, definition.batch_entries, tables, deals), chance)


def _others(seats: int, against: Sequence[int], anchors: Sequence[int]) -> list[tuple[int, ...]]:
    """Return ways to fill some seats with those who are challenged and, where there are too few, with anchors."""
    challenged = sorted(against)
    if len(challenged) >= seats:  # windows that move on by a table, so that a few tables have all of them
        ring = challenged * seats
        return [tuple(sorted(ring[turn * seats : (turn + 1) * seats])) for turn in range(len(challenged))]
    free = [anchor for anchor in anchors if anchor not in challenged]
    return [(*challenged, *table) for table in combinations(free, seats - len(challenged))]
