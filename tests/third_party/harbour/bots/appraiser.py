"""appraiser: reads the view by the schema that comes with a match, and so needs nothing of Harbour's package.

It spends its purse evenly on the crates that are left, more where its own cards are high.
"""

from typing import Any

from arena.sdk import Bot, Question


class Appraiser(Bot[Any]):
    games = ("harbour",)
    wants_schema = True

    def choose(self, question: Question[Any]) -> str:
        view = question.view
        crates = int(question.match.options.get("crates", 6))
        share = view.purses[view.seat] / (crates - view.crate + 1)
        bid = round(share * sum(view.cards) / (5 * len(view.cards)))
        question.note(f"{type(view).DESCRIPTOR.full_name}: my cards are {list(view.cards)}")
        return f"bid {min(bid, view.purses[view.seat])}"


if __name__ == "__main__":
    Appraiser().run()
