"""What happens to the cards of Cucù and Lu Stù in the turns, on the drawn table."""

from dataclasses import replace

from arena.language.message import Message, arguments, id_of
from arena.replay.event_table import MIDDLE, EventTable, Spot
from arena.replay.games.items import BACK, cuckoo_card
from arena.replay.games.token_scene import ACTIONS, CHANGED_HANDS, DREW, EXCHANGED, KEPT, OFTEN, STOPPED, changed_hands
from arena.replay.scene import TableItem
from referee.games.cuckoo_pack import HORSE

CARD, DEALER = "card", "dealer"
PACK: Spot = (MIDDLE, "pack")
ASIDE: Spot = (MIDDLE, "aside")


def _card(table: EventTable, seat: int, card: int) -> TableItem:
    return cuckoo_card(card, "seen" if table.is_hidden_seat(seat) else "", abruzzo=True)


def show(table: EventTable, seat: int, card: int) -> None:
    """Turn a card over for who sees it."""
    deal_card(table, seat)
    table.turn_over((seat, CARD), _card(table, seat, card))


def deal_to(table: EventTable, seat: int, card: int) -> None:
    """Deal a card to a seat that sees it."""
    deal_card(table, seat)
    show(table, seat, card)


def deal_card(table: EventTable, seat: int) -> None:
    """Deal a card face down to a seat that has none: others are not told of it before the seat acts."""
    if not table.items((seat, CARD)):
        table.draw(PACK, (seat, CARD), BACK)


def swap(table: EventTable, seat: int, other: int, times: int) -> None:
    """Let two seats change cards.

    times: by how much this changes how often the cards have changed hands.
    """
    for place in (seat, other):
        deal_card(table, place)
    given, taken = table.items((seat, CARD))[0], table.items((other, CARD))[0]
    counts = [_times(table, place) + times for place in (other, seat)]
    table.move((seat, CARD), (other, CARD), given, shown=_seen_at(table, other, given))
    table.move((other, CARD), (seat, CARD), taken, shown=_seen_at(table, seat, taken))
    for place, count in zip((seat, other), counts, strict=True):
        _set_times(table, place, count)


def _seen_at(table: EventTable, seat: int, item: TableItem) -> TableItem:
    return item if item.kind == "back" else _card(table, seat, int(item.face))


def _times(table: EventTable, seat: int) -> int:
    for words in table.badges(seat):
        if id_of(words) == OFTEN:
            return int(arguments(words)[0])
        if words in CHANGED_HANDS:
            return CHANGED_HANDS.index(words)
    return 0


def _set_times(table: EventTable, seat: int, count: int) -> None:
    table.remove_badges(seat, *CHANGED_HANDS, OFTEN)
    if count:
        table.add_badge(seat, changed_hands(count))


def _act(table: EventTable, seat: int, words: str) -> None:
    """Say what a seat did in its turn, unless it did so before."""
    if not any(id_of(badge) in ACTIONS for badge in table.badges(seat)):
        table.add_badge(seat, words)


def keep(table: EventTable, seat: int) -> None:
    """End the turn of a seat, which keeps its card."""
    deal_card(table, seat)
    _act(table, seat, KEPT)


def ask(table: EventTable, seat: int, other: int) -> None:
    """Note who asks for an exchange; by now both have a card."""
    for place in (seat, other):
        deal_card(table, place)
    table.pending["asks"] = seat


def exchange(table: EventTable, seat: int, other: int) -> None:
    """Grant the request of a seat."""
    swap(table, seat, other, 1)
    _act(table, seat, Message(EXCHANGED, other))


def draw(table: EventTable, seat: int) -> None:
    """Draw a card from the pack, unseen, for the one in hand."""
    deal_card(table, seat)
    given = table.items((seat, CARD))[0]
    table.move((seat, CARD), ASIDE, given, shown=replace(given, mark=""))
    table.draw(PACK, (seat, CARD), BACK)
    _set_times(table, seat, 0)
    _act(table, seat, DREW)


def guest_in_turn(table: EventTable) -> int:
    """Return whose turn it is: the first seat from the dealer's next on that has not acted."""
    dealer = next(seat for seat in table.seats if DEALER in table.badges(seat))
    order = [(dealer + 1 + place) % len(table.seats) for place in table.seats]
    return next(
        seat
        for seat in order
        if table.items((seat, CARD)) and not any(id_of(badge) in ACTIONS for badge in table.badges(seat))
    )


def host_of(table: EventTable, guest: int) -> int:
    """Return the innkeeper whom a guest has asked: the next seat whose card is no horse."""
    order = [(guest + place) % len(table.seats) for place in table.seats[1:]]
    return next(seat for seat in order if any(item.face != str(HORSE) for item in table.items((seat, CARD))))


def stop(table: EventTable, seat: int, other: int) -> None:
    """End the turn of a seat by the card of another."""
    _act(table, seat, Message(STOPPED, other))
