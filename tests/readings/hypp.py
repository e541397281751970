"""A second reading of docs/rules/hypp.md."""

from fractions import Fraction
from typing import Any

from tests.readings.reading import Play, Reading

PACK = [*range(-4, 16)] * 2
HIDDEN = 99


class Hypp(Reading):
    def play(self) -> Play:
        limit = self.options.get("limit", 10)
        self.scores = [limit * self.seats * 2] * self.seats
        first = self.dealer = self.luck.pick(self.seats)
        for number in range(1, self.options.get("max_rounds", 200) + 1):
            passes = yield from self.play_round(limit)
            if 0 in self.scores or number == self.options.get("max_rounds", 200):
                return
            if not passes:
                answer = yield {self.dealer: ("stay", "give up")}
                passes = answer[self.dealer] == "give up"
            if passes:
                self.dealer = (self.dealer + 1) % self.seats
                if self.dealer == first:
                    return

    def play_round(self, limit: int) -> Any:
        """Play a round and return whether the deal must pass on."""
        dealer, chips = self.dealer, self.scores
        others = list(self.around(dealer))[:-1]
        pack = self.luck.shuffle(PACK)
        self.bets = [0] * self.seats
        self.cards = [HIDDEN] * self.seats
        sizes = {f"packet {size}": size for size in range(1, 40) if size * len(others) < 40}
        answer = yield {dealer: sizes}
        size = sizes[answer[dealer]]
        for seat in others:
            bets = {f"bet {bet}": bet for bet in range(1, min(limit, chips[seat]) + 1)}
            if len(bets) > 1:
                answer = yield {seat: bets}
                self.bets[seat] = bets[answer[seat]]
            else:
                self.bets[seat] = 1
        passes = sum(self.bets) > chips[dealer]
        if passes:
            shares = [Fraction(bet * chips[dealer], sum(self.bets)) for bet in self.bets]
            self.bets = [int(share) for share in shares]
            while sum(self.bets) < chips[dealer]:
                rest = [share - bet for share, bet in zip(shares, self.bets, strict=True)]
                self.bets[rest.index(max(rest))] += 1
        for place, seat in enumerate([*others, dealer]):
            self.cards[seat] = pack[place * size]
        for seat in others:
            won = self.bets[seat] if self.cards[seat] > self.cards[dealer] else -self.bets[seat]
            chips[seat] += won
            chips[dealer] -= won
        return passes or all(self.cards[seat] > self.cards[dealer] for seat in others)

    def sees(self, seat: int) -> dict[str, Any]:
        return {"dealer": self.dealer, "bets": tuple(self.bets), "cards": tuple(self.cards)}
