"""The money of Cucù and Lu Stù: everybody's stake is in the pool, and the last player with tokens takes it.

Source: the page on Cucù named in `cucu_table`: "Seating and Stakes", "Agreement between the last two players".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Self

from referee.engine.chance import Chance
from referee.engine.errors import OptionError
from referee.engine.game import Outcome, ranks
from referee.engine.options import Options, option
from referee.games import cucu_table
from referee.games.cuckoo_pack import UNKNOWN
from referee.games.cucu_table import REPLY, SPLIT, Arrests
from referee.games.pool import Claim, divide, settle
from referee.games.visibility import known_cards


@dataclass(frozen=True, slots=True)
class StakeOptions(Options):
    """The options that both towns have."""

    stake: int = option(
        10, "money that everybody pays into the pool; also the first price of re-entry", low=1, high=10**6
    )
    bankroll: int = option(
        1000, "money that a seat may spend in all, the stake included; what it won meanwhile does not count",
        low=1, high=10**7,
    )  # fmt: skip
    max_deals: int = option(1000, "deals after which the pool is split by tokens", low=1)
    table_talk: bool = option(False, "with any decision one may say up to 80 characters, which all others hear")
    endgame_agreement: bool = option(False, "the last two may agree on how to divide the pool")
    syndicates: bool = option(False, "players who are out may share the fee, and the winnings, of one who re-enters")

    def check(self) -> None:
        if self.bankroll < self.stake:
            raise OptionError(f"bankroll={self.bankroll} does not pay for stake={self.stake}: raise bankroll")


class TokenView(NamedTuple):
    """What a seat may see: the fields of referee.v1.CucuView and LustuView, where each is explained."""

    deal: int
    dealer: int
    pool: int
    price: int
    scores: tuple[int, ...]
    purses: tuple[int, ...]
    virgins: tuple[int, ...]
    order: tuple[int, ...]
    split: tuple[int, ...]
    claims: tuple[Claim, ...]
    tokens: tuple[int, ...]
    turn: int | None
    stage: int
    offer: str | None
    pile: int
    actions: tuple[int, ...]
    partners: tuple[int, ...]
    passed: tuple[int, ...]
    hosts: tuple[int, ...]
    said: tuple[str, ...]
    seat: int
    card: int | None
    known: tuple[int, ...]
    aside: tuple[int, ...]


STABLE: Final = 10

PRESETS: Final[Mapping[str, Mapping[str, int | bool | str]]] = {
    "default": {},
    "table_talk": {"table_talk": True},
    "endgame_agreement": {"endgame_agreement": True},
    "syndicates": {"syndicates": True},
    "poor": {"stake": 20, "bankroll": 70, "syndicates": True, "endgame_agreement": True},
    "short": {"max_deals": 6, "endgame_agreement": True},
}

LOG: Final = cucu_table.LOG.extended()
STAKES: Final = LOG.line("seat {} pays {} as stake", "money into the pool")
DEAL: Final = LOG.line("deal {} begins: seat {} deals", "the whole pack is shuffled")
ENTERS: Final = LOG.line("seat {} enters for {}", "it lost its last token, and buys three new ones")
STAYS_OUT: Final = LOG.line("seat {} stays out", "it lost its last token, and buys no others")
RAISES: Final = LOG.line(
    "seat {} offers {} percent of the fee", "to those who are out: they pay that much of it and share what it wins"
)
JOINS: Final = LOG.line("seat {} joins", "the syndicate")
KEEPS_OFF: Final = LOG.line("seat {} does not join", "the syndicate")
FEE: Final = LOG.line("seat {} pays {} of the fee", "money into the pool")
FREE: Final = LOG.line("everybody enters free", "nobody had a token left; there are no virgins any more")
PROPOSES: Final = LOG.line("seat {} proposes {} percent for itself", "a split of the pool between the last two")
PROPOSES_NONE: Final = LOG.line("seat {} proposes no split", "of the pool between the last two")
ACCEPTS: Final = LOG.line("seat {} accepts", "the proposal; or at Montorio a guest's offer")
DECLINES: Final = LOG.line("seat {} declines", "the proposal; or at Montorio a guest's offer")
WINS: Final = LOG.line("seat {} wins the pool of {}", "the match is over: it alone has tokens")
LAST_DEAL: Final = LOG.line("the match is over: {} deals have been played", "the pool is split by tokens, or as agreed")
GETS: Final = LOG.line("seat {} gets {}", "money out of the pool")

SPLIT_MOVES: Final = ("none", *(f"split {percent}" for percent in range(0, 101, 10)))
REPLY_MOVES: Final = ("decline", "accept")

MOVES: Final = """\
keep         end the turn with the card you hold
exchange     ask the next player for his card; the dealer takes the next card of the pack
enter        you lost your last token: buy three new ones at the price in the view
stay out     you lost your last token: leave the match
share 0      about to enter, under syndicates: offer nothing of the fee to those who are out
share P      about to enter, under syndicates: offer them 25, 50 or 75 percent of it
join         under syndicates: take your part of the fee, and of the winnings
no           under syndicates: do not
split P      under endgame_agreement, the non-dealer: propose P percent of the pool for yourself (0, 10 .. 100)
none         under endgame_agreement, the non-dealer: propose nothing
accept       agree to what is proposed
decline      do not agree to it"""


class Stakes(Arrests):
    """The deals and the money of a match.

    deal: counted from 1. dealer: of this deal. pack: the cards.
    pool: what is in it. paid, won: by seat, in all. doublings: of the price of re-entry.
    split: by seat the percentage of the pool agreed by the last two; empty where nothing is.
    claims: who has a part of whose winnings.
    """

    __slots__ = (
        "options", "pack", "deal", "dealer", "pool", "paid", "won", "doublings", "split", "claims",
    )  # fmt: skip

    def __init__(self, options: Any, pack: tuple[int, ...], seats: int, chance: Chance) -> None:
        super().__init__(seats, chance, talk=options.table_talk)
        self.options: StakeOptions = options
        self.pack = pack
        self.deal = 0
        self.pool = 0
        self.paid = [0] * seats
        self.won = [0] * seats
        self.doublings = 0
        self.split: tuple[int, ...] = ()
        self.claims: tuple[Claim, ...] = ()
        for seat in range(seats):
            self._pay_pool(seat, self.options.stake)
            self.events.append((STAKES, seat, self.options.stake))
        self.dealer = chance.pick(seats, "first")
        self._begin_deal()

    def purse(self, seat: int) -> int:
        """Return what a seat may still spend."""
        return self.options.bankroll - self.paid[seat]

    @property
    def price(self) -> int:
        """What re-entry costs next. "Re-Entry": the stake at first, then always twice as much."""
        return self.options.stake << self.doublings

    def _pay_pool(self, seat: int, amount: int) -> None:
        self.paid[seat] += amount
        self.pool += amount

    # A deal

    def _begin_deal(self) -> None:
        if self.deal == self.options.max_deals:
            self.events.append((LAST_DEAL, self.deal))
            self._pay_out({seat: tokens for seat, tokens in enumerate(self.tokens) if tokens})
            return
        self.deal += 1
        self.events.append((DEAL, self.deal, self.dealer))
        self._clear(tuple([seat for seat in self._round() if self.tokens[seat]]))
        self.pile.open(self.deal, self.pack)
        # "Agreement between the last two players": before each deal until one is made.
        if self.options.endgame_agreement and len(self.order) == 2 and not self.split:
            self._ask(self.order[0], SPLIT, SPLIT_MOVES)
        else:
            self._ask_turn()

    def _round(self) -> tuple[int, ...]:
        """Return all seats from the dealer's next on, the dealer last."""
        return (*range(self.dealer + 1, self.seats), *range(self.dealer + 1))

    def _next_deal(self) -> None:
        left = [seat for seat in self._round() if self.tokens[seat]]
        if len(left) == 1:
            self.events.append((WINS, left[0], self.pool))
            self._pay_out({left[0]: 1})
        else:
            self.dealer = left[0]
            self._begin_deal()

    def _pay_out(self, weights: dict[int, int]) -> None:
        """Divide the pool by `weights`, or as was agreed, and end the match."""
        if self.split:
            weights = {seat: percent for seat, percent in enumerate(self.split) if percent}
        got = [0] * self.seats
        for seat, part in divide(self.pool, weights).items():
            for to, money in settle(seat, part, self.claims).items():
                got[to] += money
        for seat, money in enumerate(got):
            if money:
                self.won[seat] += money
                self.events.append((GETS, seat, money))
        self.pool = 0
        self._stop()

    # "Agreement between the last two players"

    def _answer(self, seat: int, move: str) -> None:
        log = self.events.append
        if self.stage == SPLIT:
            if move == "none":
                log((PROPOSES_NONE, seat))
                self._ask_turn()
            else:
                log((PROPOSES, seat, int(move[6:])))
                self._ask(self.dealer, REPLY, REPLY_MOVES, move)
        elif self.stage == REPLY:
            log((ACCEPTS if move == "accept" else DECLINES, seat))
            if move == "accept" and self.offer is not None:
                self._agree(self.order[0], int(self.offer[6:]))
            self._ask_turn()
        else:
            super()._answer(seat, move)

    def _agree(self, seat: int, percent: int) -> None:
        # Decision: the shares belong to the two persons, whoever deals later.
        split = [0] * self.seats
        split[seat], split[self.dealer] = percent, 100 - percent
        self.split = tuple(split)

    # The contract

    def view(self, seat: int) -> TokenView:
        card = self.cards[seat]
        return TokenView(
            self.deal,
            self.dealer,
            self.pool,
            self.price if self.virgins else 0,
            self._scores(),
            tuple([self.options.bankroll - paid for paid in self.paid]),
            self.virgins,
            self.order,
            self.split,
            self.claims,
            tuple(self.tokens),
            self.asked[0] if self.asked else None,
            self.stage,
            self.offer,
            self.pile.left,
            tuple(self.actions),
            tuple(self.partners),
            tuple(map(len, self.trails)),
            tuple(self.hosts),
            tuple(self.said or ()),
            seat,
            None if card == UNKNOWN else card,
            known_cards(seat, self.cards, self.seen),
            self._known_aside(seat) if self.aside else (),
        )

    def _scores(self) -> tuple[int, ...]:
        return tuple([won - paid for won, paid in zip(self.won, self.paid, strict=True)])

    def outcome(self) -> Outcome:
        # Decision: ranks follow the money.
        scores = self._scores()
        return Outcome(scores, ranks(scores))

    def counts(self) -> dict[str, int]:
        return super().counts() | {"money": self.pool + self.options.bankroll * self.seats + sum(self._scores())}

    def copy(self) -> Self:
        twin = super().copy()
        twin.options, twin.pack, twin.deal, twin.dealer = self.options, self.pack, self.deal, self.dealer
        twin.pool, twin.paid, twin.won, twin.doublings = self.pool, self.paid[:], self.won[:], self.doublings
        twin.split, twin.claims = self.split, self.claims
        return twin
