"""reckoner: plays Cucù and Lu Stù by odds, and pays for tokens what they are worth.

At its turn it compares the tokens it expects to lose by keeping and by exchanging. A token is worth its
part of the pool; that decides what an inn may cost, and whether to enter again.
"""

from collections import Counter as Tally

from arena.sdk import Bot, Question
from referee.v1.cucu_pb2 import CucuView
from referee.v1.lustu_pb2 import LustuView
from referee.v1.tokens_pb2 import (
    TOKEN_ACTION_KEPT,
    TOKEN_STAGE_ENTRY,
    TOKEN_STAGE_GUEST,
    TOKEN_STAGE_INNKEEPER,
    TOKEN_STAGE_JOIN,
    TOKEN_STAGE_REPLY,
    TOKEN_STAGE_SHARE,
    TOKEN_STAGE_SPLIT,
)

View = CucuView | LustuView

CUCKOO, HUNTER, HORSE, CAT, INN, NULLA, FOOL = 15, 14, 13, 12, 11, 0, -4
UNKNOWN = 99
TOKENS = 3
KEPT_ON_PURPOSE = 0.4
"""How much rarer a low card is with a player who chose to keep his card."""
LOW = 5


class Reckoner(Bot[View]):
    """A player who knows what a token is worth."""

    name = "reckoner"
    games = ("cucu", "lustu")

    def choose(self, question: Question[View]) -> str:
        view, legal = question.view, question.legal
        table = Table(view, campli=question.match.game == "cucu", fools=int(question.match.options.get("fools", "2")))
        if view.stage == TOKEN_STAGE_GUEST:
            return table.offer(legal)
        if view.stage == TOKEN_STAGE_INNKEEPER:
            return table.answer()
        if view.stage == TOKEN_STAGE_ENTRY:
            return "enter" if table.entry_pays() else "stay out"
        if view.stage == TOKEN_STAGE_SHARE:
            return legal[0]  # as little as may be: what pays is worth having alone
        if view.stage == TOKEN_STAGE_JOIN:
            return "join" if table.entry_pays() else "no"
        if view.stage == TOKEN_STAGE_SPLIT:
            return f"split {min(100, table.fair_percentage() // 10 * 10 + 10)}"
        if view.stage == TOKEN_STAGE_REPLY:
            return "accept" if 100 - int(view.offer.split()[1]) >= table.fair_percentage() else "decline"
        keep, exchange = table.loss_by_keeping(), table.loss_by_exchanging()
        question.note(f"tokens lost: {keep:.2f} by keeping, {exchange:.2f} by exchanging")
        return "keep" if keep <= exchange else "exchange"


class Table:
    """What the view says, and the odds of what it does not say."""

    def __init__(self, view: View, *, campli: bool, fools: int) -> None:
        self.view = view
        self.campli = campli
        self.seat = view.seat
        self.place = {seat: place for place, seat in enumerate(view.order)}
        self.others = [seat for seat in view.order if seat != self.seat and view.tokens[seat]]
        pack = Tally(dict.fromkeys(range(FOOL, CUCKOO + 1), 2))
        pack[FOOL] = fools
        self.unseen = pack - Tally(card for cards in (view.known, view.aside) for card in cards)
        self.weak = Tally({card: n * (KEPT_ON_PURPOSE if card < LOW else 1) for card, n in self.unseen.items()})

    # Odds

    def falls(self, card: int, receiver: int | None = None) -> float:
        """The chance that `card` loses at the end; `receiver` is a seat that has our present card by then."""
        if card == FOOL:
            return 1.0
        if card == CUCKOO and self.campli:
            return 0.0
        falls = 1.0
        for seat in self.others:
            held = self.view.card if seat == receiver else self.view.known[seat]
            falls *= 1 - self.is_below(card, seat, held)
        return falls

    def is_below(self, card: int, seat: int, held: int) -> float:
        """The chance that the card of `seat` saves us from losing with `card`."""
        # Equal cards both lose at Campli; at Montorio only the first of them does.
        limit = card if self.campli or self.place[seat] > self.place[self.seat] else card + 1
        if held != UNKNOWN:
            return float(FOOL < held < limit)
        odds = self.weak if self.view.actions[seat] == TOKEN_ACTION_KEPT else self.unseen
        total = sum(odds.values())
        return sum(n for other, n in odds.items() if FOOL < other < limit) / total if total else 0.0

    def loss_by_keeping(self) -> float:
        return self.falls(self.view.card)

    def loss_by_exchanging(self) -> float:
        """The tokens that the exchange is expected to cost, now and at the end, over every card that may come."""
        later = [seat for seat in self.others if self.place[seat] > self.place[self.seat]]
        held = self.view.known[later[0]] if later else UNKNOWN
        cards = Tally({held: 1}) if held != UNKNOWN else self.unseen
        return sum(n * self.loss_by_meeting(card, later) for card, n in cards.items()) / sum(cards.values())

    def loss_by_meeting(self, card: int, later: list[int]) -> float:
        mine = self.view.card
        if not later:
            return self.falls(card)
        if card in (HUNTER, CAT):
            return 1 + self.falls(mine) * (self.view.tokens[self.seat] > 1)
        if card == CUCKOO:
            return self.falls(mine)
        if card == INN:
            return self.falls(mine) / 2  # it changes hands, or its keeper pays for a zero
        if card == HORSE:
            return self.falls(mine) / 2  # on to the next card
        return self.falls(card, receiver=later[0])

    # Money

    def token(self) -> float:
        """What a token is worth: its part of the pool."""
        return self.view.pool / sum(self.view.tokens)

    def entry_pays(self) -> bool:
        """Whether three more tokens on the table are worth their price."""
        return (self.view.pool + self.view.price) * TOKENS > self.view.price * (sum(self.view.tokens) + TOKENS)

    def fair_percentage(self) -> int:
        """Our part of the pool, by the tokens of the last two."""
        return 100 * self.view.tokens[self.seat] // sum(self.view.tokens)

    def offer(self, legal: tuple[str, ...]) -> str:
        """What to say to an innkeeper."""
        if self.campli:
            return "pay if zero"  # agreed, it covers a zero; refused, it brings the inn
        saved = self.falls(self.view.card) * self.token()
        prices = [int(move[6:]) for move in legal if move[6:].isdigit()]
        return f"offer {max((price for price in prices if price <= saved / 2), default='none')}"

    def answer(self) -> str:
        """What to say to a guest: keep a good card, unless it is paid for."""
        if self.campli:
            zero = self.view.known[self.view.order[self.place[self.seat] - 1]] == NULLA
            return "refuse" if zero else "agree"
        offer = self.view.offer.removeprefix("offer ")
        if offer.endswith("%"):
            worth = self.view.pool * int(offer[:-1]) / 100 / (len(self.others) + 1)
        else:
            worth = float(offer) if offer.isdigit() else 0.0
        return "accept" if worth > self.token() / 2 else "decline"


if __name__ == "__main__":
    Reckoner().run()
