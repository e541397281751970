"""tactician: plays Torionfo, Coch and Zifuli by card sense.

It leads cards that nobody can beat any more, takes a trick that is worth taking as cheaply as it can, gives its
side's tricks its dear cards and the others' its worthless ones. It counts what has been played, and decides
from the view alone.
"""

from arena.sdk import Bot, Question
from referee.v1.coch_pb2 import CochView
from referee.v1.torionfo_pb2 import TorionfoView
from referee.v1.zifuli_pb2 import ZifuliView

View = CochView | TorionfoView | ZifuliView

NUMBERS = range(1, 11)
PACK = [card for card in range(-4, 16) for _ in range(2)]
PICTURES = {
    "torionfo": (-4, -3, -2, -1, 0, 11, 12, 13, 14, 15),
    "coch": (-4, -2, -1, 0, 11, 12, 13, 14, 15, -3),
    "zifuli": (-2, -1, 0, -4, 11, 12, 13, 14, 15, -3),
}
"""The picture cards of each game, the weakest first."""
WORTH_BIDDING = 4.5
"""Card points in the hand from which it wants to be the boss; an average hand has 3.8."""


class Tactician(Bot[View]):
    """A player who knows what a card is worth, and when."""

    name = "tactician"
    games = ("torionfo", "coch", "zifuli")

    def choose(self, question: Question[View]) -> str:
        table = Table(question)
        cards = {move: int(move.split()[1]) for move in question.legal if move != "pass"}
        if "pass" in question.legal:
            return bid(table, cards)
        if question.legal[0].startswith("discard"):
            return min(cards, key=lambda move: table.cost(cards[move]))
        card = table.follow(list(cards.values())) if table.cards else table.lead(list(cards.values()))
        return next(move for move in cards if cards[move] == card)


def bid(table: "Table", cards: dict[str, int]) -> str:
    """Bid the strongest card of which somebody else has the twin, with a hand that is worth it."""
    calls = [move for move, card in cards.items() if table.hand.count(card) == 1]
    if not calls or sum(map(table.points, table.hand)) < WORTH_BIDDING:
        return "pass"
    return max(calls, key=lambda move: (table.points(cards[move]), table.strength(cards[move])))


class Table:
    """What the view says, as a player thinks of it."""

    def __init__(self, question: Question[View]) -> None:
        view = question.view
        self.game, self.seats = question.match.game, question.match.seats
        self.hand = list(view.hand)
        self.cards = list(view.table)
        self.base = view.base
        self.trump = view.torionfo if isinstance(view, TorionfoView) else None
        self.friends = friends(view)
        self.leader = view.leaders[-1]
        gone = (view.torionfo, *view.discarded) if isinstance(view, TorionfoView) else ()
        self.unseen = PACK[:]
        for card in (*self.hand, *self.cards, *view.played, *gone):
            self.unseen.remove(card)

    def points(self, card: int) -> float:
        """What a card counts."""
        if self.game == "torionfo":
            return max(card, 0)
        return 1 if card >= 10 or card == -3 else 0.5 if card >= 5 else 0

    def strength(self, card: int) -> int:
        """How strong a card is among its type; the Torionfo card above all."""
        if card == self.trump:
            return 99
        return card if card in NUMBERS else PICTURES[self.game].index(card)

    def cost(self, card: int) -> tuple[float, int]:
        """What it costs to part with a card: the cheapest first."""
        return (99 if card == self.trump else self.points(card), self.strength(card))

    def kind(self, card: int) -> int:
        """The type of a card, in the numbers of the view."""
        return CochView.TYPE_NUMBER if card in NUMBERS else CochView.TYPE_PICTURE

    def force(self, card: int, base: int) -> int:
        """How strong a card is where `base` counts; -1 where it cannot win."""
        return self.strength(card) if card == self.trump or self.kind(card) == base else -1

    def is_master(self, card: int, base: int) -> bool:
        """Whether no card that may still be out beats it."""
        return all(self.force(other, base) <= self.force(card, base) for other in self.unseen)

    def lead(self, cards: list[int]) -> int:
        """A card that takes the trick for sure, the dearest first; else the one that costs least."""
        sure = [card for card in cards if card != self.trump and self.is_master(card, self.kind(card))]
        return max(sure, key=self.points) if sure else min(cards, key=self.cost)

    def follow(self, cards: list[int]) -> int:
        """The card for a trick that somebody else has led."""
        forces = [self.force(card, self.base) for card in self.cards]
        best = max(forces)
        winner = (self.leader + forces.index(best)) % self.seats
        last = len(self.cards) == self.seats - 1
        safe = last or self.is_master(self.cards[forces.index(best)], self.base)
        if winner in self.friends and safe:
            return max(cards, key=lambda card: (card != self.trump, self.points(card), -self.strength(card)))
        takes = [card for card in cards if self.force(card, self.base) > best]
        worth = sum(map(self.points, self.cards)) > 0
        if last and takes:
            return max(takes, key=lambda card: (card != self.trump, self.points(card)))  # safe in our own pile
        if takes and worth and winner not in self.friends:
            sure = [card for card in takes if self.is_master(card, self.base)]
            if sure:
                return min(sure, key=self.strength)
        return min(cards, key=self.cost)


def friends(view: View) -> set[int]:
    """The seats that play with us, as far as we know them."""
    if not isinstance(view, ZifuliView):
        return {(view.seat + 2) % 4}
    side = {view.boss} | ({view.partner} if view.HasField("partner") else set())
    return (side if view.seat in side else set(range(5)) - side) - {view.seat}


if __name__ == "__main__":
    Tactician().run()
