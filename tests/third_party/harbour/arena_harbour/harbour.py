"""Harbour: merchants bid sealed for crates; each has looked at another part of what is in them.

Source: a game of our own, told in rules.md; the numbers of its steps stand beside the lines that obey them. That each
bidder knows a part of a sum is the "wallet game" of auction theory (Klemperer 1998): who wins is glad too early.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

from referee.engine.chance import Chance
from referee.engine.events import Audience, Event, Line
from referee.engine.game import Game, Outcome, State, ranks
from referee.engine.known import Known, SeatLog, numbers
from referee.engine.options import Options, option

PACK = tuple(card for card in range(1, 10) for _ in range(6))


@dataclass(frozen=True, slots=True)
class HarbourOptions(Options):
    """The options of Harbour."""

    coins: int = option(20, "coins in each purse", low=1, high=99)
    crates: int = option(6, "crates to bid for", low=1, high=9)
    price: str = option(
        "first", "what the highest bid pays", choices={"first": "what it bid", "second": "the second highest bid"}
    )
    open_bids: bool = option(True, "all bids are told after each crate")


LINES = (
    Line("crate {} is for sale", "an auction begins"),
    Line("seat {} sees {}", "its card in the crate", Audience.SEAT),
    Line("seat {} bids {}", "told to everybody once all have bid (under open_bids)"),
    Line("seat {} hides a bid of {}", "told to nobody else (under open_bids=off)", Audience.SEAT),
    Line("seat {} takes the crate for {}", "it bid highest, and pays"),
    Line("the crate is worth {}", "the sum of its cards", reveals=True),
    Line("the crate stays on the quay", "two or more bid highest: its cards belong to the next crate"),
)
SALE, SEES, BIDS, HIDES, TAKES, WORTH, STAYS = range(len(LINES))


class Auction(NamedTuple):
    """One auction that is over: the fields of arena_harbour.v1.Auction, where each is explained."""

    winner: int | None
    price: int
    worth: int
    bids: tuple[int, ...]


class HarbourView(NamedTuple):
    """What a seat may see: the fields of arena_harbour.v1.HarbourView, where each is explained."""

    purses: tuple[int, ...]
    cargo: tuple[int, ...]
    auctions: tuple[Auction, ...]
    seat: int
    crate: int
    cards: tuple[int, ...]


class HarbourState(State):
    """A match of Harbour."""

    __slots__ = ("options", "pack", "dealt", "quay", "purses", "cargo", "paid", "auctions")

    def __init__(self, options: HarbourOptions, seats: int, chance: Chance) -> None:
        self.events: list[Event] = []
        self.options = options
        self.pack = chance.shuffle(PACK, "pack")
        self.dealt = 0
        self.quay = 0
        """How many cards of the pack, the last ones dealt, are in the crate."""
        self.purses = (options.coins,) * seats
        self.cargo = (0,) * seats
        self.paid = 0
        self.auctions: tuple[Auction, ...] = ()
        self._sell()

    # A crate

    def _sell(self) -> None:
        seats = len(self.purses)
        self.asked = tuple(seat for seat, purse in enumerate(self.purses) if purse)
        if len(self.auctions) == self.options.crates or not self.asked:
            self.asked = ()
            return
        self.events.append((SALE, len(self.auctions) + 1))
        # (1) One card for each.
        self.events += [(SEES, seat, card) for seat, card in enumerate(self.pack[self.dealt : self.dealt + seats])]
        self.dealt += seats
        self.quay += seats

    def legal(self, seat: int) -> tuple[str, ...]:
        # (2) From nothing to all that is in the purse.
        return tuple(f"bid {coins}" for coins in range(self.purses[seat] + 1)) if seat in self.asked else ()

    def apply(self, moves: Sequence[str]) -> None:
        answers = dict(zip(self.asked, moves, strict=True))
        bids = tuple(int(answers.get(seat, "bid 0").split()[1]) for seat in range(len(self.purses)))
        told = BIDS if self.options.open_bids else HIDES
        self.events += [(told, seat, bids[seat]) for seat in self.asked]
        highest, second = sorted(bids, reverse=True)[:2]
        shown = bids if self.options.open_bids else ()
        if highest == second:
            # (4) It stays, and grows.
            self.events.append((STAYS,))
            self.auctions += (Auction(None, 0, 0, shown),)
        else:
            price = highest if self.options.price == "first" else second
            self._take(bids.index(highest), price, shown)
        self._sell()

    def _take(self, winner: int, price: int, shown: tuple[int, ...]) -> None:
        # (3) The highest bid pays; everybody is told the sum, and not the cards.
        worth = sum(self.pack[self.dealt - self.quay : self.dealt])
        self.events += [(TAKES, winner, price), (WORTH, worth)]
        self.purses = _plus(self.purses, winner, -price)
        self.cargo = _plus(self.cargo, winner, worth)
        self.paid += price
        self.quay = 0
        self.auctions += (Auction(winner, price, worth, shown),)

    # The contract

    def default(self, seat: int) -> str:
        """`bid 0`: it costs nothing and tells nothing."""
        return "bid 0"

    def view(self, seat: int) -> HarbourView:
        cards = self.pack[self.dealt - self.quay + seat : self.dealt : len(self.purses)]
        crate = len(self.auctions) + bool(self.asked)
        return HarbourView(self.purses, self.cargo, self.auctions, seat, crate, cards)

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.asked, twin.events = self.asked, self.events[:]
        twin.options, twin.pack, twin.dealt, twin.quay = self.options, self.pack, self.dealt, self.quay
        twin.purses, twin.cargo, twin.paid, twin.auctions = self.purses, self.cargo, self.paid, self.auctions
        return twin

    def undealt(self) -> int:
        return len(self.pack) - self.dealt

    def counts(self) -> dict[str, int]:
        sold = sum(auction.worth for auction in self.auctions)
        left = sum(self.pack[self.dealt - self.quay :])
        return {"coins": sum(self.purses) + self.paid, "cargo": sum(self.cargo) - sold, "cards": left + sold}

    def outcome(self) -> Outcome:
        # The end: worth and coins; ties share a rank.
        scores = tuple(purse + cargo for purse, cargo in zip(self.purses, self.cargo, strict=True))
        return Outcome(scores, ranks(scores))


def _plus(values: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return (*values[:seat], values[seat] + more, *values[seat + 1 :])


class Harbour(Game):
    """The rules of Harbour."""

    name = "harbour"
    title = "Harbour: sealed bids for crates of which everybody has seen another part"
    unit = "coins"
    behaviour = 1
    options = HarbourOptions
    seats = (2, 6)
    recommended = 4
    lines = LINES
    message = "arena_harbour.v1.harbour_pb2:HarbourView"
    stable = 3
    moves = "bid N  offer N coins for the crate, from 0 to all that you have"
    presets: ClassVar = {
        "default": {},
        "second_price": {"price": "second"},
        "closed_bids": {"open_bids": False},
        "poor": {"coins": 3, "crates": 9, "price": "second", "open_bids": False},
    }

    def known_chance(self, log: SeatLog) -> list[Known]:
        known, dealt = [], 0
        for event in log.events:
            line, (first, second) = event[0], numbers(event)
            if line == SALE:
                dealt = (first - 1) * log.seats
            elif line == SEES:
                known.append(Known(("pack",), (dealt + first,), (second,)))
        return known

    def actions(self, options: Any, seats: int) -> tuple[str, ...]:
        return tuple(f"bid {coins}" for coins in range(options.coins + 1))

    def start(self, options: Any, seats: int, chance: Chance) -> HarbourState:
        self.check(options, seats)
        return HarbourState(options, seats, chance)


HARBOUR = Harbour()
