"""Every game passes PettingZoo's own tests, and its environments can be copied and rendered."""

import copy
import functools
from contextlib import suppress
from random import Random
from typing import Any

import numpy as np
import pytest

from arena.envs.observation import LAYOUTS

pytest.importorskip("pettingzoo", reason="the extra rl is not installed (make test-rl)")

from envs.test_options import combinations_of, is_valid
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test

from arena.envs import pettingzoo
from arena.envs.errors import EnvError
from referee.engine.errors import OptionError, SeatsError

PAIRS = 8
"""Of options of each game, drawn by its name."""

pytestmark = [
    pytest.mark.toolchain,
    # Observations are dictionaries with a mask of the legal actions, as PettingZoo's own card games have them.
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_api_is_that_of_pettingzoo(name: str) -> None:
    api_test(pettingzoo.env(name), num_cycles=300)


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_api_is_that_of_pettingzoo_with_any_two_options(name: str) -> None:
    pairs = [given for given in combinations_of(name) if len(given) == 2 and is_valid(name, given)]
    for given in Random(name).sample(pairs, min(len(pairs), PAIRS)):
        with suppress(EnvError):  # no match under them asks anybody
            api_test(pettingzoo.env(name, **given), num_cycles=50)


@pytest.mark.parametrize("name", LAYOUTS)
def test_seeds_and_rendering_are_those_of_pettingzoo(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    seed_test(functools.partial(pettingzoo.env, name), num_cycles=50)
    render_test(functools.partial(pettingzoo.env, name))
    capsys.readouterr()


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_performance_benchmark_runs(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter(range(10**6))
    monkeypatch.setattr("time.time", lambda: next(clock) / 10)  # it runs until five seconds are over
    performance_benchmark(pettingzoo.env(name))
    assert "turns per second" in capsys.readouterr().out


def test_sealed_answers_of_all_seats_are_asked_one_after_another() -> None:
    env = pettingzoo.env("cambio", seats=3, rebirth=True)
    rng, sealed = Random(1), 0
    for seed in range(20):
        env.reset(seed=seed)
        for agent in env.agent_iter(200):
            observation, _, is_over, _, _ = env.last()
            asked = env.unwrapped.episode.state.asked
            sealed += len(asked) > 1
            if not is_over:
                assert agent in [f"seat_{seat}" for seat in asked]
            env.step(None if is_over else rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    assert sealed > 10


def test_matches_that_ask_nobody_are_an_error() -> None:
    with pytest.raises(EnvError, match="1000 matches of cambio at 3 seats with chips=1, misery=true ended before"):
        pettingzoo.env("cambio", seats=3, chips=1, misery=True).reset(seed=1)


def played(env: Any, rng: Random, steps: int) -> list[Any]:
    """Play on, and return what was seen and won."""
    seen = []
    for agent in env.agent_iter(steps):
        observation, reward, is_over, _, _ = env.last()
        seen.append(
            (agent, observation["observation"].tobytes(), observation["action_mask"].tobytes(), reward, is_over)
        )
        env.step(None if is_over else rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    return seen


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_deep_copy_goes_on_exactly_alike(name: str) -> None:
    env = pettingzoo.env(name)
    env.reset(seed=3)
    played(env, Random(1), 9)
    twin = copy.deepcopy(env)
    first = played(env, Random(2), 400)
    assert played(twin, Random(2), 400) == first
    env.reset()
    twin.reset()
    assert played(env, Random(3), 20) == played(twin, Random(3), 20)


def test_rewards_come_at_the_end_and_from_ranks() -> None:
    env = pettingzoo.env("hypp", seats=3)
    env.reset(seed=1)
    rewards = {}
    for agent in env.agent_iter():
        observation, reward, is_over, _, _ = env.last()
        if is_over:
            rewards[agent] = reward
        else:
            assert reward == 0
        env.step(None if is_over else int(observation["action_mask"].argmax()))
    ranks = env.unwrapped.episode.state.outcome().ranks
    assert [rewards[f"seat_{seat}"] for seat in range(3)] == env.unwrapped.setup.rewards(ranks)


def test_the_log_is_rendered_with_the_question() -> None:
    env = pettingzoo.env("kille", seats=3, render_mode="ansi")
    env.reset(seed=1)
    lines = env.render().splitlines()
    assert lines[0].startswith("deal 1 begins")
    assert lines[-1].startswith(f"{env.agent_selection.replace('_', ' ')}? play ")
    moves = env.unwrapped.moves()
    env.step(next(iter(moves)))
    assert next(iter(moves.values())).removeprefix("play ") in env.render()


def test_what_cannot_be_played_is_refused_in_a_sentence() -> None:
    with pytest.raises(SeatsError, match="kille is played by 3 to 20 seats, not 2"):
        pettingzoo.env("kille", seats=2)
    with pytest.raises(OptionError, match='there is no option "rebrith"'):
        pettingzoo.env("cambio", rebrith=True)
    env = pettingzoo.env("coch")
    env.reset(seed=1)
    wrong = int(env.last()[0]["action_mask"].argmin())
    with pytest.raises(EnvError, match=f"action {wrong} is not legal"):
        env.step(wrong)
