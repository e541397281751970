"""actuary: plays Perudo by probability. What it sees is certain, every other die is as likely as any.

It weighs three numbers: how likely the last bid is too high, how likely it is just right, and how likely
the safest bid above it holds; and it rolls again where that makes its own bid safer. It plays under all
the options of Perudo.
"""

from functools import cache
from itertools import product
from math import comb

from arena.sdk import Bot, Question
from referee.v1.perudo_pb2 import PerudoView

SKULL = 1
HOLDER = 0.12
"""How much likelier a die in the cup of a seat shows the face that this seat bid: people bid what they have."""
WORTH_OF_EXACT = 2.0
"""Who is right with `exact` costs one player a die and gains one himself."""


class Actuary(Bot[PerudoView]):
    """A player who trusts nothing but numbers."""

    name = "actuary"
    games = ("perudo",)

    def choose(self, question: Question[PerudoView]) -> str:
        if "stand" in question.legal:
            return self.reroll(question)
        if "showdown" in question.legal and SKULL not in question.view.dice:
            return "showdown"  # skulls are worth less to us than to the others
        table = Table(question.view)
        bids = [move for move in question.legal if move.startswith("bid ")]
        chances = {move: table.holds(*meant(move)) for move in bids}
        move, chance = max(chances.items(), key=lambda item: item[1]) if bids else ("no", 0.0)
        if "no" in question.legal:
            chances["no"] = 1 - table.holds(table.view.quantity, table.view.face)
            if chances["no"] > chance:
                move, chance = "no", chances["no"]
        if "exact" in question.legal and WORTH_OF_EXACT * table.is_exactly_the_bid() > max(1.0, chance):
            move, chance = "exact", table.is_exactly_the_bid()
        question.note(f"{move}: {chance:.0%}")
        return move

    def reroll(self, question: Question[PerudoView]) -> str:
        """Roll again all that does not help the bid, where it is in need of help."""
        view = question.view
        table = Table(view)
        if table.holds(view.quantity, view.face) > 0.5:
            return "stand"
        helps = [face for face in view.dice if table.counts(face, view.face)]
        kept = sorted(helps or [view.dice[0]], key=lambda face: (face == SKULL, face))
        move = " ".join(["reroll keep", *("skull" if face == SKULL else str(face) for face in kept)])
        return move if move in question.legal else "stand"  # a cup that helps as a whole has nothing to roll


class Table:
    """What the view says, and the odds of the dice it does not show."""

    def __init__(self, view: PerudoView) -> None:
        self.view = view
        self.showdown = view.HasField("showdown")
        self.open = [*view.dice, *view.aside]
        self.covered = [
            count - list(view.aside_seats).count(seat) if seat != view.seat else 0
            for seat, count in enumerate(view.counts)
        ]
        """How many dice lie in each other cup."""
        self.known_odds: dict[int, list[float]] = {}

    def counts(self, die: int, face: int) -> bool:
        """Whether a die counts for a bid on `face`."""
        return die == face or (die == SKULL and not self.showdown)

    def odds(self, face: int) -> list[float]:
        """The chances of 0, 1, 2 ... of all dice counting for a bid on `face`."""
        if face not in self.known_odds:
            self.known_odds[face] = self.odds_of_all(face)
        return self.known_odds[face]

    def odds_of_all(self, face: int) -> list[float]:
        """The same, worked out."""
        usual = 1 / 6 if face == SKULL or self.showdown else 1 / 3
        bidders = {seat for seat, bid in zip(self.view.bidders, self.view.faces, strict=True) if bid == face}
        theirs = sum(dice for seat, dice in enumerate(self.covered) if seat in bidders)
        certain = sum(self.counts(die, face) for die in self.open)
        return [0.0] * certain + sums(hits(theirs, usual + HOLDER), hits(sum(self.covered) - theirs, usual))

    def holds(self, quantity: int, face: int) -> float:
        """The chance that a bid holds."""
        return sum(self.odds(face)[quantity:])

    def is_exactly_the_bid(self) -> float:
        """The chance that the last bid is just right."""
        return sum(self.odds(self.view.face)[self.view.quantity : self.view.quantity + 1])


@cache
def hits(dice: int, chance: float) -> list[float]:
    """The chances of 0, 1, 2 ... of so many dice counting, where each counts with `chance`."""
    return [comb(dice, count) * chance**count * (1 - chance) ** (dice - count) for count in range(dice + 1)]


def sums(one: list[float], other: list[float]) -> list[float]:
    """The chances of the sums of two numbers, whose chances these are."""
    if len(one) == 1:
        return other
    total = [0.0] * (len(one) + len(other) - 1)
    for (i, p), (j, q) in product(enumerate(one), enumerate(other)):
        total[i + j] += p * q
    return total


def meant(move: str) -> tuple[int, int]:
    """Quantity and face of a bid's text."""
    quantity, _, face = move.removeprefix("bid ").partition("x")
    return int(quantity), SKULL if face == "skull" else int(face)


if __name__ == "__main__":
    Actuary().run()
