"""A second reading of what docs/rules/cucu.md and docs/rules/lustu.md share: one deal, and its tokens."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from tests.readings.reading import Luck, Play, Reading

FOOL, INN, CAT, HORSE, HUNTER, CUCKOO = -4, 11, 12, 13, 14, 15
PACK = [*range(FOOL, CUCKOO + 1)] * 2

TURN, GUEST, INNKEEPER, ENTRY, SHARE, JOIN, SPLIT, REPLY = range(1, 9)
"""What a seat is asked, as the views number it."""
KEPT, EXCHANGED, DREW, STOPPED = range(1, 5)
"""What a seat did in its turn, as the views number it."""
UNKNOWN = 99


class Card:
    """A card on the table.

    seen: who knows it.
    """

    def __init__(self, face: int, seat: int) -> None:
        self.face = face
        self.seen = {seat}

    def known_to(self, seat: int) -> int:
        return self.face if seat in self.seen else UNKNOWN


class Tokens(Reading):
    """The deals of a match.

    changes: the exchanges of the deal that stand: who with whom, and which cards.
    """

    def __init__(self, options: Mapping[str, Any], seats: int, luck: Luck) -> None:
        super().__init__(options, seats, luck)
        self.everybody = set(range(seats))
        self.tokens = [3] * seats
        self.virgins = set(range(seats))
        self.said = [""] * seats if options.get("table_talk") else []
        self.dealer = luck.pick(seats)

    def ask(self, seat: int, stage: int, moves: Sequence[str], offer: str | None = None) -> Any:
        self.turn, self.stage, self.offer = seat, stage, offer
        answer = yield {seat: moves}
        return answer[seat]

    def talk_limit(self) -> int:
        return 80 if self.said else 0

    def hear(self, seat: int, words: str) -> None:
        self.said[seat] = words

    # What the towns do each in its own way

    @abstractmethod
    def after_cat(self, seat: int) -> None:
        """Send back the card with which `seat` met a cat."""

    @abstractmethod
    def at_the_inn(self, guest: int, host: int) -> Play:
        """Let `guest` and `host` talk about the inn."""

    @abstractmethod
    def result(self, shown: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        """Return who gains and who loses a token by the cards; `shown` are the seats that have some."""

    def must_exchange(self, seat: int) -> bool:
        return False

    def is_decided(self) -> bool:
        return False

    # The deal

    def begin_deal(self) -> None:
        self.order = [seat for seat in self.around(self.dealer) if self.tokens[seat]]
        self.pile = list(self.luck.shuffle(self.pack()))
        self.cards: dict[int, Card] = {}
        self.aside: list[Card] = []
        self.changes: list[tuple[int, int, tuple[Card, Card]]] = []
        self.actions = [0] * self.seats
        self.partners = [-2] * self.seats
        self.hosts: dict[int, int] = {}

    def pack(self) -> Sequence[int]:
        return PACK

    def play_deal(self) -> Play:
        for place, seat in enumerate(self.order):
            self.deal_card(seat)
            move = "exchange"
            if not self.must_exchange(seat):
                move = yield from self.ask(seat, TURN, ("keep", "exchange"))
            if move == "exchange":
                yield from self.exchange(seat, self.order[place + 1 :])
            else:
                self.actions[seat] = KEPT
            if self.is_decided():
                return
        self.compare()

    def deal_card(self, seat: int) -> None:
        if seat not in self.cards:
            self.cards[seat] = Card(self.pile.pop(0), seat)

    def exchange(self, seat: int, after: Sequence[int]) -> Play:
        for other in after:
            self.deal_card(other)
            card = self.cards[other]
            if card.face <= 10:
                self.change(seat, other)
                return
            card.seen = self.everybody
            if card.face == INN:
                yield from self.at_the_inn(seat, other)
                return
            if card.face == HORSE:
                continue
            self.stop(seat, other)
            if card.face in (CAT, HUNTER):
                self.lose(seat)
            if card.face == CAT:
                self.after_cat(seat)
            return
        self.aside.append(self.cards.pop(seat))
        self.deal_card(seat)
        self.actions[seat], self.partners[seat] = DREW, -1

    def change(self, seat: int, other: int) -> None:
        self.actions[seat], self.partners[seat] = EXCHANGED, other
        self.swap(seat, other)

    def stop(self, seat: int, other: int) -> None:
        self.actions[seat], self.partners[seat] = STOPPED, other

    def swap(self, one: int, other: int) -> None:
        cards = self.cards
        self.changes.append((one, other, (cards[one], cards[other])))
        cards[one], cards[other] = cards[other], cards[one]
        for card in (cards[one], cards[other]):
            card.seen = card.seen | {one, other}

    def changes_of(self, card: Card) -> list[tuple[int, int, tuple[Card, Card]]]:
        return [change for change in self.changes if card in change[2]]

    # Tokens

    def lose(self, seat: int) -> None:
        self.tokens[seat] -= 1
        self.virgins.discard(seat)

    def compare(self) -> None:
        shown = [seat for seat in self.order if self.tokens[seat]]
        for seat in shown:
            self.cards[seat].seen = self.everybody
        gain, lost = self.result(shown)
        for seat in gain:
            self.tokens[seat] += 1
            self.virgins.discard(seat)
        for seat in shown:
            if seat not in lost:
                continue
            host = self.hosts.get(seat)
            if self.cards[seat].face == 0 and host is not None and self.tokens[host]:
                self.lose(host)
            elif self.tokens[seat]:
                self.lose(seat)

    def sees(self, seat: int) -> dict[str, Any]:
        before = [self.cards.get(other) for other in range(self.seats)]
        own = before[seat]
        return {
            "dealer": self.dealer,
            "virgins": tuple(sorted(self.virgins)),
            "order": tuple(self.order),
            "tokens": tuple(self.tokens),
            "turn": self.turn,
            "stage": self.stage,
            "offer": self.offer,
            "pile": len(self.pile),
            "actions": tuple(self.actions),
            "partners": tuple(self.partners),
            "passed": tuple([len(self.changes_of(card)) if card else 0 for card in before]),
            "hosts": tuple([self.hosts.get(other, -1) for other in range(self.seats)]),
            "said": tuple(self.said),
            "seat": seat,
            "card": own.face if own else None,
            "known": tuple([card.known_to(seat) if card else UNKNOWN for card in before]),
            "aside": tuple([card.known_to(seat) for card in self.aside]),
        }
