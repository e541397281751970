"""Lu Stù, the Cucù of Montorio al Vomano: offers at the inn, cats that send cards back, fools that win tokens.

Source: the page on Cucù named in `cucu`, its part "Lu Stù". "Decision" marks what it leaves open (all of it in
docs/rules/lustu.md). Here is what differs, in the order of that page; everything else is as in `cucu`.

Left out: the names and calls of the cards in dialect, which decide nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from referee.engine.chance import Chance
from referee.engine.game import Game
from referee.engine.known import Known, SeatLog
from referee.engine.moves import MIDDLE, At, Write
from referee.engine.options import option
from referee.games.cuckoo_pack import CAT, FOOL, HORSE, HOUSE, HUMAN, pack
from referee.games.cucu import (
    ACCEPTS,
    CUCU,
    DECLINES,
    GAINS,
    GUEST,
    HOST,
    LOWEST_SPECIAL,
    REPLY_MOVES,
    STABLE,
    TOKEN_LOG,
    TOKEN_MOVES,
    TOKEN_PHRASES,
    CucuOptions,
    CucuState,
    known_tokens,
    token_actions,
)
from referee.games.cucu_table import ASKS
from referee.games.pool import Claim

PRICES: Final = (1, 2, 5, 10, 20, 50)
PERCENTAGES: Final = (10, 20, 30, 40, 50)


@dataclass(frozen=True, slots=True)
class LustuOptions(CucuOptions):
    """The options of Montorio."""

    fools: int = option(2, "fools in the pack; one makes the game shorter", low=1, high=2)


LOG: Final = TOKEN_LOG.extended()
INN: Final = LOG.line("seat {} has an inn", "it asks the guest for an offer", reveals=True)
OFFERS_NOTHING: Final = LOG.line(
    "seat {} offers nothing", "to the innkeeper", moves=(Write(At("offer", MIDDLE), "offer none"),)
)
OFFERS: Final = LOG.line(
    "seat {} offers {}", "money, to the innkeeper", moves=(Write(At("offer", MIDDLE), "offer {1}"),)
)
OFFERS_PART: Final = LOG.line(
    "seat {} offers {} percent",
    "of what it wins at the end, to the innkeeper",
    moves=(Write(At("offer", MIDDLE), "offer {1}%"),),
)
PAYS: Final = LOG.line("seat {} pays seat {} {}", "money offered at the inn")
NO_FURTHER: Final = LOG.line(
    "the card of seat {} goes no further", "after a cat: the horse of the first player stands in its way"
)
CHANGES_BACK: Final = LOG.line(
    "seat {} changes back with seat {}", "a card that met a cat goes back to the seat before", reveals=True
)


class LustuState(CucuState):
    """A match of Lu Stù."""

    __slots__ = ()

    # Elimination in the middle of a deal

    def _end_turn(self) -> None:
        # Decision: as soon as one player is left, without comparison.
        if self.tokens.count(0) == len(self.tokens) - 1:
            self._ask_eliminated()
        else:
            super()._end_turn()

    # The cat (12)

    def _meet_cat(self, seat: int) -> None:
        """Let the card with which `seat` met a cat go back around the table."""
        # Eliminated at once: the card is set aside.
        if not self.tokens[seat]:
            return
        table = self.table
        # Decision: who was eliminated in this deal is passed over; the first player is the first still in it.
        before = [other for other in table.order[: table.position] if self.tokens[other]]
        for other in reversed(before):
            self.events.append((ASKS, seat, other))
            if self._bars(other):
                if self._turns_back(seat, other, first=other == before[0]):
                    return
            else:
                self.events.append((CHANGES_BACK, seat, other))
                table.swap(seat, other, self.events)
                seat = other

    def _bars(self, seat: int) -> bool:
        """Tell whether the card of `seat` arrests one that goes back: an inn only where it was never exchanged."""
        card = self.table.cards[seat]
        return card >= LOWEST_SPECIAL and not (card == HOUSE and self.table.past_holders[seat])

    def _turns_back(self, seat: int, other: int, *, first: bool) -> bool:
        """Show the card of `other`, which arrests that of `seat`. Tell whether that ends the way back."""
        self.table.show(other, self.events)
        card = self.table.cards[other]
        if card == HORSE and not first:
            return False
        if card == HORSE:
            self.events.append((NO_FURTHER, seat))
        elif card in (CAT, HUMAN):
            # A cat met on the way back starts no new way back.
            self._lose(seat)
        return True

    # The inn (11)

    def _enter_inn(self, guest: int) -> None:
        self.table.make_public(self.host)
        self.events.append((INN, self.host))
        purse = self.pool.purses[guest]
        # Decision: no seat promises more than the whole of what it wins.
        free = 100 - sum([claim.percent or 0 for claim in self.pool.claims if claim.seat == guest])
        offers = (
            "offer none",
            *[f"offer {price}" for price in PRICES if price <= purse],
            *[f"offer {percent}%" for percent in PERCENTAGES if percent <= free],
        )
        if len(offers) > 1:
            self._ask(guest, GUEST, offers)
        else:
            self._play_guest_move(guest, "offer none")

    def _play_guest_move(self, guest: int, move: str) -> None:
        price, percent = worth(move)
        if price:
            self.events.append((OFFERS, guest, price))
        elif percent:
            self.events.append((OFFERS_PART, guest, percent))
        else:
            self.events.append((OFFERS_NOTHING, guest))
        self._ask(self.host, HOST, REPLY_MOVES, move)

    def _play_host_move(self, host: int, move: str) -> None:
        table, events = self.table, self.events
        guest = table.order[table.position]
        events.append((ACCEPTS if move == "accept" else DECLINES, host))
        table.show(host, events)
        if move == "accept":
            price, percent = worth(self.offer or "")
            if price:
                # Decision: money is paid at once.
                self.pool.pay_seat(guest, host, price)
                events.append((PAYS, guest, host, price))
            elif percent:
                self.pool.claims += (Claim(guest, host, percent=percent),)
            table.exchange(guest, host, events)
        else:
            # "Have a drink": the innkeeper pays for a losing 0.
            table.promise(host, guest)
            table.stop(guest, host)
        self._end_turn()

    # The result

    def _compare(self) -> None:
        shown = self._show_cards()
        gaining, losing = judge([self.table.cards[seat] for seat in shown])
        for place in gaining:
            self._add_token(shown[place], 1)
            self.events.append((GAINS, shown[place]))
        self._take_tokens(shown, losing)
        self._ask_eliminated()

    # Coming back

    def _leave_out(self) -> None:
        # Choosing not to re-enter does not double the cost for others.
        self.waiting = self.waiting[1:]

    # Options: endgame agreement

    def _must_exchange(self, seat: int) -> bool:
        return False


def worth(offer: str) -> tuple[int, int]:
    """Return the money and the percentage that an offer at the inn names."""
    amount = offer.removeprefix("offer ")
    if amount.endswith("%"):
        return 0, int(amount[:-1])
    return (int(amount) if amount.isdigit() else 0), 0


def judge(cards: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the places of the cards that gain a token, and of those that lose one.

    Of equal lowest cards the first loses, cuckoos not excepted; a fool pays and makes another pay; two fools are the
    highest cards and gain.
    """
    fools = [place for place, card in enumerate(cards) if card == FOOL]
    others = [place for place, card in enumerate(cards) if card != FOOL]
    lowest = [min(others, key=lambda place: cards[place])] if others else []
    if len(fools) == 2:
        # With nobody else both gain, and the first loses ("n llev e n matt").
        return fools, lowest or fools[:1]
    return [], sorted(fools + lowest)


class Lustu(Game):
    """The rules of Lu Stù."""

    name = "lustu"
    title = "Lu Stù, the Cucù of Montorio: offers at the inn, cats send cards back, two fools win tokens"
    unit = "money"
    behaviour = 1
    options = LustuOptions
    seats = (2, 20)
    recommended = 6
    lines = LOG.lines
    message = "referee.v1.lustu_pb2:LustuView"
    stable = STABLE
    phrases = (*TOKEN_PHRASES, "offer {number}", "offer {number}%")
    moves = f"""\
{TOKEN_MOVES}
offer none   at an inn: offer nothing for the exchange
offer N      at an inn: offer money, 1, 2, 5, 10, 20 or 50
offer P%     at an inn: offer 10, 20, 30, 40 or 50 percent of what you win at the end"""
    presets: ClassVar[Mapping[str, Mapping[str, int | bool | str]]] = {**CUCU.presets, "one_fool": {"fools": 1}}

    def actions(self, options: Any, seats: int) -> tuple[str, ...]:
        offers = (*[f"offer {price}" for price in PRICES], *[f"offer {percent}%" for percent in PERCENTAGES])
        return tuple(dict.fromkeys((*token_actions(options), "offer none", *offers, *REPLY_MOVES)))

    def known_chance(self, log: SeatLog) -> list[Known]:
        return known_tokens(log, len(pack()) - 2 + log.options.fools, INN, CHANGES_BACK, asks_back=True)

    def start(self, options: Any, seats: int, chance: Chance) -> LustuState:
        self.check(options, seats)
        cards = pack()
        # The fools are the last cards of the pack.
        return LustuState(options, cards if options.fools == 2 else cards[:-1], seats, chance)


LUSTU = Lustu()
