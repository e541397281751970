"""banker: plays Hypp by the size of the banks.

Nobody knows a card before it is shown, so there is nothing to play by but chips and place: equal cards win for the
dealer, everybody else plays at a small loss, and it is the order at the end that counts. The banker looks at the
middle one of the other banks. While it has more, it risks a single chip; when it has less, it bets what it lacks. As
the dealer it stays until it has more.
"""

from statistics import median_high

from arena.sdk import Bot, Question
from referee.v1.hypp_pb2 import HyppView


class Banker(Bot[HyppView]):
    """A player who always knows what everybody has."""

    name = "banker"
    games = ("hypp",)

    def choose(self, question: Question[HyppView]) -> str:
        view = question.view
        lacks = median_high(chips for seat, chips in enumerate(view.chips) if seat != view.seat) - view.chips[view.seat]
        if view.stage == HyppView.STAGE_BET:
            # The legal bets go up from one chip: bet N is number N - 1, and the last is the highest.
            return question.legal[max(0, min(lacks, len(question.legal)) - 1)]
        if view.stage == HyppView.STAGE_PASS:
            return "give up" if lacks < 0 else "stay"
        return question.legal[0]  # all packets are alike


if __name__ == "__main__":
    Banker().run()
