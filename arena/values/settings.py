"""Settings as data: fields of a struct that say what they mean, their unit and bounds, and what people call them.

    class TimeControl(Stored, frozen=True):
        bank_ms: Annotated[int, setting("Extra time of a seat.", "ms", option="--bank", key="time.bank")] = 10_000

From such fields follow the options of commands (`arena.cli.setting_options`), the keys of event files
(`arena.plan.eventfile`), what is stored and hashed (`Stored`), the JSON schema (`tools.schemas.events`) and the table
of docs/events.md (`tools.event_keys`). One validator reads them all: msgspec, with sentences made from the same fields.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import Any, ClassVar, Literal, Self, TypeVar, get_args, get_origin

import msgspec
from msgspec import Meta, Struct, ValidationError
from msgspec.structs import FieldInfo

from arena.values.durations import format_duration, parse_duration
from arena.values.struct_types import ready

Unit = Literal["", "ms", "s", "bytes"]
"""The unit of a number. People write milliseconds and seconds as durations ("50ms", "2min"), and bytes in MiB."""

Kind = Literal["flag", "integer", "number", "duration", "memory", "word", "words", "text", "texts"]
"""What people write: "word" is one of a few, "words" a list of these."""

MEBIBYTE = 1024 * 1024

MOST = 2**31 - 1
"""The largest whole number where no other bound is told: numbers of deals have 31 bits."""

_DURATION = 'a duration, like "50ms", "1s", "1.5s" or "2min", or a number of seconds'

EXPECTED: dict[Kind, str] = {
    "flag": "true or false",
    "integer": "a whole number",
    "memory": "a whole number",
    "number": "a number",
    "duration": _DURATION,
    "text": "a text in quotes",
    "texts": 'a list of texts, like ["one", "two"]',
}
"""What a value of a kind must be, as "must be ..." continues."""

_ITEM = re.compile(r"`\$\[(\d+)\]")
"""The item of a list that a message of msgspec is about."""

T = TypeVar("T", bound=Struct)


class SettingError(ValueError):
    """What was written is not what a setting may be.

    expected: what it must be, as "must be ..." continues.
    item: of a list, the number of the wrong item from 0; None: the whole value is wrong.
    """

    def __init__(self, expected: str, item: int | None = None) -> None:
        super().__init__(f"it must be {expected}")
        self.expected = expected
        self.item = item


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting.

    least, most: the bounds in the unit; None where there is none to tell.
    """

    name: str
    """The name of its field, also in JSON."""
    help: str
    """What the setting means, in a sentence."""
    option: str
    """The option of commands, such as `--bank`; empty if there is none."""
    key: str
    """The key in files, such as `time.bank`; empty if there is none."""
    unit: Unit
    """The unit of the field."""
    kind: Kind
    least: int | None
    most: int | None
    choices: tuple[str, ...]
    """The words to choose from; empty for settings of other kinds."""
    default: Any
    """The default of the field."""
    unset: int | None
    """The value that stands for "not chosen", which may be less than the least; None if there is none."""
    usual: str
    """The default in words, where it follows from something else; empty if it is `default`."""
    type: Any
    """The type of the field, with the bounds."""

    def read(self, written: Any) -> Any:
        """Return the value of what stands in a file. Raises SettingError."""
        try:
            value = self._in_unit(written)
        except ValueError:
            raise SettingError(self.expected) from None
        self.check(value)
        try:
            return msgspec.convert(value, ready(self.type))
        except ValidationError as error:
            item = _ITEM.search(str(error))
            if item is None:
                raise SettingError(self.expected) from None
            choices = f"one of {', '.join(self.choices)}"
            raise SettingError(choices if self.choices else EXPECTED["text"], int(item[1])) from None

    def check(self, value: Any) -> Any:
        """Return a value. Raises SettingError for what is beyond the bounds, empty, or none of the choices."""
        if self.kind == "word" and value not in self.choices:
            raise SettingError(self.expected)
        if self.kind == "text" and isinstance(value, str) and not value.strip():
            raise SettingError("a text of at least one character")
        if type(value) is int and self.kind in ("integer", "memory", "duration"):
            if self.least is not None and value < self.least:
                least = self.shown(self.least)
                raise SettingError(f"at least {least}" if self.kind == "duration" else f"{least} or more")
            if self.most is not None and value > self.most:
                raise SettingError(f"at most {self.shown(self.most)}")
        return value

    def shown(self, value: Any) -> Any:
        """Return a value as files have it: the counterpart of `read`."""
        if self.kind == "duration":
            return format_duration(value * 1000 if self.unit == "s" else value)
        return value // MEBIBYTE if self.kind == "memory" else list(value) if isinstance(value, tuple) else value

    @property
    def expected(self) -> str:
        """What people may write, as "must be ..." continues."""
        if self.kind in ("word", "words"):
            return f"{'a list of' if self.kind == 'words' else 'one of'} {', '.join(self.choices)}"
        bounded = self.least is not None and self.kind in ("integer", "memory")
        return f"{EXPECTED[self.kind]}, {self.shown(self.least)} or more" if bounded else EXPECTED[self.kind]

    def _in_unit(self, written: Any) -> Any:
        """Return what was written in the unit of the field; as it is where it has the wrong type."""
        is_number = isinstance(written, int | float) and not isinstance(written, bool)
        if self.kind == "memory" and type(written) is int:
            return written * MEBIBYTE
        if self.kind != "duration":
            return written
        if not is_number and not isinstance(written, str):
            raise ValueError
        milliseconds = parse_duration(str(written))
        return ceil(milliseconds / 1000) if self.unit == "s" else milliseconds


def setting(
    help: str,
    unit: Unit = "",
    *,
    option: str = "",
    key: str = "",
    least: int | None = None,
    most: int | None = None,
    unset: int | None = None,
    usual: str = "",
    choices: tuple[str, ...] = (),
) -> Meta:
    """Declare what a field means; parameters as in `Setting`.

    choices: only where people may write fewer words than the field can hold.
    unset: the value that stands for "not chosen", which may be less than the least.
    """
    if least is not None and most is None:
        most = {"ms": 2**32 - 1, "s": MOST, "bytes": MOST * MEBIBYTE, "": MOST}[unit]
    extra: dict[str, Any] = {"unit": unit, "option": option, "key": key, "least": least, "unset": unset}
    extra |= {"usual": usual, "choices": choices}
    return Meta(description=help, ge=least if unset is None else unset, le=most, extra=extra)


@cache
def settings_of(kind: type[Struct]) -> tuple[Setting, ...]:
    """Return the settings among the fields of a struct."""
    return tuple(_settings(kind))


def _settings(kind: type[Struct]) -> Iterator[Setting]:
    for field in msgspec.structs.fields(kind):
        meta = next((part for part in getattr(field.type, "__metadata__", ()) if isinstance(part, Meta)), None)
        if meta is not None and meta.extra is not None and meta.description is not None:
            extra, choices = meta.extra, meta.extra["choices"] or _choices(field.type)
            yield Setting(
                name=field.name,
                help=meta.description,
                option=extra["option"],
                key=extra["key"],
                unit=extra["unit"],
                kind=_kind(field, extra["unit"], bool(choices)),
                least=extra["least"],
                most=None if meta.le is None else int(meta.le),
                choices=choices,
                default=field.default,
                unset=extra["unset"],
                usual=extra["usual"],
                type=field.type,
            )


def _kind(field: FieldInfo, unit: Unit, has_choices: bool) -> Kind:
    base = get_args(field.type)[0]
    if unit:
        return "memory" if unit == "bytes" else "duration"
    if get_origin(base) is tuple:
        return "words" if has_choices else "texts"
    kinds: dict[Any, Kind] = {bool: "flag", int: "integer", float: "number", str: "text"}
    return "word" if has_choices else kinds[base]


def _choices(annotated: Any) -> tuple[str, ...]:
    base = get_args(annotated)[0]
    item = get_args(base)[0] if get_origin(base) is tuple else base
    return get_args(item) if get_origin(item) is Literal else ()


class Stored(Struct, frozen=True, forbid_unknown_fields=True):
    """A value that is stored as JSON, and hashed.

    A field is left out where it has its default, so that what was stored before there was such a field keeps its hash.
    """

    always_stored: ClassVar[frozenset[str]] = frozenset()
    """The fields that are stored with their defaults too: those of the first release. No other may join them."""

    def to_json(self) -> dict[str, Any]:
        """Return JSON values that `from_json` reads."""
        always, defaults = self.always_stored, _defaults(type(self))
        return {
            name: _plain(value)
            for name, value in ((name, getattr(self, name)) for name in self.__struct_fields__)
            if name in always or value != defaults[name]
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return what `to_json` wrote. Raises ValidationError, of msgspec, that names the field of what is wrong."""
        return msgspec.convert(values, ready(cls))

    @classmethod
    def choose(cls, chosen: Mapping[str, Any]) -> Self:
        """Return what an organiser has chosen; fields that are not chosen follow from the others, or are as usual."""
        return cls(**chosen)


@cache
def _defaults(kind: type[Struct]) -> dict[str, Any]:
    return {field.name: field.default for field in msgspec.structs.fields(kind)}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return value.to_json() if hasattr(value, "to_json") else value
