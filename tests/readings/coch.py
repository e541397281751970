"""A second reading of docs/rules/coch.md."""

from typing import Any

from tests.readings.reading import Play
from tests.readings.tricks import PACK, Tricks, compared, counted


class Coch(Tricks):
    """A match of Coch.

    won: the deals that each team won; scores are half deals.
    """

    pictures = (-3, 15, 14, 13, 12, 11, 0, -1, -2, -4)

    def play(self) -> Play:
        self.team = [0, 1, 0, 1]
        self.scores = [0, 0, 0, 0]
        self.won = [0.0, 0.0]
        self.dealer = self.luck.pick(4)
        for number in range(1, self.options.get("deals", 1) + 1):
            self.number = number
            self.pack = list(self.luck.shuffle(PACK))
            self.deal(10)
            yield from self.play_tricks()
            ahead = compared(self.taken_by(0), self.taken_by(1))
            if ahead:
                self.won[0 if ahead > 0 else 1] += 1
            else:
                self.won = [won + 0.5 for won in self.won]
            self.scores = [int(2 * self.won[team]) for team in self.team]
            self.dealer = (self.dealer + 1) % 4

    def taken_by(self, team: int) -> list[int]:
        return self.taken[team] + self.taken[team + 2]

    def sees(self, seat: int) -> dict[str, Any]:
        return super().sees(seat) | {
            "deal": self.number,
            "won": tuple(self.won),
            "points": (counted(self.taken_by(0)), counted(self.taken_by(1))),
        }
