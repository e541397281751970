"""Random play in RLCard: each question comes with its observation, of which only the legal moves are used."""

from importlib.metadata import version
from random import Random

import rlcard
from timing import tell

GAMES = ("uno", "gin-rummy", "leduc-holdem", "limit-holdem", "doudizhu")


def player(game: str, rng: Random):
    """Return what plays a match of a game and tells how many decisions it took, and the number of its players."""
    env = rlcard.make(game, config={"seed": 1})

    def match() -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            moves = list(state["legal_actions"])
            state, _ = env.step(moves[int(rng.random() * len(moves))], False)
            decisions += 1
        return decisions

    return match, env.num_players


for name in GAMES:
    play, seats = player(name, Random(1))
    tell("RLCard", version("rlcard"), name, seats, play)
