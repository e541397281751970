"""The description of a game as plain values, for people and for `--json`."""

import ast
import dataclasses
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from referee.engine.chance import Chance
from referee.engine.events import Audience
from referee.engine.game import Game
from referee.wire import view_message

_TYPES = {
    number: name.removeprefix("TYPE_").lower()
    for name, number in vars(FieldDescriptor).items()
    if name.startswith("TYPE_") and isinstance(number, int)
}
"""The names of protobuf's scalar types by number."""

_AUDIENCES = {
    Audience.ALL: "all",
    Audience.SEAT: "that seat",
    Audience.OTHERS: "all others",
    Audience.NOBODY: "nobody",
}
"""Who sees a line; "that seat" is the one that the line names first."""


def summary(game: Game) -> dict[str, Any]:
    """Return the entry of a game in the list of games."""
    fewest, most = game.seats
    return {
        "game": game.name,
        "title": game.title,
        "seats": [fewest, game.most_seats(game.options())],
        "most_seats": most,
        "recommended": game.recommended,
        "unit": game.unit,
        "behaviour": game.behaviour,
        "options": list(options(game)),
    }


def full(game: Game) -> dict[str, Any]:
    """Return the full description of a game."""
    return summary(game) | {"moves": game.moves, "default": default(game), "log": log(game), "view": view(game)}


def options(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the options of a game: name, default, help, and range or choices where there are any."""
    for field in dataclasses.fields(game.options):
        metadata = field.metadata
        choices = metadata["choices"]
        yield {
            "name": field.name,
            "default": field.default,
            "help": metadata["help"],
            "low": metadata["low"],
            "high": metadata["high"],
            "choices": dict(choices) if choices else None,
        }


def value_text(value: object) -> str:
    """Return the value of an option as users write it."""
    return ("off", "on")[value] if isinstance(value, bool) else str(value)


def default(game: Game) -> str:
    """Return the default move of a seat without a legal answer, as the rules word it."""
    state = game.start(game.options(), game.recommended, Chance(bytes(32)))
    return " ".join((type(state).default.__doc__ or "").split())


def log(game: Game) -> list[dict[str, str]]:
    """Return the grammar of a game's log: every line, its meaning, and who sees it."""
    return [{"line": line.text, "to": _AUDIENCES[line.to], "meaning": line.meaning} for line in game.lines]


def view(game: Game) -> dict[str, list[dict[str, Any]]]:
    """Return the messages of a game's view, its own first, and the enumerations in their fields."""
    messages: list[Any] = [view_message(game).DESCRIPTOR]
    enums: list[Any] = []
    for message in messages:  # grows while it is read
        for field in message.fields:
            if field.message_type is not None and field.message_type not in messages:
                messages.append(field.message_type)
            if field.enum_type is not None and field.enum_type not in enums:
                enums.append(field.enum_type)
    return {
        "messages": [
            {
                "name": message.full_name,
                "meaning": _comments(message.file.name).get((message.name, ""), ""),
                "fields": [
                    {
                        "name": field.name,
                        "number": field.number,
                        "type": _type(field),
                        "meaning": _comments(message.file.name).get((message.name, field.name), ""),
                    }
                    for field in message.fields
                ],
            }
            for message in messages
        ],
        "enums": [
            {
                "name": enum.full_name,
                "meaning": _comments(enum.file.name).get((enum.name, ""), ""),
                "values": [
                    {
                        "name": value.name,
                        "number": value.number,
                        "meaning": _comments(enum.file.name).get((f"_{enum.name}EnumTypeWrapper", value.name), ""),
                    }
                    for value in enum.values
                ],
            }
            for enum in enums
        ],
    }


def _type(field: FieldDescriptor) -> str:
    kind = field.message_type or field.enum_type
    name = kind.name if kind is not None else _TYPES[field.type]
    return f"repeated {name}" if field.is_repeated else f"optional {name}" if field.has_presence and not kind else name


@cache
def _comments(file: str) -> dict[tuple[str, str], str]:
    """Return the comments of a proto file by (message, field), a message's own under the field "".

    A compiled message knows its fields but not their comments; these live on in the stub types
    beside it. Where there are none, as games from elsewhere may have it, the answer is empty.
    """
    try:
        module = import_module(file.removesuffix(".proto").replace("/", ".") + "_pb2")
    except ModuleNotFoundError:
        return {}
    stub = Path(module.__file__ or "").with_suffix(".pyi")
    if not stub.is_file():
        return {}
    comments: dict[tuple[str, str], str] = {}
    for node in ast.walk(ast.parse(stub.read_text())):
        if isinstance(node, ast.ClassDef):
            comments[node.name, ""] = _text(node.body[0])
            for statement, after in zip(node.body, [*node.body[1:], None], strict=True):
                if isinstance(statement, ast.FunctionDef):
                    comments[node.name, statement.name] = _text(statement.body[0])
                elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    comments[node.name, statement.target.id] = _text(after)
    return comments


def _text(node: ast.stmt | None) -> str:
    """Return the text of a string statement on one line; empty for any other statement."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return " ".join(node.value.value.split())
    return ""
