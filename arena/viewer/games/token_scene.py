"""The table of Cucù and Lu Stù: one card each, tokens to lose, a pool to win, and re-entry."""

from typing import Any

from arena.viewer.games.items import UNKNOWN, badges, chips, cuckoo_card, pile, turn, zones
from arena.viewer.renderer import Views
from arena.viewer.scene import Fact, Scene, TableItem, TablePlace, Zone

PACK = -1
"""The partner of a seat that drew from the pack."""
TOKEN = TableItem("token", name="token")
IN_TURN = (1, 2, 3)
"""The stages of a turn and of the talk at an inn: the seat that is asked has a card."""

ACTIONS = KEPT, EXCHANGED, DREW, STOPPED = "kept", "exchanged with ", "drew from the pack", "stopped by "
"""How the words begin about what a seat did in its turn."""
CLOSED = "closed"
VIRGIN, CHANGED_HANDS = "virgin", "changed hands "


TURN = 1
"""The stage of a turn."""


def why_not_card(view: Any, face: str) -> str:
    """Return why the card in hand cannot be played."""
    if view.stage == TURN:
        return "This card is not played: keep it, or ask for an exchange"
    return "Your card does not matter for this question: choose one of the moves"


def scene(views: Views, seats: int) -> Scene:
    """Draw a table of either game."""
    view: Any = next(iter(views.values()))
    dealt = _dealt(view)
    facts = [Fact("re-entry", str(view.price) if view.price else CLOSED)]
    if view.HasField("offer"):
        facts.append(Fact("offer", view.offer))
    return Scene(
        f"deal {view.deal}",
        zones(
            pile("pack", view.pile),
            chips("pool", view.pool),
            Zone("aside", _aside(views), small=True),
            Zone("claims", tuple(map(_claim, view.claims)), small=True),
        ),
        tuple(_place(views, seat, dealt=seat in dealt) for seat in range(seats)),
        tuple(facts),
    )


def _aside(views: Views) -> tuple[TableItem, ...]:
    known = (min(cards) for cards in zip(*(view.aside for view in views.values()), strict=True))
    return tuple(cuckoo_card(card, abruzzo=True) for card in known)


def _claim(claim: Any) -> TableItem:
    part = percentage(claim.percent) if claim.HasField("percent") else paid(claim.paid)
    return claim_item(claim.to, claim.seat, part)


def claim_item(to: int, seat: int, part: str) -> TableItem:
    """Return the words for a claim of seat `to` to a part of what another seat wins."""
    return TableItem("text", f"seat {to} shares what seat {seat} wins: {part}")


def is_paid_claim(item: TableItem, seat: int) -> bool:
    """Return whether an item is the claim of a member of the syndicate that brought a seat back."""
    return claim_item(0, seat, "for").face.removeprefix("seat 0") in item.face


def percentage(number: int) -> str:
    """Return the part of an innkeeper."""
    return f"{number} %"


def paid(money: int) -> str:
    """Return the part of a member of a syndicate."""
    return f"for {money} paid"


def _dealt(view: Any) -> set[int]:
    """Return the seats that have been dealt a card: cards are dealt one at a time, up to the last that was needed."""
    needed = [
        place
        for place, seat in enumerate(view.order)
        if view.actions[seat]
        or seat in view.partners
        or view.known[seat] != UNKNOWN
        or (view.stage in IN_TURN and turn(view) == seat)
    ]
    return set(view.order[: max(needed, default=-1) + 1])


def _place(views: Views, seat: int, *, dealt: bool) -> TablePlace:
    view: Any = next(iter(views.values()))
    tokens = view.tokens[seat]
    known = [other.known[seat] for other in views.values() if other.known[seat] != UNKNOWN]
    card = cuckoo_card(known[0] if known else UNKNOWN, "seen" if known and seat not in views else "", abruzzo=True)
    split = f"gets {view.split[seat]} %" if view.split else ""
    host = view.hosts[seat] if view.hosts else -1
    return TablePlace(
        seat,
        zones(
            Zone("card", (card,) if dealt else ()),
            Zone("tokens", (TOKEN,) * tokens, small=True),
        ),
        (Fact("money", f"{view.scores[seat]:+d}"), Fact("purse", str(view.purses[seat]))),
        badges(
            seat == view.dealer and "dealer",
            seat in view.virgins and VIRGIN,
            _turn(view, seat),
            changed_hands(view.passed[seat]),
            host >= 0 and pays_for_zero(host),
            split,
        ),
        turn(view) == seat,
        seat not in view.order or not tokens,
        view.said[seat] if view.said else "",
    )


def changed_hands(number: int) -> str:
    """Return how often a card changed hands; "" if it did not."""
    times = {0: "", 1: "once", 2: "twice"}.get(number, f"{number} times")
    return times and CHANGED_HANDS + times


def pays_for_zero(host: int) -> str:
    """Return the words for an innkeeper's promise, at the place of the guest."""
    return f"seat {host} pays for a zero"


def _turn(view: Any, seat: int) -> str:
    partner = view.partners[seat]
    whom = "the pack" if partner == PACK else f"seat {partner}"
    return {1: KEPT, 2: EXCHANGED + whom, 3: DREW, 4: STOPPED + whom}.get(view.actions[seat], "")
