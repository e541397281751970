"""bluffer: plays like a careful player most of the time, and against all expectation now and then.

Its two tricks are from the rule book. Handed a weak card, it sometimes keeps it, so that those after it
believe that something still weaker has passed, and keep theirs. And it holds its cuckoo back as
long as nobody can take it, while the others defeat each other.

It plays Cambio and Cucco under all their options, and shows how to use the match's own chance and memory.
"""

from arena.sdk import Bot, Match, Question
from referee.v1.cambio_pb2 import CambioView
from referee.v1.cucco_pb2 import CuccoView

View = CambioView | CuccoView

CUCKOO, HUMAN, CAT, FOOL = 15, 14, 12, -4
UNKNOWN = 99
WORTH_KEEPING = {
    "lowest": range(3, 16),
    "cancel": range(3, 16),
    "two": range(6, 16),
    "high_low": range(3, 9),
    "anti": range(-4, 7),
    "second": (*range(-4, 3), *range(9, 16)),
    "lion": (*range(-4, 1), *range(7, 16)),
}
"""The cards that will mostly survive, by the option that says who falls at the reveal."""
BLUFFS = 0.3
"""How often it bluffs where a bluff makes sense."""
AUDIENCE = 2
"""It takes that many players still to act to make a bluff worth its risk."""


class Bluffer(Bot[View]):
    """A player who wants the others to be wrong."""

    name = "bluffer"
    games = ("cambio", "cucco")

    def match_started(self, match: Match) -> None:
        match.memory = {"bluffs": 0}

    def choose(self, question: Question[View]) -> str:
        view, options = question.view, question.match.options
        usual = options.get("reveal", "lowest") == "lowest" and "misery" not in options
        if "i lose" in question.legal:
            return "i lose" if is_bad(question) else "pass"
        if "pass" in question.legal:
            return "cuckoo" if usual and is_in_danger(view) else "pass"
        move = plain_move(question)
        if move == "exchange" and usual and self.dares(question):
            question.match.memory["bluffs"] += 1
            question.note(f"bluff {question.match.memory['bluffs']}: keeping {view.card}, as if it were good")
            return "keep"
        return move

    def dares(self, question: Question[View]) -> bool:
        """Whether to bluff: with a weak card from the player before us, and others still to be fooled."""
        view = question.view
        handed = any(
            action == CambioView.ACTION_EXCHANGED and partner == view.seat
            for action, partner in zip(view.actions, view.partners, strict=True)
        )
        watched = len(later(view.seat, view)) >= AUDIENCE
        return handed and watched and view.card != FOOL and question.rng.random() < BLUFFS


def plain_move(question: Question[View]) -> str:
    """What the bluffer does when it does not bluff."""
    view = question.view
    asked = later(view.seat, view)
    offered = view.known[asked[0]] if asked else UNKNOWN
    if offered in (HUMAN, CAT, FOOL):
        return "keep"
    return "exchange" if is_bad(question) else "keep"


def is_bad(question: Question[View]) -> bool:
    """Whether the own card is one to get rid of. A card that we cannot see is as good as any."""
    view, options = question.view, question.match.options
    if not view.HasField("card") or view.seat in view.strong_fools:
        return False
    survives = view.card in WORTH_KEEPING[options.get("reveal", "lowest")]
    return survives == ("misery" in options)  # who wants to lose his chips wants to fall


def is_in_danger(view: View) -> bool:
    """Whether the player about to act would ask us, and so take our cuckoo."""
    return view.HasField("turn") and later(view.turn, view)[:1] == [view.seat]


def later(seat: int, view: View) -> list[int]:
    """The players whose turns come after that of `seat`, as far as they still stand."""
    order = list(view.order)
    return [other for other in order[order.index(seat) + 1 :] if not view.defeated[other]]


if __name__ == "__main__":
    Bluffer().run()
