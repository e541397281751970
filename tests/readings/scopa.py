"""A second reading of docs/rules/scopa.md."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from tests.readings.reading import Play, Reading

SUITS = "CUSB"
PACK = [f"{suit}{value}" for suit in SUITS for value in range(1, 11)]
PRIMIERA = {7: 21, 6: 18, 1: 16, 5: 15, 4: 14, 3: 13, 2: 12, 10: 10, 9: 0, 8: 0}


def value(card: str) -> int:
    return int(card[1:])


def rising(card: str) -> tuple[int, int]:
    return value(card), SUITS.index(card[0])


class Scopa(Reading):
    def play(self) -> Play:
        options = self.options
        if options.get("teams", "auto") == "auto" and self.seats in (4, 6):
            self.team = [seat % 2 for seat in range(self.seats)]
        self.teams = range(max(self.team) + 1)
        points = [0 for _ in self.teams]
        self.scores = [0] * self.seats
        self.dealer = self.luck.pick(self.seats)
        for deal in range(1, options.get("max_deals", 200) + 1):
            self.deal = deal
            yield from self.play_deal()
            points = [old + new for old, new in zip(points, self.count(), strict=True)]
            self.scores = [points[team] for team in self.team]
            leaders = [team for team in self.teams if points[team] == max(points)]
            others = [points[team] for team in self.teams if team != leaders[0]]
            if max(points) >= options.get("target", 11) and len(leaders) == 1:
                return
            if options.get("mercy") and max(points) >= 7 and not any(others):
                return
            self.dealer = (self.dealer + 1) % self.seats

    def play_deal(self) -> Play:
        self.table: list[str] = []
        self.hands: list[list[str]] = []
        kings = 4
        while kings >= 3:
            self.pack = list(self.luck.shuffle(PACK))
            self.deal_hands(3)
            self.table = [self.pack.pop(0) for _ in range(5 if self.seats == 5 else 4)]
            kings = sum(value(card) == 10 for card in self.table)
        self.scopas = [0 for _ in self.teams]
        self.taken: list[list[str]] = [[] for _ in self.teams]
        self.last_taker: int | None = None
        while True:
            while any(self.hands):
                for seat in self.around(self.dealer):
                    yield from self.take_turn(seat)
            if not self.pack:
                break
            self.deal_hands(min(3, len(self.pack) // self.seats))
        if self.last_taker is not None:
            self.taken[self.team[self.last_taker]] += self.table

    def deal_hands(self, size: int) -> None:
        self.hands = [[] for _ in range(self.seats)]
        for _ in range(size):
            for seat in self.around(self.dealer):
                self.hands[seat].append(self.pack.pop(0))

    def take_turn(self, seat: int) -> Play:
        self.turn = seat
        hand = self.hands[seat]
        plays: dict[str, tuple[str, tuple[str, ...]]] = {}
        for card in sorted(hand, key=rising):
            ways = self.captures(card)
            if len(ways) > 1:
                plays |= {f"play {card} take {' '.join(way)}": (card, way) for way in ways}
            else:
                plays[f"play {card}"] = (card, ways[0] if ways else ())
        if self.options.get("strict_discard") and any(captured for _, captured in plays.values()):
            for move in [move for move, (_, captured) in plays.items() if not captured]:
                del plays[move]
        if len(plays) > 1:
            answer = yield {seat: plays}
            card, captured = plays[answer[seat]]
        else:
            ((card, captured),) = plays.values()
        hand.remove(card)
        if not captured:
            self.table.append(card)
            return
        self.table = [other for other in self.table if other not in captured]
        self.taken[self.team[seat]] += [*captured, card]
        self.last_taker = seat
        if not self.table and (self.pack or any(self.hands)):
            self.scopas[self.team[seat]] += 1
            for mate in range(self.seats):
                self.scores[mate] += self.team[mate] == self.team[seat]

    def captures(self, card: str) -> list[tuple[str, ...]]:
        for fewest in range(1, len(self.table) + 1):
            ways = [way for way in combinations(self.table, fewest) if sum(map(value, way)) == value(card)]
            if ways:
                return ways
        return []

    def count(self) -> list[int]:
        counts: list[Callable[[Sequence[str]], Any]] = [
            len,
            lambda cards: sum(card[0] == "C" for card in cards),
            lambda cards: "C7" in cards,
            self.primiera,
        ]
        points = self.scopas
        for count in counts:
            worth = [count(taken) for taken in self.taken]
            if worth.count(max(worth)) == 1:
                points[worth.index(max(worth))] += 1
        return points

    def primiera(self, cards: Sequence[str]) -> Any:
        def worth(card: str) -> int:
            all_faces = self.options.get("faces") == "all" and value(card) >= 8
            return 10 if all_faces else PRIMIERA[value(card)]

        match self.options.get("primiera", "best"):
            case "sum":
                return sum(map(worth, cards))
            case "sevens":
                return [sum(value(card) == wanted for card in cards) for wanted in (7, 6, 5, 4, 3, 2, 1)]
            case _:
                return sum(max([worth(card) for card in cards if card[0] == suit] or [0]) for suit in SUITS)

    def sees(self, seat: int) -> dict[str, Any]:
        return {
            "deal": self.deal,
            "dealer": self.dealer,
            "teams": tuple(self.team),
            "scores": tuple(self.scores),
            "scopas": tuple(self.scopas),
            "pack": len(self.pack),
            "taken": tuple([card for taken in self.taken for card in taken]),
            "takers": tuple([team for team in self.teams for _ in self.taken[team]]),
            "last_taker": self.last_taker,
            "hands": tuple(map(len, self.hands)),
            "table": tuple(self.table),
            "turn": self.turn,
            "seat": seat,
            "hand": tuple(sorted(self.hands[seat], key=rising)),
        }
