"""What a seat sees, as lines of text: in brief beside a question, or field by field with what each means."""

import re
from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap
from typing import Any

from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.message import Message

NOTHING = "-"


def brief(view: Message, width: int) -> Iterator[str]:
    """Yield the view in as few lines as it takes; fields that hold nothing are left out."""
    return packed([f"{name} {value}" for name, value in fields(view) if value != NOTHING], width)


def full(view: Message, meanings: Mapping[str, str], width: int) -> Iterator[str]:
    """Yield every field of the view with its meaning. meanings: by the name of the field."""
    shown = list(fields(view))
    names = max(len(name) for name, _ in shown)
    for name, value in shown:
        yield from wrap(f"{name:{names}}  {value}", width, subsequent_indent=" " * (names + 2))
        indent = " " * (names + 4)
        meaning = meanings.get(name.replace(" ", "_"), "")
        yield from wrap(meaning, width, initial_indent=indent, subsequent_indent=indent)


def packed(items: Iterable[str], width: int) -> Iterator[str]:
    """Yield the items, as many to a line as fit into it."""
    line = ""
    for item in items:
        if line and len(line) + 3 + len(item) > width:
            yield line.rstrip()
            line = ""
        line += f"   {item}" if line else item
    if line:
        yield line.rstrip()


def fields(view: Message) -> Iterator[tuple[str, str]]:
    """Yield the name and the value of every field of a view, a list's items separated by blanks."""
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
    """Return the name of an enum's value without that of the enum: STAGE_TURN is "turn"."""
    value = enum.values_by_number.get(number)
    if value is None or number == 0:
        return NOTHING
    prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", enum.name).upper() + "_"
    return value.name.removeprefix(prefix).lower().replace("_", " ")
