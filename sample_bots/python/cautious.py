"""cautious: the rule book's advice. Keep from 3 up, exchange below, and take no risk for a better card.

It plays Cambio and Cucco, under all their options, and decides from the view alone: a bot without memory.
"""

from arena.sdk import Bot, Question
from referee.v1.cambio_pb2 import CambioView
from referee.v1.cucco_pb2 import CuccoView

View = CambioView | CuccoView

CUCKOO, HUMAN, HORSE, CAT, HOUSE, FOOL = 15, 14, 13, 12, 11, -4
STRONG_FOOL = 16
"""A fool drawn from the pile beats every other card."""
UNKNOWN = 99
WORTH_KEEPING = {
    "lowest": range(3, 17),
    "cancel": range(3, 17),
    "two": range(6, 17),
    "high_low": range(3, 9),
    "anti": range(-4, 7),
    "second": (*range(-4, 3), *range(9, 17)),
    "lion": (*range(-4, 1), *range(7, 17)),
}
"""The cards that will mostly survive, by the option that says who falls at the reveal."""
MIDDLE = 4
"""About half of all cards are weaker than this one: what a card is worth that one cannot see."""


class Cautious(Bot[View]):
    """A player who wants to be second to last."""

    name = "cautious"
    games = ("cambio", "cucco")

    def choose(self, question: Question[View]) -> str:
        view = question.view
        if "i lose" in question.legal:
            return "i lose" if self.fears_reveal(question) else "pass"
        if "pass" in question.legal:
            return "cuckoo" if self.wants_to_call(question) else "pass"
        if view.HasField("card") and view.card == CUCKOO and reveal(question) == "lowest":
            return "keep"  # nobody can take it any more: turns never come back to those who had theirs
        return "keep" if self.wants_to_keep(question) else "exchange"

    def fears_reveal(self, question: Question[View]) -> bool:
        """Whether the own card looks like one that falls."""
        return not good(own_card(question.view), question)

    def wants_to_call(self, question: Question[View]) -> bool:
        """Call the cuckoo at the last moment: before the turn of the player who would ask us."""
        view = question.view
        if reveal(question) != "lowest" or "misery" in question.match.options or not view.HasField("turn"):
            return False
        return next_after(view.turn, view) == view.seat

    def wants_to_keep(self, question: Question[View]) -> bool:
        view = question.view
        card = own_card(view)
        asked = next_after(view.seat, view)
        offered = view.known[asked] if asked is not None else UNKNOWN
        if offered in (HUMAN, CAT, FOOL):
            return True  # asking that neighbour would be the end
        if card == FOOL and reveal(question) == "lowest":
            return False  # whoever gets it is defeated
        if offered not in (UNKNOWN, HORSE, HOUSE):
            return good(card, question) or not good(offered, question)
        return good(card, question)


def good(card: int, question: Question[View]) -> bool:
    """Whether a card is likely to survive the reveal."""
    survives = card in WORTH_KEEPING[reveal(question)]
    if not survives and reveal(question) == "lowest":
        survives = weaker_card_is_out(card, question.view)
    return survives != ("misery" in question.match.options)  # who wants to lose his chips wants to fall


def weaker_card_is_out(card: int, view: View) -> bool:
    """Whether somebody who has had his turn is known to sit on a weaker card: one such is enough."""
    done = view.order[: list(view.order).index(view.turn)] if view.HasField("turn") else view.order
    return any(not view.defeated[seat] and view.known[seat] < card and seat not in view.strong_fools for seat in done)


def own_card(view: View) -> int:
    """The own card; a middling one where the seat cannot see it."""
    if view.seat in view.strong_fools:
        return STRONG_FOOL
    return view.card if view.HasField("card") else MIDDLE


def next_after(seat: int, view: View) -> int | None:
    """The player whom `seat` would ask for an exchange. None: the pile."""
    order = list(view.order)
    later = order[order.index(seat) + 1 :]
    return next((other for other in later if not view.defeated[other]), None)


def reveal(question: Question[View]) -> str:
    """Who falls at the reveal: the option of Cambio; in Cucco always the weakest."""
    return question.match.options.get("reveal", "lowest")


if __name__ == "__main__":
    Cautious().run()
