"""Every game passes PettingZoo's test of parallel environments; who is asked together answers together."""

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from arena.envs.observation import LAYOUTS

pytest.importorskip("pettingzoo", reason="the extra rl is not installed (make test-rl)")

from gymnasium.spaces import Discrete
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test

from arena.envs import pettingzoo
from arena.envs.errors import EnvError
from referee.engine.game import Game

pytestmark = [
    pytest.mark.toolchain,
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_api_is_that_of_pettingzoo(name: str) -> None:
    parallel_api_test(pettingzoo.parallel_env(name), num_cycles=100)


def test_a_game_of_another_package_passes_too(harbour: Game) -> None:
    api_test(pettingzoo.env(harbour), num_cycles=100)
    parallel_api_test(pettingzoo.parallel_env(harbour), num_cycles=100)


def test_a_match_is_cut_off_after_some_cycles(harbour: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    # The test draws actions without a look at masks; the first one, to bid nothing, is always legal.
    monkeypatch.setattr(pettingzoo, "Discrete", lambda actions: Discrete(1))
    makers = {"env": pettingzoo.env, "parallel_env": pettingzoo.parallel_env}
    max_cycles_test(SimpleNamespace(**{name: partial(make, harbour, 4) for name, make in makers.items()}))


def test_who_is_asked_together_answers_together(harbour: Game) -> None:
    env = pettingzoo.parallel_env(harbour, 3, crates=2)
    observations, _ = env.reset(seed=1)
    assert all(observations[agent]["action_mask"].all() for agent in env.agents)
    _, rewards, over, cut, _ = env.step({"seat_0": 3, "seat_1": 4, "seat_2": 0})
    state: Any = env.episode.state
    assert state.purses == (20, 16, 20)
    assert not any(over.values())
    assert set(rewards.values()) == {0.0}
    with pytest.raises(EnvError, match="seat_2 is asked and has no action: give every agent one"):
        env.step({"seat_0": 3, "seat_1": 4})
    with pytest.raises(EnvError, match="action 17 is not legal for seat 1"):
        env.step({"seat_0": 3, "seat_1": 17, "seat_2": 0})
    assert env.episode.cycles == 1, "nothing of a step that fails is played"
    _, rewards, over, cut, _ = env.step({"seat_0": 3, "seat_1": 0, "seat_2": 0})
    assert all(over.values())
    assert not any(cut.values())
    assert list(rewards.values()) == env.setup.rewards(env.episode.state.outcome().ranks)
    assert env.agents == []
    with pytest.raises(EnvError, match="the match is over: call reset"):
        env.step({})


def test_who_is_not_asked_has_no_legal_action_and_is_not_heard() -> None:
    env = pettingzoo.parallel_env("kille", 3)
    observations, _ = env.reset(seed=1)
    for _ in range(8):
        asked = [agent for agent in env.agents if observations[agent]["action_mask"].any()]
        assert asked == [f"seat_{seat}" for seat in env.episode.state.asked]
        before = len(env.episode.moves)
        actions = {agent: int(np.argmax(observations[agent]["action_mask"])) for agent in env.agents}
        observations, *_ = env.step(actions)
        assert len(env.episode.moves) == before + len(asked)
