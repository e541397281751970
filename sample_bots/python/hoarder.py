"""hoarder: plays Kille with an eye on the last trick, which the weakest card wins.

Its weakest cards are its treasure. They are lost in two ways: by leading them, and by having nothing else when the
table must be beaten. So it leads the weakest card outside the treasure, as only a lead gets rid of a card that
beats nothing, and it beats the table by a card from the lower middle: the strong ones will be needed again.
"""

from arena.sdk import Bot, Question
from referee.v1.kille_pb2 import KilleView

TREASURE = 3
"""How many kinds of cards, the weakest of the hand, are never led while there are others."""
DOWN = 0.65
"""How far down among the cards that beat the table the hoarder goes: 0 is the strongest, 1 the weakest of them."""


class Hoarder(Bot[KilleView]):
    """A player who cannot part with what is worthless to others."""

    name = "hoarder"
    games = ("kille",)

    def choose(self, question: Question[KilleView]) -> str:
        strongest_first = question.legal
        last = len(strongest_first) - 1
        if question.view.table:
            return strongest_first[round(DOWN * last)]
        return strongest_first[max(last - TREASURE, 0)]


if __name__ == "__main__":
    Hoarder().run()
