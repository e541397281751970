"""Scopa: play a card, capture cards of its value from the table, sweep the table.

Source: the Korean guide to Scopa (an Italian game), after Wikipedia: "rules of the game" and "counting the
points", cited beside the lines that obey them as R and P; "Decision" marks what it leaves open (all of it in
docs/rules/scopa.md). What a card captures is in `captures`, the primiera in `primiera`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Final, NamedTuple, Self

from referee.engine.chance import Chance
from referee.engine.events import Audience, Event, LineTable
from referee.engine.game import Game, Outcome, State, team_outcome
from referee.engine.known import Known, SeatLog, numbers
from referee.engine.moves import EVERYBODY, MIDDLE, At, Badge, Empty, Forget, Go
from referee.engine.options import Options, option
from referee.games.captures import MOST_WAYS, PLAY, captures, plays
from referee.games.italian_pack import COINS, KING, ORDER, PACK, SETTEBELLO, VALUES
from referee.games.primiera import ALL_FACES, COUNTS, POINTS, strictly_most

HAND: Final = 3
MERCY: Final = 7


@dataclass(frozen=True, slots=True)
class ScopaOptions(Options):
    """The options of Scopa."""

    target: int = option(11, "points that win, if they are more than anybody else's", low=1, high=1000)
    primiera: str = option(
        "best",
        "how the primiera is counted",
        choices={
            "best": "the best card of each suit",
            "sum": "all cards taken",
            "sevens": "more sevens, then sixes, and so on down to the aces",
        },
    )
    faces: str = option(
        "king",
        "what faces count in the primiera (not with primiera=sevens)",
        choices={"king": "the king 10, knight and knave nothing", "all": "10 each"},
    )
    teams: str = option(
        "auto",
        "who plays together",
        choices={"auto": "with 4 and 6 players every second seat; else nobody", "none": "nobody"},
    )
    mercy: bool = option(False, "7 points or more win at the end of a deal where nobody else has any")
    max_deals: int = option(200, "deals after which the match is over; most points win", low=1)
    strict_discard: bool = option(False, "a card may be laid down only if no card of the hand captures")

    def team_of(self, seats: int) -> tuple[int, ...]:
        """Return by seat the number of its team; a seat that plays for itself is a team."""
        # R: two players or two teams; 3, 5, 6 are possible. Decision: with 6, two teams of three.
        paired = self.teams == "auto" and seats in (4, 6)
        return tuple([seat % 2 if paired else seat for seat in range(seats)])


class ScopaView(NamedTuple):
    """What a seat may see: the fields of referee.v1.ScopaView, where each is explained."""

    deal: int
    dealer: int
    teams: tuple[int, ...]
    scores: tuple[int, ...]
    scopas: tuple[int, ...]
    pack: int
    taken: tuple[str, ...]
    takers: tuple[int, ...]
    last_taker: int | None
    hands: tuple[int, ...]
    table: tuple[str, ...]
    turn: int | None
    seat: int
    hand: tuple[str, ...]


LOG: Final = LineTable()
DEAL: Final = LOG.line(
    "deal {} begins: seat {} deals",
    "the whole pack is shuffled",
    begins="deal",
    moves=(Forget(), Badge("dealer", 1), Empty(("taken",))),
)
DEALT: Final = LOG.line(
    "seat {} is dealt {}", "the seat sees its hand", Audience.SEAT, drawn=True, alike=DEAL, clears=EVERYBODY, cards=1
)
TABLE: Final = LOG.line(
    "the table shows {}", "the cards that are dealt to the table", reveals=True, alike=DEAL, cards=0
)
KINGS: Final = LOG.line(
    "the table has {} kings: seat {} deals again", "three or four of them; the whole pack is shuffled", alike=DEAL
)
PLAYS: Final = LOG.line(
    "seat {} plays {}",
    "a card of its hand; without a next line that tells more it stays on the table",
    reveals=True,
    moves=(Go(At("hand"), At("table", MIDDLE)),),
    clears=0,
    cards=1,
)
TAKES: Final = LOG.line("seat {} takes {}", "the card played captures these", cards=1)
SWEEP: Final = LOG.line("seat {} makes a scopa", "it has swept the table: a point", joined=True)
REST: Final = LOG.line("seat {} takes what is left: {}", "it made the last capture of the deal", cards=1)
CARDS: Final = LOG.line(
    "team {} has the most cards: {}", "a point. A seat that plays for itself is a team of its number"
)
COINS_POINT: Final = LOG.line("team {} has the most coins: {}", "a point", alike=CARDS)
SETTEBELLO_POINT: Final = LOG.line("team {} has the settebello", "the seven of coins: a point", alike=CARDS)
PRIMIERA: Final = LOG.line("team {} has the best primiera", "a point", alike=CARDS)
SCORES: Final = LOG.line("team {} scores {} and has {}", "at the end of a deal, its scopas included", alike=CARDS)
WON: Final = LOG.line("the match is over: team {} has {}", "the target is reached, and nobody has as many", joined=True)
MERCIFUL: Final = LOG.line("the match is over: team {} has {}, the others nothing", "under mercy", joined=True)
LAST_DEAL: Final = LOG.line("the match is over: {} deals were played", "most points win", joined=True)


class ScopaState(State):
    """A match of Scopa.

    team: by seat its team. points: by team, of the deals that are over; scopas: by team, of this deal.
    pack, dealt: the shuffled pack, and how many cards of it have left it.
    hands: by seat, sorted. table: as the cards lie. taken: by team the captured cards, in the order taken.
    last_taker: the seat that captured last in this deal.
    moves: the legal moves of the seat whose turn it is: the text, then the card and what it captures.
    """

    __slots__ = (
        "options", "chance", "seats", "team", "points", "scopas", "deal", "dealer", "pack", "dealt", "hands", "table",
        "taken", "last_taker", "turn", "moves",
    )  # fmt: skip

    def __init__(self, options: ScopaOptions, seats: int, chance: Chance) -> None:
        self.options = options
        self.chance = chance
        self.seats = seats
        self.team = options.team_of(seats)
        self.points = [0] * (max(self.team) + 1)
        self.events: list[Event] = []
        self.deal = 0
        self.pack: tuple[str, ...] = ()
        self.dealt = 0
        # Decision: chance says who deals first.
        self._begin_deal(chance.pick(seats, "first"))
        self._ask()

    # A deal

    def _begin_deal(self, dealer: int) -> None:
        self.deal += 1
        self.dealer = dealer
        self.scopas = [0] * len(self.points)
        self.taken: list[tuple[str, ...]] = [()] * len(self.points)
        self.last_taker: int | None = None
        self.events.append((DEAL, self.deal, dealer))
        attempt = 1
        # R: three kings or more on the table: deal again. Decision: the same dealer does.
        while (kings := self._deal_table(attempt)) >= 3:
            self.events.append((KINGS, kings, dealer))
            attempt += 1

    def _deal_table(self, attempt: int) -> int:
        """Shuffle, deal the first hands and the table, and return how many kings lie there."""
        self.pack = self.chance.shuffle(PACK, "deal", self.deal, attempt, left=self.undealt())
        self.dealt = 0
        self._deal_hands(HAND)  # Decision: hands before the table.
        # R: four cards. Decision: five where five play, so that the hands come out even.
        count = 5 if self.seats == 5 else 4
        self.table = self.pack[self.dealt : self.dealt + count]
        self.dealt += count
        self.events.append((TABLE, " ".join(self.table)))
        return sum(VALUES[card] == KING for card in self.table)

    def _deal_hands(self, size: int) -> None:
        """Deal `size` cards to each seat, one at a time, from the dealer's next seat on."""
        seats, lead = self.seats, (self.dealer + 1) % self.seats
        cards = self.pack[self.dealt : self.dealt + size * seats]
        self.dealt += size * seats
        self.hands: list[tuple[str, ...]] = [()] * seats
        for place in range(seats):
            seat = (lead + place) % seats
            self.hands[seat] = hand = tuple(sorted(cards[place::seats], key=ORDER.__getitem__))
            self.events.append((DEALT, seat, " ".join(hand)))
        # R: the dealer's next seat begins. Decision: after every new hand.
        self.turn = lead

    # A turn

    def _ask(self) -> None:
        """Ask the seat whose turn it is, playing on for seats that have no choice."""
        while True:
            self.moves = plays(self.hands[self.turn], self.table, self.options.strict_discard)
            if len(self.moves) > 1:
                self.asked = (self.turn,)
                return
            ((card, captured),) = self.moves.values()
            if not self._play(card, captured):
                self.asked = ()
                self.moves = {}
                return

    def apply(self, moves: Sequence[str]) -> None:
        # Hands are of one size, so a seat that could choose is never the last of a deal, but with a last card
        # that captures in several ways.
        card, captured = self.moves[moves[0]]
        if self._play(card, captured):
            self._ask()
        else:
            self.asked = ()
            self.moves = {}

    def _play(self, card: str, captured: tuple[str, ...]) -> bool:
        """Play a card and go on to the next turn. Return False where the match is over."""
        seat, events = self.turn, self.events
        self.hands[seat] = hand = tuple([other for other in self.hands[seat] if other != card])
        events.append((PLAYS, seat, card))
        over = not hand and seat == self.dealer  # the dealer's last card ends the hand
        last = over and self.dealt == len(PACK)
        if captured:
            team = self.team[seat]
            self.table = tuple([other for other in self.table if other not in captured])
            self.taken[team] += (*captured, card)
            self.last_taker = seat
            events.append((TAKES, seat, " ".join(captured)))
            # R: sweeping the table is a scopa, but not with the last card of the deal.
            if not self.table and not last:
                self.scopas[team] += 1
                events.append((SWEEP, seat))
        else:
            self.table += (card,)
        if last:
            return self._end_deal()
        if over:
            # R: three cards more, none to the table. Decision: with five players the last hand is of one card.
            self._deal_hands(min(HAND, (len(PACK) - self.dealt) // self.seats))
        else:
            self.turn = (seat + 1) % self.seats
        return True

    # The end of a deal

    def _end_deal(self) -> bool:
        events = self.events
        if self.table:
            # R: what is left goes to the last who captured. Somebody did: there are four cards of each value.
            assert self.last_taker is not None
            self.taken[self.team[self.last_taker]] += self.table
            events.append((REST, self.last_taker, " ".join(self.table)))
            self.table = ()
        scored = self._score()
        self.points = [points + more for points, more in zip(self.points, scored, strict=True)]
        self.scopas = [0] * len(self.points)
        for team, more in enumerate(scored):
            events.append((SCORES, team, more, self.points[team]))
        if self._is_won():
            return False
        if self.deal == self.options.max_deals:
            events.append((LAST_DEAL, self.deal))
            return False
        self._begin_deal((self.dealer + 1) % self.seats)
        return True

    def _score(self) -> list[int]:
        """Return what each team scores in this deal. P 1 to 4, and a point for each scopa."""
        events, scored = self.events, self.scopas[:]
        cards = [len(taken) for taken in self.taken]
        coins = [sum(card[0] == COINS for card in taken) for taken in self.taken]
        count = COUNTS[self.options.primiera]
        values = ALL_FACES if self.options.faces == "all" else POINTS
        if (team := strictly_most(cards)) is not None:
            scored[team] += 1
            events.append((CARDS, team, cards[team]))
        if (team := strictly_most(coins)) is not None:
            scored[team] += 1
            events.append((COINS_POINT, team, coins[team]))
        if (team := strictly_most([SETTEBELLO in taken for taken in self.taken])) is not None:
            scored[team] += 1
            events.append((SETTEBELLO_POINT, team))
        if (team := strictly_most([count(taken, values) for taken in self.taken])) is not None:
            scored[team] += 1
            events.append((PRIMIERA, team))
        return scored

    def _is_won(self) -> bool:
        most = max(self.points)
        leader = self.points.index(most)
        # P: 11 points, and more than the others. Decision: reaching them is enough; counted at the end of a deal.
        if most >= self.options.target and self.points.count(most) == 1:
            self.events.append((WON, leader, most))
            return True
        # P: 7 to nothing may be the end.
        if self.options.mercy and most >= MERCY and sum(self.points) == most:
            self.events.append((MERCIFUL, leader, most))
            return True
        return False

    # The contract

    def legal(self, seat: int) -> tuple[str, ...]:
        return tuple(self.moves) if seat in self.asked else ()

    def default(self, seat: int) -> str:
        """The lowest card of the hand, with the first of its captures: it is worth least to the others."""
        return next(iter(self.moves))

    def undealt(self) -> int:
        return len(self.pack) - self.dealt

    def counts(self) -> dict[str, int]:
        return dict(Counter([*self.pack[self.dealt :], *self.table, *chain(*self.hands), *chain(*self.taken)]))

    def view(self, seat: int) -> ScopaView:
        standings = self._standings()
        taken: tuple[str, ...] = ()
        takers: tuple[int, ...] = ()
        for team, cards in enumerate(self.taken):
            taken += cards
            takers += (team,) * len(cards)
        # Cheaper than to call ScopaView, and the same.
        return tuple.__new__(
            ScopaView,
            (
                self.deal,
                self.dealer,
                self.team,
                tuple([standings[team] for team in self.team]),
                tuple(self.scopas),
                self.undealt(),
                taken,
                takers,
                self.last_taker,
                tuple([len(hand) for hand in self.hands]),
                self.table,
                self.turn if self.asked else None,
                seat,
                self.hands[seat],
            ),
        )

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.asked, twin.events = self.asked, self.events[:]
        twin.options, twin.chance, twin.seats, twin.team = self.options, self.chance.copy(), self.seats, self.team
        twin.points, twin.scopas = self.points[:], self.scopas[:]
        twin.deal, twin.dealer, twin.pack, twin.dealt = self.deal, self.dealer, self.pack, self.dealt
        twin.hands, twin.table, twin.taken = self.hands[:], self.table, self.taken[:]
        twin.last_taker, twin.turn, twin.moves = self.last_taker, self.turn, self.moves
        return twin

    def _standings(self) -> list[int]:
        """Return the points of each team; a scopa counts at once, though the match can end only with a deal."""
        return [points + scopas for points, scopas in zip(self.points, self.scopas, strict=True)]

    def outcome(self) -> Outcome:
        return team_outcome(self._standings(), self.team)


class _KnownDeal:
    """What a seat was told of the pack in one attempt to deal it."""

    def __init__(self, log: SeatLog, number: int, dealer: int, attempt: int = 1) -> None:
        self.number = number
        self.dealer = dealer
        self.attempt = attempt
        self._seats = log.seats
        self._is_strict: bool = log.options.strict_discard
        self._known: list[Known] = []
        self._dealt = 0
        self._table: list[str] = []
        self._laid = ""
        self._deal_hands(HAND)

    def _deal_hands(self, size: int) -> None:
        self._first, self._size = self._dealt, size
        self._dealt += size * self._seats
        self._left = size * self._seats
        self._hands: list[list[str]] = [[] for _ in range(self._seats)]
        self._rest: list[list[str] | None] = [None] * self._seats

    def hold(self, seat: int, hand: list[str]) -> None:
        """Learn the hand of the seat itself, of the first hands or of the next."""
        if not self._left:
            self._known += self._known_hands()
            self._deal_hands(min(HAND, (len(PACK) - self._dealt) // self._seats))
        self._hands[seat] = hand

    def lay_out(self, cards: list[str]) -> None:
        """Learn the first cards of the table."""
        for card in cards:
            self._known.append(Known(self._place, (self._dealt,), (card,)))
            self._dealt += 1
        self._table = cards

    def play(self, seat: int, card: str, taken: list[str]) -> None:
        """Learn what a seat has played, and what it has taken with it."""
        self._left -= 1
        if card not in self._hands[seat]:
            self._hands[seat].append(card)
        if taken:
            self._table = [other for other in self._table if other not in taken]
            return
        if self._is_strict:  # nor did it hold a card that captures
            table, before = tuple(self._table), self._rest[seat] or PACK
            self._rest[seat] = [other for other in before if not captures(table, other)]
        self._table.append(card)

    @property
    def _place(self) -> tuple[int | str, ...]:
        return "deal", self.number, self.attempt

    def _known_hands(self) -> list[Known]:
        return [
            Known(
                self._place,
                tuple(range(self._first + place, self._first + self._size * self._seats, self._seats)),
                tuple(hand),
                rest,
            )
            for place in range(self._seats)
            for seat in [(self.dealer + 1 + place) % self._seats]
            for hand, rest in [(self._hands[seat], self._rest[seat])]
        ]

    def known(self) -> list[Known]:
        """Return what was learned."""
        return self._known + self._known_hands()


class Scopa(Game):
    """The rules of Scopa."""

    name = "scopa"
    title = "Scopa: capture cards from the table by their values, and sweep it"
    unit = "points"
    behaviour = 1
    options = ScopaOptions
    seats = (2, 6)
    recommended = 2
    lines = LOG.lines
    message = "referee.v1.scopa_pb2:ScopaView"
    stable = 5
    phrases = ("play {card}", "play {card} take {cards}")
    moves = """\
play CARD             play a card of the hand; it captures as few cards as it can, or stays on the table (under
                      strict_discard only if no card of the hand captures)
play CARD take CARDS  the same, where it can capture as few in several ways: play C7 take S3 U4"""
    presets: ClassVar = {
        "default": {},
        "alone": {"teams": "none"},
        "sum": {"primiera": "sum"},
        "sevens": {"primiera": "sevens"},
        "all_faces": {"faces": "all"},
        "mercy": {"mercy": True, "target": 21},
        "short": {"target": 3, "max_deals": 2},
        "strict_discard": {"strict_discard": True},
    }

    def teams(self, options: Any, seats: int) -> tuple[int, ...]:
        team: tuple[int, ...] = options.team_of(seats)
        return team

    def actions(self, options: Any, seats: int) -> tuple[str, ...]:
        """Return the moves that name a card alone; those that name what it takes are too many."""
        return tuple(PLAY.values())

    def unlisted(self, options: Any, seats: int) -> int:
        return HAND * MOST_WAYS

    def known_chance(self, log: SeatLog) -> list[Known]:
        known: list[Known] = []
        deal: _KnownDeal | None = None
        for number, event in enumerate(log.events):
            line, (first, second) = event[0], numbers(event)
            if line == DEAL:
                if deal is not None:
                    known += deal.known()
                deal = _KnownDeal(log, first, second)
                if first == 1:
                    known.append(Known(("first",), (0,), (second,)))
            elif deal is None:
                continue
            elif line == KINGS:
                known += deal.known()
                deal = _KnownDeal(log, deal.number, deal.dealer, deal.attempt + 1)
            elif line == DEALT:
                deal.hold(first, str(event[2]).split())
            elif line == TABLE:
                deal.lay_out(str(event[1]).split())
            elif line == PLAYS:
                following = log.events[number + 1] if number + 1 < len(log.events) else (None,)
                taken = str(following[2]).split() if following[0] == TAKES else []
                deal.play(first, str(event[2]), taken)
        return known if deal is None else known + deal.known()

    def start(self, options: Any, seats: int, chance: Chance) -> ScopaState:
        self.check(options, seats)
        return ScopaState(options, seats, chance)


SCOPA = Scopa()
