"""Hypp: bet against the dealer's card without seeing your own."""

from typing import Any

from arena.viewer.games.items import badges, cuckoo_card, turn, zones
from arena.viewer.renderer import Views
from arena.viewer.scene import Fact, Scene, TableItem, TablePlace, Zone

OPEN_TURNS = True


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Hypp."""
    view: Any = next(iter(views.values()))
    return Scene(
        f"round {view.round}",
        (),
        tuple(_place(view, seat) for seat in range(seats)),
        (Fact("packets of", str(view.packet)),) if view.packet else (),
    )


def _place(view: Any, seat: int) -> TablePlace:
    bet = (TableItem("chips", str(view.bets[seat]), "bet"),) if view.bets[seat] else ()
    return TablePlace(
        seat,
        zones(
            Zone("packet", (cuckoo_card(view.cards[seat]),) if view.packet and view.chips[seat] else ()),
            Zone("bet", bet, small=True),
        ),
        (Fact("chips", str(view.chips[seat])),),
        badges(seat == view.dealer and "dealer", seat == view.first and "dealt first"),
        turn(view) == seat,
        not view.chips[seat],
    )
