"""The exchange that Cambio and Cucco share: one card each, asked of the next seats or drawn from the pile.

Source: the Korean rule book of Cuckoo (Cambio): round play (3), the special cards (2)-(7), the FAQ
cases 1 and 5. What the book leaves open is decided as docs/rules/cambio.md says; such lines are
marked "Decision". Whose turn it is, and the cuckoo, are in `turns`.
"""

from dataclasses import dataclass, field
from typing import Final, Self

from referee.engine.chance import Chance
from referee.engine.events import Audience, Event, Line
from referee.engine.game import State
from referee.games.cuckoo_pack import CAT, CUCKOO, FOOL, HORSE, HOUSE, HUMAN, STRONG_FOOL, UNKNOWN
from referee.games.pile import Pile
from referee.games.reveals import Rule

# The numbers of the enums Action, Defeat and Reply in the views.
NOT_YET, KEPT, EXCHANGED, DREW, STOPPED = range(5)
STANDING, BY_HUMAN, BY_CAT, BY_FOOL = range(4)
SHOWN_NOTHING, SHOWN_PASS, SHOWN_CAT, SHOWN_HUMAN = range(4)

FROM_PILE: Final = -1
NOBODY: Final = -2

LINES: Final = (
    Line("seat {} is dealt {}", "the seat sees its card", Audience.SEAT),
    Line("seat {} is dealt {}", "under indian: all others see the card", Audience.OTHERS),
    Line("seat {} keeps", "it asks for no exchange"),
    Line("seat {} asks seat {}", "it asks the next seat, or the one after a seat that passed, for an exchange"),
    Line("seat {} shows {}", "a 14, 13, 12 or 11 answers the request; no card moves", reveals=True),
    Line("seat {} shows {}", "under indian: the same, but the seat itself does not see its card", Audience.OTHERS),
    Line("seat {} exchanges with seat {}", "they change cards", reveals=True),
    Line("seat {} receives {}", "the seat sees the card that came by exchange", Audience.SEAT),
    Line("seat {} receives {}", "under indian: everybody knows the cards that were exchanged", reveals=True),
    Line("seat {} draws from the pile", "there was nobody left to ask"),
    Line("the pile shows {}", "a 15, 14, 13, 12 or 11 of the pile is shown and discarded", reveals=True),
    Line("seat {} takes {}", "the seat sees the card it took from the pile; its old card lies aside", Audience.SEAT),
    Line("seat {} takes {}", "under indian: all others see the card taken from the pile", Audience.OTHERS),
    Line("seat {} is defeated by the 14 of seat {}", "it asked a 14"),
    Line("seat {} is defeated by the 14 of the pile", "it turned up a 14"),
    Line("seat {} is defeated by the 12 of seat {}", "a card first dealt to it met a 12"),
    Line("seat {} is defeated by the 12 of the pile", "a card first dealt to it met a 12"),
    Line("seat {} is defeated by a fool", "it received a fool from another seat", reveals=True),
    Line("seat {} was defeated before", "it is defeated once more, which changes nothing"),
    Line("seat {} calls cuckoo", "it holds a 15; the exchange phase is over", reveals=True),
    Line("seat {} holds its cuckoo back", "it was asked before another seat's turn, and passed", Audience.SEAT),
    Line("the discards are shuffled: {} cards", "the pile had run out"),
)
(DEALT, _, KEEPS, ASKS, SHOWS, _, EXCHANGES, RECEIVES, _, DRAWS, TURNED, TAKES, _,
 HUMAN_FELLS, PILE_HUMAN_FELLS, CAT_FELLS, PILE_CAT_FELLS, FOOL_FELLS, FELL_BEFORE, CALLS, HOLDS, SHUFFLED,
 ) = range(len(LINES))  # fmt: skip


@dataclass(slots=True)
class Table:
    """What does not change during a match.

    seats: how many. everybody: the bit mask of all of them. pack: the cards. cuckoos: how many of the cards are.
    chips: of each seat at the start. ante: chips owed for each set. sets: after so many the match is over.
    reveal: who is defeated when cards are shown.
    strong_fool: what a fool drawn from the pile counts as then.
    laps: how many turns each seat has in a round.
    by_defeat: whether the price of a defeat rises with the seat's defeats in the set, not with the rounds.
    indian: 1 where one sees everybody's card but one's own, else 0
    (added to the index of a log line to get its "under indian" twin).
    zeros, owners, seen: `Exchange.fallen` (and `.replies`), `.owners` and `.seen` as they are after the deal.
    """

    seats: int
    pack: tuple[int, ...]
    chips: int
    ante: int
    sets: int
    reveal: Rule
    strong_fool: int = STRONG_FOOL
    laps: int = 1
    by_defeat: bool = False
    indian: int = 0
    everybody: int = field(init=False)
    cuckoos: int = field(init=False)
    zeros: tuple[int, ...] = field(init=False)
    owners: list[int] = field(init=False)
    seen: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.everybody = (1 << self.seats) - 1
        self.cuckoos = self.pack.count(CUCKOO)
        self.zeros = (0,) * self.seats
        self.owners = list(range(self.seats))
        # A dealt card is seen by its holder, under indian by everybody but its holder.
        self.seen = [(self.everybody if self.indian else 0) ^ 1 << seat for seat in range(self.seats)]


class Exchange(State):
    """The cards on the table during one round.

    order: the seats in turn order; position: whose turn it is in it; lap: 1, or 2 in a second lap.
    cards, owners, seen: by seat the card in front of it, the seat to which that card was first dealt, and the
        bit mask of the seats that know it. All three travel with the card.
    actions, partners: what happened in the turns, as in the view.
    fallen: by seat why it was defeated; fell: the defeated in the order they fell.
    replies: what the seats showed, as in the view.
    aside: cards given up to the pile: (the giver, the card, who knows it).
    strong: the seats that hold a fool drawn from the pile. (What changes seldom is a tuple, replaced when it changes.)
    cuckoo_out: whether a cuckoo was dealt.
    """

    __slots__ = (
        "table", "pile", "order", "position", "lap", "cards", "owners", "seen", "fallen", "fell", "actions",
        "partners", "replies", "aside", "strong", "cuckoo_out",
    )  # fmt: skip

    def __init__(self, table: Table, chance: Chance) -> None:
        self.table = table
        self.pile = Pile(chance)
        self.events: list[Event] = []
        self.asked = ()
        self._clear(())

    def undealt(self) -> int:
        return self.pile.left

    # Dealing

    def _clear(self, order: tuple[int, ...]) -> None:
        """Clear the table for a round of the seats of `order`."""
        table = self.table
        turns = table.seats * table.laps
        self.order = order
        self.position = 0
        self.lap = 1
        self.cards = [UNKNOWN] * table.seats
        self.owners = table.owners[:]
        self.seen = table.seen[:]
        self.fallen = self.replies = table.zeros
        self.fell: tuple[int, ...] = ()
        self.actions = [NOT_YET] * turns
        self.partners = [NOBODY] * turns
        self.aside: tuple[tuple[int, int, int], ...] = ()
        self.strong: tuple[int, ...] = ()
        self.cuckoo_out = False

    def _deal(self, order: tuple[int, ...]) -> None:
        """Deal a card to each seat of `order`. Book: round preparation (2)."""
        self._clear(order)
        hand = self._from_pile(len(order))
        self.cuckoo_out = CUCKOO in hand
        cards = self.cards
        log = self.events.append
        line = DEALT + self.table.indian
        for i, seat in enumerate(order):
            cards[seat] = card = hand[i]
            log((line, seat, card))

    def _from_pile(self, count: int) -> tuple[int, ...]:
        pile = self.pile
        if pile.left >= count:
            return pile.deal(count)
        # Book: round preparation (2), the pile has run out.
        self.events.append((SHUFFLED, len(pile.discards)))
        return pile.deal(count)

    # Exchanging

    def _exchange(self, seat: int) -> None:
        """Carry out the request of `seat`: with the next undefeated seats up to the last place, then with the pile.

        Decision: turn order never wraps, and the last place may be a defeated seat's.
        """
        turn = (self.lap - 1) * self.table.seats + seat
        for other in self.order[self.position + 1 :]:
            if not self.fallen[other]:
                self.events.append((ASKS, seat, other))
                card = self.cards[other]
                if CAT <= card <= HUMAN or card == HOUSE:
                    if self._refused(seat, other, card, turn):
                        return
                else:
                    self._swap(seat, other, turn)
                    return
        self._draw(seat, turn)

    def _refused(self, seat: int, other: int, card: int, turn: int) -> bool:
        """Show the card that answers the request of `seat`. Return False for a pass: the request goes on."""
        self.events.append((SHOWS + self.table.indian, other, card))
        # indian: all but the holder see it anyway; what the holder learns is the reply.
        self.seen[other] |= self.table.everybody ^ 1 << other
        if card in (HORSE, HOUSE):  # Special cards (3), (5)
            self._reply(other, SHOWN_PASS)
            return False
        self.actions[turn] = STOPPED
        self.partners[turn] = other
        if card == HUMAN:  # Special cards (2): the asker is defeated; FAQ 1: also one with a fool, which stays
            self._reply(other, SHOWN_HUMAN)
            self._defeat(seat, BY_HUMAN, (HUMAN_FELLS, seat, other))
        else:  # Special cards (4): the seat to which the asker's card was first dealt is defeated
            self._reply(other, SHOWN_CAT)
            owner = self.owners[seat]
            self._defeat(owner, BY_CAT, (CAT_FELLS, owner, other))
        return True

    def _reply(self, seat: int, reply: int) -> None:
        self.replies = (*self.replies[:seat], reply, *self.replies[seat + 1 :])

    def _swap(self, seat: int, other: int, turn: int) -> None:
        cards, owners, seen, log = self.cards, self.owners, self.seen, self.events.append
        given, taken = cards[seat], cards[other]
        cards[seat], cards[other] = taken, given
        owners[seat], owners[other] = owners[other], owners[seat]
        both = 1 << seat | 1 << other
        seen[seat], seen[other] = seen[other] | both, seen[seat] | both
        if self.strong:
            self.strong = tuple(holder for holder in self.strong if holder != seat and holder != other)
        self.actions[turn] = EXCHANGED
        self.partners[turn] = other
        line = RECEIVES + self.table.indian
        log((EXCHANGES, seat, other))
        log((line, seat, taken))
        log((line, other, given))
        # Special cards (6): who receives a fool from another seat is defeated, both if both had one. Its
        # fall tells everybody what it holds.
        if taken == FOOL:
            seen[seat] = self.table.everybody
            self._defeat(seat, BY_FOOL, (FOOL_FELLS, seat))
        if given == FOOL:
            seen[other] = self.table.everybody
            self._defeat(other, BY_FOOL, (FOOL_FELLS, other))

    def _draw(self, seat: int, turn: int) -> None:
        """Exchange with the pile. Round play (3), and the last paragraph of each special card."""
        log = self.events.append
        log((DRAWS, seat))
        self.partners[turn] = FROM_PILE
        card = self._from_pile(1)[0]
        while HOUSE <= card <= CUCKOO:
            log((TURNED, card))
            self.pile.discards += (card,)
            if card not in (HORSE, HOUSE):
                break
            card = self._from_pile(1)[0]
        else:
            self._take(seat, card)
            self.actions[turn] = DREW
            return
        # 15: nothing moves. 14: the asker is defeated. 12: the first owner of its card is.
        self.actions[turn] = STOPPED
        if card == HUMAN:
            self._defeat(seat, BY_HUMAN, (PILE_HUMAN_FELLS, seat))
        elif card == CAT:
            owner = self.owners[seat]
            self._defeat(owner, BY_CAT, (PILE_CAT_FELLS, owner))

    def _take(self, seat: int, card: int) -> None:
        # Decision: the card given up lies aside, and is discarded with the others at the end of the round.
        self.aside += ((seat, self.cards[seat], self.seen[seat]),)
        self.cards[seat] = card
        # Decision: for a cat, a card from the pile was first dealt to whoever took it.
        self.owners[seat] = seat
        # Decision: under indian a card from the pile stays unknown to its holder, and to nobody else.
        self.seen[seat] = (self.table.everybody if self.table.indian else 0) ^ 1 << seat
        # Special cards (6): a fool drawn from the pile is the strongest card of the round.
        self.strong = tuple(holder for holder in self.strong if holder != seat) + ((seat,) if card == FOOL else ())
        self.events.append((TAKES + self.table.indian, seat, card))

    def _defeat(self, seat: int, reason: int, event: Event) -> None:
        if self.fallen[seat]:  # FAQ 5: being defeated twice counts once
            self.events.append((FELL_BEFORE, seat))
            return
        self.fallen = (*self.fallen[:seat], reason, *self.fallen[seat + 1 :])
        self.fell += (seat,)
        self.events.append(event)

    # What a seat may see

    def _known(self, seat: int) -> tuple[int, ...]:
        bit = 1 << seat
        cards = self.cards
        return tuple([cards[i] if seen & bit else UNKNOWN for i, seen in enumerate(self.seen)])

    def _known_aside(self, seat: int) -> tuple[int, ...]:
        return tuple([card if seen >> seat & 1 else UNKNOWN for _, card, seen in self.aside])

    def _known_strong(self, seat: int) -> tuple[int, ...]:
        return tuple([holder for holder in self.strong if self.seen[holder] >> seat & 1])

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.table, twin.pile, twin.asked = self.table, self.pile.copy(), self.asked
        twin.order, twin.position, twin.lap = self.order, self.position, self.lap
        twin.fallen, twin.fell, twin.replies = self.fallen, self.fell, self.replies
        twin.aside, twin.strong, twin.cuckoo_out = self.aside, self.strong, self.cuckoo_out
        twin.cards, twin.owners, twin.seen = self.cards[:], self.owners[:], self.seen[:]
        twin.actions, twin.partners = self.actions[:], self.partners[:]
        twin.events = self.events[:]
        return twin
