"""What others wrote, read by the types that declare it: TOML and JSON, whoever wrote them.

    class Cup(Struct, frozen=True, forbid_unknown_fields=True):
        size: Annotated[int, Meta(ge=1)]
        owner: Annotated[Text, rule(printable)] = ""

    read_value(values, Cup)          the value, or MisfitError with a sentence on each mistake
    read_toml(table, Cup)      the same, with the file and the line, as the error of the file
    misfits(values, Cup)       only the sentences

msgspec makes the value, but tells the first mistake alone, and in words of Python. So the type is walked along the
value first: what a key must be, and which keys there are, follows from the fields. Packages of games and bots know
nothing of this: scenarios and options of games are read by `referee.engine`.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, is_dataclass
from dataclasses import fields as dataclass_fields
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct, UnsetType, ValidationError

from arena.values.settings import EXPECTED, SettingError
from arena.values.struct_types import ready
from arena.values.texts import toml_text
from referee.engine.near import did_you_mean
from referee.engine.toml import TomlTable, cut, shown, shown_shortly

T = TypeVar("T")

LARGEST = 2**63 - 1
"""A database holds no larger number."""

_SIMPLE: dict[Any, str] = {
    bool: EXPECTED["flag"],
    int: EXPECTED["integer"],
    float: EXPECTED["number"],
    str: EXPECTED["text"],
}


class Misfit(NamedTuple):
    """A mistake."""

    path: str
    """The full name of the key, such as `bot[2].name`; empty if the whole is meant."""
    sentence: str


class MisfitError(ValueError):
    """A value is not of its type; the message is about its first mistake."""

    def __init__(self, misfits: Sequence[Misfit]) -> None:
        super().__init__(misfits[0].sentence)
        self.misfits = tuple(misfits)


@dataclass(frozen=True, slots=True)
class Notation:
    """How a format writes what every format has."""

    first: int
    """The number of the first item of a list."""
    table: str
    """What keys and values are called; `{}` stands for the full name."""
    tables: str
    """What a list of these is called."""


TOML = Notation(1, "a table: a line [{}] with its keys below it", "a list of tables, each below a line [[{}]]")

JSON = Notation(0, "an object", "a list of objects")


def rule(check: Callable[[Any], str]) -> Meta:
    """Declare what a value must be beyond its type.

    check: returns what is wrong with a value of the type, as its key continues the sentence ("is empty: ..."); empty
        if it is fine.
    """
    return Meta(extra={"rules": (check,)})


def only(check: Callable[[Any], object], wanted: str) -> Meta:
    """Declare which values of its type a value may be.

    check: tells whether it may be this one.
    wanted: what it must be, as "must be ..." continues.
    """
    return rule(lambda value: "" if check(value) else f"must be {wanted}, not {shown_shortly(value)}")


def written_as(reader: Callable[[Any], Any]) -> Meta:
    """Declare that files have a value in another form.

    reader: returns the value of what stands in a file. It raises SettingError.
    """
    return Meta(extra={"reader": reader})


def _not_empty(text: str) -> str:
    return "" if text.strip() else "must not be empty"


Text = Annotated[str, rule(_not_empty)]
"""A text that says something."""


def read_value(value: object, kind: type[T], notation: Notation = JSON) -> T:
    """Return a value as one of its type. Raises MisfitError."""
    walk = _Walk(notation)
    values = walk.read(value, kind, "")
    if not walk.misfits:
        try:
            return msgspec.convert(values, ready(kind))
        except ValidationError as error:  # of a check of the struct itself
            walk.misfits.append(Misfit("", str(error)))
    raise MisfitError(walk.misfits)


def read_toml(table: TomlTable, kind: type[T]) -> T:
    """Return the value that a file holds. Raises the error of the file, about the first mistake."""
    try:
        return read_value(table.values, kind, TOML)
    except MisfitError as error:
        raise table.error(*error.misfits[0]) from None


def misfits(value: object, kind: Any, notation: Notation = JSON, *, is_partial: bool = False) -> list[Misfit]:
    """Return what is wrong with a value; nothing if it is of its type.

    kind: a struct, a dataclass, or the type of one of their fields.
    is_partial: whether keys may be missing, and others be there.
    """
    walk = _Walk(notation, is_partial)
    walk.read(value, kind, "")
    return walk.misfits


def expected(kind: Any, notation: Notation = JSON, path: str = "") -> str:
    """Return what a value of a type must be, as "must be ..." continues.

    path: the full name of its key.
    """
    kind, declared = _split(kind)
    return _expected(kind, declared, notation, path)


def _expected(kind: Any, declared: "_Declared", notation: Notation, path: str) -> str:
    origin, args = get_origin(kind), get_args(kind)
    if kind is int and declared.least is not None:
        return f"{_SIMPLE[int]}, {declared.least} or more"
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if origin in (Union, UnionType):
        arms = [arm for arm in args if arm not in (NoneType, UnsetType) and (arm is not int or float not in args)]
        return ", ".join(expected(arm, notation, path) for arm in arms)
    if origin is Literal:
        return f"one of {', '.join(map(str, args))}" if len(args) > 1 else shown(args[0])
    if origin in (tuple, list):
        item = _split(args[0])[0]
        if len(args) > 1 and args[1] is not Ellipsis:
            return f"a list of {len(args)}"
        if get_origin(item) is Literal:
            return f"a list of {', '.join(map(str, get_args(item)))}"
        return notation.tables.format(path) if _is_record(item) else EXPECTED["texts"] if item is str else "a list"
    return notation.table.format(path)


class _Declared(NamedTuple):
    """What the annotations of a type say."""

    least: int | float | None = None
    most: int | float | None = None
    rules: tuple[Callable[[Any], str], ...] = ()
    reader: Callable[[Any], Any] | None = None
    example: str = ""
    """As a file has it."""


_NOTHING = _Declared()


class _Field(NamedTuple):
    """A field of a struct or dataclass."""

    key: str
    type: Any
    is_needed: bool


class _Walk:
    """Walks a type along a value, and collects what is wrong."""

    def __init__(self, notation: Notation, is_partial: bool = False) -> None:
        self.misfits: list[Misfit] = []
        self._notation = notation
        self._is_partial = is_partial

    def read(self, value: Any, kind: Any, path: str) -> Any:
        """Return a value with what its parts are read as.

        path: the full name of its key.
        """
        kind, declared = _split(kind)
        before = len(self.misfits)
        if declared.reader is not None:
            try:
                value = declared.reader(value)
            except SettingError as error:
                if error.item is not None:
                    path, value = self._item(path, error.item), value[error.item]
                self._add(path, error.expected, value)
                return value
        value = self._plain(value, kind, declared, path)
        if len(self.misfits) == before and (
            problem := next(filter(None, (check(value) for check in declared.rules)), "")
        ):
            self._tell(path, problem)
        return value

    def _plain(self, value: Any, kind: Any, declared: _Declared, path: str) -> Any:
        origin, args = get_origin(kind), get_args(kind)
        if _is_record(kind):
            return self._record(value, kind, path)
        if kind in _SIMPLE:
            self._check_simple(value, kind, declared, path)
        elif origin in (Union, UnionType):
            return self._any_of(value, args, path)
        elif origin is Literal:
            if not any(type(value) is type(arg) and value == arg for arg in args):
                self._add(path, expected(kind, self._notation), value)
        elif origin in (tuple, list):
            return self._list(value, kind, path)
        elif origin is not None:
            if isinstance(value, dict):
                return {key: self.read(item, args[1], _join(path, key)) for key, item in value.items()}
            self._add(path, self._notation.table.format(path), value)
        return value

    def _record(self, value: Any, kind: Any, path: str) -> Any:
        if not isinstance(value, dict):
            self._add(path, self._notation.table.format(path), value)
            return value
        fields = _fields(kind)
        if not self._is_partial and _is_closed(kind):
            for key in value:
                if key not in fields:
                    name = _join(path, key)
                    known = f"{did_you_mean(key, fields)} (known: {', '.join(fields)})"
                    self.misfits.append(Misfit(name, f'unknown key "{cut(name)}"{known}'))
        found = {}
        for key, field in fields.items():
            if key in value:
                found[key] = self.read(value[key], field.type, _join(path, key))
            elif field.is_needed and not self._is_partial:
                name, (bare, declared) = _join(path, key), _split(field.type)
                needed = f"add a line {key} = {declared.example}" if declared.example else ""
                needed = needed or f"it must be {_expected(bare, declared, self._notation, name)}"
                self._tell(name, f"is missing: {needed}")
        return found

    def _check_simple(self, value: Any, kind: Any, declared: _Declared, path: str) -> None:
        is_number = type(value) in (int, float) and _is_finite(value)
        if not (is_number if kind is float else type(value) is kind):
            self._add(path, _expected(kind, declared, self._notation, path), value)
        elif kind in (int, float):
            furthest = LARGEST if kind is int else math.inf
            least, most = (
                (-furthest if declared.least is None else declared.least),
                (furthest if declared.most is None else declared.most),
            )
            if not least <= value <= most:
                self._add(path, f"{least} or more" if value < least else f"at most {most}", value)

    def _any_of(self, value: Any, arms: Sequence[Any], path: str) -> Any:
        """Return a value of one of several types; the mistakes are those by the first where there is but one."""
        arms = [arm for arm in arms if arm is not UnsetType]
        if value is None and NoneType in arms:
            return value
        arms = [arm for arm in arms if arm is not NoneType]
        if len(arms) == 1:
            return self.read(value, arms[0], path)
        for arm in arms:
            other = _Walk(self._notation, self._is_partial)
            found = other.read(value, arm, path)
            if not other.misfits:
                return found
        arms = [arm for arm in arms if arm is not int or float not in arms]
        self._add(path, ", ".join(expected(arm, self._notation, path) for arm in arms), value)
        return value

    def _list(self, value: Any, kind: Any, path: str) -> Any:
        args = get_args(kind)
        is_fixed = get_origin(kind) is tuple and args[-1] is not Ellipsis
        if not isinstance(value, list | tuple) or (is_fixed and len(value) != len(args)):
            self._add(path, expected(kind, self._notation, path), value)
            return value
        if (
            not is_fixed
            and _is_record(args[0])
            and self._notation is TOML
            and not all(isinstance(item, dict) for item in value)
        ):
            self._add(path, self._notation.tables.format(path), value)
            return value
        kinds = args if is_fixed else [args[0]] * len(value)
        return [self.read(item, of, self._item(path, n)) for n, (item, of) in enumerate(zip(value, kinds, strict=True))]

    def _item(self, path: str, number: int) -> str:
        return f"{path}[{number + self._notation.first}]"

    def _add(self, path: str, wanted: str, value: Any) -> None:
        self._tell(path, f"must be {wanted}, not {shown_shortly(value)}")

    def _tell(self, path: str, problem: str) -> None:
        self.misfits.append(Misfit(path, f"{cut(path) or 'it'} {problem}"))


def _split(kind: Any) -> tuple[Any, _Declared]:
    """Return a type without its annotations, and what these say."""
    if get_origin(kind) is not Annotated:
        return kind, _NOTHING
    declared = _NOTHING
    bare, *parts = get_args(kind)
    for part in parts:
        if isinstance(part, Meta):
            extra = part.extra or {}
            declared = _Declared(
                declared.least if part.ge is None else part.ge,
                declared.most if part.le is None else part.le,
                (*declared.rules, *extra.get("rules", ())),
                extra.get("reader", declared.reader),
                toml_text(part.examples[0]) if part.examples else declared.example,
            )
    return bare, declared


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and (issubclass(kind, Struct) or is_dataclass(kind))


def _is_closed(kind: type[Any]) -> bool:
    """Tell whether a record may hold no keys but those of its fields."""
    return not issubclass(kind, Struct) or kind.__struct_config__.forbid_unknown_fields


@cache
def _fields(kind: Any) -> dict[str, _Field]:
    """Return the fields of a struct or dataclass, by their keys."""
    return {field.key: field for field in _all_fields(kind)}


def _all_fields(kind: type[Any]) -> Iterator[_Field]:
    if issubclass(kind, Struct):
        for field in msgspec.structs.fields(kind):
            yield _Field(field.encode_name, field.type, field.required)
        return
    hints = get_type_hints(kind, include_extras=True)
    for declared in dataclass_fields(kind):
        has_default = declared.default is not MISSING or declared.default_factory is not MISSING
        yield _Field(declared.name, hints[declared.name], not has_default)


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
