"""Kille: beat what lies on the table if you can, and have the weakest card in the last trick.

Source: the Korean rule book of Cuckoo cards, section 7 "Kille", which is Krypkille with its extension
Duplicate. Its parts are cited beside the lines that obey them; "Decision" marks what the book leaves open
(all of it in docs/rules/kille.md). Deals, hands and turns are those of `tricks`; the two types of cards there
mean nothing here.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, NamedTuple, Self

from referee.engine.chance import Chance
from referee.engine.errors import OptionError
from referee.engine.game import Game, Outcome, ranks
from referee.engine.known import Known, SeatLog, numbers
from referee.engine.moves import EVERYBODY, Add, At, Show
from referee.engine.options import Options, option
from referee.games import tricks
from referee.games.cuckoo_pack import FOOL
from referee.games.known_hands import KnownHands, one_by_one
from referee.games.tricks import (
    DEAL,
    DEALT,
    KINDS,
    LAST_DEAL,
    PACK,
    PLAY,
    PLAYED,
    PLAYS,
    WINS,
    Tricks,
    cards_of,
    plays,
)

BELOW_ALL: Final = FOOL - 1
"""What a leader's card has to beat: nothing."""


@dataclass(frozen=True, slots=True)
class KilleOptions(Options):
    """The options of Kille."""

    duplicate: bool = option(False, "hands are passed on from deal to deal, so that everybody plays every hand")
    target: int = option(0, "who first has so many points wins; 0: as many deals as players", low=0, high=1000)
    max_deals: int = option(500, "deals after which the match is over whatever else is set", low=1, high=10_000)

    def check(self) -> None:
        if self.duplicate and self.target:
            raise OptionError(
                f"duplicate and target = {self.target} contradict each other: under duplicate everybody plays every "
                "hand, so the number of deals is fixed"
            )


class KilleHand(NamedTuple):
    """The cards in one hand: the fields of referee.v1.KilleHand."""

    cards: tuple[int, ...]


class KilleView(NamedTuple):
    """What a seat may see: the fields of referee.v1.KilleView, where each is explained."""

    deal: int
    dealer: int
    scores: tuple[int, ...]
    leaders: tuple[int, ...]
    played: tuple[int, ...]
    table: tuple[int, ...]
    turn: int | None
    seat: int
    hand: tuple[int, ...]
    hands: tuple[KilleHand, ...]


_LINES: Final = tricks.LOG.lines
LOG: Final = tricks.LOG.extended(
    {
        DEAL: replace(_LINES[DEAL], meaning="the next seat leads the first trick"),
        PLAYED: replace(_LINES[PLAYED], meaning="a card of its hand, by choice or because it had to"),
        WINS: replace(_LINES[WINS], meaning="by the strongest card, in the last trick by the weakest"),
        LAST_DEAL: replace(_LINES[LAST_DEAL], meaning="all deals have been played, or a seat has reached the target"),
    }
)
SCORES: Final = LOG.line("seat {} scores a point", "it has won the last trick", moves=(Add(At("score")),))
RECEIVES: Final = LOG.line(
    "seat {} receives {} chips",
    "under duplicate: it has won the last trick, and everybody else pays one",
    moves=(Add(At("score", EVERYBODY), -1), Add(At("score")), Add(At("score"), number=1)),
)
TAKES_OVER: Final = LOG.line(
    "seat {} takes over {}",
    "under duplicate: the cards that the next seat has played in the last deal",
    joined=True,
    moves=(Show(At("hand")),),
    cards=1,
)


class KilleState(Tricks):
    """A match of Kille.

    scores: points, under `duplicate` chips, by seat. deals: how many are played at most.
    dealt: the hands of this deal as they were dealt, by seat. aside: the cards that were not dealt.
    """

    __slots__ = ("options", "scores", "deals", "dealt", "aside")

    def __init__(self, options: KilleOptions, seats: int, chance: Chance) -> None:
        self.options = options
        # (7) Duplicate: everybody starts with as many chips as there are players.
        self.scores = ((seats if options.duplicate else 0),) * seats
        # (6) End: as many deals as players, or until a target is reached.
        self.deals = options.max_deals if options.target else min(seats, options.max_deals)
        self.dealt: tuple[tuple[int, ...], ...] = ()
        self.aside: tuple[int, ...] = ()
        super().__init__(seats, chance)

    def undealt(self) -> int:
        return len(self.aside)

    def counts(self) -> dict[str, int]:
        chips = {"chips": sum(self.scores)} if self.options.duplicate else {}
        return super().counts() | chips

    def _aside(self) -> tuple[int, ...]:
        return self.aside

    # (4) Preparation

    def _pass_deal(self) -> None:
        if self.options.duplicate and self.deal > 1:
            # (7): backwards, to the seat before the last dealer, so that each hand is led to as it was before.
            self.dealer = (self.dealer - 1) % self.seats
        else:
            super()._pass_deal()

    def _prepare(self) -> bool:
        if self.options.duplicate and self.deal > 1:
            self._hand_over()
        else:
            # As many cards to each as all can have alike; the rest is out of play.
            pack = self._shuffled(left=self.undealt())
            dealt = len(PACK) // self.seats * self.seats
            self._give(pack[:dealt])
            self.dealt = tuple(map(tuple, self.hands))
            self.aside = pack[dealt:]
        return False

    def _hand_over(self) -> None:
        # (7): the cards that one has played, which are all that he had, go to the player before him.
        self.dealt = self.dealt[1:] + self.dealt[:1]
        self.hands = [list(hand) for hand in self.dealt]
        self.events += [(TAKES_OVER, seat, " ".join(map(str, hand))) for seat, hand in enumerate(self.dealt)]
        self.stage = PLAY

    # (5) Course of play

    def _ask_card(self) -> bool:
        seats, hands, table, events = self.seats, self.hands, self.table, self.events
        seat = (self.leaders[-1] + len(table)) % seats
        strongest = max(table) if table else BELOW_ALL
        while True:
            if len(table) == seats:
                seat = self._win_trick(table)
                table = ()
                strongest = BELOW_ALL
            hand = hands[seat]
            if not hand:
                return False
            if hand[0] > strongest:
                # A card stronger than all on the table, of one's choice; a later equal card is weaker, and will not do.
                cards = [card for card in hand if card > strongest]
                if cards[0] != cards[-1]:
                    self.table = table
                    self.asked = (seat,)
                    self.moves = plays(cards)
                    return True
                card = strongest = hand.pop(0)
            else:
                # Who has none must play his weakest.
                card = hand.pop()
            events.append((PLAYED, seat, card))
            table += (card,)
            seat = (seat + 1) % seats

    def _lead(self, seat: int, card: int, move: str) -> None:
        self.events.append((PLAYED, seat, card))

    def _win_trick(self, table: tuple[int, ...]) -> int:
        """Put the cards of a full table away and return whose trick it was."""
        winner = (self.leaders[-1] + self._best(table)) % self.seats
        self.leaders += (winner,)
        self.played += table
        self.table = ()
        self.events.append((WINS, winner))
        return winner

    def _best(self, table: tuple[int, ...]) -> int:
        """Return the place of the winning card on a full table."""
        if self.hands[0]:
            # The strongest leads the next trick.
            return table.index(max(table))
        # The last trick: the weakest card wins, of equal ones the later.
        return len(table) - 1 - table[::-1].index(min(table))

    # (6) End

    def _settle(self) -> None:
        winner = self.leaders[-1]
        if self.options.duplicate:
            # (7): a chip from each other player.
            prize = self.seats - 1
            self.scores = tuple([chips + (prize if seat == winner else -1) for seat, chips in enumerate(self.scores)])
            self.events.append((RECEIVES, winner, prize))
        else:
            self.scores = tuple([points + (seat == winner) for seat, points in enumerate(self.scores)])
            self.events.append((SCORES, winner))

    def _is_over(self) -> bool:
        target = self.options.target
        if self.deal < self.deals and not (target and max(self.scores) >= target):
            return False
        self.events.append((LAST_DEAL, self.deal))
        return True

    # The contract

    def default(self, seat: int) -> str:
        """The strongest card that may be played: weak ones are worth keeping for the last trick."""
        return self.moves[0]

    def view(self, seat: int) -> KilleView:
        # After the first deal of Duplicate everybody has seen every hand played.
        known = self.options.duplicate and self.deal > 1
        # Cheaper than to call KilleView, and the same.
        return tuple.__new__(
            KilleView,
            (
                self.deal,
                self.dealer,
                self.scores,
                self.leaders,
                self.played,
                self.table,
                self._turn(),
                seat,
                tuple(self.hands[seat]),
                tuple([KilleHand(tuple(hand)) for hand in self.hands]) if known else (),
            ),
        )

    def copy(self) -> Self:
        twin = super().copy()
        twin.options, twin.scores, twin.deals = self.options, self.scores, self.deals
        twin.dealt, twin.aside = self.dealt, self.aside
        return twin

    def outcome(self) -> Outcome:
        # Most points, or chips, win; ties are ties.
        return Outcome(self.scores, ranks(self.scores))


class Kille(Game):
    """The rules of Kille."""

    name = "kille"
    title = "Kille: beat the table if you can, and win the last trick by the weakest card"
    unit = "points"
    behaviour = 1
    options = KilleOptions
    seats = (3, 20)
    recommended = 5
    lines = LOG.lines
    message = "referee.v1.kille_pb2:KilleView"
    stable = 5
    presets: ClassVar = {
        "default": {},
        "duplicate": {"duplicate": True},
        "target": {"target": 3},
        "max_deals": {"target": 10, "max_deals": 7},
    }
    phrases = ("play {card}",)
    moves = """\
play CARD  lead any card of the hand, or follow with one stronger than all on the table, e.g. play -3;
           who has none plays the weakest card of the hand, without being asked"""

    def actions(self, options: Any, seats: int) -> tuple[str, ...]:
        return tuple(PLAYS.values())

    def known_chance(self, log: SeatLog) -> list[Known]:
        known: list[Known] = []
        hands: KnownHands | None = None
        strongest = BELOW_ALL
        for event in log.events:
            line, (first, second) = event[0], numbers(event)
            if line == DEAL:
                number, dealer = first, second
                if hands is not None:
                    known += hands.known()
                if number == 1:
                    known.append(Known(("first",), (0,), (dealer,)))
                # Under duplicate the hands of the first deal go on, which everybody knows by then.
                is_dealt = number == 1 or not log.options.duplicate
                dealt = range(len(PACK) // log.seats * log.seats)
                hands = KnownHands(("deck", number), one_by_one(log.seats, dealer, dealt)) if is_dealt else None
                strongest = BELOW_ALL
            elif hands is None:
                continue
            elif line == DEALT:
                hands.hold(first, cards_of(event[2]))
            elif line == WINS:
                strongest = BELOW_ALL
            elif line == PLAYED:
                seat, card = first, second
                hands.play(seat, card)
                if card <= strongest:  # it had none that is stronger, and this was its weakest
                    hands.restrict(seat, KINDS, [other for other in KINDS if card <= other <= strongest])
                strongest = max(strongest, card)
        return known if hands is None else known + hands.known()

    def start(self, options: Any, seats: int, chance: Chance) -> KilleState:
        self.check(options, seats)
        return KilleState(options, seats, chance)


KILLE = Kille()
