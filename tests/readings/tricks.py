"""A second reading of what docs/rules/coch.md, docs/rules/zifuli.md and docs/rules/torionfo.md share: the tricks."""

from collections.abc import Iterable, Sequence
from typing import Any

from tests.readings.reading import Play, Reading

PACK = [*range(-4, 16)] * 2
NUMBERS = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
TYPES = {"number": 1, "picture": 2}
"""As the views number them; 0 is none."""

CARD_POINTS = dict.fromkeys((10, 11, 12, 13, 14, 15, -3), 1.0) | dict.fromkeys((5, 6, 7, 8, 9), 0.5)
SECOND_COUNT = {1: 1, 6: 1, 11: 1, 2: 2, 7: 2, 12: 2, 3: 3, 8: 3, 13: 3, 4: 4, 9: 4, 14: 4, 15: 5, -3: 6}


def type_of(card: int) -> str:
    return "number" if card in NUMBERS else "picture"


def kinds(cards: Iterable[int]) -> list[int]:
    """Return the kinds among `cards`, the highest index number first."""
    return sorted(set(cards), reverse=True)


def counted(cards: Sequence[int]) -> float:
    return sum(CARD_POINTS.get(card, 0) for card in cards)


def compared(one: Sequence[int], other: Sequence[int]) -> float:
    """Return by how much `one` has more than `other`, counted again where they are equal."""
    assert len(one) + len(other) == len(PACK)
    first = counted(one) - counted(other)
    return first or sum(SECOND_COUNT.get(card, 0) for card in one) - sum(SECOND_COUNT.get(card, 0) for card in other)


class Tricks(Reading):
    """A game of tricks: Torionfo, Coch or Zifuli.

    taken: the cards of the tricks that each seat took.
    """

    dealer: int
    pack: list[int]
    pictures: Sequence[int]
    """The picture cards, the strongest first."""
    torionfo: int | None = None
    """The card whose twin is the strongest of all; None in games without one."""

    def deal(self, size: int) -> None:
        """Deal `size` cards to each from the pack, one at a time from the dealer's next seat on."""
        self.hands: list[list[int]] = [[] for _ in range(self.seats)]
        self.taken: list[list[int]] = [[] for _ in range(self.seats)]
        self.leaders = [(self.dealer + 1) % self.seats]
        self.played: list[int] = []
        self.table: list[int] = []
        self.base = self.named = ""
        for _ in range(size):
            for seat in self.around(self.dealer):
                self.hands[seat].append(self.pack.pop(0))

    def play_tricks(self) -> Play:
        while True:
            players = list(self.around(self.leaders[-1] - 1))
            for seat in players:
                yield from self.play_card(seat)
            strengths = [self.strength(card) for card in self.table]
            winner = players[strengths.index(max(strengths))]
            self.win_trick(winner)
            if not self.hands[winner]:
                return
            self.leaders.append(winner)

    def win_trick(self, seat: int) -> None:
        self.taken[seat] += self.table
        self.played += self.table
        self.table, self.base = [], ""

    def play_card(self, seat: int) -> Play:
        self.turn = seat
        hand = self.hands[seat]
        plays: dict[str, tuple[int, str]] = {}
        for card in self.playable(hand):
            if not self.table and card == self.torionfo:
                plays |= {f"play {card} {name}": (card, name) for name in TYPES}
            else:
                plays[f"play {card}"] = card, self.base or type_of(card)
        if len(plays) > 1:
            answer = yield {seat: plays}
            card, base = plays[answer[seat]]
        else:
            ((card, base),) = plays.values()
        if not self.table and card == self.torionfo:
            self.named = base
        self.base = base
        hand.remove(card)
        self.table.append(card)

    def playable(self, hand: Sequence[int]) -> list[int]:
        """Return the kinds of cards that may be played: any by the leader and by who cannot follow."""
        others = [card for card in hand if card != self.torionfo]
        following = [card for card in others if self.base in ("", type_of(card))]
        if not following:
            return kinds(hand)
        return kinds(following) + [card for card in hand if card == self.torionfo]

    def strength(self, card: int) -> int:
        if card == self.torionfo:
            return 100
        if type_of(card) != self.base:
            return -100
        return -list(NUMBERS if self.base == "number" else self.pictures).index(card)

    def sees(self, seat: int) -> dict[str, Any]:
        return {
            "dealer": self.dealer,
            "leaders": tuple(self.leaders),
            "played": tuple(self.played),
            "table": tuple(self.table),
            "base": TYPES.get(self.base, 0),
            "turn": self.turn,
            "seat": seat,
            "hand": tuple(sorted(self.hands[seat], reverse=True)),
        }
