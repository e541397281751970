"""Observations have one size, show the whole view, and are made from the message as from the view."""

from random import Random
from typing import Any

import numpy as np
import pytest
from envs.random_matches import walk

from arena.envs.episode import Episode, Setup, episode_seed
from arena.envs.errors import EnvError
from arena.envs.observation import LAYOUTS, LEFT_OUT, describe, layout
from referee.codec import ViewEncoder
from referee.engine.registry import game
from referee.games.hypp import Hypp
from referee.wire import view_message

PRESETS = [(name, preset) for name in LAYOUTS for preset in game(name).presets]
STEPS = 24


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_observations_are_within_their_bounds_and_the_same_from_the_message(name: str, preset: str) -> None:
    rules = game(name)
    setup = Setup(name, None, rules.presets[preset])
    encode, message = ViewEncoder(rules).encode, view_message(rules)
    for number, episode in enumerate(walk(setup, STEPS)):
        seat = (episode.seat or 0) + number % 2
        view = episode.state.view(seat % setup.seats)
        observation = setup.observer.observe(view, seat % setup.seats)
        assert observation.shape == (setup.observer.size,)
        assert np.abs(observation).max() <= 1
        assert np.array_equal(observation, setup.observer.observe_message(message.FromString(encode(view))))


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_field_of_the_view_is_shown_or_left_out_for_a_reason(name: str) -> None:
    setup = Setup(name, None, {})
    view: Any = Episode(setup, episode_seed(1, 0)).state.view(0)
    fields = set(view._fields)
    shown = {field for feature in layout(setup.game, setup.options, setup.seats) for field in feature.fields}
    assert shown <= fields
    assert fields - shown <= set(LEFT_OUT)


def test_the_table_of_a_layout_has_the_places_of_its_values() -> None:
    setup = Setup("hypp", 2, {})
    rows = {fields: (start, size) for fields, start, size, _ in describe(setup.game, setup.options, 2)}
    episode = Episode(setup, episode_seed(1, 0))
    dealer = episode.seat
    assert dealer is not None
    start, size = rows["dealer"]
    for seat in range(2):
        seen = setup.observer.observe(episode.state.view(seat), seat)[start : start + size]
        assert seen.tolist() == ([1, 0] if seat == dealer else [0, 1])
    start, size = rows["cards"]
    assert not setup.observer.observe(episode.state.view(0), 0)[start : start + size].any()


def test_seats_are_counted_from_the_observing_one() -> None:
    setup = Setup("kille", 3, {})
    rows = {fields: (start, size) for fields, start, size, _ in describe(setup.game, setup.options, 3)}
    start, size = rows["turn"]
    episode = Episode(setup, episode_seed(1, 0))
    assert episode.seat is not None
    seen = setup.observer.observe(episode.state.view(episode.seat), episode.seat)
    assert seen[start : start + size].tolist() == [1, 0, 0]


def test_a_game_without_a_layout_is_refused_in_a_sentence() -> None:
    class Foreign(Hypp):
        name = "foreign"

    with pytest.raises(EnvError, match="foreign has no layout"):
        layout(Foreign(), Foreign.options(), 2)


def test_matches_of_one_seed_are_alike() -> None:
    setup = Setup("cambio", 4, {})
    first, again = (list(_observations(setup, 7)) for _ in range(2))
    assert first == again
    assert first != list(_observations(setup, 8))


def _observations(setup: Setup, seed: int) -> list[bytes]:
    episode, rng = Episode(setup, episode_seed(seed, 0)), Random(1)
    seen: list[bytes] = []
    while episode.seat is not None and len(seen) < 40:
        seen.append(episode.observation(episode.seat))
        episode.play(rng.choice(list(episode.offer().moves)))
    return seen
