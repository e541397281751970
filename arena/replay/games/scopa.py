"""Scopa: capture cards from the table by their values, and sweep it."""

from typing import Any

from arena.language.message import Message
from arena.replay.event_table import MIDDLE, EventTable, Spot
from arena.replay.games import scopa_story
from arena.replay.games.items import backs, badges, pile, turn, zones
from arena.replay.renderer import Views
from arena.replay.scene import Fact, Scene, TableItem, TablePlace, Zone
from arena.replay.table_events import TableEvents
from referee.games import scopa
from referee.games.italian_pack import PACK

ART = "italian.svg"
CODES = (
    "cards: C coins, U cups, S swords, B clubs, then 1 to 7, 8 knave, 9 knight,",
    "       10 king: C7 is the seven of coins",
)
KEY_EVENTS = scopa_story.key_events
RULE_SECTIONS = {0: "Capturing"}


def _open_turns(options: Any) -> bool:
    """Return whether everybody can tell when a seat is asked: not where some cards of a hand must be played."""
    return not options.strict_discard


OPEN_TURNS = _open_turns

SUITS = {"C": "coins", "U": "cups", "S": "swords", "B": "clubs"}
FIGURES = {"8": Message("knave"), "9": Message("knight"), "10": Message("king")}


def card(text: str) -> TableItem:
    """Return a card by its suit and value: C7."""
    suit, value = SUITS[text[0]], text[1:]
    return TableItem("card", text, Message(f"{{0}} of {suit}", FIGURES.get(value, value)), suit)


CARD_NAMES = {text: card(text).name for text in PACK}
READ_AS = {
    "play {0} take {1}": "play {0} and take {1}",
    "team {0} has the most cards: {1}": "most cards: {1}, a point for team {0}",
    "team {0} has the most coins: {1}": "most coins: {1}, a point for team {0}",
    "team {0} has the settebello": "the settebello: a point for team {0}",
    "team {0} has the best primiera": "the best primiera: a point for team {0}",
    "team {0} scores {1} and has {2}": "team {0}: {1} more, {2} in all",
}
"""A team may be one player, or two."""


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Scopa."""
    view: Any = next(iter(views.values()))
    return Scene(
        Message("deal {0}", view.deal),
        (Zone("table", tuple(map(card, view.table))), *zones(pile("pack", view.pack))),
        tuple(_place(views, view, seat) for seat in range(seats)),
    )


def why_not_card(view: Any, face: str) -> str:
    """Return why a card cannot be played: under strict_discard alone some cannot."""
    return "This card captures nothing, and another card of your hand does: play one that captures"


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


TABLE: Spot = (MIDDLE, "table")
STOCK: Spot = (MIDDLE, "pack")
HAND, TAKEN, CAPTURED_LAST = "hand", "taken", "captured last"


class ScopaEvents(TableEvents):
    """What the events of Scopa do to the drawn table.

    What others hold and what is left of the pack is counted; cards and points belong to a team, at its first place.
    """

    def __init__(self) -> None:
        super().__init__(lambda table, spot, cards: list(map(card, cards.split())))
        self.handlers |= {
            scopa.DEAL: lambda table, number, dealer: _gather(table),
            scopa.DEALT: _dealt,
            scopa.TABLE: _lay_table,
            scopa.KINGS: lambda table, kings, dealer: _gather(table),
            scopa.TAKES: _take,
            scopa.SWEEP: _sweep,
            scopa.REST: lambda table, seat, cards: table.move_all(TABLE, _taken(table, seat)),
            scopa.CARDS: lambda table, team, count: _count(table, team, Message("most cards: {0}", count)),
            scopa.COINS_POINT: lambda table, team, count: _count(table, team, Message("most coins: {0}", count)),
            scopa.SETTEBELLO_POINT: lambda table, team: _count(table, team, "settebello"),
            scopa.PRIMIERA: lambda table, team: _count(table, team, "best primiera"),
            scopa.SCORES: _score,
        }


def _team(table: EventTable, seat: int) -> int:
    return int(table.fact(seat, "team") or seat)


def _members(table: EventTable, team: int) -> list[int]:
    return [seat for seat in table.seats if _team(table, seat) == team]


def _taken(table: EventTable, seat: int) -> Spot:
    """Return where the cards lie that a seat's team has taken."""
    return _members(table, _team(table, seat))[0], TAKEN


def _gather(table: EventTable) -> None:
    """Put all cards but those taken back into the pack, which is dealt anew."""
    for seat in table.seats:
        table.lay((seat, HAND), ())
    table.lay(TABLE, ())
    table.lay(STOCK, ())
    table.add_to_pile(STOCK, len(PACK))


def _dealt(table: EventTable, seat: int, cards: str) -> None:
    hand = tuple(map(card, cards.split()))
    table.lay((seat, HAND), hand)
    table.add_to_pile(STOCK, -len(hand))
    for other in table.seats:
        if table.is_hidden_seat(other):
            table.lay((other, HAND), backs(len(hand)))
            table.add_to_pile(STOCK, -len(hand))


def _lay_table(table: EventTable, cards: str) -> None:
    table.lay(TABLE, map(card, cards.split()))
    table.add_to_pile(STOCK, -len(cards.split()))


def _take(table: EventTable, seat: int, cards: str) -> None:
    played, taken = table.items(TABLE)[-1], _taken(table, seat)
    for item in (*map(card, cards.split()), played):
        table.move(TABLE, taken, item)
    table.give_badge(seat, CAPTURED_LAST)


def _sweep(table: EventTable, seat: int) -> None:
    team = _team(table, seat)
    for member in _members(table, team):
        for label in ("points", "scopas"):
            table.set_fact(member, label, str(int(table.fact(member, label)) + 1))


def _count(table: EventTable, team: int, words: str) -> None:
    """Say at the cards of a team what they score."""
    table.add_badge(_members(table, team)[0], words)


def _score(table: EventTable, team: int, more: int, points: int) -> None:
    for member in _members(table, team):
        table.set_fact(member, "points", str(points))
        table.set_fact(member, "scopas", "0")


EVENTS = ScopaEvents()
