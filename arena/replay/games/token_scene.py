"""The table of Cucù and Lu Stù: one card each, tokens to lose, a pool to win, and re-entry."""

from typing import Any

from arena.language.message import Message, arguments, id_of
from arena.replay.games.items import UNKNOWN, badges, chips, cuckoo_card, pile, turn, zones
from arena.replay.phrases import phrased
from arena.replay.renderer import Views
from arena.replay.scene import Fact, Scene, TableItem, TablePlace, Zone

PACK = -1
"""The partner of a seat that drew from the pack."""
TOKEN = TableItem("token", name="token")
IN_TURN = (1, 2, 3)
"""The stages of a turn and of the talk at an inn: the seat that is asked has a card."""

KEPT, EXCHANGED, DREW, STOPPED = "kept", "exchanged with seat {0}", "drew from the pack", "stopped by seat {0}"
WITH_PACK, BY_PACK = "exchanged with the pack", "stopped by the pack"
ACTIONS = KEPT, EXCHANGED, WITH_PACK, DREW, STOPPED, BY_PACK
"""The ids of the words about what a seat did in its turn."""
CLOSED = "closed"
VIRGIN, GETS, PAYS_FOR_ZERO = "virgin", "gets {0} %", "seat {0} pays for a zero"
CHANGED_HANDS, OFTEN = ("", "changed hands once", "changed hands twice"), "changed hands {0} times"
"""The words for how often a card changed hands, by number, and the id of those for any more."""
PART, PAID = "seat {0} shares what seat {1} wins: {2} %", "seat {0} shares what seat {1} wins: for {2} paid"
"""The ids of claims: of an innkeeper, to a percentage; of a member of a syndicate, for money."""


TURN = 1
"""The stage of a turn."""


def why_not_card(view: Any, face: str) -> str:
    """Return why the card in hand cannot be played."""
    if view.stage == TURN:
        return "This card is not played: keep it, or ask for an exchange"
    return "Your card does not matter for this question: choose one of the moves"


READ_AS = {
    "share {0}": "share: the others pay {0} % of the fee",
    "split {0}": "split: {0} % of the pool for me",
    "offer {0}%": "offer {0} % of what I win",
    "offer none": "offer nothing",
    "pay if zero": "ask the innkeeper to pay if it is a zero",
}
"""How moves are read where their words alone say little."""


def scene(views: Views, seats: int, phrases: tuple[str, ...]) -> Scene:
    """Draw a table of either game.

    phrases: the phrases of its moves, of which one is offered.
    """
    view: Any = next(iter(views.values()))
    dealt = _dealt(view)
    facts = [Fact("re-entry", str(view.price) if view.price else CLOSED)]
    if view.HasField("offer"):
        facts.append(Fact("offer", phrased(phrases, view.offer)))
    return Scene(
        Message("deal {0}", view.deal),
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
    if claim.HasField("percent"):
        return claim_item(PART, claim.to, claim.seat, claim.percent)
    return claim_item(PAID, claim.to, claim.seat, claim.paid)


def claim_item(kind: str, to: int, seat: int, amount: int) -> TableItem:
    """Return the words for a claim of seat `to` to a part of what another seat wins.

    kind: PART or PAID.
    """
    return TableItem("text", Message(kind, to, seat, amount))


def is_paid_claim(item: TableItem, seat: int) -> bool:
    """Return whether an item is the claim of a member of the syndicate that brought a seat back."""
    return id_of(item.face) == PAID and arguments(item.face)[1] == seat


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
    split = Message(GETS, view.split[seat]) if view.split else ""
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
    return CHANGED_HANDS[number] if number < len(CHANGED_HANDS) else Message(OFTEN, number)


def pays_for_zero(host: int) -> str:
    """Return the words for an innkeeper's promise, at the place of the guest."""
    return Message(PAYS_FOR_ZERO, host)


def _turn(view: Any, seat: int) -> str:
    partner = view.partners[seat]
    match view.actions[seat]:
        case 1:
            return KEPT
        case 2:
            return WITH_PACK if partner == PACK else Message(EXCHANGED, partner)
        case 3:
            return DREW
        case 4:
            return BY_PACK if partner == PACK else Message(STOPPED, partner)
        case _:
            return ""
