"""The blobs of a row.

compressed: one byte, then the content: 0 = as it is, 1 = raw deflate (RFC 1951). Deflate is taken only
    where it is smaller.
notes: for every note its ply and its length in bytes as unsigned LEB128 varints, then its UTF-8 text.
says: for everything said its seat, its ply and its length in bytes as varints, then its UTF-8 text.
"""

import zlib
from collections.abc import Iterable

from arena.store.errors import StoreError
from arena.store.rows import NoteRow
from arena.texts import printable
from referee.engine.record import Say, pack_answers

MAX_NOTE_BYTES = 64 * 1024
"""Bytes of note text kept for each seat of a match."""


def compress(content: bytes) -> bytes:
    """Return `content` as a compressed blob."""
    deflater = zlib.compressobj(6, zlib.DEFLATED, -15)
    small = deflater.compress(content) + deflater.flush()
    return b"\x01" + small if len(small) < len(content) else b"\x00" + content


def decompress(blob: bytes) -> bytes:
    """Return the content of a compressed blob. Raises StoreError where it is damaged."""
    if blob[:1] == b"\x00":
        return blob[1:]
    try:
        return zlib.decompress(blob[1:], -15)
    except zlib.error as error:
        raise StoreError(f"a blob of the database is damaged ({error}): restore it from a copy") from None


def pack_notes(notes: Iterable[NoteRow]) -> tuple[bytes, bool]:
    """Return the notes of one seat as a compressed blob, and whether some were left out for their size.

    The first notes are kept, up to 64 KiB of text; the one that reaches the bound is shortened.
    """
    packed = bytearray()
    room = MAX_NOTE_BYTES
    for note in notes:
        text = note.text.encode()
        if not room:
            return compress(bytes(packed)), True
        kept = text if len(text) <= room else text[:room].decode(errors="ignore").encode()
        packed += pack_answers((note.ply, len(kept))) + kept
        if len(kept) < len(text):
            return compress(bytes(packed)), True
        room -= len(text)
    return compress(bytes(packed)), False


def unpack_notes(blob: bytes, seat: int) -> list[NoteRow]:
    """Return the notes that `pack_notes` packed."""
    packed = decompress(blob)
    notes = []
    at = 0
    while at < len(packed):
        ply, at = _varint(packed, at)
        length, at = _varint(packed, at)
        notes.append(NoteRow(seat, ply, printable(packed[at : at + length].decode(), "")))
        at += length
    return notes


def pack_says(says: Iterable[Say]) -> bytes:
    """Return what was said in a match as a compressed blob. All of it: the log follows from it."""
    packed = bytearray()
    for say in says:
        text = say.text.encode()
        packed += pack_answers((say.seat, say.ply, len(text))) + text
    return compress(bytes(packed))


def unpack_says(blob: bytes) -> tuple[Say, ...]:
    """Return what `pack_says` packed."""
    packed = decompress(blob)
    says = []
    at = 0
    while at < len(packed):
        seat, at = _varint(packed, at)
        ply, at = _varint(packed, at)
        length, at = _varint(packed, at)
        says.append(Say(seat, ply, printable(packed[at : at + length].decode(), "")))
        at += length
    return tuple(says)


def _varint(packed: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while packed[at] & 128:
        value |= (packed[at] & 127) << shift
        shift += 7
        at += 1
    return value | packed[at] << shift, at + 1
