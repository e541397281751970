"""Engine values <-> protos, and the one place where text from bots is made harmless."""

import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message import Message

from referee.engine.game import Game

PROTOCOLS = (1,)
"""The protocol versions this referee speaks."""

NOTE_BYTES = 1024
NAME_CHARACTERS = 64
SENTENCE_CHARACTERS = 300


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


@cache
def view_message(game: Game) -> type[Message]:
    """Return the message class of a game's view."""
    module, _, name = game.message.partition(":")
    message: type[Message] = getattr(import_module(module), name)
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


class ViewEncoder:
    """Turns the views of one match into bytes.

    The first `Game.stable` fields are encoded once and their bytes kept while they are equal:
    messages that are laid end to end merge, so the two halves make one view.
    """

    __slots__ = ("_message", "_stable", "_names", "_convert", "_kept", "_head")

    def __init__(self, game: Game) -> None:
        self._message: Any = view_message(game)
        self._stable = game.stable
        self._names: tuple[str, ...] | None = None
        self._convert: Mapping[str, Callable[[Any], Any]] = _conversions(game)
        self._kept: tuple[Any, ...] | None = None
        self._head = b""

    def __call__(self, view: tuple[Any, ...]) -> bytes:
        names = self._names
        if names is None:
            names = self._names = view._fields  # type: ignore[attr-defined]
        stable = self._stable
        if stable and (kept := view[:stable]) != self._kept:
            self._head = self._encode(names[:stable], kept)
            self._kept = kept
        return self._head + self._encode(names[stable:], view[stable:])

    def _encode(self, names: tuple[str, ...], values: tuple[Any, ...]) -> bytes:
        fields = dict(zip(names, values, strict=True))
        for name, convert in self._convert.items():
            if fields.get(name) is not None:
                fields[name] = convert(fields[name])
        encoded: bytes = self._message(**fields).SerializeToString()
        return encoded


@cache
def _conversions(game: Game) -> Mapping[str, Callable[[Any], Any]]:
    """Return how the fields that hold messages are turned from NamedTuples into what a message takes."""
    found: dict[str, Callable[[Any], Any]] = {}
    for field in view_message(game).DESCRIPTOR.fields:
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            found[field.name] = _as_dicts if field.is_repeated else _as_dict
    return found


def _as_dict(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {name: _as_dict(item) for name, item in value._asdict().items() if item is not None}
    if isinstance(value, (tuple, list)):
        return [_as_dict(item) for item in value]
    return value


def _as_dicts(values: Any) -> Any:
    return [_as_dict(value) for value in values]
