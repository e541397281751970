"""Every game passes OpenSpiel's random simulation and the tests that it has for the API of all its games."""

import contextlib
import io
from typing import Any

import numpy as np
import pytest

from arena.envs.observation import LAYOUTS

pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (make test-rl)")

from open_spiel.python.tests import games_sim_test  # noqa: E402 - where it is installed

import arena.envs.openspiel  # noqa: E402, F401 - registers the games

pytestmark = pytest.mark.toolchain
SHORT: dict[str, dict[str, Any]] = {
    "cambio": {"players": 3, "chips": 4, "max_sets": 2},
    "cucco": {"players": 3, "length": "short"},
}
"""Parameters of games whose matches are long."""


@pytest.mark.parametrize("name", LAYOUTS)
def test_openspiel_simulates_every_game(name: str) -> None:
    game = pyspiel.load_game(f"arena_{name}", SHORT.get(name, {}))
    with contextlib.redirect_stdout(io.StringIO()):
        pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_api_is_that_of_openspiel(name: str) -> None:
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(f"arena_{name}", SHORT.get(name, {})))


def dealt(name: str, digits: tuple[int, int, int], **params: Any) -> Any:
    state = pyspiel.load_game(f"arena_{name}", params).new_initial_state()
    for digit in digits:
        assert state.is_chance_node()
        state.apply_action(digit)
    return state


def test_the_deal_follows_from_the_chance_nodes() -> None:
    first, again, other = (dealt("kille", (1, 2, digit), players=3) for digit in (3, 3, 4))
    assert str(first) == str(again) != str(other)
    assert not first.is_chance_node()


def test_states_return_the_rewards_and_name_the_moves() -> None:
    state = dealt("coch", (5, 5, 5))
    assert state.returns() == [0, 0, 0, 0]
    while not state.is_terminal():
        assert state.action_to_string(state.legal_actions()[0]).startswith("play ")
        state.apply_action(state.legal_actions()[0])
    assert sorted(state.returns()) in ([-1, -1, 1, 1], [0, 0, 0, 0])


def test_observations_are_those_of_the_other_environments() -> None:
    state = dealt("kille", (1, 2, 3), players=3)
    seat = state.current_player()
    expected = np.frombuffer(state.episode.observation(seat), dtype=np.float32)
    assert np.array_equal(np.array(state.observation_tensor(seat), dtype=np.float32), expected)
    assert f"seat {seat} is dealt" in state.information_state_string(seat)
    other = (seat + 1) % 3
    assert f"seat {seat} is dealt" not in state.information_state_string(other)
