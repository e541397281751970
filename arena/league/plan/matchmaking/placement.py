"""The draw of a batch for newcomers, and when their placement is over."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from arena.league.plan.matchmaking.errors import DrawError
from arena.league.plan.matchmaking.even_tables import draw_even_tables
from arena.league.plan.matchmaking.field import owner_numbers
from arena.league.plan.matchmaking.shape import PlacementShape
from arena.league.plan.matchmaking.snapshot import BatchDraw, RatedEntry, Snapshot, batch_of
from referee.engine.chance import Chance

PlacementEnd = Literal["settled", "deals", "cpu"]
"""Why a placement is over: the interval is narrow, or the entry has had all the deals or CPU time that it may have."""

_NEAREST = 4
"""Of so many entries nearest to where an opponent should stand, two are drawn, and the cheaper one of these plays."""


@dataclass(frozen=True, slots=True)
class PlacementRule:
    """When a placement is over: at a narrow interval after enough deals, or after the most deals or CPU time."""

    least_deals: int = 20
    """The deals that an entry must have played before its interval can end its placement."""
    ci95: float = 60.0
    """Half the width of a 95 % interval in Elo: an entry with a narrower one is settled."""
    most_deals: int = 400
    """The deals after which an entry stands anyway."""
    most_cpu: float = 600.0
    """The seconds of its own CPU time after which an entry stands anyway."""


def placement_over(
    deals: int, ci95: float | None, cpu: float, rule: PlacementRule = PlacementRule()
) -> PlacementEnd | None:
    """Return why the placement of an entry is over, or None if it goes on.

    deals: that it has played.
    ci95: half the width of its interval in Elo, None without one (as with one-way results).
    cpu: seconds of CPU time that it has used.
    """
    if deals >= rule.least_deals and ci95 is not None and ci95 < rule.ci95:
        return "settled"
    if deals >= rule.most_deals:
        return "deals"
    return "cpu" if cpu >= rule.most_cpu else None


def draw_placement(snapshot: Snapshot, shape: PlacementShape, chance: Chance) -> BatchDraw:
    """Draw a batch for the newcomers with the fewest deals, those that came first before others.

    A newcomer meets standing entries: spread over the whole ranking as long as it has no interval, then spread over its
    interval. Two newcomers meet only if there are too few standing entries to fill a table, as when a league begins.

    chance: of this batch alone.

    Raises DrawError if nobody is placing, or a table cannot be filled.
    """
    entries = snapshot.entries
    placing = [place for place, entry in enumerate(entries) if entry.is_placing]
    if not placing:
        raise DrawError("no entry is in its placement: draw a batch of standing entries instead")
    first = sorted(placing, key=lambda place: entries[place].deals + entries[place].pending_deals)
    first = first[: max(min(shape.newcomers, shape.entries // shape.seats), 1)]
    opponents = (shape.entries - len(first)) // len(first)
    tables: list[tuple[int, ...]] = []
    for turn, newcomer in enumerate(first):
        count = shape.tables * (turn + 1) // len(first) - shape.tables * turn // len(first)
        tables += _tables(entries, newcomer, opponents, count, shape.seats, chance)
    return batch_of(tables, shape.deals, "placement")


def _tables(
    entries: Sequence[RatedEntry], newcomer: int, opponents: int, count: int, seats: int, chance: Chance
) -> list[tuple[int, ...]]:
    """Return the numbers at the tables of one newcomer."""
    owners = owner_numbers(entries)
    pool = [place for place, entry in enumerate(entries) if owners[place] != owners[newcomer] and not entry.is_placing]
    if len({owners[place] for place in pool}) < seats - 1:
        pool = [place for place in range(len(entries)) if owners[place] != owners[newcomer]]
    if (missing := seats - 1 - len({owners[place] for place in pool})) > 0:
        raise DrawError(
            f"no table of {seats} can be filled for entry {entries[newcomer].number}: entries of {missing} more owners "
            "are needed; add sample bots to the league, or wait for more entries"
        )
    number = entries[newcomer].number
    order = chance.shuffle(pool, "league", "opponents", number)
    selected: list[int] = []
    for turn, target in enumerate(_targets(entries, newcomer, order, opponents)):
        known = {owners[place] for place in selected}
        is_full = len(known) >= seats - 1
        free = [place for place in order if place not in selected and (is_full or owners[place] not in known)]
        near = sorted(free, key=lambda place: abs(entries[place].elo - target))[:_NEAREST]
        drawn = chance.shuffle(near, "league", "opponent", number, turn)[:2]
        selected += sorted(drawn, key=lambda place: entries[place].cpu_us_per_deal)[:1]
    by_owner = {place: owners[place] for place in selected}
    tables = draw_even_tables(by_owner, seats - 1, count, chance, "placement", number)
    return [(number, *(entries[place].number for place in table)) for table in tables]


def _targets(entries: Sequence[RatedEntry], newcomer: int, pool: Sequence[int], count: int) -> list[int]:
    """Return the Elo at which the opponents of a newcomer should stand, as far as there are enough of them."""
    entry, count = entries[newcomer], min(count, len(pool))
    if entry.ci95 is None:
        ranking = sorted(entries[place].elo for place in pool)
        return [ranking[(2 * turn + 1) * len(ranking) // (2 * count)] for turn in range(count)]
    return [entry.elo + entry.ci95 * (2 * turn + 1 - count) // count for turn in range(count)]
