"""What a bot says in a line: a hello, or an answer."""

import json
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import inf
from typing import Any

LONGEST_LINE = 64 * 1024
"""Bytes of a line of a bot."""

_QUOTED = 80
"""Characters of a bad line that are quoted."""

_KEYS = {
    "hello": ("type", "name", "version", "games", "matches_at_once", "wants_events", "whole_batches"),
    "answer": ("type", "question", "move", "note", "say"),
}


class BadLine(Exception):
    """A bot's line is none of the format. The text says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Hello:
    """How a bot introduces itself; the fields are those of the protocol's hello."""

    name: str = ""
    version: str = ""
    games: list[str] = field(default_factory=list)
    matches_at_once: int = 0
    wants_events: bool = False
    whole_batches: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question. question: its number; None: the oldest that is open. move: its text or its index."""

    move: str | int
    question: int | None = None
    note: str = ""
    say: str = ""


def read_hello(line: bytes) -> Hello:
    """Return the hello in a bot's first line. Raises BadLine."""
    values = _object(line, "hello")
    if not all(isinstance(values.get(key, ""), str) for key in ("name", "version")):
        raise _bad(line, "name and version are texts")
    games = values.get("games", [])
    if not isinstance(games, list) or not all(isinstance(game, str) for game in games):
        raise _bad(line, 'games is a list of texts, as ["cambio"]')
    if not _natural(values.get("matches_at_once", 0), below=1 << 32):
        raise _bad(line, "matches_at_once is a whole number, 0 or more")
    if not all(isinstance(values.get(wish, False), bool) for wish in ("wants_events", "whole_batches")):
        raise _bad(line, "wants_events and whole_batches are true or false")
    return Hello(**values)


def read_answer(line: bytes) -> Answer:
    """Return the answer in a line. Raises BadLine."""
    values = _object(line, "answer")
    if "move" not in values:
        raise _bad(line, "an answer has a move: the text of a legal one, or its index")
    if not isinstance(values["move"], str | int) or isinstance(values["move"], bool):
        raise _bad(line, "a move is the text of a legal one, or its index")
    if not _natural(values.get("question", 0)):
        raise _bad(line, "question is the number of a question")
    if not all(isinstance(values.get(key, ""), str) for key in ("note", "say")):
        raise _bad(line, "note and say are texts")
    return Answer(**values)


def written(values: dict[str, Any]) -> bytes:
    """Return a line for the bot: one JSON object without spaces, in ASCII, its keys in the order given."""
    return json.dumps(values, separators=(",", ":")).encode() + b"\n"


def _object(line: bytes, wanted: str) -> dict[str, Any]:
    try:
        values = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        raise _bad(line, f"it is no JSON in UTF-8 ({error})") from None
    if not isinstance(values, dict):
        raise _bad(line, "it is no JSON object")
    if values.get("type") != wanted:
        example = '{"type":"hello"}' if wanted == "hello" else '{"type":"answer","move":0}'
        first = "the first line is a hello" if wanted == "hello" else "every line after the hello is an answer"
        raise _bad(line, f"{first}, as {example}")
    for key in values:
        if key not in _KEYS[wanted]:
            near = get_close_matches(key, _KEYS[wanted], n=1)
            hint = f'; did you mean "{near[0]}"?' if near else ""
            raise _bad(line, f"the key {_quoted(key)} is not known{hint} ({', '.join(_KEYS[wanted])})")
    del values["type"]
    return values


def _natural(number: Any, below: float = inf) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < below


def _bad(line: bytes, why: str) -> BadLine:
    return BadLine(f"{why}: {_quoted(line.decode(errors='replace').rstrip())}")


def _quoted(text: str) -> str:
    """Return the beginning of a text, in quotes and in characters that do no harm."""
    return ascii(text if len(text) <= _QUOTED else text[: _QUOTED - 3] + "...")
