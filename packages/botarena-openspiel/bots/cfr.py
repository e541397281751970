"""cfr: solves a small game by CFR+ as it starts, then plays its average strategy by information states."""

from functools import cache

import pyspiel
from botarena_openspiel.v1.openspiel_pb2 import OpenSpielView

from arena.sdk import Bot, Question

ITERATIONS = 20


@cache
def solve(game: str) -> tuple[pyspiel.Policy, pyspiel.CFRPlusSolver]:
    """Return the average strategy after some iterations, and the solver, in whose memory the strategy lies."""
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(game))
    for _ in range(ITERATIONS):
        solver.evaluate_and_update_policy()
    return solver.average_policy(), solver


class Cfr(Bot[OpenSpielView]):
    games = ("openspiel:kuhn_poker", "openspiel:leduc_poker")

    def choose(self, question: Question[OpenSpielView]) -> int:
        view = question.view
        strategy, _ = solve(view.game)
        chances = strategy.action_probabilities(view.information)
        weights = [chances.get(action, 0.0) for action in view.actions]
        return question.rng.choices(range(len(weights)), weights)[0]


if __name__ == "__main__":
    solve("leduc_poker")
    Cfr().run()
