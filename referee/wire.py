"""Engine values <-> protos, and the one place where text from bots is made harmless."""

import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from operator import getitem
from typing import Any

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message import Message

from referee.engine.chance import Chance
from referee.engine.errors import BrokenGame
from referee.engine.game import Game
from referee.engine.redeal import Redeal, RedealtChance
from referee.v1.play_pb2 import Answer
from referee.v1.work_pb2 import MatchOrder

PROTOCOLS = (1,)
"""The protocol versions this referee speaks."""

NOTE_BYTES = 1024
ANSWER_BYTES = 2 * NOTE_BYTES + 256
"""The most that one answer needs: its move, a note and table talk."""

NAME_CHARACTERS = 64
SENTENCE_CHARACTERS = 300
MOVE_CHARACTERS = 64
"""What is told of a move that is none."""

OFFERED = 6
"""How many legal moves are told beside it."""


def clean(text: str, limit: int, *, keep: str = "") -> str:
    """Return text from a bot as something that is safe to print and bounded.

    Control, format and bidirectional characters, line separators and lone surrogates are written as
    escapes; whatever stands in `keep` stays. At most `limit` characters are returned, an ellipsis
    marking the cut. (Markup is the business of whoever writes HTML.)
    """
    if text.isascii() and text.isprintable() and len(text) <= limit:
        return text
    out = "".join(c if c in keep or _harmless(c) else _escape(c) for c in text[: limit + 1])
    return out if len(out) <= limit else out[: limit - 1] + "…"


def _harmless(character: str) -> bool:
    category = unicodedata.category(character)
    return category == "Zs" or category[0] not in "CZ"


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def clean_bytes(raw: bytes, limit: int) -> str:
    """Return what a bot printed as harmless text of several lines."""
    return clean(raw.decode("utf-8", "backslashreplace"), limit, keep="\n\t")


def refused(answer: Answer, legal: Sequence[str]) -> str:
    """Tell what is wrong with an answer that is no legal move: what it was, and what it might have been."""
    offered = ", ".join(legal[:OFFERED]) + (" ..." if len(legal) > OFFERED else "")
    if answer.text:
        return f'it answered "{clean(answer.text, MOVE_CHARACTERS)}", which is not legal there: {offered}'
    if not answer.HasField("index"):
        return "its answer names no move: set its index or its text"
    return f"it answered with the index {answer.index}, but the legal moves are {len(legal)}: {offered}"


def chance(order: MatchOrder) -> Chance:
    """Return the chance of a match that is to be played."""
    if not order.HasField("redeal"):
        return Chance(order.seed)
    fixed = {each.place: tuple(each.values) for each in order.redeal.fixed}
    return RedealtChance(order.seed, fixed, order.redeal.later_seed, order.redeal.requests)


def write_redeal(order: MatchOrder, redeal: Redeal) -> None:
    """Write into an order what is dealt otherwise; `chance` reads it."""
    order.redeal.later_seed, order.redeal.requests = redeal.later, redeal.requests
    for place, values in redeal.fixed.items():
        order.redeal.fixed.add(place=place, values=values)


@cache
def view_message(game: Game) -> type[Message]:
    """Return the message class of a game's view. Raises BrokenGame where there is none."""
    module, _, name = game.message.partition(":")
    try:
        message: type[Message] = getattr(import_module(module), name)
        message.DESCRIPTOR  # noqa: B018  # anything else but the class of a message has none
    except Exception as error:  # whatever a module of somebody else's does when it is imported
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
    """Return the file of a game's view message with all the files it needs, dependencies first."""
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


KEPT_PARTS = 4096
"""How many encoded values are kept for each field of a game's view."""


class _Parts(dict[Any, bytes]):
    """What one field of a view is encoded to, by its value; what is not known yet is encoded when it is asked for."""

    def __init__(self, message: Any, name: str) -> None:
        self._message = message
        self._name = name
        self._clear()

    def __missing__(self, value: Any) -> bytes:
        if len(self) >= KEPT_PARTS:
            self._clear()
        part: bytes = self._message(**{self._name: _plain(value)}).SerializeToString()
        self[value] = part
        return part

    def _clear(self) -> None:
        self.clear()
        self[None] = self[()] = b""


class ViewCodec:
    """How a game's views become bytes.

    Encoded messages that are laid end to end merge into one, so a view is put together field by
    field from what was encoded before, looked up by value: a field has few different values, but
    many seats are asked.
    """

    __slots__ = ("_stable", "_changing")

    def __init__(self, game: Game, names: tuple[str, ...]) -> None:
        message = view_message(game)
        parts = [_Parts(message, name) for name in names]
        self._stable = parts[: game.stable]
        self._changing = parts[game.stable :]

    def stable_part(self, values: tuple[Any, ...]) -> bytes:
        """Return the bytes of the first fields of a view, those that change rarely."""
        return b"".join(map(getitem, self._stable, values))

    def changing_part(self, values: tuple[Any, ...]) -> bytes:
        """Return the bytes of the other fields."""
        return b"".join(map(getitem, self._changing, values))


@cache
def view_codec(game: Game, names: tuple[str, ...]) -> ViewCodec:
    """Return the codec of a game's views, whose fields have these names."""
    return ViewCodec(game, names)


class ViewEncoder:
    """Turns the views of one match into bytes.

    The first `Game.stable` fields are encoded once and their bytes kept while they are equal.
    """

    __slots__ = ("_game", "_stable", "_codec", "_kept", "_head")

    def __init__(self, game: Game) -> None:
        self._game = game
        self._stable = game.stable
        self._codec: ViewCodec | None = None
        self._kept: tuple[Any, ...] | None = None
        self._head = b""

    def __call__(self, view: tuple[Any, ...]) -> bytes:
        """Return the bytes of a view, a NamedTuple."""
        codec = self._codec
        if codec is None:
            codec = self._codec = view_codec(self._game, view._fields)  # type: ignore[attr-defined]
        if (kept := view[: self._stable]) != self._kept:
            self._head = codec.stable_part(kept)
            self._kept = kept
        return self._head + codec.changing_part(view[self._stable :])


def _plain(value: Any) -> Any:
    """Return a value as the constructor of a message takes it: NamedTuples, however deep, as dicts."""
    if hasattr(value, "_asdict"):
        return {name: _plain(item) for name, item in value._asdict().items() if item is not None}
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return [_plain(item) for item in value]
    return value
