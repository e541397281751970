"""Random matches, for tests."""

from collections.abc import Iterator
from random import Random

from arena.envs.episode import Episode, Setup, episode_seed


def walk(setup: Setup, steps: int, seed: int = 1) -> Iterator[Episode]:
    """Yield a match before each of its first decisions, and at its end."""
    episode, rng = Episode(setup, episode_seed(seed, 0)), Random(seed)
    for _ in range(steps):
        yield episode
        if episode.seat is None:
            return
        episode.play(rng.choice(list(episode.offer().moves)))
