"""Trick taking with the cuckoo pack: what Torionfo, Coch and Zifuli share.

Two types of cards, number (10 to 1) and picture (15 to 11 and 0 to -4). The leader's card is the base card,
the others must play its type if they can, the strongest card of that type takes the trick.

Source: the Korean rule book of Cuckoo cards, sections 4 to 6, "course of play" of each game. The order of the
cards, what they count, and what comes before and after the tricks are the games' own.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import ClassVar, Final, Self

from referee.engine.chance import Chance
from referee.engine.events import Audience, Event, LineTable
from referee.engine.game import State
from referee.engine.known import Known, SeatLog, numbers
from referee.engine.moves import EVERYBODY, MIDDLE, At, Badge, Empty, Forget, Go, Show, Write
from referee.games.cuckoo_pack import UNKNOWN, pack
from referee.games.known_hands import KnownHands, one_by_one

PACK: Final = pack()
KINDS: Final = PACK[::2]

# The numbers of the enums Type and Stage in the views.
NO_TYPE: Final = 0
NUMBER: Final = 1
PICTURE: Final = 2
NO_STAGE: Final = 0
BEFORE_PLAY: Final = 1
PLAY: Final = 2

TEXTS: Final = {card: str(card) for card in KINDS}
"""The cards as texts."""
PLAYS: Final = {card: f"play {card}" for card in KINDS}
"""The move that plays a card."""
CARD: Final = {move: card for card, move in PLAYS.items()} | {
    f"play {card} {name}": card for card in KINDS for name in ("number", "picture")
}
"""The card that a move plays; the long ones are Torionfo's."""

BEATEN: Final = -1
"""The strength of a card that cannot win."""

LOG: Final = LineTable()
DEAL: Final = LOG.line(
    "deal {} begins: seat {} deals",
    "the whole pack is shuffled; the next seat leads the first trick",
    begins="deal",
    moves=(
        Forget(),
        Badge("dealer", 1),
        Empty(("last trick",), MIDDLE),
        Empty(("hand",)),
        Write(At("to follow", MIDDLE), ""),
        Write(At("tricks", EVERYBODY), "0"),
    ),
)
DEALT: Final = LOG.line(
    "seat {} is dealt {}",
    "its cards, the highest index number first",
    Audience.SEAT,
    drawn=True,
    joined=True,
    moves=(Show(At("hand")),),
    cards=1,
)
PLAYED: Final = LOG.line(
    "seat {} plays {}",
    "a card of its hand, by choice or because it had no other",
    reveals=True,
    moves=(Go(At("hand"), At("trick", MIDDLE), mark="seat {0}"),),
    clears=0,
    cards=1,
)
WINS: Final = LOG.line("seat {} wins the trick", "it takes the cards and leads the next", clears=EVERYBODY)
LAST_DEAL: Final = LOG.line(
    "the match is over after deal {}", "all deals have been played: the standings decide", joined=True
)


def type_of(card: int) -> int:
    """Return the type of a card."""
    return NUMBER if 1 <= card <= 10 else PICTURE


def plays(cards: list[int]) -> tuple[str, ...]:
    """Return the moves that play `cards`, of which equal ones stand together."""
    moves = []
    last = UNKNOWN
    for card in cards:
        if card != last:
            moves.append(PLAYS[card])
            last = card
    return tuple(moves)


def strengths(pictures: Sequence[int]) -> dict[int, int]:
    """Return how strong each card is among its type, from 0; `pictures` are in order, the strongest first."""
    return {number: number - 1 for number in range(1, 11)} | {
        card: place for place, card in enumerate(reversed(pictures))
    }


class Tricks(State):
    """A match of several deals, each played out in tricks.

    deal: counted from 1. dealer: the seat that deals it.
    hands: by seat, the highest index number first.
    leaders: who led each trick of the deal, the one under way included; who led the next has won the one before.
    played: the cards of the finished tricks, in the order played. table: those of the trick under way.
    base: the type that counts in it. points: what the cards taken in this deal count, by seat.
    stage, moves: what is asked now, and the legal moves.
    """

    __slots__ = (
        "chance", "seats", "deal", "dealer", "hands", "leaders", "played", "table", "base", "points", "stage", "moves",
    )  # fmt: skip

    strength: ClassVar[dict[int, int]]
    """How strong each card is among its type."""
    values: ClassVar[dict[int, int]]
    """What each card counts."""

    def __init__(self, seats: int, chance: Chance) -> None:
        self.chance = chance
        self.seats = seats
        self.events: list[Event] = []
        self.asked = ()
        self.moves: tuple[str, ...] = ()
        self.stage = NO_STAGE
        self.deal = 0
        self.dealer = chance.pick(seats, "first") - 1  # the first deal passes it on as every deal does
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.leaders: tuple[int, ...] = ()
        self.played: tuple[int, ...] = ()
        self.table: tuple[int, ...] = ()
        self.base = NO_TYPE
        self.points = (0,) * seats
        if not self._next_deal():
            self._go_on()

    def legal(self, seat: int) -> tuple[str, ...]:
        return self.moves if seat in self.asked else ()

    def apply(self, moves: Sequence[str]) -> None:
        self._play(self.asked[0], moves[0])
        self._go_on()

    def undealt(self) -> int:
        return 0

    def counts(self) -> dict[str, int]:
        cards = [*self.played, *self.table, *self._aside()]
        return Counter(f"card {card}" for card in cards + [card for hand in self.hands for card in hand])

    def _aside(self) -> Iterable[int]:
        """Return the cards that are neither in a hand nor played."""
        return ()

    # What the games fill in.

    @abstractmethod
    def _is_over(self) -> bool:
        """Tell, between two deals, whether the match is over."""

    @abstractmethod
    def _prepare(self) -> bool:
        """Shuffle and deal. Return True where a seat is asked something before the first trick."""

    @abstractmethod
    def _settle(self) -> None:
        """All tricks of the deal have been played: count them."""

    def _follow(self, hand: list[int]) -> list[int]:
        """Return the cards of a hand that may be played after the base card."""
        base = self.base
        return [card for card in hand if type_of(card) == base] or hand

    def _lead(self, seat: int, card: int, move: str) -> None:
        """Make `card` the base card."""
        self.base = type_of(card)
        self.events.append((PLAYED, seat, card))

    def _lead_moves(self, hand: list[int]) -> tuple[str, ...]:
        return plays(hand)

    def _strengths(self) -> list[int]:
        """Return how strong each card on the table is."""
        base, strength = self.base, self.strength
        return [strength[card] if type_of(card) == base else BEATEN for card in self.table]

    # The deals

    def _next_deal(self) -> bool:
        """Begin the next deal. Return True where play pauses: a seat is asked, or the match is over."""
        if self._is_over():
            self.asked = self.moves = ()
            self.stage = NO_STAGE
            return True
        self.deal += 1
        self._pass_deal()
        self.leaders = ((self.dealer + 1) % self.seats,)
        self.played = ()
        self.points = (0,) * self.seats
        self.events.append((DEAL, self.deal, self.dealer))
        return self._prepare()

    def _pass_deal(self) -> None:
        """Find the dealer of the deal that begins: the next seat."""
        self.dealer = (self.dealer + 1) % self.seats

    def _shuffled(self, left: int = 0) -> tuple[int, ...]:
        """Return the pack shuffled for this deal; `left` cards of the last one were not dealt."""
        return self.chance.shuffle(PACK, "deck", self.deal, left=left)

    def _give(self, cards: tuple[int, ...]) -> None:
        """Deal `cards` one by one, the dealer last."""
        seats, first = self.seats, self.leaders[0]
        for place in range(seats):
            seat = (first + place) % seats
            hand = self.hands[seat] = sorted(cards[place::seats], reverse=True)
            self.events.append((DEALT, seat, " ".join([TEXTS[card] for card in hand])))
        self.stage = PLAY

    # The tricks

    def _go_on(self) -> None:
        """Play on to the next choice, over as many forced cards, tricks and deals as it takes."""
        while not self._ask_card():
            self._settle()
            if self._next_deal():
                return

    def _ask_card(self) -> bool:
        """Ask for the next card that somebody can choose. Return False where the deal has been played out."""
        seats, hands = self.seats, self.hands
        while True:
            if len(self.table) == seats:
                self._end_trick()
            seat = (self.leaders[-1] + len(self.table)) % seats
            hand = hands[seat]
            if not hand:
                return False
            moves = plays(self._follow(hand)) if self.table else self._lead_moves(hand)
            if len(moves) > 1:
                self.asked = (seat,)
                self.moves = moves
                return True
            self._play(seat, moves[0])

    def _play(self, seat: int, move: str) -> None:
        card = CARD[move]
        self.hands[seat].remove(card)
        if self.table:
            self.events.append((PLAYED, seat, card))
        else:
            self._lead(seat, card, move)
        self.table += (card,)

    def _end_trick(self) -> None:
        table, values, points = self.table, self.values, list(self.points)
        ranked = self._strengths()
        # Course of play: of two equal cards the one played first is stronger.
        winner = (self.leaders[-1] + ranked.index(max(ranked))) % self.seats
        points[winner] += sum([values[card] for card in table])
        self.points = tuple(points)
        self.played += table
        self.leaders += (winner,)
        self.table = ()
        self.base = NO_TYPE
        self.events.append((WINS, winner))

    def _taken(self, side: Collection[int]) -> Iterable[int]:
        """Return the cards that the seats of `side` have taken in this deal."""
        seats = self.seats
        return [
            card
            for trick, winner in enumerate(self.leaders[1:])
            if winner in side
            for card in self.played[trick * seats : (trick + 1) * seats]
        ]

    def _cheapest(self) -> str:
        """Return the legal move whose card counts least, among these the weakest."""
        return min(self.moves, key=lambda move: (self.values[CARD[move]], self.strength[CARD[move]]))

    def _turn(self) -> int | None:
        """Return whose turn it is."""
        return self.asked[0] if self.asked else None

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.chance, twin.seats = self.chance.copy(), self.seats
        twin.asked, twin.moves, twin.stage = self.asked, self.moves, self.stage
        twin.events = self.events[:]
        twin.deal, twin.dealer, twin.points = self.deal, self.dealer, self.points
        twin.hands = [hand[:] for hand in self.hands]
        twin.leaders, twin.played, twin.table, twin.base = self.leaders, self.played, self.table, self.base
        return twin


def known_tricks(log: SeatLog, bids: int | None = None) -> list[Known]:
    """Return what the log of a seat says of the pack, where all of it is dealt and the base card's type is followed.

    bids: the number of the line that shows a card of a hand; None: there is none.
    """
    known: list[Known] = []
    hands: KnownHands | None = None
    base = NO_TYPE
    for event in log.events:
        line, (first, second) = event[0], numbers(event)
        if line == DEAL:
            number, dealer = first, second
            if hands is not None:
                known += hands.known()
            if number == 1:
                known.append(Known(("first",), (0,), (dealer,)))
            hands = KnownHands(("deck", number), one_by_one(log.seats, dealer, range(len(PACK))))
            base = NO_TYPE
        elif hands is None:
            continue
        elif line == DEALT:
            hands.hold(first, cards_of(event[2]))
        elif bids is not None and line == bids:
            hands.show(first, second)
        elif line == WINS:
            base = NO_TYPE
        elif line == PLAYED:
            seat, card = first, second
            hands.play(seat, card)
            if base == NO_TYPE:
                base = type_of(card)
            elif type_of(card) != base:  # it had none
                hands.restrict(seat, KINDS, [other for other in KINDS if type_of(other) != base])
    return known if hands is None else known + hands.known()


def cards_of(text: object) -> list[int]:
    """Return the cards in a text of the log."""
    return [int(card) for card in str(text).split()]
