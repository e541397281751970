"""Random play in kaggle-environments, whose agents get an observation and answer with a move."""

from importlib.metadata import version
from random import Random

from kaggle_environments import make
from timing import tell

RNG = Random(1)


def drop(observation, configuration) -> int:
    """Return a column that is not full."""
    free = [column for column in range(configuration.columns) if observation.board[column] == 0]
    return free[int(RNG.random() * len(free))]


def match() -> int:
    """Play a match of Connect X, the nearest to a card game that takes turns; return how many decisions it took."""
    return len(make("connectx").run([drop, drop])) - 1


tell("kaggle-environments", version("kaggle-environments"), "connectx", 2, match)
