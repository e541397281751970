"""Perudo: liar's dice with skulls."""

from typing import Any

from arena.viewer.games.items import badges, turn, zones
from arena.viewer.renderer import Views
from arena.viewer.scene import Fact, Scene, TableItem, TablePlace, Zone

OPEN_TURNS = True

WORDS = ("", "skull", "two", "three", "four", "five", "six")


def die(face: int, count: int = 0, mark: str = "") -> TableItem:
    """Return a die. count: the number of dice in a bid; 0 for a single die."""
    return TableItem("die", str(face), WORDS[face], "skull" if face == 1 else "", count, mark)


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Perudo."""
    view: Any = next(iter(views.values()))
    bids = [
        die(face, quantity, f"seat {bidder}" + (f", {again} again" if again else ""))
        for bidder, quantity, face, again in zip(view.bidders, view.quantities, view.faces, view.rerolled, strict=True)
    ]
    facts = [Fact("dice in play", str(sum(view.counts)))]
    if view.HasField("showdown"):
        facts.append(Fact("showdown by", f"seat {view.showdown}"))
    return Scene(
        f"round {view.round}",
        zones(Zone("bid", tuple(bids[-1:])), Zone("bids before", tuple(bids[:-1]), small=True)),
        tuple(_place(views, view, seat) for seat in range(seats)),
        tuple(facts),
    )


def _place(views: Views, view: Any, seat: int) -> TablePlace:
    aside = [face for owner, face in zip(view.aside_seats, view.aside, strict=True) if owner == seat]
    hidden = (TableItem("cup", name="hidden die"),) * (view.counts[seat] - len(aside))
    return TablePlace(
        seat,
        zones(
            Zone("cup", tuple(map(die, views[seat].dice)) if seat in views else hidden),
            Zone("aside", tuple(map(die, aside))),
        ),
        (Fact("dice", str(view.counts[seat])),),
        badges(
            seat == view.starter and "started",
            view.called[seat] and "has called its showdown",
            view.may_call[seat] and "may call a showdown",
            view.out[seat] > 0 and f"out since round {view.out[seat]}",
        ),
        turn(view) == seat,
        not view.counts[seat],
    )
