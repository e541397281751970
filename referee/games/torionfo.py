"""Torionfo: tricks for the printed numbers, with a card turned up whose twin beats everything.

Source: the Korean rule book of Cuckoo cards, section 4 "Torionfo". Its parts are cited beside the lines that
obey them; "Decision" marks what the book leaves open (all of it in docs/rules/torionfo.md). The tricks
are in `tricks`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, NamedTuple, Self

from referee.engine.chance import Chance
from referee.engine.errors import SeatsError
from referee.engine.events import Audience, Event
from referee.engine.game import Game, Outcome, team_outcome
from referee.engine.known import Known, SeatLog, numbers
from referee.engine.moves import MIDDLE, At, Badge, Empty, Go, Put, Show, Write
from referee.engine.options import Options
from referee.games import tricks
from referee.games.cuckoo_pack import CUCKOO, HUMAN
from referee.games.known_hands import KnownHands, one_by_one
from referee.games.tricks import CARD, KINDS, PLAY, PLAYS, Tricks, cards_of, strengths, type_of

TEAMS: Final = (0, 1, 0, 1)
"""The team of each seat. (1) Players: those who face each other; two play against each other."""
DEALS: Final = 4
"""(7): with four players everybody deals once. Decision: with two twice."""
DEALT_IN_ALL: Final = 32
"""(4): eight cards each, with two players sixteen."""
PRIZED: Final = (10, HUMAN, CUCKOO)
"""(4): the cards that the cutter and the dealer take to their hands."""

DISCARDS: Final = {card: f"discard {card}" for card in KINDS}
CARD_BACK: Final = {move: card for card, move in DISCARDS.items()}
NAMES: Final = ((tricks.NUMBER, "number"), (tricks.PICTURE, "picture"))
NAMED: Final = {f"{PLAYS[card]} {name}": type for card in KINDS for type, name in NAMES}
"""The type that a led Torionfo card names."""


@dataclass(frozen=True, slots=True)
class TorionfoOptions(Options):
    """Torionfo has no options."""


class TorionfoView(NamedTuple):
    """What a seat may see: the fields of referee.v1.TorionfoView, where each is explained."""

    deal: int
    dealer: int
    cutter: int
    cut: int
    cut_taken: tuple[int, ...]
    turned_taken: tuple[int, ...]
    torionfo: int
    pile: int
    scores: tuple[int, ...]
    points: tuple[int, ...]
    named: int
    leaders: tuple[int, ...]
    played: tuple[int, ...]
    table: tuple[int, ...]
    base: int
    turn: int | None
    stage: int
    seat: int
    hand: tuple[int, ...]
    discarded: tuple[int, ...]
    looked: int | None
    looked_seat: int | None


_DEAL: Final = tricks.LOG.lines[tricks.DEAL]
LOG: Final = tricks.LOG.extended(
    {
        tricks.DEAL: replace(
            _DEAL,
            moves=(
                *_DEAL.moves,
                Write(At("the twin was led as", MIDDLE), ""),
                Empty(("Torionfo", "pile"), MIDDLE),
                Empty(("put back", "looked at", "from the cut", "turned up")),
            ),
        ),
        tricks.DEALT: replace(tricks.LOG.lines[tricks.DEALT], joined=False),
    }
)
CUTS: Final = LOG.line(
    "seat {} cuts at {}", "the size of the upper packet", reveals=True, joined=True, moves=(Badge("cutter"),)
)
TAKES_CUT: Final = LOG.line(
    "seat {} takes {} from the cut",
    "a 10, 14 or 15 at the bottom of the upper packet",
    reveals=True,
    joined=True,
    moves=(Put(At("from the cut")),),
    cards=1,
)
LOOKS: Final = LOG.line(
    "seat {} looks at {}",
    "the bottom card that stays in the upper packet",
    Audience.SEAT,
    joined=True,
    moves=(Put(At("looked at")),),
    cards=1,
)
TAKES_TURNED: Final = LOG.line(
    "seat {} takes {} from the pile",
    "the dealer turned up a 10, 14 or 15",
    reveals=True,
    moves=(Put(At("turned up")),),
    cards=1,
)
TURNS_UP: Final = LOG.line(
    "the Torionfo card is {}",
    "turned up; it and its twin are the Torionfo cards",
    reveals=True,
    moves=(Show(At("Torionfo", MIDDLE), 0),),
    cards=0,
)
DISCARDED: Final = LOG.line(
    "seat {} discards {}",
    "back under the pile, down to the size of the hand dealt",
    Audience.SEAT,
    drawn=True,
    moves=(Go(At("hand"), At("put back")),),
    cards=1,
)
DISCARDED_UNSEEN: Final = LOG.line(
    "seat {} discards a card", "all others see that it does", Audience.OTHERS, drawn=True, alike=DISCARDED
)
NAMES_TYPE: Final = LOG.line(
    "seat {} plays {} and names {}",
    "it leads the Torionfo card; number or picture must be followed",
    words=True,
    moves=(Go(At("hand"), At("trick", MIDDLE), mark="seat {0}"),),
    clears=0,
    cards=1,
)
COUNT: Final = LOG.line(
    "team {} has {} points", "the card points of the deal; team 0 is seats 0 and 2, team 1 seats 1 and 3"
)


class TorionfoState(Tricks):
    """A match of Torionfo.

    cut, cut_taken: the size of the upper packet, and what the cutter took. turned_taken: what the dealer took.
    torionfo: the card turned up. pile: the cards that were not dealt.
    looked, looked_seat: what the cutter saw and left, and who was dealt it.
    discarded: by seat, what it put back. named: the type named by the led Torionfo card of this deal.
    totals: the points of the finished deals, by team.
    """

    __slots__ = (
        "cut", "cut_taken", "turned_taken", "torionfo", "pile", "looked", "looked_seat", "discarded", "named", "totals",
    )  # fmt: skip

    # (3) Order of the cards
    strength = strengths((15, 14, 13, 12, 11, 0, -1, -2, -3, -4))
    # (2) Card points: the printed number.
    values: ClassVar = {card: max(card, 0) for card in KINDS}

    def __init__(self, seats: int, chance: Chance) -> None:
        self.totals = (0, 0)
        self.pile: tuple[int, ...] = ()
        super().__init__(seats, chance)

    def undealt(self) -> int:
        return len(self.pile)

    def _aside(self) -> list[int]:
        return [self.torionfo, *self.pile, *[card for back in self.discarded for card in back]]

    def _is_over(self) -> bool:
        if self.deal < DEALS:
            return False
        self.events.append((tricks.LAST_DEAL, DEALS))
        return True

    # (4) Preparation

    def _prepare(self) -> bool:
        self.discarded: tuple[tuple[int, ...], ...] = ((),) * self.seats
        self.named = tricks.NO_TYPE
        pack = self._cut(self._shuffled(left=self.undealt()))
        self._give(pack[:DEALT_IN_ALL])
        self._take(self._cutter(), self.cut_taken)
        self._turn_up(pack[DEALT_IN_ALL:])
        self._take(self.dealer, self.turned_taken)
        return self._ask_discard()

    def _cutter(self) -> int:
        return (self.dealer - 1) % self.seats

    def _cut(self, pack: tuple[int, ...]) -> tuple[int, ...]:
        """Let the player before the dealer cut and look. Return the pack without the cards that he takes."""
        cutter, events = self._cutter(), self.events
        # Decision: 1 to 39 cards, by seed.
        self.cut = size = self.chance.pick(len(tricks.PACK) - 1, "cut", self.deal, low=1)
        events.append((CUTS, cutter, size))
        upper = size
        while upper and pack[upper - 1] in PRIZED:
            upper -= 1
            events.append((TAKES_CUT, cutter, pack[upper]))
        self.cut_taken = pack[upper:size][::-1]
        self.looked = self.looked_seat = None
        if upper:
            # Decision: the packet goes back on top, so that the cutter knows where this card will be dealt.
            self.looked = pack[upper - 1]
            self.looked_seat = (self.dealer + upper) % self.seats if upper <= DEALT_IN_ALL else None
            events.append((LOOKS, cutter, self.looked))
        return pack[:upper] + pack[size:]

    def _turn_up(self, rest: tuple[int, ...]) -> None:
        turned = 0
        while rest[turned] in PRIZED:  # six such cards are in the pack, so that another one comes
            self.events.append((TAKES_TURNED, self.dealer, rest[turned]))
            turned += 1
        self.turned_taken = rest[:turned]
        self.torionfo = rest[turned]
        self.pile = rest[turned + 1 :]
        self.events.append((TURNS_UP, self.torionfo))

    def _take(self, seat: int, cards: tuple[int, ...]) -> None:
        if cards:
            self.hands[seat] = sorted([*self.hands[seat], *cards], reverse=True)

    def _ask_discard(self) -> bool:
        """Ask who holds too many cards, from the dealer's next seat on. Return False where nobody does."""
        first, seats = self.leaders[0], self.seats
        for seat in [*range(first, seats), *range(first)]:
            hand = self.hands[seat]
            if len(hand) > DEALT_IN_ALL // seats:
                self.stage = tricks.BEFORE_PLAY
                self.asked = (seat,)
                self.moves = tuple([DISCARDS[card] for card in dict.fromkeys(hand)])
                return True
        self.stage = PLAY
        return False

    def apply(self, moves: Sequence[str]) -> None:
        if self.stage == PLAY:
            super().apply(moves)
            return
        seat, card = self.asked[0], CARD_BACK[moves[0]]
        self.hands[seat].remove(card)
        self.discarded = tuple([back + (card,) * (n == seat) for n, back in enumerate(self.discarded)])
        self.events += [(DISCARDED, seat, card), (DISCARDED_UNSEEN, seat)]
        if not self._ask_discard():
            self._go_on()

    # (5) Course of play, (8) the Torionfo card

    def _follow(self, hand: list[int]) -> list[int]:
        # (8): it may be played to any base card, and is no card of its type.
        base, torionfo = self.base, self.torionfo
        own = [card for card in hand if type_of(card) == base and card != torionfo]
        if own and torionfo in hand:
            own.append(torionfo)
        return own or hand

    def _lead_moves(self, hand: list[int]) -> tuple[str, ...]:
        moves = [PLAYS[card] for card in dict.fromkeys(hand) if card != self.torionfo]
        if self.torionfo in hand:
            moves += [f"{PLAYS[self.torionfo]} {name}" for _, name in NAMES]
        return tuple(moves)

    def _lead(self, seat: int, card: int, move: str) -> None:
        if card != self.torionfo:
            super()._lead(seat, card, move)
            return
        # (8): who leads it says which type counts.
        self.base = self.named = NAMED[move]
        self.events.append((NAMES_TYPE, seat, card, dict(NAMES)[self.base]))

    def _strengths(self) -> list[int]:
        base, torionfo, strength = self.base, self.torionfo, self.strength
        return [
            len(strength) if card == torionfo else strength[card] if type_of(card) == base else tricks.BEATEN
            for card in self.table
        ]

    # (6) Counting

    def _settle(self) -> None:
        points = self._points()
        self.totals = self._scores(points)
        self.events += [(COUNT, team, points[team]) for team in (0, 1)]

    def _points(self) -> tuple[int, int]:
        """Return the card points of this deal by team."""
        return sum(self.points[::2]), sum(self.points[1::2])

    # The contract

    def default(self, seat: int) -> str:
        """The card that counts least, among these the weakest of its type; the Torionfo card only where it is the last.

        So are cards put back; where the Torionfo card must be led, it names numbers.
        """
        card = CARD if self.stage == PLAY else CARD_BACK
        return min(
            self.moves,
            key=lambda move: (card[move] == self.torionfo, self.values[card[move]], self.strength[card[move]]),
        )

    def view(self, seat: int) -> TorionfoView:
        cutter = self._cutter()
        is_cutter = seat == cutter
        points = self._points()
        # Cheaper than to call TorionfoView, and the same.
        return tuple.__new__(
            TorionfoView,
            (
                self.deal,
                self.dealer,
                cutter,
                self.cut,
                self.cut_taken,
                self.turned_taken,
                self.torionfo,
                len(self.pile) + sum([len(back) for back in self.discarded]),
                self._scores(points),
                points,
                self.named,
                self.leaders,
                self.played,
                self.table,
                self.base,
                self._turn(),
                self.stage,
                seat,
                tuple(self.hands[seat]),
                self.discarded[seat],
                self.looked if is_cutter else None,
                self.looked_seat if is_cutter else None,
            ),
        )

    def copy(self) -> Self:
        twin = super().copy()
        twin.cut, twin.cut_taken, twin.turned_taken = self.cut, self.cut_taken, self.turned_taken
        twin.torionfo, twin.pile, twin.named, twin.totals = self.torionfo, self.pile, self.named, self.totals
        twin.looked, twin.looked_seat, twin.discarded = self.looked, self.looked_seat, self.discarded
        return twin

    def _scores(self, points: tuple[int, int]) -> tuple[int, int]:
        """Return the card points of the match by team.

        points: of the deal under way, which are included.
        """
        if self.stage == tricks.NO_STAGE:  # the last deal has been added already
            return self.totals
        return self.totals[0] + points[0], self.totals[1] + points[1]

    def outcome(self) -> Outcome:
        # (7): the highest total wins. Decision: equal totals are a draw.
        return team_outcome(self._scores(self._points()), TEAMS[: self.seats])


class _KnownDeal:
    """What a seat was told of one deal, up to the moment when a card is turned up, and of the hands from there."""

    def __init__(self, log: SeatLog, number: int, dealer: int) -> None:
        self._seats = log.seats
        self._dealer = dealer
        self._number = number
        self._known: list[Known] = []
        self._size = 0
        self._cut: list[int] = []
        self._looked: int | None = None
        self._own: tuple[int, list[int]] = (0, [])
        self._turned: list[int] = []
        self._torionfo: int | None = None
        self._hands: KnownHands | None = None
        self._base = tricks.NO_TYPE

    def hear(self, event: Event) -> None:
        """Take a line of the log."""
        line, (first, second) = event[0], numbers(event)
        if line == CUTS:
            self._size = second
            self._known.append(Known(("cut", self._number), (0,), (self._size,)))
        elif line == TAKES_CUT:
            self._cut.append(second)
        elif line == LOOKS:
            self._looked = second
        elif line == tricks.DEALT:
            self._own = first, cards_of(event[2])
        elif line == TAKES_TURNED:
            self._turned.append(second)
        elif line == TURNS_UP:
            self._torionfo = first
            self._hands = self._lay_out(self._torionfo)
        elif self._hands is not None and line == DISCARDED_UNSEEN:
            self._hands.put_back(first)
        elif line == tricks.WINS:
            self._base = tricks.NO_TYPE
        elif self._hands is not None and line in (tricks.PLAYED, NAMES_TYPE):
            self._play(self._hands, first, second, str(event[-1]))

    def _lay_out(self, torionfo: int) -> KnownHands:
        """Return the hands, once all is known that was told while the cards were dealt."""
        place = ("deck", self._number)
        upper = self._size - len(self._cut)
        order = [*range(upper), *range(self._size, len(tricks.PACK))]
        dealt = one_by_one(self._seats, self._dealer, order[:DEALT_IN_ALL])
        cutter = (self._dealer - 1) % self._seats
        single: dict[int, int] = dict(zip(range(self._size - 1, upper - 1, -1), self._cut, strict=True))
        single |= dict(zip(order[DEALT_IN_ALL:], [*self._turned, torionfo], strict=False))
        seat, cards = self._own
        holder, looked = (self._dealer + upper) % self._seats, self._looked
        if looked is not None:
            single[upper - 1] = looked
            dealt = [[index for index in indices if index != upper - 1] for indices in dealt]
        hands = KnownHands(place, dealt)
        hands.hold(seat, cards)
        if looked is not None and upper <= DEALT_IN_ALL:
            hands.take(holder, (looked,))
            if holder == seat:
                hands.forget(seat, looked)
        self._known += [Known(place, (index,), (card,)) for index, card in single.items()]
        # What was taken is in the hands too, but was not dealt there.
        hands.take(cutter, self._cut)
        hands.take(self._dealer, self._turned)
        return hands

    def _play(self, hands: KnownHands, seat: int, card: int, named: str) -> None:
        hands.play(seat, card)
        kind = type_of(card)
        if self._base == tricks.NO_TYPE:
            self._base = {name: number for number, name in NAMES}.get(named, kind)
        elif kind != self._base and card != self._torionfo:
            # It had none of the type.
            allowed = [other for other in KINDS if type_of(other) != self._base or other == self._torionfo]
            hands.restrict(seat, KINDS, allowed)

    def known(self) -> list[Known]:
        """Return what was learned."""
        return self._known if self._hands is None else self._known + self._hands.known()


class Torionfo(Game):
    """The rules of Torionfo."""

    name = "torionfo"
    title = "Torionfo: tricks for the printed numbers, and the twin of the card turned up beats everything"
    unit = "points"
    behaviour = 1
    options = TorionfoOptions
    seats = (2, 4)
    recommended = 4
    lines = LOG.lines
    message = "referee.v1.torionfo_pb2:TorionfoView"
    stable = 8
    phrases = ("play {card}", "play {card} number", "play {card} picture", "discard {card}")
    moves = """\
play CARD          lead or follow with a card of the hand, e.g. play -3; one of the base card's type if there is one
play CARD number   lead the Torionfo card, number cards count
play CARD picture  lead the Torionfo card, picture cards count
discard CARD       with more cards than were dealt: put one back under the pile, unseen"""

    def check(self, options: Any, seats: int) -> None:
        if seats not in self.seats:
            raise SeatsError(f"{self.name} is played by 2 or 4 seats, not {seats}")

    def teams(self, options: Any, seats: int) -> tuple[int, ...]:
        return TEAMS[:seats]

    def actions(self, options: Any, seats: int) -> tuple[str, ...]:
        return (*PLAYS.values(), *NAMED, *DISCARDS.values())

    def known_chance(self, log: SeatLog) -> list[Known]:
        known: list[Known] = []
        deal: _KnownDeal | None = None
        for event in log.events:
            line, (first, second) = event[0], numbers(event)
            if line == tricks.DEAL:
                number, dealer = first, second
                if deal is not None:
                    known += deal.known()
                if number == 1:
                    known.append(Known(("first",), (0,), (dealer,)))
                deal = _KnownDeal(log, number, dealer)
            elif deal is not None:
                deal.hear(event)
        return known if deal is None else known + deal.known()

    def start(self, options: Any, seats: int, chance: Chance) -> TorionfoState:
        self.check(options, seats)
        return TorionfoState(seats, chance)


TORIONFO = Torionfo()
