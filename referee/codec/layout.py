"""The fields of a message, as the native codec writes them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from google.protobuf.descriptor import Descriptor, FieldDescriptor

KINDS = {
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_DOUBLE: "double",
    FieldDescriptor.TYPE_ENUM: "enum",
    FieldDescriptor.TYPE_INT32: "int32",
    FieldDescriptor.TYPE_INT64: "int64",
    FieldDescriptor.TYPE_MESSAGE: "message",
    FieldDescriptor.TYPE_SINT32: "sint32",
    FieldDescriptor.TYPE_SINT64: "sint64",
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_UINT32: "uint32",
    FieldDescriptor.TYPE_UINT64: "uint64",
}
"""The types of fields that the native codec knows."""


class FieldLayout(NamedTuple):
    """One field of a message."""

    number: int
    kind: str
    """The type of the field: a value of `KINDS`."""
    is_repeated: bool
    has_presence: bool
    """Whether 0 and the empty text are written too."""
    message: Descriptor | None
    """The type of a field of kind "message"; None for other kinds."""


def read_layout(message: Any, names: Sequence[str]) -> list[FieldLayout] | None:
    """Return the layout of a message's fields with these names; None where one is of a kind that only `pure` knows.

    message: its Descriptor.
    """
    fields = []
    for name in names:
        field = message.fields_by_name.get(name)
        if field is None or field.type not in KINDS or _is_special(field):
            return None
        fields.append(
            FieldLayout(field.number, KINDS[field.type], field.is_repeated, field.has_presence, field.message_type)
        )
    return fields


def _is_special(field: Any) -> bool:
    """Tell whether a field is a map, or repeated without being packed."""
    if field.message_type is not None:
        return bool(field.message_type.GetOptions().map_entry)
    return field.is_repeated and not field.is_packed and field.type != FieldDescriptor.TYPE_STRING
