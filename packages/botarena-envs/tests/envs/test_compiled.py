"""What is compiled does what Python does, for every game."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from envs.random_matches import walk

from arena.envs import compiled, features, observation, vector
from arena.envs.episode import Setup
from arena.envs.errors import EnvError
from arena.envs.features import Column, Feature, Row, Spread, Value
from arena.envs.observation import LAYOUTS
from arena.envs.vector import VectorEnv
from referee.engine.game import Game
from referee.engine.registry import game as game_named
from referee.extensions import is_current

ENVS = Path(compiled.__file__).parent

needs_native = pytest.mark.skipif(not compiled.native, reason="nothing is compiled here")


def setups(name: str) -> Iterator[Setup]:
    """Yield a game with all presets, at its smallest and largest tables."""
    game = game_named(name)
    for given in game.presets.values():
        tables = game.tables(game.options.parse(given))
        for seats in {tables[0], tables[-1]}:
            yield Setup(game, seats, given)


@needs_native
@pytest.mark.parametrize("name", LAYOUTS)
def test_observations_are_the_same(name: str) -> None:
    for setup in setups(name):
        for episode in walk(setup, 40):
            for seat in {0, setup.seats - 1, episode.seat or 0}:
                view: Any = episode.state.view(seat)
                observer = setup.observer
                assert observer.encode(view, seat) == observer.encode_slowly(view, seat)


def in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do without what is compiled from now on."""
    monkeypatch.setattr(observation, "native", None)
    monkeypatch.setattr(vector, "native", None)


def played(env: VectorEnv, steps: int) -> list[bytes]:
    """Return what came of random steps."""
    rng, batch, found = np.random.default_rng(1), env.reset(seed=1), []
    for _ in range(steps):
        found += [array.tobytes() for array in batch]
        batch = env.step((batch.masks * rng.random(batch.masks.shape)).argmax(axis=1))
    return found


@needs_native
@pytest.mark.parametrize("name", [*LAYOUTS, "harbour"])
def test_steps_are_the_same(name: str, harbour: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    game = harbour if name == "harbour" else name
    compiled_steps = played(VectorEnv(game, 3), 100)
    in_python(monkeypatch)
    assert compiled_steps == played(VectorEnv(game, 3), 100)


@pytest.mark.parametrize("runs", [pytest.param("native", marks=needs_native), "python"])
def test_an_action_that_is_not_legal_changes_nothing(runs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if runs == "python":
        in_python(monkeypatch)
    env, twin = VectorEnv("kille", 3, seats=3), VectorEnv("kille", 3, seats=3)
    batch = env.reset(seed=1)
    twin.reset(seed=1)
    legal = batch.masks.argmax(axis=1)
    for wrong in (int(np.flatnonzero(~batch.masks[2])[0]), -1, 10**6):
        with pytest.raises(EnvError, match=rf"action {wrong} is not legal for seat {batch.seats[2]} now"):
            env.step([*legal[:2], wrong])
    with pytest.raises(EnvError, match="actions are whole numbers, not float64"):
        env.step([0.5, 1.5, 2.5])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="read-only"):
        batch.masks[0, 0] = True
    assert [array.tobytes() for array in env.step(legal)] == [array.tobytes() for array in twin.step(legal)]


@needs_native
def test_all_but_rare_features_have_tables() -> None:
    without = {
        feature.fields
        for name in LAYOUTS
        for setup in setups(name)
        for feature in observation.layout(setup.game, setup.options, setup.seats)
        if feature.size and not feature.spreads
    }
    assert without == {("claims",), ("hands",)}


def test_the_numbers_of_tables_are_those_of_the_source() -> None:
    source = (ENVS / "native.pyx").read_text()
    for kind in (Row, Column, Value):
        prefix = kind.__name__.upper()
        found = re.search(rf"cdef enum:\n    ({prefix}_.*)", source)
        assert found
        assert found[1].split(", ") == [f"{prefix}_{member.name}" for member in kind]
        assert [*kind] == [*range(len(kind))]


def test_what_is_built_is_built_from_the_present_source() -> None:
    if not [*ENVS.glob("native.*.so")]:
        pytest.skip("nothing is compiled here")
    assert is_current("arena.envs.native", str(ENVS.parents[1])), "native.pyx has changed: run `make .venv/.dev`"


def encoder(spread: Spread, size: int, seats: int = 2) -> Any:
    feature = Feature(("field", "other"), size, "", lambda seat, *values: b"", spreads=(spread,))
    return compiled.native.Encoder([feature], [feature.encode], ("field", "other"), seats)


@needs_native
@pytest.mark.parametrize(
    ("spread", "view", "error", "sentence"),
    [
        (Spread("field", Value.SHARE, row=Row.TURNED_AT, rows=2), ((1, 2, 3), ()), ValueError, "longer than"),
        (Spread("field", Value.ONE, row=Row.BY_OTHER, rows=2), ((1, 1), (0,)), ValueError, "differ in length"),
        (Spread("field", Value.ONE, row=Row.BY_LEADER, rows=2), ((1, 1, 1), (0,)), ValueError, "anybody led"),
        (Spread("field", Value.ONE, row=Row.BY_LAST, rows=2, other="other"), ((1,), ()), ValueError, "nobody leads"),
        (Spread("field", Value.STEP, row=Row.TURNED, rows=3), ((0,), ()), ValueError, "longer than"),
        (Spread("field", Value.ONE, clears=3), ((1,), ()), ValueError, "longer than"),
        (Spread("field", Value.SHARE, scalar=True), ("one", ()), TypeError, "real number"),
        (Spread("field", Value.SHARE), (5, ()), TypeError, "not iterable"),
        (Spread("field", Value.ONE, column=Column.PLACE), (([],), ()), TypeError, "unhashable"),
        (Spread("field", Value.ONE, scalar=True), (1,), TypeError, "a view of 2 fields"),
        (Spread("field", Value.ONE, scalar=True), [1, ()], TypeError, "a view of 2 fields"),
    ],
)
def test_a_view_that_does_not_fit_is_an_error(spread: Spread, view: Any, error: type[Exception], sentence: str) -> None:
    if spread.row in (Row.BY_OTHER, Row.BY_LEADER):
        spread = spread._replace(other="other")
    with pytest.raises(error, match=sentence):
        encoder(spread, 2).encode(view, 1)


@needs_native
def test_a_seat_or_a_table_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(ValueError, match="there is no seat 2"):
        encoder(Spread("field", Value.ONE, scalar=True), 2).encode((1, ()), 2)
    for wrong in ({"rows": 0}, {"width": -1}, {"offset": 2}, {"offset": -1}, {"clears": -1}, {"start": -1}):
        with pytest.raises(ValueError, match="a table goes beyond its feature of 2 values"):
            encoder(Spread("field", Value.ONE, **wrong), 2)  # type: ignore[arg-type]


@needs_native
def test_a_feature_of_another_size_than_it_says_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_named("hypp")
    wrong = [*LAYOUTS["hypp"](game, game.options(), 2), Feature(("turn",), 3, "", lambda seat, turn: [1.0])]
    monkeypatch.setitem(observation.LAYOUTS, "hypp", lambda *_: wrong)
    setup = Setup(game, 2, {})
    with pytest.raises(ValueError, match="a feature of 3 values has 1"):
        next(walk(setup, 1)).observation(0)


def test_a_feature_of_every_kind_has_a_table() -> None:
    kinds: list[Feature] = [
        features.share("field", 2),
        features.unbounded("field", 2),
        features.one_of("field", (1, 2)),
        features.seat_of("field", 2),
        features.last_seat_of("field", 2),
        features.tally("field", 2, 1),
        features.places_in("field", 2),
        features.by_seat("field", 2, 1),
        features.by_seat_unbounded("field", 2, 1),
        features.by_seat_one_of("field", 2, (1, 2)),
        features.partners("field", 2),
        features.counted("field", (1, 2), 1),
        features.one_by_one("field", 2, (1, 2)),
    ]
    assert all(feature.spreads for feature in kinds)
