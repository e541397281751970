"""Perudo: liar's dice with skulls."""

from dataclasses import replace
from typing import Any

from arena.language.message import Message, arguments
from arena.replay.event_table import MIDDLE, EventTable, Spot
from arena.replay.games import perudo_story
from arena.replay.games.items import badges, turn, zones
from arena.replay.refusals import Reasons
from arena.replay.renderer import Views
from arena.replay.scene import Fact, Scene, TableItem, TablePlace, Zone
from arena.replay.table_events import TableEvents
from referee.games import perudo
from referee.games.bids import FACE_NUMBERS, bid_of

ART = "dice.svg"
CODES = (
    "dice: 2 to 6, and skull for the one, which counts as every other face",
    "bids: 4x5 says that at least four of all dice are fives or skulls",
)
CARD_NAMES: dict[str, str] = {}
READ_AS = {
    "reroll keep {0}": "keep {0} and roll the others again",
    "reroll keep": "keep some and roll the others again",
    "no": "no: there are fewer",
    "exact": "exact: there are just as many",
    "showdown": "call a showdown",
    "stand": "roll none again",
}
KEY_EVENTS = perudo_story.key_events
RULE_SECTIONS = {1: "Bids", 2: "Rolling again"}
OPEN_TURNS = True
CALLED, MAY_CALL = "has called its showdown", "may call a showdown"
OUT_SINCE = "out since round {0}"

TURN = 1
"""The stage of a turn."""
NO_BID = "There is no bid yet: open with one"

HIDDEN = TableItem("cup", name="hidden die")
WORDS = ("", "skull", "two", "three", "four", "five", "six")


def die(face: int, count: int = 0, mark: str = "") -> TableItem:
    """Return a die.

    count: the number of dice in a bid; 0 for a single die.
    """
    return TableItem("die", str(face), WORDS[face], "skull" if face == 1 else "", count, mark)


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Perudo."""
    view: Any = next(iter(views.values()))
    bids = [
        die(face, quantity, _rolled_again(bidder, again) if again else Message("seat {0}", bidder))
        for bidder, quantity, face, again in zip(view.bidders, view.quantities, view.faces, view.rerolled, strict=True)
    ]
    facts = [Fact("dice in play", str(sum(view.counts)))]
    if view.HasField("showdown"):
        facts.append(Fact("showdown by", Message("seat {0}", view.showdown)))
    return Scene(
        Message("round {0}", view.round),
        zones(Zone("bid", tuple(bids[-1:])), Zone("bids before", tuple(bids[:-1]), small=True)),
        tuple(_place(views, view, seat) for seat in range(seats)),
        tuple(facts),
    )


def _rolled_again(bidder: int, dice: int) -> Message:
    return Message("seat {0}, {1} again", bidder, dice)


def _in_turn(reason: Reasons) -> Reasons:
    """Return a reason that holds only in a turn, not for the question whether to roll again."""
    return lambda view, options: reason(view, options) if view.stage == TURN else ""


def _why_not_exact(view: Any, options: Any) -> str:
    return NO_BID if not view.quantities else "Nobody may say exact under a showdown"


def _why_not_showdown(view: Any, options: Any) -> str:
    return "Only in the turn after you were brought down to one die, once in a match" if options.showdown else ""


def _place(views: Views, view: Any, seat: int) -> TablePlace:
    aside = [face for owner, face in zip(view.aside_seats, view.aside, strict=True) if owner == seat]
    hidden = (HIDDEN,) * (view.counts[seat] - len(aside))
    return TablePlace(
        seat,
        zones(
            Zone("cup", tuple(map(die, views[seat].dice)) if seat in views else hidden),
            Zone("aside", tuple(map(die, aside))),
        ),
        (Fact("dice", str(view.counts[seat])),),
        badges(
            seat == view.starter and "started",
            view.called[seat] and CALLED,
            view.may_call[seat] and MAY_CALL,
            view.out[seat] > 0 and Message(OUT_SINCE, view.out[seat]),
        ),
        turn(view) == seat,
        not view.counts[seat],
    )


REFUSED_MOVES: tuple[tuple[str, Reasons], ...] = (
    ("bid", _in_turn(lambda view, options: "The last bid cannot be raised: say no or exact")),
    ("no", _in_turn(lambda view, options: NO_BID)),
    ("exact", _in_turn(_why_not_exact)),
    ("showdown", _in_turn(_why_not_showdown)),
)

BID: Spot = (MIDDLE, "bid")
BEFORE: Spot = (MIDDLE, "bids before")
COUNT: Spot = (MIDDLE, "count")
LOST: Spot = (MIDDLE, "lost dice")
CUP, ASIDE, DICE = "cup", "aside", "dice"
IN_PLAY = "dice in play"


class PerudoEvents(TableEvents):
    """What the events of Perudo do to the drawn table. The dice that were shown lie there until the next round.

    Which dice are left, lost or were counted follows from those that lie there.
    """

    def __init__(self) -> None:
        super().__init__(lambda table, spot, dice: _dice(dice))
        self.handlers |= {
            perudo.ROUND: _round,
            perudo.BIDS: _bid,
            perudo.SHOWS: _show,
            perudo.ASIDE: _put_aside,
            perudo.CALLS: lambda table, seat: table.remove_badges(seat, MAY_CALL),
            perudo.NO: _judge,
            perudo.EXACT: _judge,
            perudo.COUNT: _count,
            perudo.LOSES: _lose,
            perudo.TAKES: _take,
            perudo.OUT: _fall,
        }


def _dice(faces: str) -> list[TableItem]:
    return [die(FACE_NUMBERS[face if face == "skull" else int(face)]) for face in faces.split()]


def _amount(table: EventTable, seat: int) -> int:
    return int(table.fact(seat, DICE))


def _round(table: EventTable, number: int, starter: int) -> None:
    for seat in table.seats:
        table.lay((seat, CUP), [HIDDEN] * _amount(table, seat))


def _bid(table: EventTable, seat: int, text: str) -> None:
    for item in list(table.items(BID)):
        table.move(BID, BEFORE, item)
    bid = bid_of(text)
    table.put(BID, die(bid.face, bid.quantity, Message("seat {0}", seat)))


def _show(table: EventTable, seat: int, text: str) -> None:
    """Show a cup. At the end of a round the dice that were put aside before are told with it."""
    dice = _dice(text)
    if "judged" in table.pending:
        for item in table.items((seat, ASIDE)):
            dice.remove(item)
    table.lay((seat, CUP), dice)


def _put_aside(table: EventTable, seat: int, text: str) -> None:
    for item in _dice(text):
        table.move((seat, CUP), (seat, ASIDE), item)
    again = len(table.items((seat, CUP)))
    table.lay((seat, CUP), [HIDDEN] * again)
    bid = table.items(BID)[0]
    table.lay(BID, [replace(bid, mark=_rolled_again(arguments(bid.mark)[0], again))])


def _judge(table: EventTable, seat: int) -> None:
    table.pending["judged"] = seat


def _count(table: EventTable, count: int) -> None:
    """Lay the number of dice beside the bid that it is compared with."""
    bid = table.items(BID)[0]
    table.lay(COUNT, [replace(bid, count=count, mark="") if count else TableItem("text", "none")])


def _lose(table: EventTable, seat: int, count: int) -> None:
    dice = [((seat, label), item) for label in (ASIDE, CUP) for item in table.items((seat, label))]
    for spot, item in dice[-count:]:
        table.move(spot, LOST, item)
    _add_dice(table, seat, -count)


def _take(table: EventTable, seat: int) -> None:
    table.move(LOST, (seat, CUP), table.items(LOST)[-1])
    _add_dice(table, seat, 1)


def _add_dice(table: EventTable, seat: int, count: int) -> None:
    table.set_fact(seat, DICE, str(_amount(table, seat) + count))
    table.set_fact(MIDDLE, IN_PLAY, str(int(table.fact(MIDDLE, IN_PLAY)) + count))


def _fall(table: EventTable, seat: int) -> None:
    table.add_badge(seat, Message(OUT_SINCE, *arguments(table.heading)))


EVENTS = PerudoEvents()
