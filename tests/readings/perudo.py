"""A second reading of docs/rules/perudo.md."""

from itertools import product
from typing import Any

from tests.readings.reading import Play, Reading

FACES = ("skull", 2, 3, 4, 5, 6)
Face = int | str
Bid = tuple[int, Face]

TRACK = [cell for number in range(1, 60, 2) for cell in (number, number + 1, f"{(number + 1) // 2} skulls")]
"""1 2 [1] 3 4 [2] ..., up to 30 skulls."""


def cell(bid: Bid) -> int:
    quantity, face = bid
    return TRACK.index(f"{quantity} skulls" if face == "skull" else quantity)


def is_raise(bid: Bid, standing: Bid) -> bool:
    if cell(bid) == cell(standing):
        return bid[1] != "skull" and int(bid[1]) > int(standing[1])
    return cell(bid) > cell(standing)


def spelt(dice: list[Face]) -> str:
    return " ".join(sorted(map(str, dice)))  # "skull" comes after the digits


class Perudo(Reading):
    def play(self) -> Play:
        self.scores = [5] * self.seats
        self.out: dict[int, int] = {}
        self.called: set[int] = set()
        self.just_one: set[int] = set()
        starter = self.luck.pick(self.seats)
        for number in range(1, self.options.get("max_rounds", 2000) + 1):
            starter = yield from self.play_round(starter)
            for seat in range(self.seats):
                if not self.scores[seat]:
                    self.out.setdefault(seat, number)
            if len(self.out) == self.seats - 1 or (self.out and self.options.get("first_blood")):
                return
            if not self.scores[starter]:
                starter = self.after(starter)

    def after(self, seat: int) -> int:
        return next(other for other in self.around(seat) if self.scores[other])

    def play_round(self, starter: int) -> Any:
        """Play a round and return who starts the next, in or out."""
        self.aside: list[list[Face]] = [[] for _ in range(self.seats)]
        self.cups: list[list[Face]] = [[] for _ in range(self.seats)]
        for seat in range(self.seats):
            if self.scores[seat]:
                self.cups[seat] = list(self.luck.roll(FACES, self.scores[seat]))
        self.standing_bid: Bid | None = None
        self.showdown = False
        seat, bidder = starter, -1
        while True:
            word = yield from self.take_turn(seat)
            if word:
                return self.settle(word, seat, bidder)
            if not self.options.get("hidden") and len(self.cups[seat]) > 1:
                yield from self.roll_again(seat)
            bidder, seat = seat, self.after(seat)

    def take_turn(self, seat: int) -> Any:
        """Return "no" or "exact", or "" after a bid."""
        may_call = seat in self.just_one and not self.showdown and seat not in self.called
        self.just_one.discard(seat)
        while True:
            bids = {f"bid {quantity}x{face}": (quantity, face) for quantity, face in self.bids()}
            words = [] if self.standing_bid is None else ["no"] if self.showdown else ["no", "exact"]
            if may_call and self.options.get("showdown"):
                words.append("showdown")
            if bids or len(words) > 1:
                answer = yield {seat: (*bids, *words)}
                word = answer[seat]
            else:
                word = "no"
            if word != "showdown":
                break
            may_call = False
            self.showdown = True
            self.called.add(seat)
            if self.standing_bid and self.standing_bid[1] == "skull":
                self.standing_bid = (self.standing_bid[0], 1)
        if word in bids:
            self.standing_bid = bids[word]
            return ""
        return word

    def bids(self) -> list[Bid]:
        last = self.standing_bid
        faces: tuple[Face, ...] = (1, 2, 3, 4, 5, 6) if self.showdown else FACES
        bids = list(product(range(1, sum(self.scores) + 1), faces))
        if not self.showdown:
            bids.sort(key=cell)
        if last is None:
            return bids
        if self.showdown:
            return [bid for bid in bids if bid[1] == last[1] and bid[0] > last[0]]
        return [bid for bid in bids if is_raise(bid, last)]

    def roll_again(self, seat: int) -> Play:
        cup = self.cups[seat]
        ways: dict[str, list[bool]] = {}
        for keeps in product((True, False), repeat=len(cup)):
            if any(keeps) and not all(keeps):
                ways[f"reroll keep {spelt([face for face, kept in zip(cup, keeps, strict=True) if kept])}"] = [*keeps]
        answer = yield {seat: {"stand", *ways}}
        if answer[seat] != "stand":
            keeps = tuple(ways[answer[seat]])
            self.aside[seat] += [face for face, kept in zip(cup, keeps, strict=True) if kept]
            self.cups[seat] = list(self.luck.roll(FACES, keeps.count(False)))

    def settle(self, word: str, caller: int, bidder: int) -> int:
        assert self.standing_bid is not None
        quantity, face = self.standing_bid
        skulls_count_as = 1 if self.showdown else face
        dice = [face for cup in (*self.cups, *self.aside) for face in cup]
        count = sum((skulls_count_as if die == "skull" else die) == face for die in dice)
        high_risk = self.options.get("high_risk")
        price = abs(quantity - count) if high_risk else 1
        if word == "no" and count < quantity:
            losses, loser = {bidder: price}, bidder
        elif word == "no" and high_risk and count == quantity:
            losses = {seat: 1 for seat in range(self.seats) if self.scores[seat] and seat != bidder}
            loser = caller
        elif word == "exact" and count == quantity:
            losses, loser = {bidder: 1}, bidder
            self.scores[caller] += 1
        else:
            losses, loser = {caller: price}, caller
        for seat, lost in losses.items():
            self.scores[seat] = max(0, self.scores[seat] - lost)
            if self.scores[seat] == 1:
                self.just_one.add(seat)
        return loser

    def standing(self, seat: int) -> tuple[int, int]:
        if seat in self.out:
            return self.out[seat], 0
        together = self.options.get("first_blood") and self.out
        return 10**6, 0 if together else self.scores[seat]

    def sees(self, seat: int) -> dict[str, Any]:
        return {
            "counts": tuple(self.scores),
            "dice": tuple(sorted([1 if die == "skull" else int(die) for die in self.cups[seat]])),
            "called": tuple([other in self.called for other in range(self.seats)]),
        }
