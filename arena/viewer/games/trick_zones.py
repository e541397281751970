"""What the games of tricks have in common: hands, the trick under way, the last one, and who won how many."""

from collections.abc import Sequence
from typing import Any

from arena.viewer.games.items import backs, cuckoo_card, hand, seats_between, zones
from arena.viewer.renderer import Views
from arena.viewer.scene import TableItem, Zone

TYPES = {1: "number cards", 2: "picture cards"}
"""What must be played, if one can."""


def hand_of(views: Views, seat: int, seats: int) -> Zone:
    """Return a seat's hand: its cards where its views are there, otherwise as many backs as it must have left."""
    if seat in views:
        return Zone("hand", hand(views[seat].hand))
    mine, view = next(iter(views.items()))
    played = set(seats_between(view.leaders[-1], len(view.table), seats)) if view.leaders else set()
    return Zone("hand", backs(max(len(view.hand) + (mine in played) - (seat in played), 0)))


def middle(view: Any, seats: int) -> tuple[Zone, ...]:
    """Return the trick under way, and the one before it."""
    finished = len(view.played) // seats
    before = view.leaders[finished - 1] if finished else 0
    trick = _trick(view.leaders[-1] if view.leaders else 0, view.table, seats)
    return zones(Zone("trick", trick), Zone("last trick", _trick(before, view.played[-seats:], seats), small=True))


def won(view: Any, seat: int, seats: int) -> int:
    """Return how many tricks of the deal a seat has won: who leads the next has won the one before."""
    return list(view.leaders[1 : 1 + len(view.played) // seats]).count(seat)


def _trick(leader: int, cards: Sequence[int], seats: int) -> tuple[TableItem, ...]:
    owners = seats_between(leader, len(cards), seats)
    return tuple(cuckoo_card(card, f"seat {owner}") for owner, card in zip(owners, cards, strict=True))
