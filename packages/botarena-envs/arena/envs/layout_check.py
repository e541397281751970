"""A check for `arena.testing.check_game`: the layout of a game's observations. It comes by the group `arena.checks`."""

from random import Random
from typing import Any

import numpy as np

from arena.envs.episode import Setup
from arena.envs.errors import EnvError, NoLayout
from arena.envs.features import Feature
from arena.envs.observation import LEFT_OUT, Observer, find_layout, layout
from arena.testing.case import MatchCase
from arena.testing.contract_check import check
from arena.testing.violation import Violation
from referee.codec import ViewEncoder
from referee.wire import view_message

EVERY = 5
"""At every fifth question observations are made, also from the message, and by an observer of their own."""
SEATS = 3
"""Number of seats that observe then, beside those that are asked."""


@check
def check_layout(case: MatchCase) -> None:
    """Observations have one size and values from -1 to 1, and depend on nothing but what the view of a seat shows.

    So `check_hiding`, which holds that views show nothing that is hidden, holds for them too. Each field of the view is
    in a feature, or left out for a reason; each legal move is an action. A game without a layout passes.
    """
    game = case.game
    try:
        find_layout(game.name)
        setup = Setup(game, case.seats, case.options)
    except NoLayout:
        return
    except EnvError as error:
        raise Violation(str(error)) from error
    features = layout(game, setup.options, setup.seats)
    shown = {field for feature in features for field in feature.fields}
    message, encoder = view_message(game), ViewEncoder(game)
    fields = set(message.DESCRIPTOR.fields_by_name)
    if strange := sorted(shown - fields):
        raise Violation(f"the layout shows {', '.join(strange)}, which the view has not")
    if missing := sorted(fields - shown - set(LEFT_OUT)):
        raise Violation(f"no feature of the layout shows {', '.join(missing)}: add one, or `left_out` with the reason")
    rng = Random(case.play)
    for step, state in enumerate(case.played.states):
        for seat in state.asked:
            _check_actions(setup, state.legal(seat), step)
        if step % EVERY:
            continue
        for seat in {*state.asked, *rng.sample(range(case.seats), min(SEATS, case.seats))}:
            view = state.view(seat)
            _check_values(features, view, seat, step)
            seen = setup.observer.observe(view, seat)
            read = message.FromString(encoder.encode(view))
            for what, other in {
                "made from the message of the view": setup.observer.observe_message(read),
                "made once more": Observer(game, setup.options, setup.seats).observe(view, seat),
            }.items():
                if not np.array_equal(seen, other):
                    at = _feature_at(features, int(np.flatnonzero(seen != other)[0]))
                    raise Violation(f"the observation of seat {seat} differs in {at} when it is {what}", step)


def _check_actions(setup: Setup, legal: tuple[str, ...], step: int) -> None:
    """Compare the actions that are offered with the legal moves."""
    try:
        offered = setup.actions.offer(tuple(legal))
    except IndexError:
        raise Violation(
            f"{len(legal)} moves are legal, and `actions` with `unlisted` has numbers for {setup.actions.size}", step
        ) from None
    if sorted(offered.moves.values()) != sorted(legal):
        raise Violation("two legal moves have the same action", step)


def _check_values(features: list[Feature], view: Any, seat: int, step: int) -> None:
    """Look at the size and the bounds of each feature."""
    values = dict(zip(view._fields, view, strict=True))
    for feature in features:
        encoded = feature.encode(seat, *[values[field] for field in feature.fields])
        seen = np.frombuffer(encoded, np.float32) if isinstance(encoded, bytes) else np.asarray(encoded, np.float64)
        named = ", ".join(feature.fields)
        if len(seen) != feature.size:
            raise Violation(f"the feature of {named} has {len(seen)} values for seat {seat}, not {feature.size}", step)
        if not np.all(np.abs(seen) <= 1):
            worst = float(seen[np.argmax(~(np.abs(seen) <= 1))])
            raise Violation(f"the feature of {named} has {worst:g} for seat {seat}; values are from -1 to 1", step)


def _feature_at(features: list[Feature], place: int) -> str:
    """Return the fields of the feature that a place of an observation belongs to."""
    ends = np.cumsum([feature.size for feature in features])
    return ", ".join(features[int(np.searchsorted(ends, place, side="right"))].fields)
