"""The cards on the table in one deal of Cucù and Lu Stù: dealt one at a time, exchanged, shown, drawn.

Source: the page on Cucù named in `cucu`: "Dealing and Exchanging". Who asks whom, and what each special card does, is
in `cucu` and `lustu`.
"""

from typing import Final, Self

from mypy_extensions import mypyc_attr

from referee.engine.chance import Chance
from referee.engine.events import Audience, Event, LineTable
from referee.games.cuckoo_pack import UNKNOWN
from referee.games.pile import Pile
from referee.games.visibility import both, everybody, knows, only

# The numbers of the enum TokenAction in the views.
NOT_YET: Final = 0
KEPT: Final = 1
EXCHANGED: Final = 2
DREW: Final = 3
STOPPED: Final = 4

FROM_PACK: Final = -1
NOBODY: Final = -2
NO_HOST: Final = -1

LOG: Final = LineTable()
DEALT: Final = LOG.line(
    "seat {} is dealt {}", "the seat sees its card", Audience.SEAT, drawn=True, joined=True, cards=1
)
KEEPS: Final = LOG.line(
    "seat {} keeps",
    "its turn is over; under an agreement at Campli its card did not force it to exchange",
    reveals=True,
)
ASKS: Final = LOG.line("seat {} asks seat {}", "it wants to exchange, or a cat drives it to the seat before it")
EXCHANGES: Final = LOG.line("seat {} exchanges with seat {}", "they change cards", reveals=True, joined=True)
RECEIVES: Final = LOG.line(
    "seat {} receives {}", "the seat sees the card that came by exchange", Audience.SEAT, joined=True, cards=1
)
SHOWS: Final = LOG.line(
    "seat {} shows {}",
    "a 15, 14, 13, 12 or (at Montorio) 11 that was asked for; no card moves",
    reveals=True,
    joined=True,
    cards=1,
)
DRAWS: Final = LOG.line("seat {} draws from the pack", "the dealer, or who finds a 13 with the dealer")
TAKES: Final = LOG.line(
    "seat {} takes {}",
    "the seat sees the card of the pack; its old card leaves the deal",
    Audience.SEAT,
    joined=True,
    cards=1,
)


@mypyc_attr(serializable=True)  # so that `copy` can make one without `__init__`
class CucuTable:
    """The cards on the table in the deal under way, and whose turn it is.

    seats: how many there are.
    pile: the rest of the pack.
    order: the seats in the deal in playing order, the dealer last.
    position: whose turn it is, as an index of `order`.
    cards, seen, past_holders: by seat the card in front of it (UNKNOWN before it is dealt), the seats that know it (see
        `visibility`), and the seats that held it before in this deal, oldest first. All three travel with the card.
    actions, partners: what each seat did in its turn, and with whom, as in the view.
    hosts: by seat the innkeeper who promised to pay for its losing 0.
    aside: the cards given up to the pack: (the card, who knows it).

    What changes seldom is a tuple, replaced when it changes. Methods that log add to the `events` of the match.
    """

    __slots__ = (
        "seats", "pile", "order", "position", "cards", "seen", "past_holders", "actions", "partners", "hosts", "aside",
    )  # fmt: skip

    def __init__(self, seats: int, chance: Chance) -> None:
        self.seats = seats
        self.pile = Pile(chance)
        self._clear(())

    def _clear(self, order: tuple[int, ...]) -> None:
        seats = self.seats
        self.order = order
        self.position = 0
        self.cards = [UNKNOWN] * seats
        self.seen = [0] * seats
        self.past_holders: list[tuple[int, ...]] = [()] * seats
        self.actions = [NOT_YET] * seats
        self.partners = [NOBODY] * seats
        self.hosts = (NO_HOST,) * seats
        self.aside: tuple[tuple[int, int], ...] = ()

    # Dealing

    def shuffle(self, deal: int, pack: tuple[int, ...], order: tuple[int, ...]) -> None:
        """Put the cards of the last deal away and shuffle the whole pack; `order` plays this deal."""
        self._clear(order)
        self.pile.open(deal, pack)

    def deal_card(self, seat: int, events: list[Event]) -> None:
        """Deal a card to `seat`."""
        self.cards[seat] = card = self.pile.draw()
        self.seen[seat] = only(seat)
        events.append((DEALT, seat, card))

    # A turn

    def keep(self, seat: int, events: list[Event]) -> None:
        """End the turn of `seat` with the card that it has."""
        self.actions[seat] = KEPT
        events.append((KEEPS, seat))

    def exchange(self, seat: int, other: int, events: list[Event]) -> None:
        """Grant the request of `seat`, whose turn it is: it changes cards with `other`."""
        self.actions[seat] = EXCHANGED
        self.partners[seat] = other
        events.append((EXCHANGES, seat, other))
        self.swap(seat, other, events)

    def stop(self, seat: int, other: int) -> None:
        """Refuse the request of `seat`, whose turn it is: `other` keeps its card."""
        self.actions[seat] = STOPPED
        self.partners[seat] = other

    def draw(self, seat: int, events: list[Event]) -> None:
        """Exchange the card of `seat`, whose turn it is, with the next one of the pack, whatever that is."""
        card = self.pile.draw()
        # Decision: the card given up leaves the deal unseen.
        self.aside += ((self.cards[seat], self.seen[seat]),)
        self.cards[seat], self.seen[seat], self.past_holders[seat] = card, only(seat), ()
        self.actions[seat] = DREW
        self.partners[seat] = FROM_PACK
        events.append((DRAWS, seat))
        events.append((TAKES, seat, card))

    def promise(self, host: int, guest: int) -> None:
        """Let `host` promise to pay if the card of `guest` is a losing 0."""
        self.hosts = (*self.hosts[:guest], host, *self.hosts[guest + 1 :])

    # What befalls a card

    def swap(self, seat: int, other: int, events: list[Event]) -> None:
        """Let two seats change cards; both know both."""
        cards, seen, past_holders = self.cards, self.seen, self.past_holders
        partners = both(seat, other)
        given, taken = cards[seat], cards[other]
        cards[seat], cards[other] = taken, given
        seen[seat], seen[other] = seen[other] | partners, seen[seat] | partners
        past_holders[seat], past_holders[other] = (*past_holders[other], other), (*past_holders[seat], seat)
        events.append((RECEIVES, seat, taken))
        events.append((RECEIVES, other, given))

    def undo_exchange(self, seat: int, events: list[Event]) -> int:
        """Undo the exchange that brought `seat` its card. Return the seat that holds that card now."""
        past_holders = self.past_holders
        before = past_holders[seat][-1]
        # The exchange added a holder to both cards; they lose it again.
        restored = past_holders[seat][:-1], past_holders[before][:-1]
        self.swap(seat, before, events)
        past_holders[before], past_holders[seat] = restored
        return before

    def show(self, seat: int, events: list[Event]) -> None:
        """Show the card of `seat`, for which another has asked."""
        self.make_public(seat)
        events.append((SHOWS, seat, self.cards[seat]))

    def make_public(self, seat: int) -> None:
        """Let everybody know the card of `seat`."""
        self.seen[seat] = everybody(self.seats)

    # What a seat may see

    def known_aside(self, seat: int) -> tuple[int, ...]:
        """Return the cards given up to the pack as `seat` knows them."""
        return tuple([card if knows(seat, seen) else UNKNOWN for card, seen in self.aside])

    def copy(self) -> Self:
        """Return an independent table."""
        twin = type(self).__new__(type(self))
        twin.seats, twin.pile, twin.order, twin.position = self.seats, self.pile.copy(), self.order, self.position
        twin.cards, twin.seen, twin.past_holders = self.cards[:], self.seen[:], self.past_holders[:]
        twin.actions, twin.partners = self.actions[:], self.partners[:]
        twin.hosts, twin.aside = self.hosts, self.aside
        return twin
