"""Zifuli: five players, an auction for the boss, and a partner whom only he himself knows.

Source: the Korean rule book of Cuckoo cards, section 6 "Zifuli (game for five)". Its parts are cited beside the
lines that obey them; "Decision" marks what the book leaves open (all of it in docs/rules/zifuli.md).
The tricks are in `tricks`, the count in `trick_count`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, Self

from referee.engine.chance import Chance
from referee.engine.errors import OptionError
from referee.engine.events import Audience, Mark
from referee.engine.game import Game, Outcome, ranks
from referee.engine.known import Known, SeatLog
from referee.engine.moves import MIDDLE, Add, At, Badge, Put
from referee.engine.options import Options, option
from referee.games import trick_count
from referee.games.trick_count import CountedTricks
from referee.games.tricks import BEFORE_PLAY, KINDS, LAST_DEAL, PLAY, PLAYS, known_tricks, strengths, type_of

SEATS: Final = 5

BIDS: Final = {card: f"bid {card}" for card in KINDS}
CARD_BID: Final = {move: card for card, move in BIDS.items()}
PASS: Final = "pass"


@dataclass(frozen=True, slots=True)
class ZifuliOptions(Options):
    """The options of Zifuli."""

    deals: int = option(10, "deals of a match, with end=deals", low=1, high=1000)
    chips: int = option(20, "chips of each seat at the start", low=1, high=1000)
    end: str = option(
        "deals",
        "when the match is over",
        choices={"deals": "after `deals` deals", "broke": "when somebody has no chips left"},
    )
    max_deals: int = option(500, "deals after which the match is over, with end=broke", low=1)

    def check(self) -> None:
        if self.end == "broke" and self.deals != type(self)().deals:
            raise OptionError(
                f"deals={self.deals} contradicts end=broke, which plays until somebody has no chips left; "
                "max_deals bounds such a match"
            )
        if self.end == "deals" and self.deals > self.max_deals:
            raise OptionError(f"deals={self.deals} contradicts max_deals={self.max_deals}: it cannot be more")

    @property
    def most_deals(self) -> int:
        """The deals after which the match is over in any case."""
        return self.deals if self.end == "deals" else self.max_deals


class ZifuliView(NamedTuple):
    """What a seat may see: the fields of referee.v1.ZifuliView, where each is explained."""

    deal: int
    dealer: int
    chips: tuple[int, ...]
    bidders: tuple[int, ...]
    bids: tuple[int, ...]
    passed: tuple[int, ...]
    boss: int | None
    points: tuple[float, ...]
    leaders: tuple[int, ...]
    played: tuple[int, ...]
    table: tuple[int, ...]
    base: int
    turn: int | None
    stage: int
    seat: int
    hand: tuple[int, ...]
    partner: int | None
    alone: bool


LOG: Final = trick_count.log_of("the boss's side has", "the others")
BID: Final = LOG.line(
    "seat {} bids {}",
    "it shows the card, which stays in its hand",
    reveals=True,
    moves=(Put(At("bids", MIDDLE), mark="seat {0}"),),
    cards=1,
)
PASSES: Final = LOG.line(
    "seat {} passes",
    "it bids no more, by choice or because it has no weaker card of the type",
    reveals=True,
    moves=(Badge("passed"),),
)
VOID: Final = LOG.line("all have passed: the deal is void", "it counts as played, and the next seat deals")
BOSS: Final = LOG.line("seat {} is the boss", "all others have passed", joined=True, moves=(Badge("boss"),))
HOLDS_TWIN: Final = LOG.line(
    "seat {} holds the twin of the bid", "the partner; or the boss, who then plays alone", Audience.SEAT, joined=True
)
PARTNER: Final = LOG.line(
    "seat {} is the partner",
    "it has played the twin of the bid",
    reveals=True,
    drawn=True,
    joined=True,
    moves=(Badge("partner"),),
)
PLAYS_ALONE: Final = LOG.line(
    "seat {} plays alone",
    "the boss has played both cards of the kind that it bid",
    reveals=True,
    joined=True,
    moves=(Badge("plays alone"),),
)
NOBODY_PAYS: Final = LOG.line("nobody pays", "both counts are equal")
PAYS: Final = LOG.line("seat {} pays {}", "chips, for a lost deal", moves=(Add(At("chips"), -1, 1),))
RECEIVES: Final = LOG.line("seat {} receives {}", "chips, for a won deal", alike=PAYS, moves=(Add(At("chips"), 1, 1),))
BROKE: Final = LOG.line(
    "the match is over: seat {} has no chips left", "most chips win", mark=Mark.ELIMINATION, joined=True
)


class ZifuliState(CountedTricks):
    """A match of Zifuli.

    bidders, bids: who bid, and what. passed: who has passed, in that order.
    boss: once the auction is over. twin: who holds the twin of the last bid; the boss where he plays alone.
    revealed: whether everybody knows that.
    """

    __slots__ = ("options", "chips", "bidders", "bids", "passed", "boss", "twin", "revealed")

    # (2) Order of the cards
    strength = strengths((-3, 15, 14, 13, 12, 11, -4, 0, -1, -2))

    def __init__(self, options: ZifuliOptions, chance: Chance) -> None:
        self.options = options
        self.chips: tuple[int, ...] = (options.chips,) * SEATS
        super().__init__(SEATS, chance)

    def counts(self) -> dict[str, int]:
        return {"chips": sum(self.chips), **super().counts()}

    def _is_over(self) -> bool:
        # (8) End of the game. Decision: who has 0 or less is broke.
        if self.options.end == "broke" and (broke := [seat for seat in range(SEATS) if self.chips[seat] <= 0]):
            self.events.append((BROKE, broke[0]))
            return True
        if self.deal < self.options.most_deals:
            return False
        self.events.append((LAST_DEAL, self.deal))
        return True

    def _prepare(self) -> bool:
        # (3) Preparation: eight cards each.
        self.bidders: tuple[int, ...] = ()
        self.bids: tuple[int, ...] = ()
        self.passed: tuple[int, ...] = ()
        self.boss: int | None = None
        self.twin: int | None = None
        self.revealed = False
        self._give(self._shuffled())
        self.stage = BEFORE_PLAY
        return self._auction(self.leaders[0])

    # (4) Auction

    def _auction(self, seat: int) -> bool:
        """Ask for bids from `seat` on. Return False where the auction is over and cards are played."""
        while len(self.passed) < SEATS - 1 or not self.bids:
            # Decision: after four passes without a bid the fifth is asked too; if he passes the deal is void.
            if len(self.passed) == SEATS:
                self.events.append((VOID,))
                return self._next_deal()
            if seat not in self.passed:
                moves = self._bids(self.hands[seat])
                if len(moves) > 1:
                    self.asked = (seat,)
                    self.moves = moves
                    return True
                self._pass(seat)
            seat = (seat + 1) % SEATS
        self._find_partner(self.bidders[-1], self.bids[-1])
        self.stage = PLAY
        return False

    def _bids(self, hand: list[int]) -> tuple[str, ...]:
        """Return what may be bid with a hand: any first card, then only weaker ones of its type."""
        cards = list(dict.fromkeys(hand))
        if self.bids:
            strength, last = self.strength, self.bids[-1]
            cards = [card for card in cards if type_of(card) == type_of(last) and strength[card] < strength[last]]
        return (PASS, *[BIDS[card] for card in cards])

    def _pass(self, seat: int) -> None:
        self.passed += (seat,)
        self.events.append((PASSES, seat))

    def _find_partner(self, boss: int, bid: int) -> None:
        self.boss = boss
        others = [seat for seat in range(SEATS) if seat != boss and bid in self.hands[seat]]
        # Nobody else has it: the boss has both, and plays alone.
        self.twin = others[0] if others else boss
        self.events += [(BOSS, boss), (HOLDS_TWIN, self.twin)]

    def apply(self, moves: Sequence[str]) -> None:
        if self.stage == PLAY:
            super().apply(moves)
            return
        seat, move = self.asked[0], moves[0]
        if move == PASS:
            self._pass(seat)
        else:
            self.bidders += (seat,)
            self.bids += (CARD_BID[move],)
            self.events.append((BID, seat, CARD_BID[move]))
        if not self._auction((seat + 1) % SEATS):
            self._go_on()

    # (6) Course of play: as in Coch

    def _play(self, seat: int, move: str) -> None:
        super()._play(seat, move)
        bid = self.bids[-1]
        if self.table[-1] == bid and seat == self.twin and bid not in self.hands[seat]:
            # The partner stays unnamed until the card falls; that there is none, until the second one does.
            self.revealed = True
            self.events.append((PLAYS_ALONE if seat == self.boss else PARTNER, seat))

    # (7) Counting

    def _settle(self) -> None:
        side = {self.boss, self.twin}
        sign = self._compare([seat for seat in range(SEATS) if seat in side])
        if not sign:
            self.events.append((NOBODY_PAYS,))
            return
        # Alone: two from, or to, each of the four. Else the boss two, the partner and each opponent one.
        alone = len(side) == 1
        gains = [
            sign * ((8 if alone else 2) if seat == self.boss else 1 if seat in side else -2 if alone else -1)
            for seat in range(SEATS)
        ]
        # Decision: paid in full, so that chips may go below zero.
        self.chips = tuple([chips + gain for chips, gain in zip(self.chips, gains, strict=True)])
        self.events += [(RECEIVES if gain > 0 else PAYS, seat, abs(gain)) for seat, gain in enumerate(gains)]

    # The contract

    def default(self, seat: int) -> str:
        """`pass`; in the tricks the card that counts least, among these the weakest of its type."""
        return self._cheapest() if self.stage == PLAY else PASS

    def view(self, seat: int) -> ZifuliView:
        known = self.revealed or seat == self.twin
        alone = self.twin == self.boss
        # Cheaper than to call ZifuliView, and the same.
        return tuple.__new__(
            ZifuliView,
            (
                self.deal,
                self.dealer,
                self.chips,
                self.bidders,
                self.bids,
                self.passed,
                self.boss,
                tuple([halves / 2 for halves in self.points]),
                self.leaders,
                self.played,
                self.table,
                self.base,
                self._turn(),
                self.stage,
                seat,
                tuple(self.hands[seat]),
                self.twin if known and not alone else None,
                known and alone,
            ),
        )

    def copy(self) -> Self:
        twin = super().copy()
        twin.options, twin.chips = self.options, self.chips
        twin.bidders, twin.bids, twin.passed = self.bidders, self.bids, self.passed
        twin.boss, twin.twin, twin.revealed = self.boss, self.twin, self.revealed
        return twin

    def outcome(self) -> Outcome:
        # (8): most chips win.
        return Outcome(self.chips, ranks(self.chips))


class Zifuli(Game):
    """The rules of Zifuli."""

    name = "zifuli"
    title = "Zifuli: five players, an auction for the boss, and a secret partner"
    unit = "chips"
    behaviour = 1
    options = ZifuliOptions
    seats = (SEATS, SEATS)
    recommended = SEATS
    lines = LOG.lines
    message = "referee.v1.zifuli_pb2:ZifuliView"
    stable = 9
    presets: ClassVar = {
        "default": {},
        "one_deal": {"deals": 1},
        "broke": {"end": "broke", "chips": 5, "max_deals": 40},
    }
    phrases = ("bid {card}", "play {card}")
    moves = """\
bid CARD   in the auction: show a card of the hand, of the first bid's type and weaker than the last bid, e.g. bid -2
pass       in the auction: bid no more
play CARD  lead or follow with a card of the hand, e.g. play -3; one of the base card's type if there is one"""

    def actions(self, options: Any, seats: int) -> tuple[str, ...]:
        return (PASS, *BIDS.values(), *PLAYS.values())

    def known_chance(self, log: SeatLog) -> list[Known]:
        return known_tricks(log, BID)

    def start(self, options: Any, seats: int, chance: Chance) -> ZifuliState:
        self.check(options, seats)
        return ZifuliState(options, chance)


ZIFULI = Zifuli()
