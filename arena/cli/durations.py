"""Durations as people write them: 50ms, 1s, 1.5s, 2min."""

import re
from typing import Any

import click

_UNITS = {"ms": 1, "s": 1000, "min": 60_000}
_TEXT = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|min)?")


class Duration(click.ParamType):  # type: ignore[type-arg]  # generic in the newest click only
    """A duration in whole milliseconds; a bare number is seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the milliseconds that a text stands for; fails in a sentence."""
        if isinstance(value, int):
            return value
        found = _TEXT.fullmatch(str(value).strip().lower())
        if found is None:
            self.fail(f"{value!r} is no duration: write 50ms, 1s, 1.5s or 2min", param, ctx)
        milliseconds = float(found[1]) * _UNITS[found[2] or "s"]
        if milliseconds != int(milliseconds) or milliseconds >= 2**32:
            self.fail(f"{value!r} is not a whole number of milliseconds, from 0 to 49 days", param, ctx)
        return int(milliseconds)
