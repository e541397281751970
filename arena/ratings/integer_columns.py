"""Pack columns of integers compactly.

The format: a JSON header preceded by its length, then the columns, each in the narrowest type that holds its values.
Sorted keys are split into pieces of 16 bits, and the highest piece is delta-encoded, so that the columns compress well.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from arena.ratings.keyed_sums import Ints

_TYPES = ("<i1", "<u1", "<i2", "<u2", "<i4", "<u4", "<i8")
_PIECE_BITS = 16
_MASK = (1 << _PIECE_BITS) - 1


def pack_columns(header: Mapping[str, Any], columns: Sequence[Ints]) -> bytes:
    """Return a header of JSON values and columns as bytes.

    Raises OverflowError for a number that is larger than any of 64 bits with a sign.
    """
    narrowed = [_narrow(column) for column in columns]
    types = [[column.dtype.str, len(column)] for column in narrowed]
    head = json.dumps({**header, "columns": types}, ensure_ascii=False).encode()
    return b"".join([len(head).to_bytes(4, "little"), head, *(column.tobytes() for column in narrowed)])


def unpack_columns(packed: bytes) -> tuple[dict[str, Any], list[Ints]]:
    """Return the header and the columns that `pack_columns` packed."""
    offset = 4 + int.from_bytes(packed[:4], "little")
    header = json.loads(packed[4:offset])
    columns = []
    for kind, length in header.pop("columns"):
        columns.append(np.frombuffer(packed, kind, length, offset).astype(np.int64))
        offset += length * np.dtype(kind).itemsize
    return header, columns


def split_keys(keys: Ints) -> list[Ints]:
    """Split ascending keys into three columns of small numbers."""
    return [np.diff(keys >> 2 * _PIECE_BITS, prepend=0), keys >> _PIECE_BITS & _MASK, keys & _MASK]


def join_keys(high: Ints, middle: Ints, low: Ints) -> Ints:
    """Join the columns of `split_keys` to keys."""
    return (np.cumsum(high) << _PIECE_BITS | middle) << _PIECE_BITS | low


def _narrow(column: Ints) -> Ints:
    low, high = int(column.min(initial=0)), int(column.max(initial=0))
    fits = next((kind for kind in _TYPES if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max), None)
    if fits is None:
        raise OverflowError(f"the numbers from {low} to {high} do not fit in 64 bits")
    return column.astype(fits)
