"""A second reading of docs/rules/kille.md."""

from typing import Any

from tests.readings.reading import Play, Reading

PACK = [*range(-4, 16)] * 2


class Kille(Reading):
    def play(self) -> Play:
        seats, options = self.seats, self.options
        self.duplicate, target = options.get("duplicate", False), options.get("target", 0)
        most = options.get("max_deals", 500)
        self.scores = [seats if self.duplicate else 0] * seats
        self.deal = 0
        hands: list[list[int]] = []
        self.dealer = self.luck.pick(seats)
        while self.deal < (most if target else min(most, seats)) and not (target and max(self.scores) >= target):
            self.deal += 1
            if self.duplicate and self.deal > 1:
                hands = [hands[(seat + 1) % seats] for seat in range(seats)]
                self.dealer = (self.dealer - 1) % seats
            else:
                self.dealer = (self.dealer + (self.deal > 1)) % seats
                pack = self.luck.shuffle(PACK)
                hands = [[] for _ in range(seats)]
                for number, card in enumerate(pack[: 40 // seats * seats]):
                    hands[(self.dealer + 1 + number) % seats].append(card)
            self.hands = [sorted(hand, reverse=True) for hand in hands]
            leader = (self.dealer + 1) % seats
            while self.hands[leader]:
                yield from self.play_trick(leader)
                cards = list(self.trick.values())
                players = list(self.trick)
                if self.hands[leader]:
                    leader = players[cards.index(max(cards))]
                else:
                    winner = [seat for seat, card in self.trick.items() if card == min(cards)][-1]
            for seat in range(seats):
                if self.duplicate:
                    self.scores[seat] += seats - 1 if seat == winner else -1
                else:
                    self.scores[seat] += seat == winner

    def play_trick(self, leader: int) -> Play:
        self.trick: dict[int, int] = {}
        for seat in self.around(leader - 1):
            hand = self.hands[seat]
            stronger = [card for card in hand if all(card > other for other in self.trick.values())]
            choice = {f"play {card}": card for card in stronger or [min(hand)]}
            if len(choice) > 1:
                answer = yield {seat: choice}
                card = choice[answer[seat]]
            else:
                (card,) = choice.values()
            hand.remove(card)
            self.trick[seat] = card

    def sees(self, seat: int) -> dict[str, Any]:
        known = self.hands if self.duplicate and self.deal > 1 else []
        return {
            "deal": self.deal,
            "dealer": self.dealer,
            "hand": tuple(self.hands[seat]),
            "table": tuple(self.trick.values()),
            "hands": tuple([(tuple(hand),) for hand in known]),
        }
