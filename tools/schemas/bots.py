"""The schema of bot.toml."""

import re
import types
from typing import Any, get_args, get_origin, get_type_hints

from arena.packs import manifest
from referee.sandbox.grants import DEVICE, NETWORK

GRANT_PATTERN = f"^({NETWORK}|{DEVICE}/dev/.+)$"
"""A grant, as `referee.sandbox.grants` reads it."""

_COMMENT = re.compile(r"^(\w+) = .*?  +# (.+)$", re.MULTILINE)
"""A line of the example in the docstring of `arena.packs.manifest`, with its comment."""


def bot_schema() -> dict[str, Any]:
    """Return the schema of a bot.toml."""
    comments = dict(_COMMENT.findall(manifest.__doc__ or ""))
    hints = get_type_hints(manifest.Manifest)
    properties = {key: _property(hints[key], comments.get(key, "")) for key in manifest._KEYS if key != "limits"}
    properties["language"]["pattern"] = f"^{manifest._WORD.pattern}$"
    properties["protocol"]["enum"] = list(manifest.PROTOCOLS)
    properties["command"]["minItems"] = properties["build"]["minItems"] = 1
    properties["needs"]["items"]["pattern"] = GRANT_PATTERN
    games = properties["games"]
    games |= {"uniqueItems": True, "minItems": 1}
    properties["games"] = {
        "description": games.pop("description"),
        "anyOf": [games, {"type": "string", "minLength": 1}],
    }
    limits = {key: {"type": "integer", "minimum": least} for key, least in manifest._LIMITS.items()}
    properties["limits"] = {
        "description": "they may only lower the organiser's",
        "type": "object",
        "properties": limits,
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "bot.toml",
        "description": "How a bot is started, which games it plays and which limits it accepts.",
        "type": "object",
        "properties": properties,
        "required": list(manifest._REQUIRED),
        "additionalProperties": False,
    }


def _property(hint: Any, comment: str) -> dict[str, Any]:
    """Return the schema of a key.

    hint: the type of its field.
    """
    described = {"description": comment} if comment else {}
    if get_origin(hint) is tuple:
        return described | {"type": "array", "items": {"type": "string", "minLength": 1}}
    if isinstance(hint, types.UnionType):
        (hint,) = (arg for arg in get_args(hint) if arg is not types.NoneType)
    return described | {"type": {str: "string", bool: "boolean", int: "integer"}[hint]}
