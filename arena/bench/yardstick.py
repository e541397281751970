"""The yardstick: a small card game in plain Python, which decisions of arena are compared with.

A figure of one machine says little on another. So every figure about decisions is also given as a ratio: its CPU time
per decision by that of a decision of this game, read before and after each run by the same interpreter.

The game does what rules do (lists, tuples, dictionaries, texts, method calls) and uses nothing of arena: if rules of
arena were the yardstick, whatever makes them faster would make every ratio look worse. For the same reason it is never
compiled and never changed. If it must change, raise VERSION: ratios of different versions are not comparable.
"""

from collections.abc import Callable
from random import Random
from time import process_time

from arena.bench.processes import pinned, spare_core

VERSION = 1

SEATS = 4

MATCHES = 50
"""How many matches are played at a time: always the same."""

Card = tuple[int, int]


class CardTable:
    """A match: whoever gets rid of all cards first wins. A card goes on one of its suit or rank; or draw, or pass."""

    def __init__(self, random: Callable[[], float]) -> None:
        deck = [(suit, rank) for suit in range(4) for rank in range(13)]
        for last in range(51, 0, -1):
            other = int(random() * (last + 1))
            deck[last], deck[other] = deck[other], deck[last]
        self.hands: list[list[Card]] = [deck[7 * seat : 7 * seat + 7] for seat in range(SEATS)]
        self.stock = deck[7 * SEATS :]
        self.pile = [self.stock.pop()]
        self.turn = 0
        self.passes = 0
        self.log: list[dict[str, object]] = []

    def over(self) -> bool:
        return self.passes == SEATS or not all(self.hands)

    def legal(self) -> list[str]:
        suit, rank = self.pile[-1]
        moves = [f"play {card[0]}-{card[1]}" for card in self.hands[self.turn] if card[0] == suit or card[1] == rank]
        moves.append("draw" if self.stock else "pass")
        return moves

    def apply(self, move: str) -> None:
        kind, _, text = move.partition(" ")
        hand = self.hands[self.turn]
        self.passes = self.passes + 1 if kind == "pass" else 0
        if kind == "play":
            suit, rank = map(int, text.split("-"))
            hand.remove((suit, rank))
            self.pile.append((suit, rank))
        elif kind == "draw":
            hand.append(self.stock.pop())
        self.log.append({"seat": self.turn, "move": move, "cards": len(hand)})
        self.turn = (self.turn + 1) % SEATS

    def ranking(self) -> list[int]:
        return sorted(range(SEATS), key=lambda seat: (len(self.hands[seat]), seat))


def play() -> tuple[int, int]:
    """Play the matches at random; return how many decisions that took, and a checksum of the rankings."""
    decisions = checksum = 0
    for number in range(MATCHES):
        random = Random(number).random
        table = CardTable(random)
        while not table.over():
            legal = table.legal()
            table.apply(legal[int(random() * len(legal))])
        decisions += len(table.log)
        for seat in table.ranking():
            checksum = (checksum * 31 + seat) % 1_000_003
    return decisions, checksum


class Yardstick:
    """Readings that alternate with the runs of a figure: one now, and one more by `read` after each run.

    seconds: CPU time of each reading, at least.
    core: where to read; that of the figure, where it has one.
    """

    def __init__(self, seconds: float, core: int | None = None) -> None:
        self._seconds = seconds
        self._core = spare_core() if core is None else core
        self._readings: list[float] = []
        play()
        self.read()

    def read(self) -> None:
        """Measure what a decision of the yardstick costs now."""
        with pinned(self._core):
            began = process_time()
            decisions, _ = play()
            while (spent := process_time() - began) < self._seconds:
                decisions += play()[0]
        self._readings.append(spent * 1e6 / decisions)

    @property
    def beside(self) -> tuple[float, ...]:
        """Return the CPU time of a decision in µs for each run: the mean of the readings before and after it."""
        before_and_after = zip(self._readings, self._readings[1:], strict=False)
        return tuple((before + after) / 2 for before, after in before_and_after)
