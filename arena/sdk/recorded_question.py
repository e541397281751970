"""A recorded question in a file: what a seat was shown and asked, up to one of its questions.

The file is JSON, made by `arena question export`, to be kept beside a bot and asked again without a database:

    {
      "format": "arena question",
      "version": 1,
      "source": {"match": 12, "bot": "club/owl@2"},
      "expect": ["keep"],
      "match": {"game": "cambio", "seats": 3, "seat": 1, ...},
      "before": [{"events": [...], "view": {...}, "legal": [...], "move": "exchange"}, ...],
      "question": {"events": [...], "view": {...}, "legal": ["keep", "exchange"], "move": "keep"}
    }

It holds only what that seat saw, its own moves and its own faults. docs/bots.md explains every key.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any

from arena.sdk.errors import BadQuestion
from arena.sdk.match import SeatClock

if TYPE_CHECKING:
    from google.protobuf.message import Message

FORMAT = "arena question"
VERSION = 1

MAX_BYTES = 32 * 1024 * 1024
"""The largest file that is read."""

_UINT32 = 2**32 - 1
_DEEPEST_VIEW = 64


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """One question to a seat."""

    view: Mapping[str, Any]
    """What the seat saw: the fields of the game's view message by name."""
    legal: tuple[str, ...]
    """The legal moves."""
    events: tuple[str, ...] = ()
    """The log lines since the seat's previous question, as far as it saw them."""
    bank_ms: int = 0
    """What was left of the time bank, in milliseconds, as in the protocol's `Question`."""
    charged_us: int = 0
    """The time charged for the previous answer, in microseconds, as in the protocol's `Question`."""
    move: str = ""
    """The recorded move."""
    fault: str = ""
    """Why the referee played that move for the seat, in words; empty if the bot answered."""
    values: tuple[str, ...] = ()
    """The same lines as values, for bots that look ahead: JSON arrays, as in the protocol with `Hello.wants_values`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedQuestion:
    """A recorded question with everything that its seat saw and was asked before.

    The fields that are not explained are as in the protocol's `MatchStart`.
    """

    game: str
    behaviour: int
    options: Mapping[str, str]
    seats: int
    seat: int
    view_type: str
    bot_seed: bytes
    question: AskedQuestion
    """The question that is asked."""
    before: tuple[AskedQuestion, ...] = ()
    """The earlier questions of the seat."""
    names: tuple[str, ...] = ()
    move_time_ms: int = 0
    bank_ms: int = 0
    fischer: bool = False
    clocks: tuple[SeatClock, ...] = ()
    expect: tuple[str, ...] = ()
    """The moves that are right; empty if nobody has said."""
    source: Mapping[str, str | int] = field(default_factory=dict)
    """Where the question was recorded, such as the match and the bot."""

    @property
    def asked(self) -> tuple[AskedQuestion, ...]:
        """All questions, in their order."""
        return (*self.before, self.question)

    @property
    def title(self) -> str:
        """The question in words: its match, if known, its number among those of its seat, and the seat."""
        match = f"match {self.source['match']}, " if "match" in self.source else ""
        return f"{match}question {len(self.before) + 1} of seat {self.seat}"

    def encoded_views(self, message: "type[Message]") -> list[bytes]:
        """Return the views of all questions as they are sent.

        message: the class of the game's views.

        Raises BadQuestion if a view does not fit the class.
        """
        from google.protobuf.json_format import Error, ParseDict

        try:
            return [
                ParseDict(dict(asked.view), message(), max_recursion_depth=_DEEPEST_VIEW).SerializeToString()
                for asked in self.asked
            ]
        except (Error, ValueError, TypeError, AttributeError, OverflowError) as error:
            raise BadQuestion(
                f"a view is no {self.view_type} of this version of {self.game}: {error}; export the question again"
            ) from None

    def to_text(self) -> str:
        """Return the text of its file, in ASCII."""
        values: dict[str, Any] = {"format": FORMAT, "version": VERSION, "source": dict(self.source)}
        if self.expect:
            values["expect"] = list(self.expect)
        values["match"] = {
            "game": self.game,
            "behaviour": self.behaviour,
            "options": dict(self.options),
            "seats": self.seats,
            "seat": self.seat,
            "names": list(self.names),
            "move_time_ms": self.move_time_ms,
            "bank_ms": self.bank_ms,
            **({"fischer": True} if self.fischer else {}),
            **({"clocks": [clock._asdict() for clock in self.clocks]} if self.clocks else {}),
            "bot_seed": self.bot_seed.hex(),
            "view_type": self.view_type,
        }
        values["before"] = [_asked_values(asked) for asked in self.before]
        values["question"] = _asked_values(self.question)
        return _readable(values)


def _asked_values(asked: AskedQuestion) -> dict[str, Any]:
    values: dict[str, Any] = {
        "events": list(asked.events),
        "view": dict(asked.view),
        "legal": list(asked.legal),
        "bank_ms": asked.bank_ms,
        "charged_us": asked.charged_us,
        "move": asked.move,
    }
    if asked.values:
        values["values"] = [json.loads(line) for line in asked.values]
    return values | ({"fault": asked.fault} if asked.fault else {})


def _readable(values: Mapping[str, Any]) -> str:
    """Return a question as JSON: an earlier question takes one line, the keys of other objects one line each."""
    parts = []
    for key, value in values.items():
        if key in ("match", "question"):
            inner = ",\n".join(f"    {json.dumps(name)}: {json.dumps(part)}" for name, part in value.items())
            text = f"{{\n{inner}\n  }}"
        elif key == "before" and value:
            text = "[\n" + ",\n".join(f"    {json.dumps(asked)}" for asked in value) + "\n  ]"
        else:
            text = json.dumps(value)
        parts.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def load_question(path: str | Path) -> RecordedQuestion:
    """Read the file of a recorded question. Raises BadQuestion, with the path, if it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        return parse_question(content)
    except OSError as error:
        raise BadQuestion(f"{path} cannot be read: {error.strerror or error}") from None
    except BadQuestion as error:
        raise BadQuestion(f"{path}: {error}") from None


def parse_question(content: bytes) -> RecordedQuestion:
    """Return the question in the content of a file. Raises BadQuestion."""
    if len(content) > MAX_BYTES:
        raise BadQuestion(f"it is larger than {MAX_BYTES // 1024**2} MiB")
    try:
        values = json.loads(content, parse_constant=_reject_constant)
        json.dumps(values, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise BadQuestion("a text in it contains half a surrogate pair") from None
    except RecursionError:
        raise BadQuestion("its brackets are nested too deeply") from None
    except ValueError as error:
        raise BadQuestion(f"it is not valid JSON: {str(error)[:200]}") from None
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise BadQuestion("it is not a recorded question: `arena question export` makes such files")
    version = values.get("version")
    if version != VERSION or isinstance(version, bool):
        raise BadQuestion(f"it is of version {version!a:.20}, but this arena reads version {VERSION}")
    return _question(_Fields(values, ""))


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _question(fields: "_Fields") -> RecordedQuestion:
    match = fields.fields("match")
    seats, seat = match.number("seats"), match.number("seat")
    if seat >= seats:
        raise BadQuestion(f"match.seat is {seat}, but the seats are 0 to {seats - 1}")
    question = RecordedQuestion(
        game=match.text("game"),
        behaviour=match.number("behaviour"),
        options={
            name: match.checked(value, f"options.{name}", str) for name, value in match.mapping("options").items()
        },
        seats=seats,
        seat=seat,
        view_type=match.text("view_type"),
        bot_seed=match.hex("bot_seed"),
        names=match.texts("names"),
        move_time_ms=match.number("move_time_ms"),
        bank_ms=match.number("bank_ms"),
        fischer=match.flag("fischer"),
        clocks=_clocks(match, seats),
        before=tuple(_asked(part) for part in fields.list_of_fields("before")),
        question=_asked(fields.fields("question")),
        expect=fields.texts("expect"),
        source=_source(fields),
    )
    for move in question.expect:
        if move not in question.question.legal:
            raise BadQuestion(f"expect: {move!a:.80} is not a legal move there: {_moves(question.question.legal)}")
    return question


def _source(fields: "_Fields") -> dict[str, str | int]:
    source = fields.mapping("source")
    for name, value in source.items():
        if type(value) not in (str, int):
            raise BadQuestion(f"source.{name!a:.40} is neither a text nor a whole number")
    return source


def _clocks(match: "_Fields", seats: int) -> tuple[SeatClock, ...]:
    clocks = match.list_of_fields("clocks")
    if len(clocks) not in (0, seats):
        raise BadQuestion(f"match.clocks has {len(clocks)} clocks, and there are {seats} seats")
    return tuple(SeatClock(one.number("move_time_ms"), one.number("bank_ms"), one.flag("fischer")) for one in clocks)


def _asked(fields: "_Fields") -> AskedQuestion:
    legal = fields.texts("legal")
    if not legal:
        raise BadQuestion(f"{fields.path}legal is missing or empty")
    return AskedQuestion(
        view=fields.mapping("view"),
        legal=legal,
        events=fields.texts("events"),
        bank_ms=fields.number("bank_ms"),
        charged_us=fields.number("charged_us"),
        move=fields.text("move", ""),
        fault=fields.text("fault", ""),
        values=tuple([json.dumps(line, separators=(",", ":")) for line in fields.lines("values")]),
    )


def _moves(legal: Sequence[str]) -> str:
    return ", ".join(legal[:8]) + (" ..." if len(legal) > 8 else "")


class _Fields:
    """The values of a JSON object, by key.

    path: where it is in the file, as the beginning of a key.
    """

    def __init__(self, values: Mapping[str, Any], path: str) -> None:
        self._values = values
        self.path = path

    def checked(self, value: Any, key: str, kind: type) -> Any:
        """Return a value of the expected type. Raises BadQuestion for any other."""
        words = {str: "a text", int: "a whole number", bool: "true or false", dict: "an object", list: "a list"}
        if type(value) is not kind:
            raise BadQuestion(f"{self.path}{key} is not {words[kind]}"[:200])
        return value

    def text(self, key: str, default: str | None = None) -> str:
        return str(self.checked(self._values.get(key, default), key, str))

    def number(self, key: str) -> int:
        value: int = self.checked(self._values.get(key, 0), key, int)
        if not 0 <= value <= _UINT32:
            raise BadQuestion(f"{self.path}{key} is not between 0 and {_UINT32:,}")
        return value

    def flag(self, key: str) -> bool:
        return bool(self.checked(self._values.get(key, False), key, bool))

    def hex(self, key: str) -> bytes:
        try:
            return bytes.fromhex(self.text(key))
        except ValueError:
            raise BadQuestion(f"{self.path}{key} is not hexadecimal") from None

    def texts(self, key: str) -> tuple[str, ...]:
        return tuple(self.checked(value, key, str) for value in self.checked(self._values.get(key, []), key, list))

    def lines(self, key: str) -> list[list[Any]]:
        lines: list[list[Any]] = [
            self.checked(line, f"{key}[{number}]", list)
            for number, line in enumerate(self.checked(self._values.get(key, []), key, list))
        ]
        for number, line in enumerate(lines):
            if not line or type(line[0]) is not int or any(type(value) not in (int, str, NoneType) for value in line):
                raise BadQuestion(f"{self.path}{key}[{number}] is no line of a log: its number, then its values")
        return lines

    def mapping(self, key: str) -> dict[str, Any]:
        return dict(self.checked(self._values.get(key, {}), key, dict))

    def fields(self, key: str) -> "_Fields":
        return _Fields(self.checked(self._values.get(key), key, dict), f"{self.path}{key}.")

    def list_of_fields(self, key: str) -> "list[_Fields]":
        return [
            _Fields(self.checked(value, f"{key}[{number}]", dict), f"{self.path}{key}[{number}].")
            for number, value in enumerate(self.checked(self._values.get(key, []), key, list))
        ]
