"""searcher: looks ahead, in any game, and knows nothing of one.

It deals what it cannot see as it may lie, plays each of its moves there, and lets the match go on to where points are
counted, some hundred times a second. It takes the move that does best on average.
"""

from typing import Any

from arena.positions import NoWorld
from arena.sdk import Bot, Question
from arena.search import Experience, ThinkingTime, evaluate


class Searcher(Bot[Any]):
    """A player who tries everything first, in worlds that it cannot tell from the real one."""

    name = "searcher"
    wants_positions = True

    def choose(self, question: Question[Any]) -> str:
        memory = question.match.memory
        time = memory.setdefault("time", ThinkingTime())
        experience = memory.setdefault("experience", Experience())
        allowance = time.allow(question)
        try:
            found = evaluate(question.position, seconds=allowance, experience=experience, rng=question.rng)
        except NoWorld as reason:
            question.note(f"any move: {reason}")
            return question.rng.choice(question.legal)
        question.note(found.note())
        time.answered()
        return found.best


if __name__ == "__main__":
    Searcher().run()
