"""The formats of blob columns.

compressed: one byte, then the content: 0 = as it is, 1 = raw deflate (RFC 1951). Deflate is used only
    where it is smaller.
notes: for every note its ply and its length in bytes as unsigned LEB128 varints, then its UTF-8 text.
says: for everything said its seat, its ply and its length in bytes as varints, then its UTF-8 text.
"""

import zlib
from collections.abc import Iterable

from arena.store.engine.errors import StoreError
from arena.values.rows import NoteRow
from arena.values.texts import printable
from referee.engine.record import Say, pack_answers

MAX_NOTE_BYTES = 64 * 1024
"""Bytes of note text that are stored for each seat of a match."""


def compress(content: bytes) -> bytes:
    """Return `content` as a compressed blob."""
    deflater = zlib.compressobj(6, zlib.DEFLATED, -15)
    deflated = deflater.compress(content) + deflater.flush()
    return b"\x01" + deflated if len(deflated) < len(content) else b"\x00" + content


def decompress(blob: bytes) -> bytes:
    """Return the content of a compressed blob. Raises StoreError where it is damaged."""
    if blob[:1] == b"\x00":
        return blob[1:]
    inflater = zlib.decompressobj(-15)
    try:
        content = inflater.decompress(blob[1:])
    except zlib.error as error:
        raise _damaged(str(error)) from None
    if blob[:1] != b"\x01" or not inflater.eof or inflater.unused_data:
        raise _damaged("it is cut off, goes on after its end, or has another format")
    return content


def _damaged(why: str) -> StoreError:
    return StoreError(f"a blob of the database is damaged ({why}): restore it from a copy")


def pack_notes(notes: Iterable[NoteRow]) -> tuple[bytes, bool]:
    """Return the notes of one seat as a compressed blob, and whether they were truncated.

    The first `MAX_NOTE_BYTES` of text are stored; the note that exceeds the limit is shortened.
    """
    packed = bytearray()
    remaining = MAX_NOTE_BYTES
    for note in notes:
        text = note.text.encode()
        if not remaining:
            return compress(bytes(packed)), True
        stored = text if len(text) <= remaining else text[:remaining].decode(errors="ignore").encode()
        packed += pack_answers((note.ply, len(stored))) + stored
        if len(stored) < len(text):
            return compress(bytes(packed)), True
        remaining -= len(text)
    return compress(bytes(packed)), False


def unpack_notes(blob: bytes, seat: int) -> list[NoteRow]:
    """Return the notes of a blob made by `pack_notes`."""
    packed = decompress(blob)
    notes = []
    offset = 0
    while offset < len(packed):
        ply, offset = _varint(packed, offset)
        length, offset = _varint(packed, offset)
        notes.append(NoteRow(seat, ply, printable(packed[offset : offset + length].decode(), "")))
        offset += length
    return notes


def pack_says(says: Iterable[Say]) -> bytes:
    """Return the table talk of a match as a compressed blob; never truncated, as the log is recomputed from it."""
    packed = bytearray()
    for say in says:
        text = say.text.encode()
        packed += pack_answers((say.seat, say.ply, len(text))) + text
    return compress(bytes(packed))


def unpack_says(blob: bytes) -> tuple[Say, ...]:
    """Return the table talk of a blob made by `pack_says`."""
    packed = decompress(blob)
    says = []
    offset = 0
    while offset < len(packed):
        seat, offset = _varint(packed, offset)
        ply, offset = _varint(packed, offset)
        length, offset = _varint(packed, offset)
        says.append(Say(seat, ply, printable(packed[offset : offset + length].decode(), "")))
        offset += length
    return tuple(says)


def _varint(packed: bytes, offset: int) -> tuple[int, int]:
    """Return the varint at an offset, and the offset after it."""
    value = shift = 0
    while packed[offset] & 128:
        value |= (packed[offset] & 127) << shift
        shift += 7
        offset += 1
    return value | packed[offset] << shift, offset + 1
