"""Parameters: numbers in a bot's command line, which `[parameters.NAME]` of its bot.toml declares.

A placeholder `{NAME}` in the command stands for each. A bot plays with the start values; `arena tune` plays it with
others.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Annotated, Any

from msgspec import Meta, Struct

from arena.values.checking import rule
from referee.engine.near import did_you_mean
from referee.engine.toml import shown_shortly

PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]{0,63})\}")
"""A placeholder; its group is the name of the parameter."""

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")

MOST = 256
"""The most parameters of a bot."""


class Parameter(Struct, frozen=True, forbid_unknown_fields=True):
    """A parameter: an integer if start, min and max are written as integers."""

    start: Annotated[int | float, Meta(description="the bot plays with it", examples=[0.5])]
    min: Annotated[int | float, Meta(description="the least value", examples=[0])]
    max: Annotated[int | float, Meta(description="the largest value", examples=[1])]
    step: Annotated[
        int | float | None,
        Meta(description="by how much `arena tune` changes it at the end of a run; absent: (max - min) / 20"),
    ] = None

    @property
    def is_integer(self) -> bool:
        """Whether it takes whole numbers alone."""
        return all(type(number) is int for number in (self.start, self.min, self.max))


def _problem(values: Any) -> str:
    """Return what is wrong with the values of a parameter, each of which is a number."""
    start, low, high, step = (values.get(key) for key in ("start", "min", "max", "step"))
    return range_problem(start, low, high, step)


def range_problem(start: float, low: float, high: float, step: float | None) -> str:
    """Return what is wrong with the numbers of a parameter, as its name continues the sentence; empty if nothing."""
    if not low < high:
        return f"has min = {shown_shortly(low)}, which is not below max = {shown_shortly(high)}"
    if not low <= start <= high:
        return f"starts at {shown_shortly(start)}, which is not between {shown_shortly(low)} and {shown_shortly(high)}"
    if step is not None and not 0 < step <= high - low:
        return (
            f"has step = {shown_shortly(step)}: it must be above 0, and at most {shown_shortly(high - low)} (max - min)"
        )
    return ""


def _names(parameters: Mapping[str, Any]) -> str:
    for name in parameters:
        if not NAME.fullmatch(name):
            return f'names "{name[:64]}": a name has letters, digits and _, and begins with no digit'
    return f"has more than {MOST} parameters" if len(parameters) > MOST else ""


Parameters = Annotated[dict[str, Annotated[Parameter, rule(_problem)]], rule(_names)]
"""The parameters of a bot.toml, by name."""


def placeholders(words: Iterable[str]) -> Iterator[str]:
    """Yield the names of the placeholders in the words of a command, in order; a name may come again."""
    for word in words:
        yield from PLACEHOLDER.findall(word)


def fill(words: Iterable[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the words of a command with a value for each placeholder that has one; all others stay."""
    return tuple(PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), word) for word in words)


def number_text(value: float) -> str:
    """Return a number as a command line has it: in decimal, without an exponent."""
    return str(value) if type(value) is int else format(Decimal(repr(float(value))), "f")


def mismatch(command: tuple[str, ...], parameters: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the first mistake in what a command and its parameters say of each other; None if there is none.

    The mistake is the full name of the key of a bot.toml, and a sentence.
    """
    if found := next(placeholders(command[:1]), None):
        return "command", f"command has {{{found}}} in its program: parameters stand in its arguments"
    used = list(placeholders(command))
    for name in used:
        if name not in parameters:
            hint = did_you_mean(name, parameters)
            return "command", (
                f"command has {{{name}}}, and there is no such parameter{hint}: add a table [parameters.{name}] with "
                "start, min and max"
            )
    for name in parameters:
        if name not in used:
            hint = did_you_mean(name, used)
            return (
                f"parameters.{name}",
                f"parameters.{name} stands nowhere in the command{hint}: write {{{name}}} there",
            )
    return None
