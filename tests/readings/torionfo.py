"""A second reading of docs/rules/torionfo.md."""

from typing import Any

from tests.readings.reading import Play
from tests.readings.tricks import PACK, TYPES, Tricks, kinds

KEPT = (10, 14, 15)
"""Cards that cutter and dealer take to their hands."""


class Torionfo(Tricks):
    pictures = (15, 14, 13, 12, 11, 0, -1, -2, -3, -4)

    def play(self) -> Play:
        self.team = [seat % 2 for seat in range(self.seats)]
        self.scores = [0] * self.seats
        self.before = [0, 0]
        self.dealer = self.luck.pick(self.seats)
        for number in range(1, 5):
            self.number = number
            self.cut_and_deal()
            yield from self.put_back()
            self.stage = 2
            yield from self.play_tricks()
            self.before = list(self.totals())
            self.dealer = (self.dealer + 1) % self.seats

    def cut_and_deal(self) -> None:
        pack = list(self.luck.shuffle(PACK))
        self.cut = self.luck.pick(39, low=1)
        self.cutter = (self.dealer - 1) % self.seats
        upper, lower = pack[: self.cut], pack[self.cut :]
        self.cut_taken: list[int] = []
        while upper and upper[-1] in KEPT:
            self.cut_taken.append(upper.pop())
        self.looked = upper[-1] if upper else None
        self.pack = upper + lower
        self.size = 32 // self.seats
        self.deal(self.size)
        place = len(upper) - 1
        dealt = self.looked is not None and place < self.size * self.seats
        self.looked_seat = (self.dealer + 1 + place) % self.seats if dealt else None
        self.turned_taken: list[int] = []
        while self.pack[0] in KEPT:
            self.turned_taken.append(self.pack.pop(0))
        self.torionfo = self.pack.pop(0)
        self.hands[self.cutter] += self.cut_taken
        self.hands[self.dealer] += self.turned_taken

    def put_back(self) -> Play:
        self.stage = 1
        self.discarded: list[list[int]] = [[] for _ in range(self.seats)]
        for seat in self.around(self.dealer):
            hand = self.hands[seat]
            while len(hand) > self.size:
                self.turn = seat
                choice = {f"discard {card}": card for card in kinds(hand)}
                answer = yield {seat: choice}
                hand.remove(choice[answer[seat]])
                self.discarded[seat].append(choice[answer[seat]])
                self.pack.append(choice[answer[seat]])

    def win_trick(self, seat: int) -> None:
        super().win_trick(seat)
        self.scores = [self.totals()[team] for team in self.team]

    def points(self) -> tuple[int, int]:
        """Return the printed numbers that each team has taken in this deal."""
        taken = [sum(card for card in self.taken[seat] if card > 0) for seat in range(self.seats)]
        return sum(taken[0::2]), sum(taken[1::2])

    def totals(self) -> tuple[int, int]:
        ours, theirs = self.points()
        return self.before[0] + ours, self.before[1] + theirs

    def sees(self, seat: int) -> dict[str, Any]:
        return super().sees(seat) | {
            "deal": self.number,
            "cutter": self.cutter,
            "cut": self.cut,
            "cut_taken": tuple(self.cut_taken),
            "turned_taken": tuple(self.turned_taken),
            "torionfo": self.torionfo,
            "pile": len(self.pack),
            "scores": self.totals(),
            "points": self.points(),
            "named": TYPES.get(self.named, 0),
            "stage": self.stage,
            "discarded": tuple(self.discarded[seat]),
            "looked": self.looked if seat == self.cutter else None,
            "looked_seat": self.looked_seat if seat == self.cutter else None,
        }
