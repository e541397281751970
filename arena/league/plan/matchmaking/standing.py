"""The draw of a batch for standing entries."""

from arena.league.plan.matchmaking.errors import DrawError
from arena.league.plan.matchmaking.even_tables import draw_even_tables
from arena.league.plan.matchmaking.field import Field
from arena.league.plan.matchmaking.selection import select_entries
from arena.league.plan.matchmaking.shape import Shape
from arena.league.plan.matchmaking.snapshot import BatchDraw, Snapshot, batch_of
from arena.league.plan.matchmaking.tables import FocusedTables
from referee.engine.chance import Chance


def draw(snapshot: Snapshot, shape: Shape, chance: Chance) -> BatchDraw:
    """Draw a batch among the standing entries of a snapshot: a focused one, or in some of 100 cases a random one.

    The same snapshot, shape and seed of chance draw the same batch.

    chance: of this batch alone.

    Raises DrawError if the standing entries have fewer owners than a table has seats.
    """
    standing = [entry for entry in snapshot.entries if not entry.is_placing]
    field = Field(standing, shape)
    owners = len(set(field.owners))
    if owners < shape.seats:
        raise DrawError(
            f"no table of {shape.seats} can be filled: the {len(standing)} standing entries have {owners} owners, and "
            "entries of one owner never meet; add sample bots to the league, or wait for more entries"
        )
    is_random = chance.pick(100, "league", "kind") < shape.random_percent
    if is_random:
        by_owner = {place: field.owners[place] for place in _any_entries(field, shape, chance)}
        tables = draw_even_tables(by_owner, shape.seats, shape.tables, chance, "random")
    else:
        tables = FocusedTables(field, select_entries(field, shape, chance), shape).draw(chance)
    numbers = [tuple(standing[place].number for place in table) for table in tables]
    return batch_of(numbers, shape.deals, "random" if is_random else "focused")


def _any_entries(field: Field, shape: Shape, chance: Chance) -> list[int]:
    """Return the places of the entries of a random batch: any, of `seats` owners at least."""
    order = chance.shuffle(range(len(field.entries)), "league", "order")
    selected: list[int] = []
    for place in order:
        missing = shape.seats - len(field.owners_of(selected))
        room = min(shape.entries, len(order)) - len(selected)
        if room and (missing < room or field.owners[place] not in field.owners_of(selected)):
            selected.append(place)
    return selected
