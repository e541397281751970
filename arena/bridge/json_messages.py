"""Protocol messages as JSON values, by their descriptors: those of a view come with the match.

Unlike protobuf's own JSON mapping: fields keep the names they have in the proto file, every integer is a number, and
a field without presence is always there, so that a program without a JSON library finds it.
"""

from base64 import b64encode
from functools import cache
from math import isfinite
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.descriptor import Descriptor, FieldDescriptor
    from google.protobuf.message import Message

_BYTES, _FLOATS = 12, (1, 2)
"""FieldDescriptor.TYPE_*, without importing it."""


def json_value(message: "Message") -> dict[str, Any]:
    """Convert a message to a dict of its fields by name.

    Enums are the names of their values, bytes are in base64, numbers that JSON does not have are the texts "NaN",
    "Infinity" and "-Infinity". A field with presence that is not set is left out.
    """
    names, read, converted = _fields(message.DESCRIPTOR)
    values = dict(zip(names, read(message), strict=True))
    for name, optional, convert in converted:
        if optional and not message.HasField(name):
            del values[name]
        else:
            values[name] = convert(values[name])
    return values


@cache
def _fields(
    descriptor: "Descriptor",
) -> "tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]], tuple[tuple[str, bool, Callable[[Any], Any]], ...]]":
    """Return how to convert the messages of a type.

    The first two are the names of all fields and a function that reads them. The third has, for each field that is
    optional or that JSON cannot hold as it is, the name, whether it has presence, and the conversion.
    """
    names = tuple(field.name for field in descriptor.fields)
    conversions = [(field.name, field.has_presence, _convert(field)) for field in descriptor.fields]
    converted = tuple(entry for entry in conversions if entry[1] or entry[2] is not _same)
    if len(names) > 1:
        return names, attrgetter(*names), converted
    return names, lambda message: tuple(getattr(message, name) for name in names), converted


def _convert(field: "FieldDescriptor") -> "Callable[[Any], Any]":
    if (entry := field.message_type) is not None and entry.GetOptions().map_entry:
        convert = _single(entry.fields_by_name["value"])
        return lambda entries: {_key(key): convert(entries[key]) for key in entries}
    single = _single(field)
    if not field.is_repeated:
        return single
    if single is _same:
        return _to_list
    return lambda values: list(map(single, values))


def _single(field: "FieldDescriptor") -> "Callable[[Any], Any]":
    if field.message_type is not None:
        return json_value
    if field.enum_type is not None:
        return _EnumNames(
            (number, known.name) for number, known in field.enum_type.values_by_number.items()
        ).__getitem__
    if field.type == _BYTES:
        return lambda data: b64encode(data).decode()
    if field.type in _FLOATS:
        return _number
    return _same


class _EnumNames(dict[int, Any]):
    """The names of an enum's values by number; a number without a name stands for itself."""

    def __missing__(self, number: int) -> int:
        return number


_to_list: "Callable[[Any], list[Any]]" = itemgetter(slice(None))
"""Half the time that `list` takes for a repeated field."""


def _same(plain: Any) -> Any:
    return plain


def _number(number: float) -> float | str:
    if isfinite(number):
        return number
    return "NaN" if number != number else "Infinity" if number > 0 else "-Infinity"


def _key(key: Any) -> str:
    """Return the key of a map as JSON has it: always a text."""
    return str(key).lower() if isinstance(key, bool) else str(key)
