"""The cards on the table in one round of Cambio and Cucco: one card each, asked of others or drawn from the pile.

Source: the Korean rule book of Cuckoo (Cambio): round preparation (2), round play (3), the special cards (2)-(7), the
FAQ cases 1 and 5. What the book leaves open is decided as docs/rules/cambio.md says; such lines are marked "Decision".
The rounds, the turns in them and the calls of cuckoos are in `cambio`.
"""

from typing import Final, Self

from mypy_extensions import mypyc_attr

from referee.engine.chance import Chance
from referee.engine.events import Audience, Event, LineTable, Mark
from referee.engine.moves import At, Badge, Out, Show
from referee.games.cuckoo_pack import CAT, CUCKOO, FOOL, HORSE, HOUSE, HUMAN, UNKNOWN
from referee.games.pile import Pile
from referee.games.visibility import all_but, both, everybody, knows, seen_from_pack

# The numbers of the enums Action, Defeat and Reply in the views.
NOT_YET: Final = 0
KEPT: Final = 1
EXCHANGED: Final = 2
DREW: Final = 3
STOPPED: Final = 4
STANDING: Final = 0
BY_HUMAN: Final = 1
BY_CAT: Final = 2
BY_FOOL: Final = 3
SHOWN_NOTHING: Final = 0
SHOWN_PASS: Final = 1
SHOWN_CAT: Final = 2
SHOWN_HUMAN: Final = 3

FROM_PILE: Final = -1
NOBODY: Final = -2

SHOWN: Final = (Show(At("card")),)
FELLED_BY_HUMAN: Final = (Badge("defeated by a {0}", given=HUMAN), Out())
FELLED_BY_CAT: Final = (Badge("defeated by a {0}", given=CAT), Out())
LOG: Final = LineTable()
# The types of those that known_exchange.py uses before it has any of this module: mypyc infers none by then.
DEALT: Final[int] = LOG.line(
    "seat {} is dealt {}", "the seat sees its card", Audience.SEAT, drawn=True, moves=SHOWN, cards=1
)
DEALT_INDIAN: Final[int] = LOG.line(
    "seat {} is dealt {}", "under indian: all others see the card", Audience.OTHERS, drawn=True, moves=SHOWN, cards=1
)
KEEPS: Final = LOG.line("seat {} keeps", "it asks for no exchange", moves=(Badge("kept"),))
ASKS: Final = LOG.line(
    "seat {} asks seat {}", "it asks the next seat, or the one after a seat that passed, for an exchange"
)
SHOWS: Final[int] = LOG.line(
    "seat {} shows {}", "a 14, 13, 12 or 11 answers the request; no card moves", reveals=True, moves=SHOWN, cards=1
)
SHOWS_INDIAN: Final[int] = LOG.line(
    "seat {} shows {}",
    "under indian: the same, but the seat itself does not see its card",
    Audience.OTHERS,
    moves=SHOWN,
    cards=1,
)
EXCHANGES: Final = LOG.line(
    "seat {} exchanges with seat {}", "they change cards", reveals=True, moves=(Badge("exchanged with seat {1}"),)
)
RECEIVES: Final[int] = LOG.line(
    "seat {} receives {}",
    "the seat sees the card that came by exchange",
    Audience.SEAT,
    joined=True,
    moves=SHOWN,
    cards=1,
)
RECEIVES_INDIAN: Final[int] = LOG.line(
    "seat {} receives {}",
    "under indian: everybody knows the cards that were exchanged",
    reveals=True,
    joined=True,
    moves=SHOWN,
    cards=1,
)
DRAWS: Final = LOG.line("seat {} draws from the pile", "there was nobody left to ask")
TURNED: Final = LOG.line(
    "the pile shows {}", "a 15, 14, 13, 12 or 11 of the pile is shown and discarded", reveals=True, cards=0
)
TAKES: Final = LOG.line(
    "seat {} takes {}",
    "the seat sees the card it took from the pile; its old card lies aside",
    Audience.SEAT,
    joined=True,
    cards=1,
)
TAKES_INDIAN: Final = LOG.line(
    "seat {} takes {}",
    "under indian: all others see the card taken from the pile",
    Audience.OTHERS,
    joined=True,
    cards=1,
)
HUMAN_FELLS: Final = LOG.line(
    "seat {} is defeated by the 14 of seat {}",
    "it asked a 14",
    mark=Mark.DEFEAT,
    moves=FELLED_BY_HUMAN,
)
PILE_HUMAN_FELLS: Final = LOG.line(
    "seat {} is defeated by the 14 of the pile",
    "it turned up a 14",
    mark=Mark.DEFEAT,
    moves=FELLED_BY_HUMAN,
)
CAT_FELLS: Final = LOG.line(
    "seat {} is defeated by the 12 of seat {}",
    "a card first dealt to it met a 12",
    mark=Mark.DEFEAT,
    moves=FELLED_BY_CAT,
)
PILE_CAT_FELLS: Final = LOG.line(
    "seat {} is defeated by the 12 of the pile",
    "a card first dealt to it met a 12",
    mark=Mark.DEFEAT,
    moves=FELLED_BY_CAT,
)
FOOL_FELLS: Final = LOG.line(
    "seat {} is defeated by a fool",
    "it received a fool from another seat",
    reveals=True,
    mark=Mark.DEFEAT,
    moves=(Badge("defeated by a fool"), Out()),
)
FELL_BEFORE: Final = LOG.line("seat {} was defeated before", "it is defeated once more, which changes nothing")
CALLS: Final = LOG.line("seat {} calls cuckoo", "it holds a 15; the exchange phase is over", reveals=True)
HOLDS: Final = LOG.line(
    "seat {} holds its cuckoo back", "it was asked before another seat's turn, and passed", Audience.SEAT
)
SHUFFLED: Final = LOG.line("the discards are shuffled: {} cards", "the pile had run out", joined=True)


@mypyc_attr(serializable=True)  # so that `copy` can make one without `__init__`
class ExchangeTable:
    """The cards on the table in the round under way, and whose turn it is.

    seats: how many there are.
    indian: whether all see a card but the seat that holds it.
    order: the seats in turn order.
    position: whose turn it is, as an index of `order`.
    lap: 1, or 2 in a second lap.
    cards, owners, seen: by seat the card in front of it, the seat to which that card was first dealt, and the seats
        that know it (see `visibility`). All three travel with the card.
    seen_when_dealt: `seen` after the deal.
    actions, partners: what happened in the turns, as in the view.
    fallen: by seat why it was defeated.
    fell: the defeated seats, in the order they fell.
    replies: what the seats showed, as in the view.
    aside: the cards given up to the pile: (the giver, the card, who knows it).
    strong: the seats that hold a fool drawn from the pile.
    has_cuckoo: whether a cuckoo was dealt.

    What changes seldom is a tuple, replaced when it changes. Methods that log add to the `events` of the match.
    """

    __slots__ = (
        "seats", "indian", "seen_when_dealt", "pile", "order", "position", "lap", "cards", "owners", "seen", "fallen",
        "fell", "actions", "partners", "replies", "aside", "strong", "has_cuckoo",
    )  # fmt: skip

    def __init__(self, seats: int, chance: Chance, *, indian: bool, laps: int) -> None:
        self.seats = seats
        self.indian = indian
        self.pile = Pile(chance)
        self.seen_when_dealt = seen_from_pack(seats, indian=indian)
        self._clear((), laps)

    def _clear(self, order: tuple[int, ...], laps: int) -> None:
        seats = self.seats
        self.order = order
        self.position = 0
        self.lap = 1
        self.cards = [UNKNOWN] * seats
        self.owners = list(range(seats))
        self.seen = list(self.seen_when_dealt)
        self.fallen = self.replies = (0,) * seats
        self.fell: tuple[int, ...] = ()
        self.actions = [NOT_YET] * (seats * laps)
        self.partners = [NOBODY] * (seats * laps)
        self.aside: tuple[tuple[int, int, int], ...] = ()
        self.strong: tuple[int, ...] = ()
        self.has_cuckoo = False

    # Dealing

    def deal(self, order: tuple[int, ...], laps: int, events: list[Event]) -> None:
        """Deal a card to each seat of `order`, for a round of `laps` laps. Round preparation (2)."""
        self._clear(order, laps)
        hand = self._from_pile(len(order), events)
        self.has_cuckoo = CUCKOO in hand
        cards, line = self.cards, DEALT_INDIAN if self.indian else DEALT
        for place, seat in enumerate(order):
            cards[seat] = card = hand[place]
            events.append((line, seat, card))

    def _from_pile(self, count: int, events: list[Event]) -> tuple[int, ...]:
        pile = self.pile
        if pile.left < count:
            # Round preparation (2), the pile has run out.
            events.append((SHUFFLED, len(pile.discards)))
        return pile.deal(count)

    # A turn

    def keep(self, events: list[Event]) -> None:
        """The seat whose turn it is keeps its card."""
        seat = self.order[self.position]
        self.actions[(self.lap - 1) * self.seats + seat] = KEPT
        events.append((KEEPS, seat))

    def exchange(self, events: list[Event]) -> None:
        """Carry out the request of the seat whose turn it is: with the next undefeated seats, then with the pile.

        Decision: turn order never wraps, and the last place may be a defeated seat's.
        """
        seat = self.order[self.position]
        turn = (self.lap - 1) * self.seats + seat
        for other in self.order[self.position + 1 :]:
            if not self.fallen[other]:
                events.append((ASKS, seat, other))
                card = self.cards[other]
                if CAT <= card <= HUMAN or card == HOUSE:
                    if self._refused(seat, other, turn, events):
                        return
                else:
                    self._swap(seat, other, turn, events)
                    return
        self._draw(seat, turn, events)

    # The special cards, with a player

    def _refused(self, seat: int, other: int, turn: int, events: list[Event]) -> bool:
        """Show the card that answers the request of `seat`. Return False for a pass: the request goes on."""
        card = self.cards[other]
        events.append((SHOWS_INDIAN if self.indian else SHOWS, other, card))
        # indian: all but the holder see it anyway; what the holder learns is the reply.
        self.seen[other] |= all_but(other, self.seats)
        if card in (HORSE, HOUSE):  # Special cards (3), (5)
            self._reply(other, SHOWN_PASS)
            return False
        self.actions[turn] = STOPPED
        self.partners[turn] = other
        if card == HUMAN:  # Special cards (2): the asker is defeated; FAQ 1: also one with a fool, which stays
            self._reply(other, SHOWN_HUMAN)
            self._defeat(seat, BY_HUMAN, (HUMAN_FELLS, seat, other), events)
        else:  # Special cards (4): the seat to which the asker's card was first dealt is defeated
            self._reply(other, SHOWN_CAT)
            owner = self.owners[seat]
            self._defeat(owner, BY_CAT, (CAT_FELLS, owner, other), events)
        return True

    def _reply(self, seat: int, reply: int) -> None:
        self.replies = (*self.replies[:seat], reply, *self.replies[seat + 1 :])

    def _swap(self, seat: int, other: int, turn: int, events: list[Event]) -> None:
        cards, owners, seen = self.cards, self.owners, self.seen
        given, taken = cards[seat], cards[other]
        cards[seat], cards[other] = taken, given
        owners[seat], owners[other] = owners[other], owners[seat]
        partners = both(seat, other)
        seen[seat], seen[other] = seen[other] | partners, seen[seat] | partners
        if self.strong:
            self.strong = tuple(holder for holder in self.strong if holder != seat and holder != other)
        self.actions[turn] = EXCHANGED
        self.partners[turn] = other
        line = RECEIVES_INDIAN if self.indian else RECEIVES
        events.append((EXCHANGES, seat, other))
        events.append((line, seat, taken))
        events.append((line, other, given))
        # Special cards (6): who receives a fool from another seat is defeated, both if both had one.
        if taken == FOOL:
            self._receive_fool(seat, events)
        if given == FOOL:
            self._receive_fool(other, events)

    def _receive_fool(self, seat: int, events: list[Event]) -> None:
        # Its fall tells everybody what it holds.
        self.seen[seat] = everybody(self.seats)
        self._defeat(seat, BY_FOOL, (FOOL_FELLS, seat), events)

    def _defeat(self, seat: int, reason: int, event: Event, events: list[Event]) -> None:
        if self.fallen[seat]:  # FAQ 5: being defeated twice counts once
            events.append((FELL_BEFORE, seat))
            return
        self.fallen = (*self.fallen[:seat], reason, *self.fallen[seat + 1 :])
        self.fell += (seat,)
        events.append(event)

    # The special cards, from the pile

    def _draw(self, seat: int, turn: int, events: list[Event]) -> None:
        """Exchange with the pile. Round play (3), and the last paragraph of each special card."""
        events.append((DRAWS, seat))
        self.partners[turn] = FROM_PILE
        card = self._from_pile(1, events)[0]
        while HOUSE <= card <= CUCKOO:
            events.append((TURNED, card))
            self.pile.discards += (card,)
            if card not in (HORSE, HOUSE):
                break
            card = self._from_pile(1, events)[0]
        else:
            self._take(seat, card, events)
            self.actions[turn] = DREW
            return
        # 15: nothing moves. 14: the asker is defeated. 12: the first owner of its card is.
        self.actions[turn] = STOPPED
        if card == HUMAN:
            self._defeat(seat, BY_HUMAN, (PILE_HUMAN_FELLS, seat), events)
        elif card == CAT:
            owner = self.owners[seat]
            self._defeat(owner, BY_CAT, (PILE_CAT_FELLS, owner), events)

    def _take(self, seat: int, card: int, events: list[Event]) -> None:
        # Decision: the card given up lies aside, and is discarded with the others at the end of the round.
        self.aside += ((seat, self.cards[seat], self.seen[seat]),)
        self.cards[seat] = card
        # Decision: for a cat, a card from the pile was first dealt to whoever took it.
        self.owners[seat] = seat
        # Decision: under indian a card from the pile stays unknown to its holder, and to nobody else.
        self.seen[seat] = self.seen_when_dealt[seat]
        # Special cards (6): a fool drawn from the pile is the strongest card of the round.
        self.strong = tuple(holder for holder in self.strong if holder != seat) + ((seat,) if card == FOOL else ())
        events.append((TAKES_INDIAN if self.indian else TAKES, seat, card))

    # What a seat may see

    def known_aside(self, seat: int) -> tuple[int, ...]:
        """Return the cards given up to the pile as `seat` knows them."""
        return tuple([card if knows(seat, seen) else UNKNOWN for _, card, seen in self.aside])

    def known_strong(self, seat: int) -> tuple[int, ...]:
        """Return which holders of a fool drawn from the pile `seat` knows."""
        return tuple([holder for holder in self.strong if knows(seat, self.seen[holder])])

    def copy(self) -> Self:
        """Return an independent table."""
        twin = type(self).__new__(type(self))
        twin.seats, twin.indian, twin.seen_when_dealt = self.seats, self.indian, self.seen_when_dealt
        twin.pile = self.pile.copy()
        twin.order, twin.position, twin.lap = self.order, self.position, self.lap
        twin.fallen, twin.fell, twin.replies = self.fallen, self.fell, self.replies
        twin.aside, twin.strong, twin.has_cuckoo = self.aside, self.strong, self.has_cuckoo
        twin.cards, twin.owners, twin.seen = self.cards[:], self.owners[:], self.seen[:]
        twin.actions, twin.partners = self.actions[:], self.partners[:]
        return twin
