"""Scopa: capture cards from the table by their values, and sweep it."""

from typing import Any

from arena.viewer.games.items import backs, badges, pile, turn, zones
from arena.viewer.renderer import Views
from arena.viewer.scene import Fact, Scene, TableItem, TablePlace, Zone

OPEN_TURNS = True

SUITS = {"C": "coins", "U": "cups", "S": "swords", "B": "clubs"}
FIGURES = {"8": "knave", "9": "knight", "10": "king"}


def card(text: str) -> TableItem:
    """Return a card by its suit and value: C7."""
    suit, value = SUITS[text[0]], text[1:]
    return TableItem("card", text, f"{FIGURES.get(value, value)} of {suit}", suit)


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Scopa."""
    view: Any = next(iter(views.values()))
    return Scene(
        f"deal {view.deal}",
        (Zone("table", tuple(map(card, view.table))), *zones(pile("pack", view.pack))),
        tuple(_place(views, view, seat) for seat in range(seats)),
    )


def _place(views: Views, view: Any, seat: int) -> TablePlace:
    team = view.teams[seat]
    teams = sorted(set(view.teams))
    taken = [text for text, taker in zip(view.taken, view.takers, strict=True) if taker == team]
    has_partners = len(teams) < len(view.teams)
    return TablePlace(
        seat,
        zones(
            Zone("hand", tuple(map(card, views[seat].hand)) if seat in views else backs(view.hands[seat])),
            Zone("taken", tuple(map(card, taken)) if list(view.teams).index(team) == seat else (), small=True),
        ),
        (
            *((Fact("team", str(team)),) if has_partners else ()),
            Fact("points", str(view.scores[seat])),
            Fact("scopas", str(view.scopas[teams.index(team)])),
        ),
        badges(
            seat == view.dealer and "dealer",
            view.HasField("last_taker") and view.last_taker == seat and "captured last",
        ),
        turn(view) == seat,
    )
