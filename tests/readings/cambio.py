"""A second reading of docs/rules/cambio.md and docs/rules/cucco.md: options, and who loses at the reveal."""

from collections.abc import Mapping
from typing import Any

from tests.readings.reading import Luck
from tests.readings.sets import Sets


class Cambio(Sets):
    manual = True

    def __init__(self, options: Mapping[str, Any], seats: int, luck: Luck) -> None:
        super().__init__(options, seats, luck)
        self.scores = [options.get("chips", 25)] * seats
        self.sets = options.get("max_sets", 500)
        self.ante = 2 if self.on("child_time") else 1
        packs = 2 if self.on("double_pack") else 1
        cuckoos = options.get("cuckoos", "auto")
        if cuckoos == "auto":
            cuckoos = 1 if seats >= 8 and packs == 1 and self.reveal != "cancel" else 2
        self.pack = [15] * int(cuckoos) + [*range(-4, 15)] * 2 * packs

    @property
    def reveal(self) -> str:
        return str(self.options.get("reveal", "lowest"))

    def standing(self, seat: int) -> int:
        return -self.scores[seat] if self.on("misery") else self.scores[seat]

    def turn_order(self) -> list[int]:
        return [seat for seat in self.around(self.lead) if seat in self.inside]

    def exempted(self) -> list[int]:
        return self.last

    def strength(self, seat: int) -> int:
        return self.table[seat].face if self.reveal == "lion" else super().strength(seat)

    def after_a_tie(self, shown: list[int], lost: list[int]) -> list[int]:
        final = (
            len({self.strength(seat) for seat in shown}) == 1
            and lost == shown
            and all(self.price(seat) is None for seat in shown)
            and all(self.is_eliminated(seat) for seat in self.fallen)
        )
        return [] if final and self.options.get("final_tie") == "overtime" else lost

    def losers(self, shown: list[int]) -> list[int]:
        holders: dict[int, list[int]] = {}
        for seat in sorted(shown, key=self.strength):
            holders.setdefault(self.strength(seat), []).append(seat)
        kinds = list(holders)  # the weakest first
        if len(kinds) == 1:
            return shown
        low, high = kinds[0], kinds[-1]
        match self.reveal:
            case "anti":
                lost = {high}
            case "cancel":
                lost = {low} | {kind for kind in kinds if len(holders[kind]) > 1}
            case "second" if len(shown) == 2 or (len(shown) > 3 and len(kinds) == 2):
                lost = {low}
            case "second" if len(shown) == 3:
                lost = {kinds[-2]}
            case "second":
                lost = {kinds[-2], kinds[1]}
            case "high_low" if len(kinds) == 2:
                lost = {low} if len(holders[high]) <= len(holders[low]) else {high}
            case "high_low":
                lost = {low, high}
            case "two" if len(kinds) == 2:
                lost = {low}
            case "two":
                lost = {low, kinds[1]}
            case "lion":
                lost = {kinds[1]}
            case _:
                lost = {low}
        return [seat for kind in lost for seat in holders[kind]]


class Cucco(Sets):
    def __init__(self, options: Mapping[str, Any], seats: int, luck: Luck) -> None:
        super().__init__(options, seats, luck)
        short = options.get("length") == "short"
        self.scores = [options.get("coins") or (10 if short else 25)] * seats
        self.sets = options.get("sets") or (3 if short else 6)
        self.manual = options.get("open") == "manual"
        self.pack = [15] * (1 if seats >= 8 and not self.on("cancellation") else 2) + [*range(-4, 15)] * 2

    def turn_order(self) -> list[int]:
        return [seat for seat in self.around(self.lead - 1) if seat in self.inside]

    def losers(self, shown: list[int]) -> list[int]:
        strengths = [self.strength(seat) for seat in shown]
        if not self.on("cancellation"):
            return [seat for seat in shown if self.strength(seat) == min(strengths)]
        alone = [strength for strength in strengths if strengths.count(strength) == 1]
        weakest = min(alone) if len(alone) > 1 else None
        return [seat for seat in shown if self.strength(seat) not in alone or self.strength(seat) == weakest]
