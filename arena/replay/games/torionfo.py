"""Torionfo: tricks for the printed numbers, and the twin of the card turned up."""

from collections.abc import Sequence
from typing import Any

from arena.language.message import Message, arguments, counted
from arena.replay.event_table import MIDDLE, EventTable, Spot
from arena.replay.games import trick_story
from arena.replay.games.items import BACK, backs, badges, cuckoo_card, hand, pile, turn, zones
from arena.replay.games.trick_events import HAND, TrickEvents
from arena.replay.games.trick_zones import TYPES, hand_of, middle, must_follow, won
from arena.replay.renderer import Views
from arena.replay.scene import Fact, Scene, TablePlace, Zone
from referee.games import torionfo, tricks

DISCARD = 1
"""The stage in which cards are put back; hands then differ in size."""
NAMED = "the twin was led as"
NAMES = {"number": 1, "picture": 2}
"""The types that can be named, as in the log."""

ART = "cuckoo.svg"
KEY_EVENTS = trick_story.torionfo_events
READ_AS = {
    "from the cut": "cut card",
    "looked at": "seen",
    "play {0} number": "play {0} as a number card",
    "play {0} picture": "play {0} as a picture card",
    "team {0} has {1} points": "points of the deal: {1} for team {0}",
}
RULE_SECTIONS = {1: "The deal", 2: "The tricks"}


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Torionfo."""
    view: Any = next(iter(views.values()))
    facts = [Fact(_team(team, seats), _standing(view.scores[team], view.points[team])) for team in (0, 1)]
    facts += [Fact("to follow", TYPES[view.base])] if view.base else []
    facts += [Fact(NAMED, TYPES[view.named])] if view.named else []
    return Scene(
        Message("deal {0} of 4, cut at {1}", view.deal, view.cut),
        (
            Zone("Torionfo", (cuckoo_card(view.torionfo),), small=True),
            *zones(pile("pile", view.pile)),
            *middle(view, seats),
        ),
        tuple(_place(views, seat, seats) for seat in range(seats)),
        tuple(facts),
    )


def why_not_card(view: Any, face: str) -> str:
    """Return why a card cannot be played."""
    return must_follow(view)


def _place(views: Views, seat: int, seats: int) -> TablePlace:
    view: Any = next(iter(views.values()))
    own = views.get(seat)
    cards = hand_of(views, seat, seats) if own or view.stage != DISCARD else Zone(HAND, backs(_size(view, seat, seats)))
    looked = (cuckoo_card(own.looked),) if own and own.HasField("looked") else ()
    return TablePlace(
        seat,
        zones(
            cards,
            Zone("put back", hand(own.discarded) if own else (), small=True),
            Zone("looked at", looked, small=True),
            Zone("from the cut", hand(view.cut_taken) if seat == view.cutter else (), small=True),
            Zone("turned up", hand(view.turned_taken) if seat == view.dealer else (), small=True),
        ),
        (Fact("tricks", str(won(view, seat, seats))),),
        badges(seat == view.dealer and "dealer", seat == view.cutter and "cutter"),
        turn(view) == seat,
    )


def _size(view: Any, seat: int, seats: int) -> int:
    """Return the size of a hand while cards are put back: the cutter puts back its own first, then the dealer."""
    size = torionfo.DEALT_IN_ALL // seats
    extra, turned = len(view.cut_taken), len(view.turned_taken)
    rest = len(tricks.PACK) - torionfo.DEALT_IN_ALL - extra - turned - 1
    put_back = int(view.pile) - rest
    if seat == view.cutter:
        return size + max(extra - put_back, 0)
    if seat == view.dealer:
        return size + min(turned, turned + extra - put_back)
    return size


def _team(team: int, seats: int) -> str:
    return Message("seats {0} and {1}", team, team + 2) if seats == 4 else Message("seat {0}", team)


def _standing(points: int, now: int) -> str:
    return counted(points, "{0} point, {1} now", "{0} points, {1} now", points, now)


PILE: Spot = (MIDDLE, "pile")
FROM_CUT = "from the cut"


class TorionfoEvents(TrickEvents):
    """What the events of Torionfo do to the drawn table.

    What others hold and what is left for the pile is counted from the hands; both points of a team stand in one fact.
    """

    def __init__(self) -> None:
        super().__init__()
        self.handlers |= {
            tricks.DEAL: _deal,
            torionfo.CUTS: _cut,
            torionfo.TAKES_TURNED: _take_turned,
            torionfo.TURNS_UP: _turn_up,
            torionfo.DISCARDED: lambda table, seat, card: table.add_to_pile(PILE, 1),
            torionfo.DISCARDED_UNSEEN: _discard_unseen,
            torionfo.NAMES_TYPE: _name_type,
        }

    def dealt(self, table: EventTable, seat: int, cards: str) -> None:
        """Show the hand of a seat. What the cutter has taken is added to its hand after the deal."""
        super().dealt(table, seat, cards)
        for other in table.seats:
            if other == seat or table.is_hidden_seat(other):
                for item in table.items((other, FROM_CUT)):
                    table.put((other, HAND), BACK if table.is_hidden_seat(other) else item)

    def count(self, table: EventTable, winner: int, cards: Sequence[int]) -> None:
        """Add what the cards of a trick count to the points of its winner's team."""
        points = sum(torionfo.TorionfoState.values[card] for card in cards)
        _add(table, winner, points=points, now=points)


def _deal(table: EventTable, number: int, dealer: int) -> None:
    for team in (0, 1):
        _add(table, team, now=-_numbers(table, team)[1])


def _name_type(table: EventTable, seat: int, card: int, name: str) -> None:
    for label in ("to follow", NAMED):
        table.set_fact(MIDDLE, label, TYPES[NAMES[name]])


def _cut(table: EventTable, cutter: int, size: int) -> None:
    table.heading = Message("deal {0} of 4, cut at {1}", *arguments(table.heading), size)


def _take_turned(table: EventTable, dealer: int, card: int) -> None:
    table.put((dealer, HAND), BACK if table.is_hidden_seat(dealer) else cuckoo_card(card))


def _turn_up(table: EventTable, card: int) -> None:
    table.add_to_pile(PILE, len(tricks.PACK) - 1 - sum(len(table.items((seat, HAND))) for seat in table.seats))


def _discard_unseen(table: EventTable, seat: int) -> None:
    if table.is_hidden_seat(seat):
        table.move_to_pile((seat, HAND), PILE, BACK)


def _add(table: EventTable, seat: int, *, points: int = 0, now: int = 0) -> None:
    before = _numbers(table, seat)
    table.set_fact(MIDDLE, _team(seat % 2, len(table.seats)), _standing(before[0] + points, before[1] + now))


def _numbers(table: EventTable, seat: int) -> tuple[int, int]:
    """Return the points of the match and of the deal of a seat's team."""
    points, now = arguments(table.fact(MIDDLE, _team(seat % 2, len(table.seats))))
    return points, now


EVENTS = TorionfoEvents()
