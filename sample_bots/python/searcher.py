"""searcher: looks ahead, in any game, and knows nothing of one.

It deals what it cannot see as it may lie and as what the others did tells, plays each of its moves there, and lets the
match go on to where points are counted, some hundred times a second. There all seats play by rules of thumb, where an
installed package has some for the game, and otherwise by what has done well. The move that does best on average is it.
"""

from typing import Any

from arena.positions import NoWorld
from arena.sdk import Bot, Match, Question
from arena.search import Experience, ThinkingTime, base_policies, belief_in, evaluate


class Searcher(Bot[Any]):
    """A player who tries everything first, in worlds that it cannot tell from the real one."""

    name = "searcher"
    wants_positions = True

    def match_started(self, match: Match) -> None:
        policies = base_policies(match)
        how = {"policies": policies, "belief": belief_in(policies), "experience": Experience(), "rng": match.rng}
        match.memory = ThinkingTime(), how

    def choose(self, question: Question[Any]) -> str:
        time, how = question.match.memory
        allowance = time.allow(question)
        try:
            found = evaluate(question.position, seconds=allowance, **how)
        except NoWorld as reason:
            question.note(f"any move: {reason}")
            return question.rng.choice(question.legal)
        question.note(found.note())
        time.answered()
        return found.best


if __name__ == "__main__":
    Searcher().run()
