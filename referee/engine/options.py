"""Optional rules as data: a frozen dataclass per game, each field with a help text.

    @dataclass(frozen=True, slots=True)
    class HyppOptions(Options):
        chips: int = option(30, "chips of each seat at the start", low=1)
        reveal: str = option("lowest", "who falls", choices={"lowest": "the weakest", "anti": "the strongest"})
        misery: bool = option(False, "who first has no chips wins")

`arena games GAME` prints them; `-o name=value` sets them.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from mypy_extensions import mypyc_attr

from referee.engine.errors import OptionError
from referee.engine.near import did_you_mean

_TRUE = {"true", "yes", "on", "1"}
_FALSE = {"false", "no", "off", "0"}


def option(
    default: int | bool | str,
    help: str,
    *,
    low: int | None = None,
    high: int | None = None,
    choices: Mapping[str, str] | None = None,
) -> Any:
    """Declare one option: its default, what it means, and its range (`low`..`high`) or its choices."""
    return dataclasses.field(default=default, metadata={"help": help, "low": low, "high": high, "choices": choices})


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, slots=True)
class Options:
    """Base of every game's options. Fields are int, bool or str, declared with `option`."""

    @classmethod
    def parse(cls, given: Mapping[str, Any]) -> Self:
        """Return the options that `given` (name to value, texts or typed) stands for.

        Raises OptionError for a name that is unknown, a value out of range, or a contradiction.
        """
        known = {field.name: field for field in dataclasses.fields(cls)}
        values = {}
        for name, value in given.items():
            if name not in known:
                hint = did_you_mean(name, known)
                listed = ", ".join(known) or "none"
                raise OptionError(f'there is no option "{name}"{hint} (options: {listed})')
            values[name] = _parsed(known[name], value)
        options = cls(**values)
        options.check()
        return options

    def check(self) -> None:
        """Raise OptionError where two options contradict each other, naming both."""

    def given(self) -> dict[str, str]:
        """Return the options that differ from their defaults, as texts that `parse` reads."""
        return {
            field.name: _text(getattr(self, field.name))
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        }


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parsed(field: "dataclasses.Field[Any]", value: Any) -> Any:
    kind: type[Any] = type(field.default)
    text = _text(value).strip()
    if kind is bool:
        if text.lower() in _TRUE | _FALSE:
            return text.lower() in _TRUE
        raise OptionError(f'{field.name} is on or off, not "{text}"')
    if kind is str:
        choices = field.metadata["choices"]
        if choices is not None and text not in choices:
            raise OptionError(f'{field.name} is one of {", ".join(choices)}, not "{text}"')
        return text
    try:
        number = int(text)
    except ValueError:
        raise OptionError(f'{field.name} is a whole number, not "{text}"') from None
    low, high = field.metadata["low"], field.metadata["high"]
    if (low is not None and number < low) or (high is not None and number > high):
        span = f"at least {low}" if high is None else f"at most {high}" if low is None else f"from {low} to {high}"
        raise OptionError(f"{field.name} is {span}, not {number}")
    return number
