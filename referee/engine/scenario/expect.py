"""What a scenario expects, held against the match: a list of differences in words."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from referee.engine.errors import ScenarioError
from referee.engine.near import did_you_mean
from referee.engine.scenario.file import Expect
from referee.engine.scenario.stage import Stage
from referee.engine.toml import shown

ABSENT = "none"
"""How a file expects a field of a view to be empty; TOML has no null."""


def differences(expect: Expect, stage: Stage) -> list[str]:
    """Return one sentence for each expectation that fails.

    Raises ScenarioError where a view has no field of the name that the file expects.
    """
    outcome = stage.state.outcome()
    over = not stage.state.asked
    found = []
    if expect.over is not None and expect.over != over:
        found.append(f"over: expected {shown(expect.over)}, found {shown(over)}")
    found += _numbers("scores", expect.scores, [stage.game.in_units(score) for score in outcome.scores])
    found += _numbers("ranks", expect.ranks, outcome.ranks)
    if expect.to_act is not None and expect.to_act != stage.asked:
        found.append(f"to_act: expected {shown(expect.to_act)}, found {shown(stage.asked)}")
    found += _moves(expect, stage)
    for seat, fields in expect.view.items():
        found += _view(seat, fields, stage)
    found += _events(expect.events, stage.log())
    return found


def plain(value: Any) -> Any:
    """Return a view's value in TOML's types: lists, tables with text keys, numbers, texts; None for an empty field."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in (sorted(value) if isinstance(value, (set, frozenset)) else value)]
    return value


def agrees(expected: Any, found: Any) -> bool:
    """Tell whether a plain value is as expected: lists item by item, tables in the fields that are expected."""
    if found is None:
        return bool(expected == ABSENT)
    if isinstance(expected, dict) and isinstance(found, dict):
        return all(key in found and agrees(value, found[key]) for key, value in expected.items())
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(map(agrees, expected, found))
    return bool(expected == found)


def _numbers(key: str, expected: Sequence[float] | None, found: Sequence[float]) -> list[str]:
    if expected is None or tuple(expected) == tuple(found):
        return []
    seats = [
        f"seat {seat} has {is_}, not {should}"
        for seat, (should, is_) in enumerate(zip(expected, found, strict=True))
        if should != is_
    ]
    return [f"{key}: expected {shown(expected)}, found {shown(found)}: {', '.join(seats)}"]


def _moves(expect: Expect, stage: Stage) -> list[str]:
    found = []
    for seat, moves in expect.legal.items():
        legal = stage.legal(seat)
        if missing := [move for move in moves if move not in legal]:
            found.append(f"legal: seat {seat} is not offered {_quoted(missing)}; it may {_quoted(legal)}")
    for seat, moves in expect.illegal.items():
        legal = stage.legal(seat)
        if offered := [move for move in moves if move in legal]:
            found.append(f"illegal: seat {seat} is offered {_quoted(offered)}; it may {_quoted(legal)}")
    return found


def _view(seat: int, fields: Mapping[str, Any], stage: Stage) -> list[str]:
    view = plain(stage.state.view(seat))
    found = []
    for name, expected in fields.items():
        if name not in view:
            raise ScenarioError(
                f'the view of {stage.game.name} has no field "{name}"{did_you_mean(name, view)} '
                f"(fields: {', '.join(view)})"
            )
        if not agrees(expected, view[name]):
            seen = ABSENT if view[name] is None else shown(view[name])
            found.append(f"view: seat {seat} sees {name} = {seen}, expected {shown(expected)}")
    return found


def _events(expected: Sequence[str], log: Sequence[str]) -> list[str]:
    """Find the expected lines in order; only the first that is missing is told."""
    after = 0
    for line in expected:
        if line in log[after:]:
            after = log.index(line, after) + 1
            continue
        if line in log:
            return [f'events: "{line}" is line {log.index(line) + 1} of the log, expected after line {after}']
        close = get_close_matches(line, log, n=1, cutoff=0.5)
        hint = f'; nearest: "{close[0]}"' if close else ""
        return [f'events: "{line}" is not in the log{hint}']
    return []


def _quoted(moves: Sequence[str]) -> str:
    return ", ".join(f'"{move}"' for move in moves) or "nothing (it is not asked)"
