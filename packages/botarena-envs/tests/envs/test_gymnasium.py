"""One seat of every game passes Gymnasium's checker, against sample bots."""

import pickle
from random import Random
from typing import Any

import numpy as np
import pytest

from arena.envs.observation import LAYOUTS

pytest.importorskip("gymnasium", reason="the extra rl is not installed (make test-rl)")

import gymnasium
from gymnasium.utils.env_checker import check_env

from arena.envs.errors import EnvError
from arena.envs.gymnasium import ArenaEnv
from arena.run.sample_policies import UnknownPolicy, best_policy

pytestmark = pytest.mark.toolchain


@pytest.mark.parametrize("name", LAYOUTS)
def test_gymnasium_accepts_every_game(name: str) -> None:
    # Render modes are checked where an environment is made by its registered id only.
    check_env(ArenaEnv(name, opponents=["random", best_policy(name)]), skip_render_check=True)


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_game_is_in_the_registry(name: str) -> None:
    env = gymnasium.make(f"arena/{name}-v0", render_mode="ansi")
    assert isinstance(env.unwrapped, ArenaEnv)
    assert env.unwrapped.setup.game.name == name
    assert env.reset(seed=1)[0] in env.observation_space
    assert "?" in str(env.render())


@pytest.mark.processes
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork")
def test_processes_that_are_spawned_make_it_by_its_name() -> None:
    made = "arena.envs.gymnasium:arena/kille-v0"
    envs = gymnasium.make_vec(
        made, 2, vectorization_mode="async", vector_kwargs={"context": "spawn"}, seats=3, opponents="hoarder"
    )
    try:
        observations, _ = envs.reset(seed=1)
        alone = ArenaEnv("kille", 3, opponents="hoarder").reset(seed=1)[0]
        assert (observations["observation"][0] == alone["observation"]).all()
        envs.step(observations["action_mask"].argmax(axis=1))
    finally:
        envs.close()


@pytest.mark.parametrize("opponents", ["random", "hoarder", ["random", "hoarder"]])
def test_what_is_pickled_goes_on_exactly_alike(opponents: Any) -> None:
    env = ArenaEnv("kille", 3, opponents=opponents)
    env.reset(seed=3)
    for _ in range(12):
        _, _, is_over, _, _ = env.step(int(env.action_masks().argmax()))
        if is_over:
            env.reset()
    twin = pickle.loads(pickle.dumps(env))
    for _ in range(80):
        action = int(np.flatnonzero(env.action_masks())[-1])
        (seen, *rest), (other, *others) = env.step(action), twin.step(action)
        assert (seen["observation"] == other["observation"]).all()
        assert rest == others
        if rest[1]:
            env.reset()
            twin.reset()
    assert pickle.loads(pickle.dumps(ArenaEnv("kille", 3))).reset(seed=1)[1] == {}


def returned(env: ArenaEnv, matches: int, *, lowest: bool = False) -> float:
    """Return the mean reward of random play, or of the lowest legal action."""
    rng, total = Random(1), 0.0
    env.reset(seed=1)
    for _ in range(matches):
        is_over = False
        while not is_over:
            legal = np.flatnonzero(env.action_masks()).tolist()
            _, reward, is_over, _, info = env.step(legal[0] if lowest else rng.choice(legal))
            assert not info["illegal"]
        total += reward
        env.reset()
    return total / matches


def test_good_opponents_win() -> None:
    assert returned(ArenaEnv("kille", 3, opponents="hoarder", max_deals=1), 120) < -0.1


def test_a_policy_may_be_an_opponent() -> None:
    def lowest(observation: object, mask: Any) -> int:
        return int(mask.argmax())

    env = ArenaEnv("coch", seat=0, opponents=[lowest])
    assert returned(env, 3, lowest=True) in (-1, 0, 1, pytest.approx(1 / 3), pytest.approx(-1 / 3))


def test_three_actions_that_are_not_legal_forfeit() -> None:
    env = ArenaEnv("kille", 3, seat=1)
    env.reset(seed=1)
    for strike in range(3):
        wrong = int(env.action_masks().argmin())
        _, reward, is_over, _, info = env.step(wrong)
        assert info["illegal"]
        assert is_over == (strike == 2)
    assert reward == -1


def test_what_cannot_be_made_is_refused_in_a_sentence() -> None:
    with pytest.raises(UnknownPolicy, match='no sample bot "hoarder" plays coch'):
        ArenaEnv("coch", opponents="hoarder")
    with pytest.raises(EnvError, match="there are the seats 0 to 3, not 4"):
        ArenaEnv("coch", seat=4)


def test_a_seat_that_is_never_asked_is_an_error() -> None:
    env = ArenaEnv("cambio", seats=3, chips=1, misery=True, opponents=["random"])
    with pytest.raises(EnvError, match="1000 matches of cambio at 3 seats with chips=1, misery=true ended before"):
        env.reset(seed=1)
