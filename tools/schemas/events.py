"""The schema of event files."""

from typing import Any, get_args

from arena.eventfile import event_reader, field_table
from arena.tournament.plan.definition import MODES, ROTATIONS, SAME_AUTHOR, SCHEDULES, TEAMS
from arena.tournament.plan.stop_rule import ERROR_CONTROLS, Kind
from arena.tournament.plan.tie_break import TIE_BREAKS
from tools.schemas.bots import GRANT_PATTERN

_Keys = dict[str, tuple[str, dict[str, Any]]]
"""By key: what it means, and its schema, whose type is an integer unless it says otherwise."""

_DURATION: dict[str, Any] = {
    "anyOf": [{"type": "string", "pattern": r"^\s*\d+(\.\d+)?\s*(ms|s|min)?\s*$"}, {"type": "number", "minimum": 0}]
}
_TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
_TEXTS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}

_SCHEDULE: _Keys = {
    "kind": ("who meets whom", {"enum": list(SCHEDULES)}),
    "rounds": ("duplicate sets that every table plays; with stages: in each of them", {"minimum": 1}),
    "seats": ("at a table; absent: the game's recommended number, or the field's", {"minimum": 1}),
    "rotations": ("of each deal", {"enum": list(ROTATIONS)}),
    "teams": ("who plays a team", {"enum": list(TEAMS)}),
    "challengers": ("how many of the first bots challenge the others: gauntlet and ladder", {"minimum": 0}),
    "stages": ("of a Swiss", {"minimum": 0}),
    "tie_break": ("rules that place bots with equal points", {"type": "array", "items": {"enum": list(TIE_BREAKS)}}),
    "same_author": ("whether bots of one author may sit at one table", {"enum": list(SAME_AUTHOR)}),
    "names": ("whether bots know who sits where", {"type": "boolean"}),
    "block": ("rounds between two starts of the bots", {"minimum": 1}),
    "matches_at_once": ("in each phase", {"minimum": 1}),
}
_TIME: _Keys = {
    "move": ("for an answer; 0: no limit", _DURATION),
    "bank": ("reserve of a seat in each match", _DURATION),
    "start": ("from the start of a process to its hello", _DURATION),
    "ready": ("to get ready for a match, for bots that ask for that", _DURATION),
    "memory_mb": ("of a process", {"minimum": 16}),
    "strikes": ("faults in one match that forfeit it", {"minimum": 1}),
    "mode": ("clock: fair on a busy machine", {"enum": list(MODES)}),
    "ponder": ("bots may think in their opponents' time; with mode clock", {"type": "boolean"}),
    "lag": ("a longer delay by the referee voids a match; with mode clock", _DURATION),
    "slot": ("a turn comes no sooner than this after the one before; with mode clock", _DURATION),
    "fischer": ("whether the bank gains what an answer leaves of the move time", {"type": "boolean"}),
}
_STOP: _Keys = {
    "kind": ("sprt: the first bot against the second; separated: all of them", {"enum": list(get_args(Kind))}),
    "elo0": ("the Elo difference of the null hypothesis", {"type": "number"}),
    "elo1": ("the Elo difference of the alternative", {"type": "number"}),
    "alpha": ("the probability of a false acceptance of the alternative", {"type": "number"}),
    "beta": ("the probability of a false acceptance of the null hypothesis", {"type": "number"}),
    "control": ("of the error: of all pairs and tests together, or of each pair", {"enum": list(ERROR_CONTROLS)}),
}
_BOT: _Keys = {
    "bot": ("whatever --bots takes", _TEXT),
    "name": ("under which it is shown", _TEXT),
    "sha256": ("the fingerprint of its files, without which it is refused", {"pattern": "^[0-9A-Fa-f]{64}$"}),
    "grants": ("what it gets beyond others", {"type": "array", "items": {"type": "string", "pattern": GRANT_PATTERN}}),
    "command": ("the program and its arguments", {**_TEXTS, "minItems": 1}),
    "folder": ("in which it is started", _TEXT),
    "files": ("its files", _TEXTS),
    "start": ("from the start of its process to its hello", _DURATION),
    "memory_mb": ("of a process", {"minimum": 16}),
    "matches_at_once": ("that it plays", {"minimum": 1}),
    "games": ("that it plays", _TEXTS),
    "author": ("who wrote it", _TEXT),
}


def event_schema() -> dict[str, Any]:
    """Return the schema of an event file. Raises KeyError if the reader has a key that is not described here."""
    bot = _table("a bot of the field", field_table.KEYS, _BOT)
    bot["oneOf"] = [{"required": ["bot"]}, {"required": ["command", "name"]}]
    tables = {
        "game": {"description": "the name of the game, as `arena games` lists it", **_TEXT},
        "entropy": {"description": "a public value that is mixed into the secret, known only later", **_TEXT},
        "options": {
            "description": "of the game",
            "type": "object",
            "additionalProperties": {"type": ["string", "integer", "boolean"]},
        },
        "schedule": _table("who plays whom, and how often", event_reader._SCHEDULE, _SCHEDULE),
        "time": _table("clock and limits", event_reader._TIME, _TIME),
        "stop": _table("when to stop early", event_reader._STOP, _STOP),
        "seed": _table(
            "for development only", ("number",), {"number": ("anybody can compute the chance", {"minimum": 0})}
        ),
        "executor": _table("how it is run", ("jobs",), {"jobs": ("referee processes", {"minimum": 1})}),
        "bot": {"description": "the field", "type": "array", "items": bot, "minItems": 1},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "An event file",
        "description": "A tournament of arena, to be kept, reviewed and run again.",
        "type": "object",
        "properties": {key: tables[key] for key in event_reader.KEYS},
        "required": ["game", "bot"],
        "additionalProperties": False,
    }


def _table(purpose: str, keys: tuple[str, ...], described: _Keys) -> dict[str, Any]:
    """Return the schema of a table. keys: those of the reader."""
    properties = {}
    for key in keys:
        meaning, schema = described[key]
        if not {"type", "enum", "anyOf"} & set(schema):
            schema = {"type": "string" if "pattern" in schema else "integer", **schema}
        properties[key] = {"description": meaning, **schema}
    return {"description": purpose, "type": "object", "properties": properties, "additionalProperties": False}
