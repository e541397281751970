"""Many matches in step: each row is the match that it would be alone."""

from random import Random

import numpy as np
import pytest

from arena.envs.episode import Episode, Setup, episode_seed
from arena.envs.errors import EnvError
from arena.envs.vector import Batch, VectorEnv


def actions(batch: Batch, rng: Random) -> list[int]:
    return [rng.choice(np.flatnonzero(mask).tolist()) for mask in batch.masks]


def test_rows_are_matches_of_their_own() -> None:
    env, rng = VectorEnv("cambio", 3, seats=4, rebirth=True, chips=2), Random(1)
    setup = Setup("cambio", 4, {"rebirth": True, "chips": 2})
    batch = env.reset(seed=5)
    matches = [Episode(setup, episode_seed(5, row)) for row in range(3)]
    begun, ended = 3, 0
    for _ in range(150):
        chosen = actions(batch, rng)
        for row, match in enumerate(matches):
            assert batch.seats[row] == match.seat
            assert batch.observations[row].tobytes() == match.observation(batch.seats[row])
            assert batch.masks[row].tobytes() == match.offer().mask
            match.play(chosen[row])
        batch = env.step(chosen)
        for row, match in enumerate(matches):
            assert batch.done[row] == (match.seat is None)
            if match.seat is None:
                assert batch.rewards[row] == pytest.approx(match.rewards())
                matches[row] = Episode(setup, episode_seed(5, begun))
                begun, ended = begun + 1, ended + 1
            else:
                assert not batch.rewards[row].any()
    assert ended > 1


def test_rewards_come_from_ranks_and_add_up_to_nothing() -> None:
    assert Setup("hypp", 4, {}).rewards((1, 2, 2, 4)) == pytest.approx([1, 0, 0, -1])
    assert Setup("coch", 4, {}).rewards((1, 2, 1, 2)) == [1, -1, 1, -1]
    assert Setup("kille", 3, {}).rewards((1, 1, 1)) == [0, 0, 0]


def test_an_action_that_is_not_legal_is_refused_with_the_legal_ones() -> None:
    env = VectorEnv("coch", 2)
    batch = env.reset(seed=1)
    wrong = np.flatnonzero(~batch.masks[1])[0]
    with pytest.raises(
        EnvError, match=rf"action {wrong} is not legal for seat {batch.seats[1]} now: the legal ones are"
    ):
        env.step([int(np.flatnonzero(batch.masks[0])[0]), int(wrong)])


def test_actions_for_another_number_of_rows_are_refused() -> None:
    env = VectorEnv("coch", 2)
    env.reset(seed=1)
    with pytest.raises(EnvError, match="there are 2 rows, not 1"):
        env.step([0])


def test_a_copy_goes_on_exactly_like_the_match() -> None:
    for name in ("cambio", "perudo", "scopa", "lustu"):
        setup = Setup(name, None, {})
        episode, rng = Episode(setup, episode_seed(2, 0)), Random(2)
        for _ in range(15):
            episode.play(rng.choice(list(episode.offer().moves)))
        twin = episode.copy()
        for _ in range(60):
            assert twin.seat == episode.seat
            if episode.seat is None:
                break
            assert twin.observation(episode.seat) == episode.observation(episode.seat)
            action = rng.choice(list(episode.offer().moves))
            episode.play(action)
            twin.play(action)
