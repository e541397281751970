"""What happens to the tokens and the money of Cucù and Lu Stù, on the drawn table."""

from arena.replay.event_table import MIDDLE, EventTable, Movement, Spot
from arena.replay.games.token_scene import CLOSED, GETS, PAID, TOKEN, VIRGIN, claim_item, is_paid_claim
from arena.replay.scene import TableItem
from referee.games import cucu

TOKENS, MONEY, PURSE = "tokens", "money", "purse"
POOL: Spot = (MIDDLE, "pool")
CLAIMS: Spot = (MIDDLE, "claims")
PRICE, OFFER = "re-entry", "offer"


def set_offer(table: EventTable, words: str) -> None:
    """Set what waits for an answer, as a move; "" for nothing."""
    table.set_fact(MIDDLE, OFFER, words)


def add_tokens(table: EventTable, seat: int, number: int) -> None:
    """Add tokens to those of a seat, which is a virgin no longer."""
    tokens = table.items((seat, TOKENS))
    table.lay((seat, TOKENS), [TOKEN] * (len(tokens) + number))
    ways: tuple[Spot, Spot] = ((seat, TOKENS), POOL)
    table.movements.append(Movement(TOKEN, *(ways if number < 0 else ways[::-1])))
    table.remove_badges(seat, VIRGIN)
    if not any(VIRGIN in table.badges(other) for other in table.seats):
        table.set_fact(MIDDLE, PRICE, CLOSED)


def double_price(table: EventTable) -> None:
    """Double the price of re-entry."""
    price = table.fact(MIDDLE, PRICE)
    if price != CLOSED:
        table.set_fact(MIDDLE, PRICE, str(2 * int(price)))


def _change(table: EventTable, seat: int, label: str, money: int) -> None:
    table.set_fact(seat, label, f"{int(table.fact(seat, label)) + money:{'+' if label == MONEY else ''}d}")


def pay_out(table: EventTable, seat: int, money: int) -> None:
    """Pay a seat out of the pool."""
    table.set_amount(POOL, table.amount(POOL) - money)
    table.movements.append(Movement(TableItem("chips", str(money), MONEY), POOL, (seat, MONEY)))
    _change(table, seat, MONEY, money)


def _spend(table: EventTable, seat: int, money: int) -> None:
    for label in (MONEY, PURSE):
        _change(table, seat, label, -money)


def pay_host(table: EventTable, guest: int, host: int, money: int) -> None:
    """Pay what was offered at an inn; the host cannot spend it in the match."""
    _spend(table, guest, money)
    _change(table, host, MONEY, money)
    table.movements.append(Movement(TableItem("chips", str(money), MONEY), (guest, PURSE), (host, MONEY)))


def pay_fee(table: EventTable, seat: int, money: int) -> None:
    """Pay for a re-entry: first the seat that enters, then the members of its syndicate."""
    _spend(table, seat, money)
    table.set_amount(POOL, table.amount(POOL) + money)
    table.movements.append(Movement(TableItem("chips", str(money), MONEY), (seat, PURSE), POOL))
    enters = table.pending.setdefault("enters", seat)
    if enters == seat:
        table.pending["own part"] = money
        set_offer(table, "")
        double_price(table)
        table.lay((seat, TOKENS), [TOKEN] * cucu.TOKENS)
        table.lay(CLAIMS, [item for item in table.items(CLAIMS) if not is_paid_claim(item, seat)])
        return
    if own := table.pending.pop("own part", None):
        table.put(CLAIMS, claim_item(PAID, enters, enters, own))
    table.put(CLAIMS, claim_item(PAID, seat, enters, money))


def enter_free(table: EventTable) -> None:
    """Give all seats new tokens."""
    table.set_fact(MIDDLE, PRICE, CLOSED)
    for seat in table.seats:
        table.lay((seat, TOKENS), [TOKEN] * cucu.TOKENS)
        table.remove_badges(seat, VIRGIN, GETS)
