"""Views as lines of text: brief for a question, or all fields with their meanings."""

import re
from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap
from typing import Any

from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.message import Message

NOTHING = "-"


def brief(view: Message, width: int) -> Iterator[str]:
    """Yield the view in as few lines as possible, without empty fields."""
    return packed([f"{name} {value}" for name, value in fields(view) if value != NOTHING], width)


def full(view: Message, meanings: Mapping[str, str], width: int) -> Iterator[str]:
    """Yield every field of the view with its meaning.

    meanings: what each field means, by its name.
    """
    named_values = list(fields(view))
    name_width = max(len(name) for name, _ in named_values)
    for name, value in named_values:
        yield from wrap(f"{name:{name_width}}  {value}", width, subsequent_indent=" " * (name_width + 2))
        indent = " " * (name_width + 4)
        meaning = meanings.get(name.replace(" ", "_"), "")
        yield from wrap(meaning, width, initial_indent=indent, subsequent_indent=indent)


def packed(items: Iterable[str], width: int) -> Iterator[str]:
    """Yield lines with as many items each as fit."""
    line = ""
    for item in items:
        if line and len(line) + 3 + len(item) > width:
            yield line.rstrip()
            line = ""
        line += f"   {item}" if line else item
    if line:
        yield line.rstrip()


def fields(view: Message) -> Iterator[tuple[str, str]]:
    """Yield the name and value of every field of a view; items of lists are separated by spaces."""
    for field in view.DESCRIPTOR.fields:
        value = getattr(view, field.name)
        if field.is_repeated:
            text = " ".join(_text(field, item) for item in value)
        else:
            text = NOTHING if field.has_presence and not view.HasField(field.name) else _text(field, value)
        yield field.name.replace("_", " "), text or NOTHING


def _text(field: Any, value: Any) -> str:
    if field.enum_type is not None:
        return _word(field.enum_type, value)
    if field.message_type is not None:
        return "(" + ", ".join(f"{name} {text}" for name, text in fields(value)) + ")"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.hex() if isinstance(value, bytes) else str(value)


def _word(enum: EnumDescriptor, number: int) -> str:
    """Return the name of an enum value without the prefix of its enum: STAGE_TURN is "turn"."""
    value = enum.values_by_number.get(number)
    if value is None or number == 0:
        return NOTHING
    prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", enum.name).upper() + "_"
    return value.name.removeprefix(prefix).lower().replace("_", " ")
