"""random: any legal move, all equally likely. It plays every game, and is what the others are measured against."""

from typing import Any

from arena.sdk import Bot, Question


class Random(Bot[Any]):
    """A player that never looks at its cards."""

    name = "random"

    def choose(self, question: Question[Any]) -> str:
        return question.rng.choice(question.legal)


if __name__ == "__main__":
    Random().run()
