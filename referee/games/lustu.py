"""Lu Stù, the Cucù of Montorio al Vomano: offers at the inn, cards that go back, fools that win tokens.

Source: the page on Cucù named in `cucu_table`, its part "Lu Stù". The money is in `stakes`, coming back
in `reentry`, the deal in `cucu_table`; here is what Montorio does with cat, inn and fool.

Left out: the names and calls of the cards in dialect, which decide nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from referee.engine.chance import Chance
from referee.engine.game import Game
from referee.engine.options import option
from referee.games import stakes
from referee.games.cuckoo_pack import CAT, FOOL, HORSE, HOUSE, HUMAN, pack
from referee.games.cucu_table import ASKS, GUEST, HOST, LOWEST_SPECIAL
from referee.games.pool import Claim
from referee.games.reentry import ReEntry
from referee.games.stakes import ACCEPTS, DECLINES, REPLY_MOVES, StakeOptions
from referee.games.visibility import everybody


@dataclass(frozen=True, slots=True)
class LustuOptions(StakeOptions):
    """The options of Montorio."""

    fools: int = option(2, "fools in the pack; one makes the game shorter", low=1, high=2)


LOG: Final = stakes.LOG.extended()
INN: Final = LOG.line("seat {} has an inn", "it asks the guest for an offer", reveals=True)
OFFERS_NOTHING: Final = LOG.line("seat {} offers nothing", "to the innkeeper")
OFFERS: Final = LOG.line("seat {} offers {}", "money, to the innkeeper")
OFFERS_PART: Final = LOG.line("seat {} offers {} percent", "of what it wins at the end, to the innkeeper")
PAYS: Final = LOG.line("seat {} pays seat {} {}", "money offered at the inn")
NO_FURTHER: Final = LOG.line(
    "the card of seat {} goes no further", "after a cat: the horse of the first player stands in its way"
)
CHANGES_BACK: Final = LOG.line(
    "seat {} changes back with seat {}", "a card that met a cat goes back to the seat before", reveals=True
)

PRICES = (1, 2, 5, 10, 20, 50)
PERCENTAGES = (10, 20, 30, 40, 50)


def judge(cards: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the places of the cards that gain a token, and of those that lose one.

    Lu Stù: of equal lowest cards the first loses, cuckoos not excepted; a fool pays and makes another pay; two fools
    are the highest cards and gain.
    """
    fools = [place for place, card in enumerate(cards) if card == FOOL]
    others = [place for place, card in enumerate(cards) if card != FOOL]
    lowest = [min(others, key=lambda place: cards[place])] if others else []
    if len(fools) == 2:
        # With nobody else both gain, and the first loses ("n llev e n matt").
        return fools, lowest or fools[:1]
    return [], sorted(fools + lowest)


class LustuState(ReEntry):
    """A match of Lu Stù."""

    __slots__ = ()

    doubles_unused = False
    """Lu Stù: choosing not to re-enter does not double the cost for others."""

    def _is_decided(self) -> bool:
        # Decision: as soon as one player is left, without comparison.
        return self.standing == 1

    # XII: the card goes back around the table

    def _meet_cat(self, seat: int) -> None:
        # Eliminated at once: the card is set aside.
        if not self.tokens[seat]:
            return
        # Decision: who was eliminated in this deal is passed over; the first player is the first still in it.
        before = [other for other in self.order[: self.position] if self.tokens[other]]
        for other in reversed(before):
            self.events.append((ASKS, seat, other))
            if self._bars(other):
                if self._turns_back(seat, other, first=other == before[0]):
                    return
            else:
                self.events.append((CHANGES_BACK, seat, other))
                self._swap(seat, other)
                seat = other

    def _bars(self, seat: int) -> bool:
        """Tell whether the card of `seat` arrests one that goes back: an inn only where it was never exchanged."""
        card = self.cards[seat]
        return card >= LOWEST_SPECIAL and not (card == HOUSE and self.trails[seat])

    def _turns_back(self, seat: int, other: int, *, first: bool) -> bool:
        """Show the card of `other`, which arrests that of `seat`. Tell whether that ends the way back."""
        self._show(other)
        card = self.cards[other]
        if card == HORSE and not first:
            return False
        if card == HORSE:
            self.events.append((NO_FURTHER, seat))
        elif card in (CAT, HUMAN):
            # A cat met on the way back starts no new way back.
            self._lose(seat)
        return True

    # XI: make me an offer

    def _enter_inn(self, guest: int) -> None:
        self.seen[self.host] = everybody(self.seats)
        self.events.append((INN, self.host))
        purse = self.purse(guest)
        # Decision: nobody promises more than the whole of what he wins.
        free = 100 - sum(claim.percent or 0 for claim in self.claims if claim.seat == guest)
        offers = (
            "offer none",
            *[f"offer {price}" for price in PRICES if price <= purse],
            *[f"offer {percent}%" for percent in PERCENTAGES if percent <= free],
        )
        if len(offers) > 1:
            self._ask(guest, GUEST, offers)
        else:
            self._answer_guest(guest, "offer none")

    def _answer_guest(self, guest: int, move: str) -> None:
        price, percent = worth(move)
        if price:
            self.events.append((OFFERS, guest, price))
        elif percent:
            self.events.append((OFFERS_PART, guest, percent))
        else:
            self.events.append((OFFERS_NOTHING, guest))
        self._ask(self.host, HOST, REPLY_MOVES, move)

    def _answer_host(self, host: int, move: str) -> None:
        guest = self.order[self.position]
        self.events.append((ACCEPTS if move == "accept" else DECLINES, host))
        self._show(host)
        if move == "accept":
            self._pay_inn(guest, *worth(self.offer or ""))
            self._change(guest, host)
        else:
            # "Have a drink": the innkeeper pays for a losing 0.
            self.hosts[guest] = host
            self._stopped(guest, host)
        self._next_turn()

    def _pay_inn(self, guest: int, price: int, percent: int) -> None:
        if price:
            # Decision: money is paid at once.
            self.paid[guest] += price
            self.won[self.host] += price
            self.events.append((PAYS, guest, self.host, price))
        elif percent:
            self.claims += (Claim(guest, self.host, percent=percent),)

    def _judge(self, cards: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        return judge(cards)


def worth(offer: str) -> tuple[int, int]:
    """Return the money and the percentage that an offer at the inn names."""
    amount = offer.removeprefix("offer ")
    if amount.endswith("%"):
        return 0, int(amount[:-1])
    return (int(amount) if amount.isdigit() else 0), 0


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
    stable = stakes.STABLE
    moves = f"""\
{stakes.MOVES}
offer none   at an inn: offer nothing for the exchange
offer N      at an inn: offer money, 1, 2, 5, 10, 20 or 50
offer P%     at an inn: offer 10, 20, 30, 40 or 50 percent of what you win at the end"""

    presets: ClassVar[Mapping[str, Mapping[str, int | bool | str]]] = {**stakes.PRESETS, "one_fool": {"fools": 1}}

    def start(self, options: Any, seats: int, chance: Chance) -> LustuState:
        self.check(options, seats)
        cards = pack()
        # The fools are the last cards of the pack.
        return LustuState(options, cards if options.fools == 2 else cards[:-1], seats, chance)


LUSTU = Lustu()
