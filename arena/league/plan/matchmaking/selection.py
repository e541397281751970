"""Which standing entries a focused batch brings together."""

from collections.abc import Sequence

from arena.league.plan.matchmaking.field import Field
from arena.league.plan.matchmaking.shape import Shape
from referee.engine.chance import Chance

_CANDIDATES = 16
"""Of so many entries, drawn at random, the one comes first that is worth most. Of all entries the same few would come
first again and again, whatever the estimate of their worth leaves out."""

_NEIGHBOURS = 64
"""Entries next to the first one among which the others are chosen."""

_SHORT_WEIGHT = 4
"""How much more entries below the weekly floor are worth as others of a batch."""


def select_entries(field: Field, shape: Shape, chance: Chance) -> list[int]:
    """Return the places of the entries of a focused batch: of `seats` owners at least, which the field must have.

    First comes the entry farthest below the weekly floor; if there is none, one about whose order much is in doubt. The
    others are those near it where most is learnt about both, per CPU second. Chance breaks ties.
    """
    order = chance.shuffle(range(len(field.entries)), "league", "order")
    size = min(shape.entries, len(order))
    share = max(shape.tables * shape.seats * shape.deals // size, 1)
    first = _first_entry(field, order, share)
    nearest = sorted(order, key=lambda place: abs(int(field.elo[place] - field.elo[first])))
    nearest.remove(first)
    common = max(share * (shape.seats - 1) // (shape.entries - 1), 1)
    worth = _worth(field, first, nearest[:_NEIGHBOURS], common)
    waiting = sorted(worth, key=worth.__getitem__, reverse=True) + nearest[_NEIGHBOURS:]
    selected = [first]
    while len(selected) < size:
        owners = field.owners_of(selected)
        place = next(
            candidate for candidate in waiting if len(owners) >= shape.seats or field.owners[candidate] not in owners
        )
        waiting.remove(place)
        selected.append(place)
    return selected


def _first_entry(field: Field, order: Sequence[int], deals: int) -> int:
    neediest = max(order, key=field.shortages.__getitem__)
    if field.shortages[neediest] > 0:
        return neediest
    return max(order[:_CANDIDATES], key=lambda place: field.value(place, deals))


def _worth(field: Field, first: int, places: Sequence[int], deals: int) -> dict[int, float]:
    """Return by how much some deals of each entry with the first drop doubts about both, per CPU second."""
    slope = field.slope(first)
    worth = {}
    for place in places:
        drop = slope * field.drop(first, place, deals) + field.slope(place) * field.drop(place, first, deals)
        worth[place] = drop / field.costs[place] * (_SHORT_WEIGHT if field.shortages[place] > 0 else 1)
    return worth
