"""Zones of trick-taking games: hands, the current trick, the last one, and the count of tricks won."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from arena.viewer.games.items import backs, cuckoo_card, hand, seats_between, zones
from arena.viewer.renderer import Views
from arena.viewer.scene import TableItem, Zone

TYPES = {1: "number cards", 2: "picture cards"}
"""The type that must be followed."""


def must_follow(view: Any) -> str:
    """Return why a card of another type cannot be played."""
    return f"You have {TYPES[view.base]}, which were led: you must play one of them" if view.base else ""


def hand_of(views: Views, seat: int, seats: int) -> Zone:
    """Return the hand of a seat: its cards if its view is among `views`, otherwise the right number of backs."""
    if seat in views:
        return Zone("hand", hand(views[seat].hand))
    viewer, view = next(iter(views.items()))
    played = set(seats_between(view.leaders[-1], len(view.table), seats)) if view.leaders else set()
    return Zone("hand", backs(max(len(view.hand) + (viewer in played) - (seat in played), 0)))


def middle(view: Any, seats: int) -> tuple[Zone, ...]:
    """Return the current trick and the previous one."""
    finished = len(view.played) // seats
    before = view.leaders[finished - 1] if finished else 0
    trick = _trick(view.leaders[-1] if view.leaders else 0, view.table, seats)
    last = tuple(
        replace(item, mark=f"{item.mark} won") if item.mark == f"seat {view.leaders[finished]}" else item
        for item in _trick(before, view.played[-seats:], seats)
    )
    return Zone("trick", trick), *zones(Zone("last trick", last, small=True))


def won(view: Any, seat: int, seats: int) -> int:
    """Return the number of tricks of the deal that a seat has won: the winner of a trick leads the next one."""
    return list(view.leaders[1 : 1 + len(view.played) // seats]).count(seat)


def _trick(leader: int, cards: Sequence[int], seats: int) -> tuple[TableItem, ...]:
    owners = seats_between(leader, len(cards), seats)
    return tuple(cuckoo_card(card, f"seat {owner}") for owner, card in zip(owners, cards, strict=True))
