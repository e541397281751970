"""The schemas of archives as JSON lines: of tournaments and of leagues."""

import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from google.protobuf.descriptor import FieldDescriptor
from msgspec import structs

from arena.bots.templates.project import protos_folder
from arena.league.archive.lines import LEAGUE
from referee.v1.archive_pb2 import ArchiveItem
from tools.protocol_page import Block, read

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_TEXT = {"type": "string"}
_INTEGERS = {FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_UINT32}
_LONG = {FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64}
_REALS = {FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT}


def archive_schema() -> dict[str, Any]:
    """Return the schema of a line of what `arena tourney export` writes."""
    messages: dict[str, Any] = {}
    lines = [_item(field, messages) for field in ArchiveItem.DESCRIPTOR.oneofs_by_name["item"].fields]
    lines.append(_line("void", {"match": _reference(ArchiveItem.DESCRIPTOR.fields_by_name["match"], messages)}))
    return {
        "$schema": _DRAFT,
        "title": "A line of the archive of a tournament",
        "description": "protobuf's JSON of referee.v1.ArchiveItem: bytes are Base64, 64-bit numbers are texts.",
        "oneOf": lines,
        "$defs": dict(sorted(messages.items())),
    }


def league_archive_schema() -> dict[str, Any]:
    """Return the schema of a line of what `arena league export` writes."""
    messages: dict[str, Any] = {}
    lines = [
        _item(ArchiveItem.DESCRIPTOR.fields_by_name[kind], messages)
        if of is ArchiveItem
        else _line(kind, {kind: _struct(of)})
        for kind, of in LEAGUE.kinds.items()
    ]
    return {
        "$schema": _DRAFT,
        "title": "A line of the archive of a league",
        "oneOf": lines,
        "$defs": dict(sorted(messages.items())),
    }


def _item(field: FieldDescriptor, messages: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a line that holds an item.

    messages: gains those that it needs.
    """
    content = {field.name: _reference(field, messages)}
    optional: Sequence[str] = ()
    if field.name == "match":
        name = {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]}
        content |= {
            "bots": {"description": "by seat or team", "type": "array", "items": name},
            "ranks": {"description": "by seat or team, 1 is best", "type": "array", "items": {"type": "integer"}},
            "scores": {"description": "by seat or team", "type": "array", "items": {"type": "number"}},
            "deal": {"description": "the deal whose luck it shares", "type": ["integer", "string"]},
            "opening": {"description": "from which it begins; empty where all matches begin alike", **_TEXT},
            "log": {"description": "equal for matches that went alike", **_TEXT},
        }
        optional = ("opening", "log")
    return _line(field.name, content, optional)


def _line(kind: str, content: dict[str, Any], optional: Sequence[str] = ()) -> dict[str, Any]:
    properties = {"kind": {"const": kind}, **content}
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _reference(field: FieldDescriptor, messages: dict[str, Any]) -> dict[str, Any]:
    """Return a reference to the schema of a field's message, which is added to `messages` unless it is there."""
    message = field.message_type
    assert message is not None, field.full_name
    if message.name not in messages:
        messages[message.name] = {}  # messages may contain each other
        comments = _comments().get(message.name, {})
        properties = {field.name: _field(field, comments, messages) for field in message.fields}
        messages[message.name] = {"type": "object", "properties": properties, "additionalProperties": False}
    return {"$ref": f"#/$defs/{message.name}"}


def _field(field: FieldDescriptor, comments: Mapping[str, str], messages: dict[str, Any]) -> dict[str, Any]:
    described = {"description": comments[field.name]} if comments.get(field.name) else {}
    of = field.message_type
    if of is not None and of.GetOptions().map_entry:
        return described | {"type": "object", "additionalProperties": _value(of.fields_by_name["value"], messages)}
    value = _value(field, messages)
    return described | ({"type": "array", "items": value} if field.is_repeated else value)


def _value(field: FieldDescriptor, messages: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of one value, as protobuf writes it in JSON."""
    kind = field.cpp_type
    if kind == FieldDescriptor.CPPTYPE_MESSAGE:
        return _reference(field, messages)
    if field.enum_type is not None:
        return {"enum": [value.name for value in field.enum_type.values]}
    if kind in _INTEGERS:
        return {"type": "integer"}
    if kind in _LONG:
        return {"type": "string", "pattern": "^-?[0-9]+$"}
    if kind in _REALS:
        return {"type": "number"}
    if field.type == FieldDescriptor.TYPE_BYTES:
        return {"type": "string", "contentEncoding": "base64"}
    return {"type": "boolean"} if kind == FieldDescriptor.CPPTYPE_BOOL else dict(_TEXT)


def _comments() -> dict[str, dict[str, str]]:
    """Return the comments of the protocol: by message and field."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted((protos_folder() / "referee/v1").glob("*.proto")):
        for block in _with_inner(read(path.read_text(), path.name)[1]):
            found[block.name.rpartition(".")[2]] = {name: " ".join(text.split()) for name, _, _, text in block.rows}
    return found


def _with_inner(blocks: list[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from _with_inner(block.below)


def _struct(kind: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    properties = {name: _hint(hint) for name, hint in hints.items()}
    omits = kind.__struct_config__.omit_defaults
    required = [field.name for field in structs.fields(kind) if field.required or not omits]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _hint(hint: Any) -> dict[str, Any]:
    """Return the schema of a type of a field."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return {"anyOf": [_hint(arg) for arg in args]}
    if origin is Literal:
        return {"enum": list(args)}
    if origin in (tuple, list):
        return {"type": "array", "items": _hint(args[0])}
    if origin is not None:
        return {"type": "object", "additionalProperties": _hint(args[1])}
    names = {str: "string", int: "integer", float: "number", bool: "boolean", types.NoneType: "null"}
    return {"type": names[hint]} if hint in names else {}
