"""Matches under way are pickled, as they go to other processes, and go on exactly alike there."""

import pickle
from random import Random

import pytest
from envs.random_matches import walk

from arena.envs.episode import Setup
from arena.envs.observation import LAYOUTS
from arena.envs.vector import VectorEnv


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_match_goes_on_alike(name: str) -> None:
    setup = Setup(name, None, {})
    *_, episode = walk(setup, 30)
    rng = Random(name)
    twin = pickle.loads(pickle.dumps(episode))
    for _ in range(40):
        assert (twin.seat, twin.cycles, twin.moves) == (episode.seat, episode.cycles, episode.moves)
        if episode.seat is None:
            break
        assert twin.observation(episode.seat) == episode.observation(episode.seat)
        assert twin.offer() == episode.offer()
        action = rng.choice(list(episode.offer().moves))
        episode.play(action)
        twin.play(action)


def test_a_sealed_answer_is_not_lost() -> None:
    setup = Setup("cambio", 3, {"rebirth": True})
    walked = (episode for seed in range(20) for episode in walk(setup, 200, seed))
    episode = next(episode for episode in walked if len(episode.state.asked) > 1)
    episode.play(next(iter(episode.offer().moves)))
    twin = pickle.loads(pickle.dumps(episode))
    assert twin.seat == episode.seat == episode.state.asked[1]


def test_vectors_go_on_alike() -> None:
    env = VectorEnv("kille", 3, seats=3)
    batch = env.reset(seed=4)
    for _ in range(10):
        batch = env.step(batch.masks.argmax(axis=1))
    twin = pickle.loads(pickle.dumps(env))
    for _ in range(60):
        actions = batch.masks.argmax(axis=1)
        batch, other = env.step(actions), twin.step(actions)
        assert all((mine == theirs).all() for mine, theirs in zip(batch, other, strict=True))
