"""The table of Cucù and Lu Stù: one card each, tokens to lose, a pool to win, and re-entry."""

from typing import Any

from arena.viewer.games.items import UNKNOWN, badges, chips, cuckoo_card, pile, turn, zones
from arena.viewer.renderer import Views
from arena.viewer.scene import Fact, Scene, TableItem, TablePlace, Zone

PACK = -1
"""The partner of a seat that drew from the pack."""


def scene(views: Views, seats: int) -> Scene:
    """Draw a table of either game."""
    view: Any = next(iter(views.values()))
    facts = [Fact("re-entry", str(view.price) if view.price else "closed")]
    if view.HasField("offer"):
        facts.append(Fact("offer", view.offer))
    return Scene(
        f"deal {view.deal}",
        zones(
            pile("pack", view.pile),
            chips("pool", view.pool),
            Zone("aside", _aside(views), small=True),
            Zone("claims", tuple(TableItem("text", _claim(claim)) for claim in view.claims), small=True),
        ),
        tuple(_place(views, seat) for seat in range(seats)),
        tuple(facts),
    )


def _aside(views: Views) -> tuple[TableItem, ...]:
    known = (min(cards) for cards in zip(*(view.aside for view in views.values()), strict=True))
    return tuple(cuckoo_card(card, abruzzo=True) for card in known)


def _claim(claim: Any) -> str:
    part = f"{claim.percent} %" if claim.HasField("percent") else f"for {claim.paid} paid"
    return f"seat {claim.to} shares what seat {claim.seat} wins: {part}"


def _place(views: Views, seat: int) -> TablePlace:
    view: Any = next(iter(views.values()))
    tokens = view.tokens[seat]
    known = [other.known[seat] for other in views.values() if other.known[seat] != UNKNOWN]
    card = cuckoo_card(known[0] if known else UNKNOWN, "seen" if known and seat not in views else "", abruzzo=True)
    plays = seat in view.order
    split = f"gets {view.split[seat]} %" if view.split else ""
    host = view.hosts[seat] if view.hosts else -1
    return TablePlace(
        seat,
        zones(
            Zone("card", (card,) if plays else ()),
            Zone("tokens", (TableItem("token", name="token"),) * tokens, small=True),
        ),
        (Fact("money", f"{view.scores[seat]:+d}"), Fact("purse", str(view.purses[seat]))),
        badges(
            seat == view.dealer and "dealer",
            seat in view.virgins and "virgin",
            _turn(view, seat),
            view.passed[seat] > 0 and f"changed hands {_times(view.passed[seat])}",
            host >= 0 and f"seat {host} pays for a zero",
            split,
        ),
        turn(view) == seat,
        not plays or not tokens,
        view.said[seat] if view.said else "",
    )


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _turn(view: Any, seat: int) -> str:
    partner = view.partners[seat]
    whom = "the pack" if partner == PACK else f"seat {partner}"
    return {1: "kept", 2: f"exchanged with {whom}", 3: "drew from the pack", 4: f"stopped by {whom}"}.get(
        view.actions[seat], ""
    )
