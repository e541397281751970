"""The table of Cambio and Cucco: one card each, exchanged with the neighbour until all are shown."""

from typing import Any

from arena.language.message import Message
from arena.replay.games.items import (
    UNKNOWN,
    badges,
    chips,
    cuckoo_card,
    hand,
    pile,
    turn,
    zones,
)
from arena.replay.renderer import Views
from arena.replay.scene import Fact, Scene, TableItem, TablePlace, Zone

PILE = -1
"""The partner of a seat that drew from the pile."""

DEFEATS = {1: Message("defeated by a {0}", 14), 2: Message("defeated by a {0}", 12), 3: "defeated by a fool"}
REPLIES = {1: "passed", 2: Message("showed a {0}", 12), 3: Message("showed a {0}", 14)}


def scene(views: Views, seats: int, coins: str, box: str, first: tuple[int, str]) -> Scene:
    """Draw a table.

    coins, box: the game's words for chips and for the pool.
    first: the seat with a badge, such as the dealer, and the badge.
    """
    view: Any = next(iter(views.values()))
    return Scene(
        Message("set {0}, round {1}", view.set, view.round),
        (
            *zones(
                pile("pile", view.pile),
                chips(box, view.box),
                Zone("discards", hand(view.discards), small=True),
                Zone("aside", _aside(views), small=True),
            ),
        ),
        tuple(_place(views, seat, seats, coins, first) for seat in range(seats)),
    )


TURN = 1
"""The stage of a turn."""
NOT_PLAYED = "This card is not played: keep it, or ask for an exchange"


def why_not_card(view: Any, face: str) -> str:
    """Return why the card in hand cannot be played."""
    return NOT_PLAYED if view.stage == TURN else "Your card does not matter for this question: choose one of the moves"


def why_not_cuckoo(view: Any, options: Any) -> str:
    """Return why a cuckoo cannot be called in a turn."""
    if view.stage != TURN:
        return ""
    return "Only who holds a cuckoo (15), and knows it, can call it"


def _aside(views: Views) -> tuple[TableItem, ...]:
    """Return the cards given up to the pile; those that no view knows are shown as backs."""
    return hand(min(cards) for cards in zip(*(view.aside for view in views.values()), strict=True))


def _place(views: Views, seat: int, seats: int, coins: str, first: tuple[int, str]) -> TablePlace:
    view: Any = next(iter(views.values()))
    plays = seat in view.order
    return TablePlace(
        seat,
        zones(Zone("card", (_card(views, seat),) if plays else ())),
        (Fact(coins, str(view.chips[seat])),),
        badges(
            first[0] == seat and first[1],
            *_turns(view, seat, seats),
            REPLIES.get(view.replies[seat]),
            DEFEATS.get(view.defeated[seat]),
            any(seat in other.strong_fools for other in views.values()) and "strong fool",
        ),
        turn(view) == seat,
        not plays or view.defeated[seat] > 0,
    )


def _card(views: Views, seat: int) -> TableItem:
    known = [view.known[seat] for view in views.values() if view.known[seat] != UNKNOWN]
    card = known[0] if known else UNKNOWN
    # With `indian` the owner does not know it. Other seats' cards are known only if they were exchanged or shown.
    return cuckoo_card(card, "seen" if known and seat not in views else "")


def _turns(view: Any, seat: int, seats: int) -> list[str]:
    """Describe what a seat did in its turns of this round."""
    words = []
    for place in range(seat, len(view.actions), seats):
        partner = view.partners[place]
        match view.actions[place]:
            case 1:
                words.append("kept")
            case 2:
                words.append(
                    "exchanged with the pile" if partner == PILE else Message("exchanged with seat {0}", partner)
                )
            case 3:
                words.append("drew from the pile")
            case 4:
                words.append("stopped by the pile" if partner == PILE else Message("stopped by seat {0}", partner))
    return words
