"""The layout of a game of another package comes by an entry point, and the contract suite finds what is wrong."""

from typing import Any

import pytest
from envs.conftest import register

from arena.envs import observation
from arena.envs.errors import EnvError
from arena.envs.features import Feature, by_seat, left_out, share
from arena.envs.layout_check import check_layout
from arena.envs.observation import LAYOUTS, describe, find_layout, trainable_games
from arena.envs.vector import VectorEnv
from arena.testing.contract_suite import all_checks
from arena.testing.violation import BrokenPromise
from referee.engine import registry
from referee.engine.game import Game


def test_a_layout_comes_by_an_entry_point(harbour: Game) -> None:
    assert trainable_games() == [*LAYOUTS, "harbour"]
    env = VectorEnv(harbour, 4, seats=3)
    batch = env.reset(seed=1)
    assert env.observation_size == 3 + 3 + 1 + 9
    places = {fields: start for fields, start, _, _ in describe(harbour, harbour.options(), 3)}
    assert batch.observations[0, places["purses"] :][:3].tolist() == [1, 1, 1], "the purses are full"
    assert env.action_count == 21
    done = 0
    while not done:
        batch = env.step(batch.masks.argmax(axis=1))
        done = int(batch.done.sum())
    assert done == 4
    assert batch.rewards.sum() == 0, "nobody has bid"


@pytest.mark.parametrize("preset", ["default", "poor"])
def test_a_good_layout_passes(harbour: Game, preset: str) -> None:
    for seats in (2, 6):
        check_layout(harbour, harbour.presets[preset], seats, play=7)


@pytest.mark.parametrize("name", LAYOUTS)
def test_those_of_our_games_pass(name: str) -> None:
    check_layout(registry.game(name), play=3)


def test_the_suite_has_the_check() -> None:
    assert all_checks()[-1].name == "check_layout"


def test_a_game_without_a_layout_passes(harbour: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observation, "targets", lambda group: {})
    check_layout(harbour)
    with pytest.raises(EnvError, match="harbour has no layout of observations: its package brings one by the entry"):
        find_layout("harbour")


GOOD = [by_seat("cargo", 2, 54), share("crate", 6), left_out("cards", "a test"), left_out("auctions", "a test")]
CALLS: list[int] = []


def calls(seat: int, purses: Any) -> list[float]:
    CALLS.append(seat)
    return [len(CALLS) % 7 / 7]


@pytest.mark.parametrize(
    ("feature", "sentence"),
    [
        (share("purses", 20), r"unsupported operand"),
        (by_seat("purses", 2, 10), r"the feature of purses has 2 for seat \d; values are from -1 to 1"),
        (by_seat("purses", 1, 20), r"the feature of purses has 2 values for seat \d, not 1"),
        (by_seat("purse", 2, 20), "the layout shows purse, which the view has not"),
        (left_out("seat", "it is known"), "no feature of the layout shows purses: add one, or `left_out`"),
        (Feature(("purses",), 1, "", lambda seat, purses: [float("nan")]), "the feature of purses has nan"),
        (Feature(("purses",), 1, "", calls), r"the observation of seat \d differs in purses when it is made"),
    ],
)
def test_what_is_wrong_with_a_layout_is_said(
    harbour: Game, feature: Feature, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observation, "find_layout", lambda name: lambda game, options, seats: [*GOOD, feature])
    with pytest.raises(BrokenPromise, match=sentence):
        check_layout(harbour, seats=2, play=1)


def test_a_layout_that_cannot_be_loaded_is_said(harbour: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, "arena_harbour.layout:harbor")
    with pytest.raises(BrokenPromise, match="the layout of harbour cannot be loaded .*harbor"):
        check_layout(harbour)


def test_more_moves_than_actions_are_said(harbour: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(harbour), "actions", lambda self, options, seats: ("bid 0",))
    with pytest.raises(BrokenPromise, match="21 moves are legal, and `actions` with `unlisted` has numbers for 1"):
        check_layout(harbour)
