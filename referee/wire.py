"""Converts between engine values and protobuf messages, and makes text from bots harmless."""

import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from operator import getitem
from typing import Any, cast

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message import Message

from referee.engine.chance import Chance
from referee.engine.errors import BrokenGame
from referee.engine.events import Event, digest
from referee.engine.game import Game, Outcome
from referee.engine.record import pack_answers
from referee.engine.redeal import Redeal, RedealtChance
from referee.v1.play_pb2 import Answer
from referee.v1.work_pb2 import Fault, MatchOrder, Record

PROTOCOLS = (1,)
"""The protocol versions this referee speaks."""

NOTE_BYTES = 1024
"""What is kept of a note or of table talk."""

ANSWER_BYTES = 2 * NOTE_BYTES + 256
"""The largest size of one answer: its move, a note and table talk."""

NAME_CHARACTERS = 64
SENTENCE_CHARACTERS = 300
MOVE_CHARACTERS = 64
"""What is quoted of an illegal move."""

QUOTED_MOVES = 6
"""How many legal moves are named beside it."""


def clean(text: str, limit: int, *, keep: str = "") -> str:
    """Return text from a bot so that it is safe to print, in at most `limit` characters.

    Control, format and bidirectional characters, line separators and lone surrogates become escapes, except those in
    `keep`. An ellipsis marks a cut. Markup is left alone: writers of HTML escape it.
    """
    if text.isascii() and text.isprintable() and len(text) <= limit:
        return text
    out = "".join(c if c in keep or _is_harmless(c) else _escape(c) for c in text[: limit + 1])
    return out if len(out) <= limit else out[: limit - 1] + "…"


def _is_harmless(character: str) -> bool:
    category = unicodedata.category(character)
    return category == "Zs" or category[0] not in "CZ"


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def clean_bytes(raw: bytes, limit: int) -> str:
    """Return what a bot printed, as harmless text of several lines."""
    return clean(raw.decode("utf-8", "backslashreplace"), limit, keep="\n\t")


def describe_illegal(answer: Answer, legal: Sequence[str]) -> str:
    """Return in a sentence what an illegal answer was, and which moves are legal."""
    moves = ", ".join(legal[:QUOTED_MOVES]) + (" ..." if len(legal) > QUOTED_MOVES else "")
    if answer.text:
        return f'it answered "{clean(answer.text, MOVE_CHARACTERS)}", which is not legal there: {moves}'
    if not answer.HasField("index"):
        return "its answer names no move: set its index or its text"
    return f"it answered with the index {answer.index}, but the legal moves are {len(legal)}: {moves}"


def encode_record(
    *,
    match: int,
    game: Game,
    events: Sequence[Event],
    answers: Sequence[int],
    times: bytearray,
    outcome: Outcome,
    seconds: float,
    charged: Sequence[float],
    decisions: Sequence[int],
    faults: Sequence[tuple[int, int, int, str, bool]],
    notes: Sequence[tuple[int, int, str]],
    says: Sequence[tuple[int, int, str]],
) -> Record:
    """Return the record of a match.

    match: its number. events: its log. answers: indices of the moves, in the order they were played. times: of each
    answer, as `pack_time` has it. seconds: from its beginning to its end. charged, decisions: by seat; seconds, and
    valid answers. faults: of each the seat, the ply, the kind's number, the sentence, and whether it forfeited the
    seat. notes, says: of each the seat, the ply and the text.
    """
    record = Record(
        match=match,
        answers=pack_answers(answers),
        times=bytes(times),
        scores=outcome.scores,
        ranks=outcome.ranks,
        digest=digest(events),
        behaviour=game.behaviour,
        duration_ms=round(seconds * 1000),
        charged_us=[round(total * 1e6) for total in charged],
        decisions=decisions,
    )
    for seat, ply, kind, sentence, forfeit in faults:
        record.faults.add(
            seat=seat, ply=ply, kind=cast("Fault.Kind.ValueType", kind), sentence=sentence, forfeit=forfeit
        )
    for seat, ply, text in notes:
        record.notes.add(seat=seat, ply=ply, text=text)
    for seat, ply, text in says:
        record.says.add(seat=seat, ply=ply, text=text)
    return record


def read_chance(order: MatchOrder) -> Chance:
    """Return the source of chance of a match that is to be played."""
    if not order.HasField("redeal"):
        return Chance(order.seed)
    fixed = {draw.place: tuple(draw.values) for draw in order.redeal.fixed}
    return RedealtChance(order.seed, fixed, order.redeal.later_seed, order.redeal.requests)


def write_redeal(order: MatchOrder, redeal: Redeal) -> None:
    """Write the changed draws of a redeal into an order; `read_chance` reads them."""
    order.redeal.later_seed, order.redeal.requests = redeal.later, redeal.requests
    for place, values in redeal.fixed.items():
        order.redeal.fixed.add(place=place, values=values)


@cache
def view_message(game: Game) -> type[Message]:
    """Return the message class of a game's view. Raises BrokenGame where it cannot be loaded."""
    module, _, name = game.message.partition(":")
    try:
        message: type[Message] = getattr(import_module(module), name)
        message.DESCRIPTOR  # noqa: B018  # only message classes have one
    except Exception as error:  # a module of another package may raise anything when it is imported
        raise BrokenGame(
            f'the game "{game.name}" is broken: `{type(game).__name__}.message` is "{game.message}", '
            f"and loading that raises {type(error).__name__}: {error}"
        ) from error
    return message


@cache
def view_type(game: Game) -> str:
    """Return the full name of a game's view message."""
    return view_message(game).DESCRIPTOR.full_name


@cache
def view_schema(game: Game) -> FileDescriptorSet:
    """Return the proto file of a game's view message with all files it imports, dependencies first."""
    files: dict[str, Any] = {}

    def collect(file: Any) -> None:
        for needed in file.dependencies:
            collect(needed)
        files.setdefault(file.name, file)

    collect(view_message(game).DESCRIPTOR.file)
    schema = FileDescriptorSet()
    for file in files.values():
        file.CopyToProto(schema.file.add())
    return schema


CACHED_VALUES = 4096
"""How many encoded values are cached for each field of a game's view."""


class _FieldCache(dict[Any, bytes]):
    """Encoded values of one field of a view, by value; a missing one is encoded when it is looked up."""

    def __init__(self, message: Any, name: str) -> None:
        self._message = message
        self._name = name
        self._clear()

    def __missing__(self, value: Any) -> bytes:
        if len(self) >= CACHED_VALUES:
            self._clear()
        encoded: bytes = self._message(**{self._name: _plain(value)}).SerializeToString()
        self[value] = encoded
        return encoded

    def _clear(self) -> None:
        self.clear()
        self[None] = self[()] = b""


class ViewCodec:
    """Encodes the views of a game.

    Encoded messages laid end to end merge into one, so a view is composed field by field from cached encodings:
    fields have few different values, but many seats are asked.
    """

    __slots__ = ("_stable", "_changing")

    def __init__(self, game: Game, names: tuple[str, ...]) -> None:
        message = view_message(game)
        fields = [_FieldCache(message, name) for name in names]
        self._stable = fields[: game.stable]
        self._changing = fields[game.stable :]

    def encode_stable(self, values: tuple[Any, ...]) -> bytes:
        """Return the encoding of the first fields of a view, which change rarely."""
        return b"".join(map(getitem, self._stable, values))

    def encode_changing(self, values: tuple[Any, ...]) -> bytes:
        """Return the encoding of the other fields."""
        return b"".join(map(getitem, self._changing, values))


@cache
def view_codec(game: Game, names: tuple[str, ...]) -> ViewCodec:
    """Return the codec of a game's views, whose fields have these names."""
    return ViewCodec(game, names)


class ViewEncoder:
    """Encodes the views of one match.

    The encoding of the first `Game.stable` fields is used again while they are equal.
    """

    __slots__ = ("_game", "_stable", "_codec", "_values", "_head")

    def __init__(self, game: Game) -> None:
        self._game = game
        self._stable = game.stable
        self._codec: ViewCodec | None = None
        self._values: tuple[Any, ...] | None = None
        self._head = b""

    def __call__(self, view: tuple[Any, ...]) -> bytes:
        """Return the encoding of a view, a NamedTuple."""
        codec = self._codec
        if codec is None:
            codec = self._codec = view_codec(self._game, view._fields)  # type: ignore[attr-defined]
        if (values := view[: self._stable]) != self._values:
            self._head = codec.encode_stable(values)
            self._values = values
        return self._head + codec.encode_changing(view[self._stable :])


def _plain(value: Any) -> Any:
    """Return a value in the form that constructors of messages take: NamedTuples, however deep, as dicts."""
    if hasattr(value, "_asdict"):
        return {name: _plain(item) for name, item in value._asdict().items() if item is not None}
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return [_plain(item) for item in value]
    return value
