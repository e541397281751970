"""search: Monte Carlo tree search with OpenSpiel's own bot, in any game of perfect information."""

import pyspiel
from botarena_openspiel.v1.openspiel_pb2 import OpenSpielView

from arena.sdk import Bot, Question

SIMULATIONS = 200


class Search(Bot[OpenSpielView]):
    def choose(self, question: Question[OpenSpielView]) -> int:
        view = question.view
        game = pyspiel.load_game(view.game)
        state = game.new_initial_state()
        for action in view.history:
            state.apply_action(action)
        seed = question.rng.randrange(2**31)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        tree = pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 64, True, seed, False)
        return list(view.actions).index(tree.step(state))


if __name__ == "__main__":
    Search().run()
