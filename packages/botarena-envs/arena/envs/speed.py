"""Measure how many decisions a second `VectorEnv.step` makes on one core.

python -m arena.envs.speed [GAME:SEATS...]; without arguments all games of arena, at their usual tables.
"""

import sys
from time import process_time

import numpy as np

from arena.envs.compiled import native
from arena.envs.episode import Setup
from arena.envs.observation import LAYOUTS
from arena.envs.vector import VectorEnv
from referee.build_info import compiled

ROWS = 256
STEPS = 60
REPETITIONS = 5


def decisions_per_second(game: str, seats: int) -> float:
    """Return the best of some measurements, in CPU time of the steps alone; actions are drawn at random."""
    env, rng = VectorEnv(game, ROWS, seats), np.random.default_rng(1)
    batch = env.reset(seed=1)
    best = 0.0
    for _ in range(REPETITIONS):
        spent = 0.0
        for _ in range(STEPS):
            actions = (batch.masks * rng.random(batch.masks.shape, dtype=np.float32)).argmax(axis=1)
            start = process_time()
            batch = env.step(actions)
            spent += process_time() - start
        best = max(best, ROWS * STEPS / spent)
    return best


def main(tables: list[str]) -> None:
    """Print a line for each GAME:SEATS."""
    print("rules compiled" if compiled() else "rules interpreted: arena doctor says how to compile them")
    print("observations compiled" if native else "observations not compiled: install a C compiler, then botarena-envs")
    for table in tables or [f"{name}:{Setup(name, None, {}).seats}" for name in LAYOUTS]:
        game, _, seats = table.partition(":")
        print(f"{table} {decisions_per_second(game, int(seats)):,.0f} decisions/s")


if __name__ == "__main__":
    main(sys.argv[1:])
