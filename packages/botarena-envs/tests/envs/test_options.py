"""Every two options of a game go together, or are refused: matches begin, are observed and end."""

from collections.abc import Iterator
from dataclasses import fields
from itertools import combinations
from random import Random
from typing import Any

import pytest
from envs.random_matches import walk

from arena.envs.episode import Episode, Setup, episode_seed
from arena.envs.errors import EnvError
from arena.envs.observation import LAYOUTS
from arena.envs.vector import VectorEnv
from referee.engine.errors import EngineError
from referee.engine.registry import game

STEPS = 12
DRAWS = 100


def values(name: str) -> list[tuple[str, Any]]:
    """Return each option of a game with each value worth a try: all choices, and the least numbers."""
    found: list[tuple[str, Any]] = []
    for option in fields(game(name).options):
        if isinstance(option.default, bool):
            found.append((option.name, not option.default))
        elif choices := option.metadata["choices"]:
            found += [(option.name, choice) for choice in choices if choice != option.default]
        else:
            low = option.metadata["low"] or 0
            found += [(option.name, number) for number in (low, low + 1) if number != option.default]
    return found


def combinations_of(name: str) -> Iterator[dict[str, Any]]:
    """Yield every two options with their values, and some options at random."""
    all_values = values(name)
    for (one, first), (other, second) in combinations(all_values, 2):
        if one != other:
            yield {one: first, other: second}
    draw = Random(name)
    for _ in range(DRAWS):
        yield dict(draw.sample(all_values, min(len(all_values), draw.randint(3, 6))))


@pytest.mark.parametrize("name", LAYOUTS)
def test_any_options_can_be_observed_or_are_refused(name: str) -> None:
    rules, played = game(name), 0
    for given in combinations_of(name):
        if not is_valid(name, given):
            continue
        tables = rules.tables(rules.options(**given))
        for count in {min(tables), min(max(tables), 4)} & set(tables) if tables else ():
            setup = Setup(name, count, given)
            for episode in walk(setup, STEPS):
                for seat in range(count):
                    observation = setup.observer.observe(episode.state.view(seat), seat)
                    assert observation.shape == (setup.observer.size,), (given, count)
            played += 1
    assert played > 0 or not values(name)


def is_valid(name: str, given: dict[str, Any]) -> bool:
    try:
        game(name).options.parse(given)
    except EngineError:
        return False
    return True


def test_a_match_that_is_over_before_its_first_round_has_a_whole_view() -> None:
    setup = Setup("cambio", 3, {"chips": 1, "misery": True, "double_turn": True})
    episode = Episode(setup, episode_seed(1, 0))
    assert episode.seat is None
    assert len(setup.observer.observe(episode.state.view(0), 0)) == setup.observer.size


def test_matches_that_never_ask_are_an_error() -> None:
    with pytest.raises(EnvError, match="1000 matches of cambio at 3 seats with chips=1, misery=true ended before"):
        VectorEnv("cambio", 2, seats=3, chips=1, misery=True).reset(seed=1)
