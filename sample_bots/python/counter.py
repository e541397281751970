"""counter: counts. What has been discarded or seen cannot be in a neighbour's hand, so the rest has known odds.

At its turn it weighs two numbers: the chance of falling with the card it has, and the chance of
falling when it asks its neighbour, over every card that may be there. It plays Cambio and Cucco
under all their options.
"""

from collections import Counter as Tally

from arena.sdk import Bot, Question
from referee.v1.cambio_pb2 import CambioView
from referee.v1.cucco_pb2 import CuccoView

View = CambioView | CuccoView

CUCKOO, HUMAN, HORSE, CAT, HOUSE, FOOL = 15, 14, 13, 12, 11, -4
STRONG_FOOL = 16
UNKNOWN = 99
KEPT_ON_PURPOSE = 0.35
"""How much rarer a weak card is with a player who chose to keep his card."""


class Counter(Bot[View]):
    """A player with a good memory and no imagination."""

    name = "counter"
    games = ("cambio", "cucco")

    def choose(self, question: Question[View]) -> str:
        table = Table(question)
        stay = table.falls_with(table.card) if table.card != UNKNOWN else table.falls_unseen()
        if "i lose" in question.legal:
            return "i lose" if stay > 0.5 else "pass"
        if "pass" in question.legal:
            # Before the turn of the one who would take the cuckoo, and only where it is worth having.
            return "cuckoo" if table.cuckoo_is_in_danger() and stay < 0.5 else "pass"
        ask = table.falls_by_asking()
        question.note(f"falls {stay:.0%} by keeping, {ask:.0%} by exchanging")
        return "keep" if stay <= ask else "exchange"


class Table:
    """What the view says, and the odds of all that it does not say."""

    def __init__(self, question: Question[View]) -> None:
        self.view = view = question.view
        self.seat = view.seat
        options = question.match.options
        self.reveal = options.get("reveal", "lowest")
        self.wants_to_fall = "misery" in options
        self.card = self.worth(self.seat)
        self.others = [seat for seat in view.order if seat != self.seat and not view.defeated[seat]]
        self.unseen = self.count_unseen(packs=2 if "double_pack" in options else 1)
        self.odds_of_any = self.odds(1)
        self.odds_of_kept = self.odds(KEPT_ON_PURPOSE)

    def worth(self, seat: int) -> int:
        """The card before a seat as the reveal counts it, or UNKNOWN."""
        if seat in self.view.strong_fools:
            return STRONG_FOOL if self.reveal != "lion" else FOOL
        return self.view.known[seat]

    def count_unseen(self, packs: int) -> "Tally[int]":
        """Every card whose place is not known, with how many of it there are."""
        unseen = Tally(dict.fromkeys(range(FOOL, CUCKOO), 2 * packs))
        unseen[CUCKOO] = self.view.cuckoos
        seen = Tally(card for cards in (self.view.discards, self.view.known, self.view.aside) for card in cards)
        return unseen - seen  # keeps what is above zero; UNKNOWN is in no pack

    def cuckoo_is_in_danger(self) -> bool:
        """Whether the player about to act would ask us."""
        return self.view.HasField("turn") and self.next_after(self.view.turn) == self.seat

    def next_after(self, seat: int) -> int | None:
        """The player whom `seat` would ask for an exchange. None: the pile."""
        order = list(self.view.order)
        later = order[order.index(seat) + 1 :]
        return next((other for other in later if not self.view.defeated[other]), None)

    def falls_with(self, card: int, gone: int | None = None) -> float:
        """The chance of falling at the reveal with `card`; `gone` is a seat that then holds the card we have now."""
        weaker = stronger = 0
        nobody_weaker = nobody_stronger = 1.0
        one_weaker = one_stronger = 0.0
        equal = 0.0
        for seat in self.others:
            held = self.card if seat == gone else self.worth(seat)
            if held != UNKNOWN:
                weaker += held < card
                stronger += held > card
                equal += held == card
                continue
            kept = self.view.actions[seat] == CambioView.ACTION_KEPT
            below, same, above = (self.odds_of_kept if kept else self.odds_of_any)[card]
            one_weaker = one_weaker * (1 - below) + nobody_weaker * below
            nobody_weaker *= 1 - below
            one_stronger = one_stronger * (1 - above) + nobody_stronger * above
            nobody_stronger *= 1 - above
            equal += same
        one_weaker, nobody_weaker = exactly(weaker, one_weaker, nobody_weaker)
        one_stronger, nobody_stronger = exactly(stronger, one_stronger, nobody_stronger)
        falls = {
            "anti": nobody_stronger,
            "cancel": nobody_weaker + equal,
            "second": one_weaker + one_stronger,
            "high_low": nobody_weaker + nobody_stronger,
            "two": nobody_weaker + one_weaker,
            "lion": one_weaker,
        }.get(self.reveal, nobody_weaker)
        return 1 - min(1.0, falls) if self.wants_to_fall else min(1.0, falls)

    def odds(self, weight_of_weak: float) -> dict[int, tuple[float, float, float]]:
        """For every card the chances that one we cannot see is weaker, equal, stronger."""
        weights = {
            card: self.unseen[card] * (weight_of_weak if card < 3 else 1) for card in range(FOOL, STRONG_FOOL + 1)
        }
        total = sum(weights.values()) or 1.0
        odds, below = {}, 0.0
        for card, weight in weights.items():
            odds[card] = below / total, weight / total, 1 - (below + weight) / total
            below += weight
        return odds

    def falls_unseen(self) -> float:
        """The chance of falling with a card that we cannot see."""
        total = self.unseen.total()
        return sum(count * self.falls_with(card) for card, count in self.unseen.items()) / total if total else 0.5

    def falls_by_asking(self) -> float:
        """The chance of falling after an exchange, over every card that may answer it."""
        asked = self.next_after(self.seat)
        offered = self.view.known[asked] if asked is not None else UNKNOWN
        if offered not in (UNKNOWN, HORSE, HOUSE):
            return self.falls_after(offered, asked)
        chances = {card: count for card, count in self.unseen.items() if card not in (HORSE, HOUSE)}  # those pass us on
        total = sum(chances.values())
        return sum(count * self.falls_after(card, asked) for card, count in chances.items()) / total if total else 1.0

    def falls_after(self, card: int, asked: int | None) -> float:
        """The chance of falling once the answer to our request is known to be `card`."""
        doomed = 0.0 if self.wants_to_fall else 1.0
        from_pile = asked is None
        if card == HUMAN or (card == CAT and self.is_own_card()) or (card == FOOL and not from_pile):
            return doomed
        if card == CAT or (card == CUCKOO and from_pile):
            return self.falls_with(self.card) if self.card != UNKNOWN else self.falls_unseen()
        if card == FOOL and self.reveal != "lion":
            card = STRONG_FOOL
        return self.falls_with(card, gone=asked)

    def is_own_card(self) -> bool:
        """Whether our card was dealt to us: then a cat defeats us and nobody else."""
        moved = zip(self.view.actions, self.view.partners, strict=True)
        return all(action != CambioView.ACTION_EXCHANGED or partner != self.seat for action, partner in moved)


def exactly(known: int, one: float, nobody: float) -> tuple[float, float]:
    """Return the chances of one and of none, given those of the unknown seats and how many are known."""
    return (one, nobody) if known == 0 else (nobody, 0.0) if known == 1 else (0.0, 0.0)


if __name__ == "__main__":
    Counter().run()
