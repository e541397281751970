"""A second reading of what docs/rules/cambio.md and docs/rules/cucco.md share: sets, rounds, the exchange phase."""

from abc import abstractmethod
from collections.abc import Collection, Mapping
from typing import Any

from tests.readings.reading import Luck, Play, Reading

UNKNOWN = 99
DRAWN_FOOL = 100


class Card:
    """A card on the table.

    owner: to whom it was first dealt.
    seen: who knows it.
    drawn: it came from the pile.
    """

    def __init__(self, face: int, owner: int, seen: Collection[int], *, drawn: bool) -> None:
        self.face = face
        self.owner = owner
        self.seen = set(seen)
        self.drawn = drawn


class Sets(Reading):
    """The sets of a match.

    lead: the dealer of Cambio, the start player of Cucco.
    """

    manual: bool
    """Whether a cuckoo is called by its holder."""

    def __init__(self, options: Mapping[str, Any], seats: int, luck: Luck) -> None:
        super().__init__(options, seats, luck)
        self.lead = luck.pick(seats)
        self.set = self.round = self.box = 0
        self.pack: list[int] = []
        self.ante = 1
        self.sets = 0
        self.exempt: list[int] = []

    def on(self, switch: str) -> bool:
        return bool(self.options.get(switch, False))

    # A set

    def play(self) -> Play:
        self.table: dict[int, Card] = {}
        while self.set < self.sets:
            owing = [seat for seat in range(self.seats) if seat not in self.exempt]
            if any(self.scores[seat] < self.ante for seat in owing):
                return
            self.set += 1
            self.round = 0
            for seat in owing:
                self.pay(seat, self.ante)
            self.exempt = []
            if self.won_by_payment():
                return
            self.pile = list(self.luck.shuffle(self.pack))
            self.discards: list[int] = []
            self.inside = list(range(self.seats))
            self.defeats = [0] * self.seats
            while len(self.inside) > 1:
                if self.round == self.options.get("max_rounds", 1000):
                    return
                self.round += 1
                yield from self.play_round()
                if self.won_by_payment():
                    return
                if len(self.inside) > 1:
                    self.lead = next(seat for seat in self.around(self.lead) if seat in self.inside)
            if self.inside:
                self.lead = self.inside[0]
                self.scores[self.lead] += self.box
                self.box = 0
            else:
                self.lead = (self.lead + 1) % self.seats
                self.exempt = self.exempted()

    def pay(self, seat: int, chips: int) -> None:
        self.scores[seat] -= chips
        self.box += chips

    def won_by_payment(self) -> bool:
        return self.on("misery") and 0 in self.scores

    def exempted(self) -> list[int]:
        return []

    @abstractmethod
    def turn_order(self) -> list[int]:
        pass

    def price(self, seat: int) -> int | None:
        number = self.defeats[seat] + 1 if self.on("child_time") else self.round
        return number if number <= 3 else None

    def is_eliminated(self, seat: int) -> bool:
        price = self.price(seat)
        return price is None or price > self.scores[seat]

    # A round

    def play_round(self) -> Play:
        self.order = self.turn_order()
        self.fallen: list[int] = []
        self.aside: list[Card] = []
        self.table = {}
        for seat in self.order:
            face = self.draw()
            self.table[seat] = Card(face, seat, self.beholders(seat), drawn=False)
        self.dealt = dict(self.table)
        self.called = False
        yield from self.exchange_phase()
        shown = self.standing_seats()
        lost: list[int] = []
        if len(shown) > 1:
            claims = []
            if self.on("rebirth") and not self.called:
                said = yield dict.fromkeys(shown, ("pass", "i lose"))
                claims = [seat for seat in shown if said[seat] == "i lose"]
            lost = [seat for seat in shown if (seat in self.losers(shown)) != (seat in claims)]
            lost = self.after_a_tie(shown, lost)
        out = []
        for seat in self.fallen + lost:
            price = self.price(seat)
            if self.is_eliminated(seat):
                out.append(seat)
            self.pay(seat, min(price or 0, self.scores[seat]))
            self.defeats[seat] += 1
        self.last = lost or self.fallen[-2:]
        self.inside = [seat for seat in self.inside if seat not in out]
        self.discards += [card.face for card in (*self.table.values(), *self.aside)]

    def after_a_tie(self, shown: list[int], lost: list[int]) -> list[int]:
        return lost

    def draw(self) -> int:
        if not self.pile:
            self.pile = list(self.luck.shuffle(self.discards))
            self.discards = []
        return self.pile.pop(0)

    def beholders(self, seat: int) -> set[int]:
        """Return who sees a card that `seat` is dealt or takes from the pile."""
        return set(range(self.seats)) - {seat} if self.on("indian") else {seat}

    def standing_seats(self) -> list[int]:
        return [seat for seat in self.order if seat not in self.fallen]

    def defeat(self, seat: int) -> None:
        if seat not in self.fallen:
            self.fallen.append(seat)

    # The exchange phase

    def exchange_phase(self) -> Play:
        for _ in range(2 if self.on("double_turn") else 1):
            for place, seat in enumerate(self.order):
                if len(self.standing_seats()) < 2:
                    return
                if not self.manual and self.opens_by_itself(place):
                    return
                if seat in self.fallen:
                    continue
                yield from self.ask_holders(place, but=seat)
                if self.called:
                    return
                may_call = seat in self.holders(place)
                answer = yield {seat: ("keep", "exchange", *(["cuckoo"] if may_call else []))}
                if answer[seat] == "cuckoo":
                    self.called = True
                    return
                if answer[seat] == "exchange":
                    self.exchange(seat, self.order[place + 1 :])
        if self.on("rebirth") and len(self.standing_seats()) > 1:
            yield from self.ask_holders(0, but=None)

    def holders(self, place: int) -> list[int]:
        """Return who may call a cuckoo, in turn order from `place` on."""
        order = self.order[place:] + self.order[:place]
        known = [seat for seat in order if self.table[seat].face == 15 and seat in self.table[seat].seen]
        return [seat for seat in known if self.manual and seat not in self.fallen]

    def ask_holders(self, place: int, but: int | None) -> Play:
        for seat in self.holders(place):
            if seat != but:
                answer = yield {seat: ("pass", "cuckoo")}
                if answer[seat] == "cuckoo":
                    self.called = True
                    return

    def opens_by_itself(self, turn: int) -> bool:
        for place, seat in enumerate(self.order):
            if self.dealt[seat].face == 15 and self.table[seat] is self.dealt[seat]:
                opening = max(place - 2, 0)
                if opening == turn and (place > 0 or len(self.order) == 2):
                    return True
        return False

    def exchange(self, seat: int, after: list[int]) -> None:
        table = self.table
        everybody = set(range(self.seats))
        for other in after:
            if other in self.fallen:
                continue
            face = table[other].face
            if face in (11, 12, 13, 14):
                table[other].seen |= everybody - {other} if self.on("indian") else everybody
            if face in (11, 13):
                continue
            if face == 14:
                self.defeat(seat)
            elif face == 12:
                self.defeat(table[seat].owner)
            else:
                table[seat], table[other] = table[other], table[seat]
                for one in (seat, other):
                    table[one].seen |= {seat, other}
                    table[one].drawn = False
                    if table[one].face == -4:
                        table[one].seen |= everybody
                        self.defeat(one)
            return
        while (face := self.draw()) in (11, 13):
            self.discards.append(face)
        if face in (12, 14, 15):
            self.discards.append(face)
            if face == 14:
                self.defeat(seat)
            elif face == 12:
                self.defeat(table[seat].owner)
        else:
            self.aside.append(table[seat])
            table[seat] = Card(face, seat, self.beholders(seat), drawn=True)

    # The reveal

    def strength(self, seat: int) -> int:
        card = self.table[seat]
        return DRAWN_FOOL if card.drawn and card.face == -4 else card.face

    @abstractmethod
    def losers(self, shown: list[int]) -> list[int]:
        pass

    def sees(self, seat: int) -> dict[str, Any]:
        def face(card: Card | None) -> int:
            return card.face if card and seat in card.seen else UNKNOWN

        known = tuple([face(self.table.get(other)) for other in range(self.seats)])
        fools = {at for at, card in self.table.items() if card.drawn and card.face == -4 and seat in card.seen}
        return {
            "set": self.set,
            "round": self.round,
            "box": self.box,
            "order": tuple(self.order),
            "known": known,
            "card": None if known[seat] == UNKNOWN else known[seat],
            "aside": tuple([face(card) for card in self.aside]),
            "strong_fools": fools,
            "pile": len(self.pile),
        }
