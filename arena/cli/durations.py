"""Durations as options: 50ms, 1s, 1.5s, 2min."""

from typing import Any

import click

from arena.durations import parse_duration


class Duration(click.ParamType):  # type: ignore[type-arg]  # generic in the newest click only
    """A duration in whole milliseconds; a bare number is seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the milliseconds that a text stands for; fails in a sentence."""
        if isinstance(value, int):
            return value
        try:
            return parse_duration(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)
