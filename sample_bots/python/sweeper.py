"""sweeper: plays Scopa by what cards are worth, and never leaves a sweep where it can help it.

Every card has a price: its share in the points for most cards, most coins, the settebello and the primiera. A
move gains what it captures, and risks what it leaves to the next player. It counts the cards
to know how likely that player is to sweep.
"""

from itertools import combinations

from arena.sdk import Bot, Question
from referee.v1.scopa_pb2 import ScopaView

CARD, COIN, SETTEBELLO, SCOPA = 0.05, 0.1, 0.8, 1.0
PRIMIERA = {7: 0.25, 6: 0.12, 1: 0.08, 5: 0.06, 4: 0.05, 3: 0.04, 2: 0.03, 10: 0.01, 9: 0.0, 8: 0.0}
LEFT = 0.4
"""How much of a card's price is lost by laying it on the table, where the next player may take it."""


class Sweeper(Bot[ScopaView]):
    """A player with a price list."""

    name = "sweeper"
    games = ("scopa",)

    def choose(self, question: Question[ScopaView]) -> str:
        view = question.view
        worths = {move: worth(move, view) for move in question.legal}
        move = max(worths, key=lambda move: worths[move])
        question.note(f"{move}: {worths[move]:+.2f} points")
        return move


def worth(move: str, view: ScopaView) -> float:
    """What a move gains, less what it risks."""
    _, card, *named = move.split(" ")
    captured = tuple(named[1:]) if named else capture(card, list(view.table))
    if not captured:
        table = [*view.table, card]
        gain = -LEFT * price(card)
    else:
        table = [other for other in view.table if other not in captured]
        gain = price(card) + sum(map(price, captured)) + (0 if table else SCOPA)
    return gain - SCOPA * chance_of_a_sweep(table, [*table, *captured, card], view)


def price(card: str) -> float:
    """The share of a card in the points of a deal."""
    return CARD + COIN * (card[0] == "C") + SETTEBELLO * (card == "C7") + PRIMIERA[value(card)]


def value(card: str) -> int:
    """What a card counts for in captures."""
    return int(card[1:])


def capture(card: str, table: list[str]) -> tuple[str, ...]:
    """The cards that `card` captures where it has only one way: the fewest that sum to its value."""
    small = [other for other in table if value(other) <= value(card)]
    for count in range(1, len(small) + 1):
        for some in combinations(small, count):
            if sum(map(value, some)) == value(card):
                return some
    return ()


def chance_of_a_sweep(table: list[str], seen: list[str], view: ScopaView) -> float:
    """How likely the next player holds the card that takes the whole table."""
    total = sum(map(value, table))
    following = view.hands[(view.seat + 1) % len(view.hands)]
    if not table or total > 10 or not following:
        return 0.0
    known = {*seen, *view.hand, *view.taken}
    fitting = 4 - sum(value(card) == total for card in known)
    return 1 - (1 - fitting / (40 - len(known))) ** following if len(known) < 40 else 0.0


if __name__ == "__main__":
    Sweeper().run()
