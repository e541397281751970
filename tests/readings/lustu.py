"""A second reading of docs/rules/lustu.md: the cat, the inn and the fools at Montorio."""

from collections.abc import Sequence

from tests.readings.pool import Pool
from tests.readings.reading import Play
from tests.readings.tokens import CAT, CUCKOO, FOOL, GUEST, HORSE, HUNTER, INN, INNKEEPER, PACK


class Lustu(Pool):
    doubles_unused = False

    def pack(self) -> Sequence[int]:
        return sorted(PACK)[2 - self.options.get("fools", 2) :]

    def is_decided(self) -> bool:
        return sum(tokens > 0 for tokens in self.tokens) == 1

    def after_cat(self, seat: int) -> None:
        if not self.tokens[seat]:
            return
        before = [other for other in self.order[: self.order.index(seat)] if self.tokens[other]]
        bringer = seat
        while before:
            other = before.pop()
            card = self.cards[other]
            if card.face < INN or (card.face == INN and self.changes_of(card)):
                self.swap(bringer, other)
                bringer = other
                continue
            card.seen = self.everybody
            if card.face in (CAT, HUNTER):
                self.lose(bringer)
            if card.face != HORSE:
                return

    def at_the_inn(self, guest: int, host: int) -> Play:
        promised = sum(percent or 0 for of, _, _, percent in self.claims if of == guest)
        money = {f"offer {coins}": coins for coins in (1, 2, 5, 10, 20, 50) if coins <= self.purse(guest)}
        parts = {f"offer {part}%": part for part in (10, 20, 30, 40, 50) if promised + part <= 100}
        offer = "offer none"
        if money or parts:
            offer = yield from self.ask(guest, GUEST, (offer, *money, *parts))
        reply = yield from self.ask(host, INNKEEPER, ("decline", "accept"), offer)
        if reply == "decline":
            self.hosts[guest] = host
            self.stop(guest, host)
            return
        if offer in money:
            self.spend(guest, money[offer])
            self.scores[host] += money[offer]
        elif offer in parts:
            self.claims.append((guest, host, None, parts[offer]))
        self.change(guest, host)

    def result(self, shown: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        faces = {seat: self.cards[seat].face for seat in shown}
        fools = [seat for seat in shown if faces[seat] == FOOL]
        others = [seat for seat in shown if faces[seat] != FOOL]
        lowest = min([faces[seat] for seat in others], default=CUCKOO)
        first_lowest = [seat for seat in others if faces[seat] == lowest][:1]
        if len(fools) == 2:
            return fools, first_lowest or fools[:1]
        return [], fools + first_lowest
