"""The lines of JSON of a bot: a hello, then answers, that it is ready for a match, and requests to look ahead."""

import json
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import inf
from typing import Any

LONGEST_LINE = 64 * 1024
"""The most bytes of a line."""

_QUOTED = 80
"""Characters of a bad line that are quoted in the error."""

_KEYS = {
    "hello": (
        "type",
        "name",
        "version",
        "games",
        "matches_at_once",
        "wants_events",
        "whole_batches",
        "wants_ready",
        "wants_positions",
    ),
    "answer": ("type", "question", "move", "note", "say"),
    "ready": ("type", "match"),
}


REQUESTS = ("worlds", "steps", "copy", "drop", "view", "playouts", "evaluate", "search")
"""The types of lines that ask to look ahead: fields of `ModelRequest` in protos/referee/v1/model.proto."""

NOT_JSON = "it is not JSON in UTF-8"
"""What is said of a line that is no message."""

_encode = json.JSONEncoder(separators=(",", ":")).encode
_decode = json.JSONDecoder().decode


class BadLine(Exception):
    """A line of a bot is malformed. The text says why."""


@dataclass(frozen=True, slots=True)
class HelloLine:
    """The hello of a bot; the fields are those of the protocol's hello."""

    name: str = ""
    version: str = ""
    games: list[str] = field(default_factory=list)
    matches_at_once: int = 0
    wants_events: bool = False
    whole_batches: bool = False
    wants_ready: bool = False
    wants_positions: bool = False
    """Whether it looks ahead."""


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A bot's answer to a question."""

    move: str | int
    """The text or the index of the move."""
    question: int | None = None
    """The number of the question; None for the oldest open question."""
    note: str = ""
    say: str = ""


@dataclass(frozen=True, slots=True)
class RequestLine:
    """The bot asks to look ahead."""

    kind: str
    """One of `REQUESTS`."""
    values: dict[str, Any]
    """The fields of the request."""


@dataclass(frozen=True, slots=True)
class ReadyLine:
    """The bot is ready for a match."""

    match: int
    """The number of the match."""


def read_hello(line: bytes) -> HelloLine:
    """Parse the first line of a bot. Raises BadLine."""
    _, values = _object(line, "hello")
    if not all(isinstance(values.get(key, ""), str) for key in ("name", "version")):
        raise _bad(line, "name and version must be strings")
    games = values.get("games", [])
    if not isinstance(games, list) or not all(isinstance(game, str) for game in games):
        raise _bad(line, 'games must be a list of strings, such as ["cambio"]')
    if not _natural(values.get("matches_at_once", 0), below=1 << 32):
        raise _bad(line, "matches_at_once must be an integer, 0 or more")
    wishes = ("wants_events", "whole_batches", "wants_ready", "wants_positions")
    if not all(isinstance(values.get(wish, False), bool) for wish in wishes):
        raise _bad(line, f"{', '.join(wishes[:-1])} and {wishes[-1]} must be true or false")
    return HelloLine(**values)


def read_answer(line: bytes) -> AnswerLine | ReadyLine | RequestLine:
    """Parse an answer, a line that says that the bot is ready for a match, or a request. Raises BadLine."""
    kind, values = _object(line, "answer", "ready", *REQUESTS)
    if kind in REQUESTS:
        return RequestLine(kind, values)
    if kind == "ready":
        if not _natural(values.get("match", -1)):
            raise _bad(line, "match must be the number of the match that the bot is ready for")
        return ReadyLine(**values)
    if "move" not in values:
        raise _bad(line, "an answer must have a move: the text of a legal move, or its index")
    if not isinstance(values["move"], str | int) or isinstance(values["move"], bool):
        raise _bad(line, "move must be the text of a legal move, or its index")
    if not _natural(values.get("question", 0)):
        raise _bad(line, "question must be the number of a question")
    if not all(isinstance(values.get(key, ""), str) for key in ("note", "say")):
        raise _bad(line, "note and say must be strings")
    return AnswerLine(**values)


def json_line(values: dict[str, Any]) -> bytes:
    """Return a line for the bot: one JSON object in ASCII without spaces, with the keys in their order."""
    return _encode(values).encode() + b"\n"


def _object(line: bytes, wanted: str, *others: str) -> tuple[str, dict[str, Any]]:
    """Return the type of a line and its other values.

    wanted, others: the types that it may have.
    """
    try:
        values = _decode(line.decode())
    except (ValueError, RecursionError) as error:
        bad = _bad(line, f"{NOT_JSON} ({error})")
        raise BadLine(
            f"{bad}; a bot prints its messages alone on standard output, and all else on standard error"
        ) from None
    if not isinstance(values, dict):
        raise _bad(line, "it is not a JSON object")
    kind = values.pop("type", None)
    if kind != wanted and kind not in others:
        example = '{"type":"hello"}' if wanted == "hello" else '{"type":"answer","move":0}'
        first = (
            "the first line must be a hello" if wanted == "hello" else "every line after the hello must be an answer"
        )
        raise _bad(line, f"{first}, such as {example}")
    for key in values if kind in _KEYS else ():
        if key not in _KEYS[kind]:
            near = get_close_matches(key, _KEYS[kind], n=1)
            hint = f'; did you mean "{near[0]}"?' if near else ""
            raise _bad(line, f"unknown key {_quoted(key)}{hint} ({', '.join(_KEYS[kind])})")
    return kind, values


def _natural(number: Any, below: float = inf) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < below


def _bad(line: bytes, why: str) -> BadLine:
    return BadLine(f"{why}: {_quoted(line.decode(errors='replace').rstrip())}")


def _quoted(text: str) -> str:
    """Return the beginning of a text, quoted and in ASCII."""
    return ascii(text if len(text) <= _QUOTED else text[: _QUOTED - 3] + "...")
