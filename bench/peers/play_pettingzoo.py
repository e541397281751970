"""Random play in PettingZoo: each question comes with an observation, of which only the mask of moves is used."""

from importlib.metadata import version
from random import Random
from types import ModuleType

import numpy as np
from pettingzoo.classic import leduc_holdem_v4, texas_holdem_v4
from timing import tell

GAMES = {"leduc_holdem": leduc_holdem_v4, "texas_holdem": texas_holdem_v4}


def player(module: ModuleType, rng: Random):
    """Return what plays a match of a game and tells how many decisions it took."""
    env = module.env()

    def match() -> int:
        env.reset(seed=rng.getrandbits(30))
        decisions = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            moves = np.flatnonzero(observation["action_mask"])
            env.step(int(moves[int(rng.random() * len(moves))]))
            decisions += 1
        return decisions

    return match


for name, module in GAMES.items():
    tell("PettingZoo", version("pettingzoo"), name, 2, player(module, Random(1)))
