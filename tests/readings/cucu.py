"""A second reading of docs/rules/cucu.md: the cat, the inn and the fool at Campli."""

from collections.abc import Sequence

from tests.readings.pool import Pool
from tests.readings.reading import Play
from tests.readings.tokens import CUCKOO, FOOL, GUEST, INNKEEPER


class Cucu(Pool):
    doubles_unused = True

    def must_exchange(self, seat: int) -> bool:
        return bool(self.split) and seat != self.dealer and self.cards[seat].face < 5

    def after_cat(self, seat: int) -> None:
        for change in reversed(self.changes_of(self.cards[seat])):
            one, other, _ = change
            self.cards[one], self.cards[other] = self.cards[other], self.cards[one]
            self.changes.remove(change)

    def at_the_inn(self, guest: int, host: int) -> Play:
        wish = yield from self.ask(guest, GUEST, ("stay", "pay if zero"))
        reply = "agree"
        if wish == "pay if zero":
            reply = yield from self.ask(host, INNKEEPER, ("agree", "refuse"), wish)
            if reply == "agree":
                self.hosts[guest] = host
        if reply == "agree":
            self.stop(guest, host)
        else:
            self.change(guest, host)

    def result(self, shown: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        faces = {seat: self.cards[seat].face for seat in shown}
        fools = [seat for seat in shown if faces[seat] == FOOL]
        others = [seat for seat in shown if faces[seat] != FOOL]
        lowest = min([faces[seat] for seat in others], default=CUCKOO)
        lowest_ones = [seat for seat in others if faces[seat] == lowest and lowest != CUCKOO]
        if len(fools) == 2:
            return [], lowest_ones or fools
        return [], fools + lowest_ones
