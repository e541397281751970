"""Settings as callers of the library write them, as the rest of arena takes them."""

from collections.abc import Mapping, Sequence
from typing import Any

from arena.plan.definition_builder import check_time_control
from arena.values.definition import CLOCK_KEYS, MODES, Mode, TimeControl
from arena.values.durations import parse_duration
from arena.values.tournament_errors import PlanError
from referee.engine.game import Game
from referee.engine.options import Options

Duration = float | str
"""Seconds, or a text like "50ms"."""

GameOptions = Mapping[str, bool | int | float | str]
"""Options of a game, by name."""


StartTimes = Mapping[str, Duration]
"""How long single bots may take to start, by their names."""


def milliseconds(name: str, duration: Duration) -> int:
    """Return a duration in whole milliseconds.

    name: the name of the parameter, for the message.

    Raises PlanError if it is none.
    """
    try:
        return parse_duration(f"{duration:f}" if isinstance(duration, float) else str(duration))
    except ValueError as error:
        raise PlanError(f"{name}: {error}") from None


def start_times(start: Duration | StartTimes) -> tuple[int, list[tuple[str, int]]]:
    """Return the start time of all bots, in milliseconds, and those of single ones. Raises PlanError if one is none."""
    if isinstance(start, Mapping):
        return TimeControl().start_time_ms, [(name, milliseconds("start", time)) for name, time in start.items()]
    return milliseconds("start", start), []


Clocks = Mapping[str, Mapping[str, Duration]]
"""Clocks by the name of their bot: {"owl": {"move_time": "200ms", "bank": 5}}."""


def bot_clocks(clocks: Clocks | None) -> list[tuple[str, dict[str, int]]]:
    """Return the clocks of single bots, in milliseconds by field of the entrant. Raises PlanError if one is none."""
    given: Any = {} if clocks is None else clocks
    if not isinstance(given, Mapping) or not all(isinstance(own, Mapping) for own in given.values()):
        raise PlanError('clocks is a dict of bots and clocks, such as {"owl": {"move_time": "200ms", "bank": 5}}')
    known = {key.replace("-", "_"): field for key, field in CLOCK_KEYS.items()}
    found = []
    for name, own in given.items():
        for key in own:
            check_choice(f"a key of the clock of {name}", key, tuple(known))
        found.append((str(name), {known[key]: milliseconds(key, time) for key, time in own.items()}))
    return found


def time_control(
    move_time: Duration, bank: Duration, fischer: bool, start_time_ms: int, ready: Duration, mode: Mode = "fast"
) -> TimeControl:
    """Return the clock. Raises PlanError for durations or a mode that do not exist, or do not fit together."""
    check_choice("mode", mode, MODES)
    chosen = {
        "move_time_ms": milliseconds("move_time", move_time),
        "bank_ms": milliseconds("bank", bank),
        "start_time_ms": start_time_ms,
        "ready_time_ms": milliseconds("ready", ready),
        "mode": mode,
        "fischer": fischer,
    }
    time = TimeControl.choose(chosen)
    check_time_control(time)
    return time


def check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    """Raise PlanError if the value of a parameter is none of its choices."""
    if value not in choices:
        raise PlanError(f"{name} is one of {', '.join(choices)}, not {value!r}")


def check_seed(seed: int | None) -> int | None:
    """Return a seed. Raises PlanError if it is no number from 0."""
    if seed is not None and seed < 0:
        raise PlanError(f"a seed is a whole number from 0, not {seed!r}")
    return seed


def game_options(game: Game, options: GameOptions | None) -> Options:
    """Return the options of a game. Raises OptionError for one that it does not have."""
    return game.options.parse({name: _text(value) for name, value in (options or {}).items()})


def _text(value: bool | int | float | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
