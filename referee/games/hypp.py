"""Hypp: everybody bets against the dealer's card without having seen the own one.

Source: the Korean rule book of Cuckoo cards, section 8 "Hypp". Its parts are cited beside the lines that
obey them; "Decision" marks what the book leaves open (all of it in docs/rules/hypp.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Final, NamedTuple, Self

from referee.engine.chance import Chance
from referee.engine.events import Event, LineTable, Mark
from referee.engine.game import Game, Outcome, State, ranks
from referee.engine.known import Known, SeatLog, numbers
from referee.engine.moves import EVERYBODY, MIDDLE, At, Badge, Empty, Forget, Out, Pay, Show, Write
from referee.engine.options import Options, option
from referee.games.cuckoo_pack import UNKNOWN, pack

PACK: Final = pack()
MOST_SEATS: Final = 8
# The numbers of the enum Stage in the view.
NO_STAGE: Final = 0
PACKET: Final = 1
BET: Final = 2
PASS: Final = 3
STAY: Final = "stay"
GIVE_UP: Final = "give up"


@dataclass(frozen=True, slots=True)
class HyppOptions(Options):
    """The options of Hypp."""

    limit: int = option(10, "highest bet; everybody starts with limit x players x 2 chips", low=1, high=1000)
    max_rounds: int = option(200, "rounds after which the match is over", low=1, high=10_000)


class HyppView(NamedTuple):
    """What a seat may see: the fields of referee.v1.HyppView, where each is explained."""

    round: int
    dealer: int
    first: int
    chips: tuple[int, ...]
    packet: int
    bets: tuple[int, ...]
    cards: tuple[int, ...]
    turn: int | None
    stage: int
    seat: int


LOG: Final = LineTable()
ROUND: Final = LOG.line(
    "round {} begins: seat {} deals",
    "the whole pack is shuffled",
    begins="round",
    moves=(Empty(("packet", "bet")), Write(At("packets of", MIDDLE), ""), Forget(("dealt first",)), Badge("dealer", 1)),
)
MAKES: Final = LOG.line(
    "seat {} makes packets of {}",
    "the dealer names how many cards each other seat gets",
    moves=(Write(At("packets of", MIDDLE), 1), Show(At("packet", EVERYBODY), None)),
)
BETS: Final = LOG.line("seat {} bets {}", "by choice, or because it can bet only one chip", moves=(Show(At("bet")),))
CANNOT_COVER: Final = LOG.line(
    "seat {} cannot cover {} chips: it has {}", "the dealer; the bets are lowered to what it has", joined=True
)
LOWERS: Final = LOG.line(
    "seat {} lowers its bet to {}", "its share of what the dealer has", alike=BETS, moves=(Show(At("bet")),)
)
SHOWS: Final = LOG.line(
    "seat {} shows {}",
    "the bottom card; the dealer first, then backwards from the seat before it",
    reveals=True,
    moves=(Show(At("packet")),),
    cards=1,
)
WINS: Final = LOG.line(
    "seat {} wins {}",
    "its card is stronger: the dealer pays the bet",
    joined=True,
    moves=(Pay(At("chips", "dealer"), At("chips")),),
)
LOSES: Final = LOG.line(
    "seat {} loses {}",
    "its card is weaker than the dealer's or equal: the dealer takes the bet",
    mark=Mark.DEFEAT,
    joined=True,
    moves=(Pay(At("chips"), At("chips", "dealer")),),
)
LOWEST: Final = LOG.line(
    "seat {} had the lowest card",
    "the dealer, lower than every other: the deal must pass on",
    mark=Mark.DEFEAT,
    joined=True,
    moves=(Badge("lowest card"),),
)
STAYS: Final = LOG.line("seat {} stays", "the dealer deals again")
GIVES_UP: Final = LOG.line("seat {} gives up", "the dealer passes the deal on")
BROKE: Final = LOG.line(
    "seat {} has no chips left", "which ends the match", mark=Mark.ELIMINATION, joined=True, moves=(Out(),)
)
ALL_DEALT: Final = LOG.line(
    "everybody has dealt", "the deal would pass back to the first dealer, which ends the match", joined=True
)
OVER: Final = LOG.line("the match is over after round {}", "the standings decide", joined=True)


@cache
def packet_moves(seats: int) -> tuple[str, ...]:
    """Return the sizes of packets that leave the dealer a card."""
    return tuple(f"packet {size}" for size in range(1, (len(PACK) - 1) // (seats - 1) + 1))


@cache
def bet_moves(most: int) -> tuple[str, ...]:
    """Return the bets up to `most`."""
    return tuple(f"bet {chips}" for chips in range(1, most + 1))


def lowered(bets: Sequence[int], total: int) -> list[int]:
    """Return the bets lowered in proportion to `total` chips in all.

    Fractions go to the largest remainders, to the lower seat where these are equal.
    """
    whole = sum(bets)
    shares = [bet * total // whole for bet in bets]
    by_remainder = sorted(range(len(bets)), key=lambda seat: (-(bets[seat] * total % whole), seat))
    for seat in by_remainder[: total - sum(shares)]:
        shares[seat] += 1
    return shares


class HyppState(State):
    """A match of Hypp.

    round: counted from 1. first: who dealt first. dealer: who deals now. chips: by seat.
    pack: the pack of this round, from the bottom. left: how many of its cards have not left it.
    packet: how many cards each packet has, 0 before the dealer has said so.
    bets: by seat, 0 where there is none. cards: by seat what has been shown, UNKNOWN before.
    stage, moves: what is asked now, and the legal moves, the default first.
    """

    __slots__ = (
        "options", "chance", "seats", "round", "first", "dealer", "chips", "pack", "left", "packet", "bets", "cards",
        "stage", "moves",
    )  # fmt: skip

    def __init__(self, options: HyppOptions, seats: int, chance: Chance) -> None:
        self.options = options
        self.chance = chance
        self.seats = seats
        self.events: list[Event] = []
        # (6) The number of chips
        self.chips = [options.limit * seats * 2] * seats
        # (3) Preparation: chance says who deals first.
        self.first = self.dealer = chance.pick(seats, "first")
        self.round = 0
        self.left = 0
        self._next_round()

    def legal(self, seat: int) -> tuple[str, ...]:
        return self.moves if seat in self.asked else ()

    def default(self, seat: int) -> str:
        """The smallest packet, the smallest bet, and `stay`, which changes nothing."""
        return self.moves[0]

    def undealt(self) -> int:
        return self.left

    def counts(self) -> dict[str, int]:
        return {"chips": sum(self.chips)}

    def apply(self, moves: Sequence[str]) -> None:
        seat, move = self.asked[0], moves[0]
        if self.stage == PACKET:
            self._deal(seat, int(move[len("packet ") :]))
        elif self.stage == BET:
            self._bet(seat, int(move[len("bet ") :]))
            self._ask_bets((seat + 1) % self.seats)
        else:
            self._choose_dealer(seat, move)

    def _ask(self, seat: int, stage: int, moves: tuple[str, ...]) -> None:
        self.asked = (seat,)
        self.stage = stage
        self.moves = moves

    # (3) Preparation

    def _next_round(self) -> None:
        self.round += 1
        self.pack = self.chance.shuffle(PACK, "deck", self.round, left=self.left)
        self.left = len(PACK)
        self.packet = 0
        self.bets = [0] * self.seats
        self.cards = [UNKNOWN] * self.seats
        self.events.append((ROUND, self.round, self.dealer))
        # The dealer chooses any size that gives each other player as many cards and leaves him one.
        self._ask(self.dealer, PACKET, packet_moves(self.seats))

    def _deal(self, dealer: int, size: int) -> None:
        # From under the pack, the next player the lowest; the dealer keeps the rest. Nobody looks.
        self.packet = size
        self.left -= size * (self.seats - 1)
        self.events.append((MAKES, dealer, size))
        self._ask_bets((dealer + 1) % self.seats)

    # (4) Course of play

    def _ask_bets(self, seat: int) -> None:
        """Ask for bets from `seat` on, and show the cards when all have been made."""
        while seat != self.dealer:
            most = min(self.options.limit, self.chips[seat])
            if most > 1:
                self._ask(seat, BET, bet_moves(most))
                return
            self._bet(seat, 1)
            seat = (seat + 1) % self.seats
        was_lowered = self._cover(seat)
        was_lowest = self._show(seat)
        self._end_round(seat, must_pass=was_lowered or was_lowest)

    def _bet(self, seat: int, chips: int) -> None:
        self.bets[seat] = chips
        self.events.append((BETS, seat, chips))

    def _cover(self, dealer: int) -> bool:
        """Let the dealer cover the bets. Return True where they had to be lowered to what he has."""
        total, has = sum(self.bets), self.chips[dealer]
        if total <= has:
            return False
        self.events.append((CANNOT_COVER, dealer, total, has))
        # Decision: where the book lets the players agree, all are lowered in proportion; a bet may become nothing.
        new = lowered(self.bets, has)
        self.events += [(LOWERS, seat, bet) for seat, bet in enumerate(new) if bet != self.bets[seat]]
        self.bets = new
        return True

    def _show(self, dealer: int) -> bool:
        """Show the cards and pay. Return True where the dealer's is lower than every other."""
        seats, size, pack, bets, chips, cards = self.seats, self.packet, self.pack, self.bets, self.chips, self.cards
        events = self.events
        self.left -= 1
        bank = cards[dealer] = pack[size * (seats - 1)]
        events.append((SHOWS, dealer, bank))
        lowest = True
        # From the dealer's left-hand neighbour, the seat before him, on: backwards.
        for place in range(seats - 2, -1, -1):
            seat = (dealer + 1 + place) % seats
            card = cards[seat] = pack[size * place]
            events.append((SHOWS, seat, card))
            bet = bets[seat]
            if card > bank:
                chips[seat] += bet
                chips[dealer] -= bet
                events.append((WINS, seat, bet))
            else:
                # Equal cards: the dealer wins. Decision: and his is then not the lowest.
                lowest = False
                chips[seat] -= bet
                chips[dealer] += bet
                events.append((LOSES, seat, bet))
        if lowest:
            events.append((LOWEST, dealer))
        return lowest

    # (4), last part, and (5) End

    def _end_round(self, dealer: int, *, must_pass: bool) -> None:
        broke = [seat for seat, chips in enumerate(self.chips) if not chips]
        self.events += [(BROKE, seat) for seat in broke]
        if broke or self.round == self.options.max_rounds:
            self._end()
        elif must_pass:
            self._pass_deal()
        else:
            self._ask(dealer, PASS, (STAY, GIVE_UP))

    def _choose_dealer(self, dealer: int, move: str) -> None:
        if move == STAY:
            self.events.append((STAYS, dealer))
            self._next_round()
        else:
            self.events.append((GIVES_UP, dealer))
            self._pass_deal()

    def _pass_deal(self) -> None:
        following = (self.dealer + 1) % self.seats
        if following == self.first:
            self.events.append((ALL_DEALT,))
            self._end()
        else:
            self.dealer = following
            self._next_round()

    def _end(self) -> None:
        self.events.append((OVER, self.round))
        self.asked = self.moves = ()
        self.stage = NO_STAGE

    # The contract

    def view(self, seat: int) -> HyppView:
        # Cheaper than to call HyppView, and the same.
        return tuple.__new__(
            HyppView,
            (
                self.round,
                self.dealer,
                self.first,
                tuple(self.chips),
                self.packet,
                tuple(self.bets),
                tuple(self.cards),
                self.asked[0] if self.asked else None,
                self.stage,
                seat,
            ),
        )

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.options, twin.seats, twin.chance = self.options, self.seats, self.chance.copy()
        twin.asked, twin.stage, twin.moves, twin.events = self.asked, self.stage, self.moves, self.events[:]
        twin.round, twin.first, twin.dealer = self.round, self.first, self.dealer
        twin.pack, twin.left, twin.packet = self.pack, self.left, self.packet
        twin.chips, twin.bets, twin.cards = self.chips[:], self.bets[:], self.cards[:]
        return twin

    def outcome(self) -> Outcome:
        # (5): most chips win.
        scores = tuple(self.chips)
        return Outcome(scores, ranks(scores))


class Hypp(Game):
    """The rules of Hypp."""

    name = "hypp"
    title = "Hypp: bet against the dealer's card without having seen your own"
    unit = "chips"
    behaviour = 1
    options = HyppOptions
    seats = (2, MOST_SEATS)
    recommended = 5
    lines = LOG.lines
    message = "referee.v1.hypp_pb2:HyppView"
    stable = 4
    presets: ClassVar = {"default": {}, "low_limit": {"limit": 2}, "max_rounds": {"max_rounds": 3}}
    phrases = ("packet {number}", "bet {number}")
    moves = """\
packet K  the dealer: give each other player K cards from under the pack, e.g. packet 3
bet N     another player: bet N chips, at most the limit and what one has, e.g. bet 10
stay      the dealer, after a round that does not force the deal on: deal again
give up   the dealer, after such a round: pass the deal to the next seat"""

    def actions(self, options: Any, seats: int) -> tuple[str, ...]:
        return (*packet_moves(seats), *bet_moves(options.limit), STAY, GIVE_UP)

    def known_chance(self, log: SeatLog) -> list[Known]:
        known: list[Known] = []
        number, dealer, size = 0, 0, 0
        for event in log.events:
            line, (first, second) = event[0], numbers(event)
            if line == ROUND:
                number, dealer = first, second
                if number == 1:
                    known.append(Known(("first",), (0,), (dealer,)))
            elif line == MAKES:
                size = second
            elif line == SHOWS:
                # The bottom card of each packet; the first lies under the pack, the dealer's is what is left.
                packet = (first - dealer - 1) % log.seats
                known.append(Known(("deck", number), (size * packet,), (second,)))
        return known

    def start(self, options: Any, seats: int, chance: Chance) -> HyppState:
        self.check(options, seats)
        return HyppState(options, seats, chance)


HYPP = Hypp()
