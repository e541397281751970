"""Zones of trick-taking games: hands, the current trick, the last one, and the count of tricks won."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from arena.language.message import Message, arguments
from arena.replay.games.items import backs, cuckoo_card, hand, seats_between, zones
from arena.replay.renderer import Views
from arena.replay.scene import TableItem, Zone

TYPES = {1: Message("number cards"), 2: Message("picture cards")}
"""The type that must be followed."""


def must_follow(view: Any) -> str:
    """Return why a card of another type cannot be played."""
    if not view.base:
        return ""
    return Message("You have {0}, which were led: you must play one of them", TYPES[view.base])


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
    last = tuple(marked(item, view.leaders[finished]) for item in _trick(before, view.played[-seats:], seats))
    return Zone("trick", trick), *zones(Zone("last trick", last, small=True))


def marked(item: TableItem, winner: int) -> TableItem:
    """Return a card of a trick as it lies once a seat has won the trick."""
    return replace(item, mark=Message("seat {0} won", winner)) if arguments(item.mark) == (winner,) else item


def won(view: Any, seat: int, seats: int) -> int:
    """Return the number of tricks of the deal that a seat has won: the winner of a trick leads the next one."""
    return list(view.leaders[1 : 1 + len(view.played) // seats]).count(seat)


def _trick(leader: int, cards: Sequence[int], seats: int) -> tuple[TableItem, ...]:
    owners = seats_between(leader, len(cards), seats)
    return tuple(cuckoo_card(card, Message("seat {0}", owner)) for owner, card in zip(owners, cards, strict=True))
