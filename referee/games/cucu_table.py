"""One deal of Cucù and of Lu Stù: a card at a time, who asks whom, and the arrests.

Source: the Cuckoo Group's page on Cucù (Campli) and Lu Stù (Montorio al Vomano), after Nicolino Farina,
"Cucù, antico gioco di carte" (2010). Its headings are cited beside the lines that obey them; what it
leaves open is decided as docs/rules/cucu.md and docs/rules/lustu.md say; such lines are marked "Decision".

What differs between the two towns is asked of the game: the cat, the inn, and who loses at the end.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import Final, Self

from referee.engine.chance import Chance
from referee.engine.events import Audience, Event, LineTable
from referee.engine.game import State
from referee.games.cambio import TURN_MOVES
from referee.games.cuckoo_pack import CAT, CUCKOO, HORSE, HOUSE, NULLA, UNKNOWN
from referee.games.exchange import DREW as DRAWN
from referee.games.exchange import EXCHANGED, FROM_PILE, KEPT, NOBODY, NOT_YET, STOPPED
from referee.games.pile import Pile
from referee.games.visibility import both, everybody, knows, only

NO_STAGE, TURN, GUEST, HOST, ENTRY, SHARE, JOIN, SPLIT, REPLY = range(9)
"""The numbers of the enum TokenStage in the views."""

TOKENS: Final = 3
"""What everybody begins, and enters again, with."""
LOWEST_SPECIAL: Final = HOUSE
"""From the inn up, a card arrests whoever asks for it."""
NO_HOST: Final = -1

LOG: Final = LineTable()
DEALT: Final = LOG.line("seat {} is dealt {}", "the seat sees its card", Audience.SEAT)
KEEPS: Final = LOG.line(
    "seat {} keeps",
    "its turn is over; under an agreement at Campli its card did not force it to exchange",
    reveals=True,
)
ASKS: Final = LOG.line("seat {} asks seat {}", "it wants to exchange, or a cat drives it to the seat before it")
EXCHANGES: Final = LOG.line("seat {} exchanges with seat {}", "they change cards", reveals=True)
RECEIVES: Final = LOG.line("seat {} receives {}", "the seat sees the card that came by exchange", Audience.SEAT)
SHOWS: Final = LOG.line(
    "seat {} shows {}", "a 15, 14, 13, 12 or (at Montorio) 11 that was asked for; no card moves", reveals=True
)
DRAWS: Final = LOG.line("seat {} draws from the pack", "the dealer, or who finds a 13 with the dealer")
TAKES: Final = LOG.line(
    "seat {} takes {}", "the seat sees the card of the pack; its old card leaves the deal", Audience.SEAT
)
LOSES: Final = LOG.line("seat {} loses a token", "to a 14 or a 12, or when the cards are compared")
PAYS_FOR: Final = LOG.line("seat {} pays for seat {}", "an inn's promise: the token of a 0 that loses")
GAINS: Final = LOG.line("seat {} gains a token", "one of two fools at Montorio")
EMPTY: Final = LOG.line("seat {} has no token left", "it is out of the deal, with its card")
REVEALS: Final = LOG.line("seat {} reveals {}", "a seat with tokens shows its card at the end", reveals=True)
SAYS: Final = LOG.line("seat {} says: {}", "table talk")

TALK: Final = 80
"""The most characters that are said with one decision."""


class Arrests(State):
    """The tokens, and the cards on the table during one deal.

    tokens: by seat. virgins: the seats that have never lost or gained one. seats: how many sit at the table.
    order: the seats in the deal in playing order, the dealer last; position: whose turn it is in it.
    standing: how many of them have a token.
    cards, seen, trails: by seat the card in front of it (UNKNOWN before it is dealt), the bit mask of the seats that
        know it, and the seats through whose hands it came in this deal, oldest first. All three travel with the card.
    actions, partners: what each seat did in its turn, and with whom, as in the view.
    hosts: by seat, who promised to pay for its losing 0.
    aside: the cards given up to the pack: (the card, who knows it).
    host: the seat whose inn is being talked about. offer: what waits for an answer, a move's text.
    stage, moves: what is asked now, and the legal moves, the default first.
    said: the last words of each seat, under table talk; otherwise None.
    """

    __slots__ = (
        "seats", "pile", "tokens", "virgins", "order", "position", "standing", "cards", "seen", "trails", "actions",
        "partners", "hosts", "aside", "host", "offer", "stage", "moves", "said",
    )  # fmt: skip

    def __init__(self, seats: int, chance: Chance, *, talk: bool) -> None:
        self.seats = seats
        self.pile = Pile(chance)
        self.tokens = [TOKENS] * seats
        self.virgins = tuple(range(seats))
        self.said = [""] * seats if talk else None
        self.events: list[Event] = []
        self.host = NO_HOST
        self._clear(())

    def legal(self, seat: int) -> tuple[str, ...]:
        return self.moves if seat in self.asked else ()

    def default(self, seat: int) -> str:
        """`keep`; at an inn `stay` or `offer none`, for an innkeeper `agree` or `decline`; else what costs nothing."""
        return self.moves[0]

    def undealt(self) -> int:
        return self.pile.left

    def apply(self, moves: Sequence[str]) -> None:
        if self.stage != TURN:
            self._answer(self.asked[0], moves[0])
            return
        seat = self.order[self.position]
        if moves[0] == "keep":
            self.actions[seat] = KEPT
            self.events.append((KEEPS, seat))
            self._next_turn()
        else:
            self._exchange(seat)

    def talk_limit(self) -> int:
        return 0 if self.said is None else TALK

    def say(self, seat: int, words: str) -> None:
        """Let everybody hear what `seat` says with its decision; nothing where there is no table talk.

        "Conversation": anything may be said, and nobody need tell the truth.
        """
        if self.said is not None and words:
            self.said[seat] = words[:TALK]
            self.events.append((SAYS, seat, words[:TALK]))

    # What the games fill in

    def _answer(self, seat: int, move: str) -> None:
        """Take the answer to any question but a turn's."""
        if self.stage == GUEST:
            self._answer_guest(seat, move)
        else:
            self._answer_host(seat, move)

    @abstractmethod
    def _meet_cat(self, seat: int) -> None:
        """The card of `seat` met a cat, and the seat has lost its token for it."""

    @abstractmethod
    def _enter_inn(self, guest: int) -> None:
        """Ask `guest` what it says to the inn of `self.host`."""

    @abstractmethod
    def _answer_guest(self, guest: int, move: str) -> None:
        """Take what the guest says to the innkeeper."""

    @abstractmethod
    def _answer_host(self, host: int, move: str) -> None:
        """Take what the innkeeper says to the guest."""

    @abstractmethod
    def _judge(self, cards: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        """Return the places in `cards` (those shown, in playing order) that gain a token, and those that lose one."""

    @abstractmethod
    def _after_deal(self) -> None:
        """All tokens of the deal are lost and won: go on to the next question."""

    def _must_exchange(self, seat: int) -> bool:
        """Tell whether an agreement leaves `seat` no choice in its turn."""
        return False

    def _is_decided(self) -> bool:
        """Tell whether the deal ends before its last turn."""
        return False

    # Turns. "Dealing and Exchanging"

    def _clear(self, order: tuple[int, ...]) -> None:
        """Put the cards of the last deal away; `order` plays the next."""
        seats = self.seats
        self.order = order
        self.position = 0
        self.standing = len(order)
        self.cards = [UNKNOWN] * seats
        self.seen = [0] * seats
        self.trails: list[tuple[int, ...]] = [()] * seats
        self.actions = [NOT_YET] * seats
        self.partners = [NOBODY] * seats
        self.hosts = [NO_HOST] * seats
        self.aside: list[tuple[int, int]] = []
        self._stop()

    def _stop(self) -> None:
        self.asked = ()
        self.moves: tuple[str, ...] = ()
        self.stage = NO_STAGE
        self.offer: str | None = None

    def _ask(self, seat: int, stage: int, moves: tuple[str, ...], offer: str | None = None) -> None:
        self.asked = (seat,)
        self.stage = stage
        self.moves = moves
        self.offer = offer

    def _next_turn(self) -> None:
        # Everybody has one turn, in playing order. After a jumped horse these are its holder, then the last one asked.
        self.position += 1
        if self._is_decided():
            self._after_deal()
        elif self.position == len(self.order):
            self._compare()
        else:
            self._ask_turn()

    def _ask_turn(self) -> None:
        seat = self.order[self.position]
        if self.cards[seat] == UNKNOWN:
            self._deal_card(seat)
        if self._must_exchange(seat):
            self._exchange(seat)
        else:
            self._ask(seat, TURN, TURN_MOVES)

    def _deal_card(self, seat: int) -> None:
        self.cards[seat] = card = self.pile.deal(1)[0]
        self.seen[seat] = only(seat)
        self.events.append((DEALT, seat, card))

    def _exchange(self, seat: int) -> None:
        """Carry out the request of the seat whose turn it is: to the next, over horses, at the end to the pack."""
        cards, log = self.cards, self.events.append
        for other in self.order[self.position + 1 :]:
            if cards[other] == UNKNOWN:
                self._deal_card(other)
            card = cards[other]
            log((ASKS, seat, other))
            if card < LOWEST_SPECIAL:
                self._change(seat, other)
                break
            if card == HOUSE:
                self.host = other
                self._enter_inn(seat)
                return
            self._show(other)
            if card != HORSE:
                self._stopped(seat, other)
                if card != CUCKOO:  # "Bum" or "Gnaf": the asker keeps his card and loses a token at once
                    self._lose(seat)
                if card == CAT:
                    self._meet_cat(seat)
                break
        else:
            # The dealer; or a horse was the dealer's. Decision: it is the next card to leave the pack.
            self._draw(seat)
        self._next_turn()

    def _change(self, seat: int, other: int) -> None:
        """The request of `seat` is granted by `other`."""
        self.actions[seat] = EXCHANGED
        self.partners[seat] = other
        self.events.append((EXCHANGES, seat, other))
        self._swap(seat, other)

    def _stopped(self, seat: int, other: int) -> None:
        self.actions[seat] = STOPPED
        self.partners[seat] = other

    def _swap(self, seat: int, other: int) -> None:
        """Two seats change cards, and both know both."""
        cards, seen, trails, log = self.cards, self.seen, self.trails, self.events.append
        partners = both(seat, other)
        given, taken = cards[seat], cards[other]
        cards[seat], cards[other] = taken, given
        seen[seat], seen[other] = seen[other] | partners, seen[seat] | partners
        trails[seat], trails[other] = (*trails[other], other), (*trails[seat], seat)
        log((RECEIVES, seat, taken))
        log((RECEIVES, other, given))

    def _draw(self, seat: int) -> None:
        """Take the next card of the pack, whatever it is, without effects."""
        card = self.pile.deal(1)[0]
        # Decision: the card given up leaves play unseen.
        self.aside.append((self.cards[seat], self.seen[seat]))
        self.cards[seat], self.seen[seat], self.trails[seat] = card, only(seat), ()
        self.actions[seat] = DRAWN
        self.partners[seat] = FROM_PILE
        self.events.append((DRAWS, seat))
        self.events.append((TAKES, seat, card))

    def _show(self, seat: int) -> None:
        self.seen[seat] = everybody(self.seats)
        self.events.append((SHOWS, seat, self.cards[seat]))

    # Tokens

    def _lose(self, seat: int) -> None:
        self._touch(seat)
        self.tokens[seat] -= 1
        self.events.append((LOSES, seat))
        if not self.tokens[seat]:
            self.standing -= 1
            self.events.append((EMPTY, seat))

    def _touch(self, seat: int) -> None:
        if seat in self.virgins:
            self.virgins = tuple([virgin for virgin in self.virgins if virgin != seat])

    def _compare(self) -> None:
        """Show the cards and take the tokens. "The Result"; "Dead card": who has no token shows none."""
        tokens, cards, log = self.tokens, self.cards, self.events.append
        shown = [seat for seat in self.order if tokens[seat]]
        for seat in shown:
            self.seen[seat] = everybody(self.seats)
            log((REVEALS, seat, cards[seat]))
        gain, lost = self._judge([cards[seat] for seat in shown])
        for place in gain:
            seat = shown[place]
            self._touch(seat)
            tokens[seat] += 1
            log((GAINS, seat))
        # Decision: in playing order, and nobody loses what he has not: an innkeeper whose last token went for his
        # guest loses no other, and one who has none left does not pay.
        for place in lost:
            seat = shown[place]
            host = self.hosts[seat]
            if cards[seat] == NULLA and host != NO_HOST and tokens[host]:
                log((PAYS_FOR, host, seat))
                self._lose(host)
            elif tokens[seat]:
                self._lose(seat)
        self._after_deal()

    # What a seat may see

    def _known_aside(self, seat: int) -> tuple[int, ...]:
        return tuple([card if knows(seat, seen) else UNKNOWN for card, seen in self.aside])

    def counts(self) -> dict[str, int]:
        cards = [*self.pile.undealt(), *(card for card, _ in self.aside)]
        return Counter(f"card {card}" for card in cards + [card for card in self.cards if card != UNKNOWN])

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.seats, twin.pile = self.seats, self.pile.copy()
        twin.asked, twin.stage, twin.moves, twin.host, twin.offer = (
            self.asked, self.stage, self.moves, self.host, self.offer
        )  # fmt: skip
        twin.order, twin.position, twin.standing, twin.virgins = self.order, self.position, self.standing, self.virgins
        twin.tokens, twin.cards, twin.seen, twin.trails = self.tokens[:], self.cards[:], self.seen[:], self.trails[:]
        twin.actions, twin.partners, twin.hosts = self.actions[:], self.partners[:], self.hosts[:]
        twin.aside, twin.events = self.aside[:], self.events[:]
        twin.said = None if self.said is None else self.said[:]
        return twin
