"""Answers of a server, checked before they are used: they may come from anything that listens at an address."""

from collections.abc import Mapping, Sequence
from typing import Any

from arena.client.errors import ServerError

LARGEST_NUMBER = 2**53
"""Larger numbers are none of an arena's."""

Shape = Any
"""What a value must be: a type or several; a list with the shape of its items; a mapping with the shapes of keys."""

TOKEN = {"account": str, "scopes": [str]}
RECEIVED = {"hand_in": int}
HAND_IN = {
    "bot": str,
    "state": str,
    "is_finished": bool,
    "place": int | None,
    "seconds": int | None,
    "sentence": str,
    "steps": [{"title": str, "verdict": str, "sentence": str}],
}
ENTRIES = [{"league": str, "entry": int, "state": str}]
REPORT = {"output": [str], "findings": [{"step": str, "sentence": str}]}
BOARD = {
    "rows": [
        {
            "bot": str,
            "rank": int | None,
            "elo": int | float | None,
            "bound": str,
            "ci95": int | float | None,
            "state": str,
        }
    ]
}
PRACTICE = {
    "league": str,
    "owner": str,
    "game": str,
    "state": str,
    "bots": [str],
    "matches": int,
    "kept_until": str,
}
CHALLENGE = {"batch": {"batch": int}}
PROGRESS = {"state": str, "batches": int, "playing": int, "waiting": int}


def checked(values: Any, shape: Shape) -> Any:
    """Return values if they have a shape; more keys than it names are allowed. Raises ServerError."""
    if not _has_shape(values, shape):
        raise ServerError("the answer is not that of an arena: is the address right, and is its version that of yours?")
    return values


def _has_shape(value: Any, shape: Shape) -> bool:
    if isinstance(shape, Mapping):
        return isinstance(value, dict) and all(
            key in value and _has_shape(value[key], inner) for key, inner in shape.items()
        )
    if isinstance(shape, Sequence):
        return isinstance(value, list) and all(_has_shape(item, shape[0]) for item in value)
    if isinstance(value, bool):
        return shape is bool
    if isinstance(value, int | float) and not abs(value) <= LARGEST_NUMBER:  # nor is it NaN
        return False
    return isinstance(value, shape)
