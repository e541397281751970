"""Whole numbers in columns, as few bytes.

A JSON header with its length before it, then the columns one after the other, each in the narrowest type that holds
it. Sorted keys are split into pieces of 16 bits, of which the highest are told by their steps: what is left repeats
itself and can be squeezed.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from arena.ratings.keyed_sums import Ints

_TYPES = ("<i1", "<u1", "<i2", "<u2", "<i4", "<u4", "<i8")
_PIECE = 16
_MASK = (1 << _PIECE) - 1


def pack_columns(header: Mapping[str, Any], columns: Sequence[Ints]) -> bytes:
    """Return a header of JSON values and columns as bytes."""
    narrow = [_narrow(column) for column in columns]
    lines = [[column.dtype.str, len(column)] for column in narrow]
    head = json.dumps({**header, "columns": lines}, ensure_ascii=False).encode()
    return b"".join([len(head).to_bytes(4, "little"), head, *(column.tobytes() for column in narrow)])


def unpack_columns(packed: bytes) -> tuple[dict[str, Any], list[Ints]]:
    """Return the header and the columns that `pack_columns` packed."""
    at = 4 + int.from_bytes(packed[:4], "little")
    header = json.loads(packed[4:at])
    columns = []
    for kind, length in header.pop("columns"):
        columns.append(np.frombuffer(packed, kind, length, at).astype(np.int64))
        at += length * np.dtype(kind).itemsize
    return header, columns


def split_keys(keys: Ints) -> list[Ints]:
    """Return ascending keys as three columns of small numbers."""
    return [np.diff(keys >> 2 * _PIECE, prepend=0), keys >> _PIECE & _MASK, keys & _MASK]


def join_keys(high: Ints, middle: Ints, low: Ints) -> Ints:
    """Return the keys that `split_keys` split."""
    return (np.cumsum(high) << _PIECE | middle) << _PIECE | low


def _narrow(column: Ints) -> Ints:
    low, high = int(column.min(initial=0)), int(column.max(initial=0))
    fits = next(kind for kind in _TYPES if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max)
    return column.astype(fits)
