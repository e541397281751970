"""A second reading of docs/rules/zifuli.md."""

from typing import Any

from tests.readings.reading import Play
from tests.readings.tricks import NUMBERS, PACK, Tricks, compared, counted, kinds, type_of


class Zifuli(Tricks):
    """A match of Zifuli.

    bids: who showed which card.
    side: the boss and his partner.
    """

    pictures = (-3, 15, 14, 13, 12, 11, -4, 0, -1, -2)

    def play(self) -> Play:
        options = self.options
        self.scores = [options.get("chips", 20)] * 5
        broke = options.get("end", "deals") == "broke"
        most = options.get("max_deals", 500) if broke else options.get("deals", 10)
        self.dealer = self.luck.pick(5)
        for number in range(1, most + 1):
            self.number = number
            self.pack = list(self.luck.shuffle(PACK))
            self.deal(8)
            yield from self.play_deal()
            if broke and min(self.scores) <= 0:
                return
            self.dealer = (self.dealer + 1) % 5

    def play_deal(self) -> Play:
        self.boss: int | None = None
        self.side: list[int] = []
        self.bids: list[tuple[int, int]] = []
        self.passed: list[int] = []
        self.stage = 1
        while len(self.passed) < (4 if self.bids else 5):
            for seat in self.around(self.dealer):
                if seat not in self.passed and len(self.passed) < (4 if self.bids else 5):
                    yield from self.bid_or_pass(seat)
        if not self.bids:
            return
        self.stage = 2
        self.boss, card = self.bids[-1]
        self.side = [self.boss, *(seat for seat in range(5) if seat != self.boss and card in self.hands[seat])]
        yield from self.play_tricks()
        ours = [card for seat in range(5) if seat in self.side for card in self.taken[seat]]
        theirs = [card for seat in range(5) if seat not in self.side for card in self.taken[seat]]
        ahead = compared(ours, theirs)
        for seat in range(5):
            if len(self.side) == 1:
                price = 8 if seat == self.boss else -2
            else:
                price = 2 if seat == self.boss else 1 if seat in self.side else -1
            self.scores[seat] += price if ahead > 0 else -price if ahead < 0 else 0

    def bid_or_pass(self, seat: int) -> Play:
        self.turn = seat
        bids = {f"bid {card}": card for card in kinds(self.hands[seat]) if self.may_bid(card)}
        if not bids:
            self.passed.append(seat)
            return
        answer = yield {seat: ("pass", *bids)}
        if answer[seat] == "pass":
            self.passed.append(seat)
        else:
            self.bids.append((seat, bids[answer[seat]]))

    def may_bid(self, card: int) -> bool:
        if not self.bids:
            return True
        order = list(NUMBERS if type_of(card) == "number" else self.pictures)
        last = self.bids[-1][1]
        return type_of(card) == type_of(last) and order.index(card) > order.index(last)

    def knows_the_side(self, seat: int) -> bool:
        """Tell whether `seat` knows who is on the boss's side."""
        if not self.side:
            return False
        played: list[tuple[int, int]] = []
        cards = [*self.played, *self.table]
        for trick, leader in enumerate(self.leaders):
            played += [((leader + place) % 5, card) for place, card in enumerate(cards[5 * trick : 5 * trick + 5])]
        bid = self.bids[-1][1]
        by = [player for player, card in played if card == bid]
        if len(self.side) == 1:
            return seat == self.boss or len(by) == 2
        return seat == self.side[1] or self.side[1] in by

    def sees(self, seat: int) -> dict[str, Any]:
        knows, alone = self.knows_the_side(seat), len(self.side) == 1
        return super().sees(seat) | {
            "deal": self.number,
            "chips": tuple(self.scores),
            "bidders": tuple([bidder for bidder, _ in self.bids]),
            "bids": tuple([card for _, card in self.bids]),
            "passed": tuple(self.passed),
            "boss": self.boss,
            "points": tuple(map(counted, self.taken)),
            "stage": self.stage,
            "partner": self.side[1] if knows and not alone else None,
            "alone": knows and alone,
        }
