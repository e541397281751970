"""Numbers of matches as ranges, as the log of a tournament stores them."""

from collections.abc import Iterable, Sequence
from typing import Any

MAX_INT64 = (1 << 63) - 1


def pack_numbers(numbers: Iterable[int]) -> list[list[int]]:
    """Return numbers as ranges in order, each with its first and last number."""
    ranges: list[list[int]] = []
    for number in sorted(numbers):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ranges


def are_packed(ranges: Any) -> bool:
    """Return whether these are ranges as `pack_numbers` returns them."""
    last = -1
    for bounds in ranges if isinstance(ranges, list) else [None]:
        if not (isinstance(bounds, list) and len(bounds) == 2 and all(type(number) is int for number in bounds)):
            return False
        if not last < bounds[0] <= bounds[1] <= MAX_INT64:
            return False
        last = bounds[1]
    return True


def unpack_numbers(ranges: Iterable[Sequence[int]]) -> tuple[range, ...]:
    """Return the ranges that `pack_numbers` returned."""
    return tuple(range(first, last + 1) for first, last in ranges)
