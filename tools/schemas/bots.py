"""The schema of bot.toml."""

from typing import Annotated, Any, get_args, get_origin

from msgspec import Meta, structs

from arena.packs.manifest import PROTOCOLS, WORD, Limits, Manifest
from arena.packs.parameters import NAME, Parameter
from referee.sandbox.grants import DEVICE, NETWORK

GRANT_PATTERN = f"^({NETWORK}|{DEVICE}/dev/.+)$"
"""A grant, as `referee.sandbox.grants` reads it."""


def bot_schema() -> dict[str, Any]:
    """Return the schema of a bot.toml."""
    properties = {field.name: _property(field.type) for field in structs.fields(Manifest)}
    properties["language"]["pattern"] = f"^{WORD.pattern}$"
    properties["protocol"] |= {"type": "string", "enum": list(PROTOCOLS)}
    properties["command"]["minItems"] = properties["build"]["minItems"] = 1
    properties["needs"]["items"]["pattern"] = GRANT_PATTERN
    games = properties["games"]
    games |= {"uniqueItems": True, "minItems": 1}
    properties["games"] = {
        "description": games.pop("description"),
        "anyOf": [games, {"type": "string", "minLength": 1}],
    }
    limits = {field.name: _property(get_args(field.type)[0]) for field in structs.fields(Limits)}
    properties["limits"] |= {"type": "object", "properties": limits, "additionalProperties": False}
    parameter = {
        "type": "object",
        "properties": {field.name: _property(field.type) | {"type": "number"} for field in structs.fields(Parameter)},
        "required": [field.name for field in structs.fields(Parameter) if field.required],
        "additionalProperties": False,
    }
    properties["parameters"] |= {
        "type": "object",
        "patternProperties": {f"^{NAME.pattern}$": parameter},
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "bot.toml",
        "description": "How a bot is started, which games it plays and which limits it accepts.",
        "type": "object",
        "properties": properties,
        "required": [field.name for field in structs.fields(Manifest) if field.required],
        "additionalProperties": False,
    }


def _property(kind: Any) -> dict[str, Any]:
    """Return the schema of a key.

    kind: the type of its field.
    """
    bare, *parts = get_args(kind) if get_origin(kind) is Annotated else (kind,)
    schema: dict[str, Any] = {}
    for part in parts:
        if isinstance(part, Meta) and part.description:
            schema["description"] = part.description
    if get_origin(bare) is tuple:
        return schema | {"type": "array", "items": {"type": "string", "minLength": 1}}
    types = {str: "string", bool: "boolean", int: "integer"}
    schema |= {"type": types[bare]} if bare in types else {}
    for part in parts:
        if isinstance(part, Meta) and part.ge is not None:
            schema["minimum"] = int(part.ge)
    return schema
