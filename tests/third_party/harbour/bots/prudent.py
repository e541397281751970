"""prudent: expects fives of the others, and bids half of what the crate is worth then."""

from arena_harbour.v1.harbour_pb2 import HarbourView

from arena.sdk import Bot, Question


class Prudent(Bot[HarbourView]):
    games = ("harbour",)

    def choose(self, question: Question[HarbourView]) -> str:
        view = question.view
        worth = sum(view.cards) + 5 * len(view.cards) * (question.match.seats - 1)
        return f"bid {min(worth // 2, view.purses[view.seat])}"


if __name__ == "__main__":
    Prudent().run()
