"""The schema of event files."""

from typing import Any

from msgspec import Struct, structs

from arena.plan.eventfile.event_reader import EventTables
from arena.plan.eventfile.field_table import BotTable
from arena.values.definition import Entrant, Settings, TimeControl
from arena.values.settings import Setting, Stored, settings_of
from arena.values.stop_rule import StopRule
from tools.schemas.bots import GRANT_PATTERN

_DURATION: dict[str, Any] = {
    "anyOf": [{"type": "string", "pattern": r"^\s*\d+(\.\d+)?\s*(ms|s|min)?\s*$"}, {"type": "number", "minimum": 0}]
}
_TEXT: dict[str, Any] = {"type": "string", "minLength": 1}

_NARROWER: dict[str, dict[str, Any]] = {
    "bot.sha256": {"pattern": "^[0-9A-Fa-f]{64}$"},
    "bot.grants": {"items": {"type": "string", "pattern": GRANT_PATTERN}},
    "bot.command": {"minItems": 1},
}
"""What settings are beyond their type, by key, where another reader says it."""


def event_schema() -> dict[str, Any]:
    """Return the schema of an event file."""
    bot = _table("a bot of the field", Entrant, "bot")
    bot["properties"] = {"bot": {"description": "Whatever --bots takes.", **_TEXT}, **bot["properties"]}
    bot["properties"] = {key: bot["properties"][key] for key in _keys(BotTable)}
    bot["oneOf"] = [{"required": ["bot"]}, {"required": ["command", "name"]}]
    jobs = {"jobs": {"description": "Referee processes.", "type": "integer", "minimum": 1}}
    number = {"number": {"description": "Anybody can compute the deals.", "type": "integer", "minimum": 0}}
    tables = {
        "game": {"description": "the name of the game, as `arena games` lists it", **_TEXT},
        **_properties(Settings, ""),
        "options": {
            "description": "of the game",
            "type": "object",
            "additionalProperties": {"type": ["string", "integer", "boolean"]},
        },
        "schedule": _table("who plays whom, and how often", Settings, "schedule"),
        "time": _table("clock and limits", TimeControl, "time"),
        "stop": _table("when to stop early", StopRule, "stop"),
        "seed": _object("for development only", number),
        "executor": _object("how it is run", jobs),
        "bot": {"description": "the field", "type": "array", "items": bot, "minItems": 1},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "An event file",
        "description": "A tournament of arena, to be kept, reviewed and run again.",
        "type": "object",
        "properties": {key: tables[key] for key in _keys(EventTables)},
        "required": ["game", "bot"],
        "additionalProperties": False,
    }


def _keys(kind: type[Struct]) -> list[str]:
    return [field.encode_name for field in structs.fields(kind)]


def _table(purpose: str, kind: type[Stored], table: str) -> dict[str, Any]:
    """Return the schema of a table of settings."""
    return _object(purpose, _properties(kind, table))


def _object(purpose: str, properties: dict[str, Any]) -> dict[str, Any]:
    return {"description": purpose, "type": "object", "properties": properties, "additionalProperties": False}


def _properties(kind: type[Stored], table: str) -> dict[str, Any]:
    """Return the schemas of the settings of a table, by key."""
    found = {}
    for setting in settings_of(kind):
        place, _, key = setting.key.rpartition(".")
        if key and place == table:
            found[key] = {"description": setting.help, **_schema(setting), **_NARROWER.get(setting.key, {})}
    return found


def _schema(setting: Setting) -> dict[str, Any]:
    """Return the schema of what people write for a setting."""
    match setting.kind:
        case "duration":
            return _DURATION
        case "text":
            return _TEXT
        case "texts":
            return {"type": "array", "items": {"type": "string"}}
        case "word":
            return {"enum": list(setting.choices)}
        case "words":
            return {"type": "array", "items": {"enum": list(setting.choices)}}
        case "flag":
            return {"type": "boolean"}
        case "number":
            return {"type": "number"}
    bounds = {"minimum": setting.least, "maximum": setting.most}
    return {"type": "integer"} | {name: setting.shown(n) for name, n in bounds.items() if n is not None}
