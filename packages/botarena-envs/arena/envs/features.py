"""The kinds of features that observations are made of.

A feature turns one or several fields of a view into a fixed number of values from -1 to 1. Seats are counted from
the observing seat on, which is number 0, so that a policy plays every seat alike. What is unknown or absent is 0.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from referee.games.cuckoo_pack import CUCKOO, FOOL

Encode = Callable[..., list[float] | bytes]

KINDS: Final = tuple(range(FOOL, CUCKOO + 1))
"""The kinds of cards in the cuckoo pack, the weakest first."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A part of an observation."""

    fields: tuple[str, ...]
    """The fields of the view that it shows."""
    size: int
    """The number of its values."""
    meaning: str
    """What its values are, for people."""
    encode: Encode
    """Makes the values from the observing seat and the values of the fields: as numbers, or as bytes of float32."""
    depends_on_seat: bool = True
    """Whether its values differ from seat to seat where the fields do not."""


def packed(values: Iterable[float]) -> bytes:
    """Return values as bytes of float32."""
    return array("f", values).tobytes()


def unit_rows(size: int) -> list[bytes]:
    """Return for each place a group of values that is 1 at the place; at the end one that is 0 throughout."""
    return [packed([float(place == other) for other in range(size)]) for place in range(size + 1)]


def squash(number: float, scale: float) -> float:
    """Return a number without a bound as one from -1 to 1: N / (abs(N) + scale)."""
    return number / (abs(number) + scale)


def share(field: str, most: float) -> Feature:
    """A number from 0 to `most`, divided by it."""
    return Feature((field,), 1, f"divided by {most:g}", lambda seat, number: [(number or 0) / most], False)


def unbounded(field: str, scale: float) -> Feature:
    """A number without a bound."""
    return Feature((field,), 1, f"N / (abs(N) + {scale:g})", lambda seat, number: [squash(number or 0, scale)], False)


def one_of(field: str, values: Iterable[Any]) -> Feature:
    """One of some values."""
    places = {value: place for place, value in enumerate(values)}
    *rows, nothing = unit_rows(len(places))
    row_of = dict(zip(places, rows, strict=True))
    return Feature((field,), len(places), f"one-hot: {listed(places)}", lambda seat, value: row_of.get(value, nothing))


def seat_of(field: str, seats: int) -> Feature:
    """A seat, or none."""
    *rows, nothing = unit_rows(seats)

    def encode(seat: int, other: int | None) -> bytes:
        return nothing if other is None else rows[(other - seat) % seats]

    return Feature((field,), seats, "one-hot: the seat", encode)


def last_seat_of(field: str, seats: int) -> Feature:
    """The last of a list of seats, and how long the list is."""

    def encode(seat: int, listed_seats: Sequence[int]) -> list[float]:
        out = [0.0] * (seats + 1)
        if listed_seats:
            out[(listed_seats[-1] - seat) % seats] = 1.0
        out[seats] = squash(len(listed_seats), 10)
        return out

    return Feature((field,), seats + 1, "one-hot: the last seat in it; then its length, N / (N + 10)", encode)


def tally(field: str, seats: int, most: float) -> Feature:
    """How often each seat is in a list."""

    def encode(seat: int, listed_seats: Sequence[int]) -> list[float]:
        out = [0.0] * seats
        for other in listed_seats:
            out[(other - seat) % seats] += 1 / most
        return out

    return Feature((field,), seats, f"by seat: how often it is in the list, divided by {most:g}", encode)


def places_in(field: str, seats: int) -> Feature:
    """Where in a list of different seats each seat stands."""

    def encode(seat: int, order: Sequence[int]) -> list[float]:
        out = [0.0] * seats
        for place, other in enumerate(order, 1):
            out[(other - seat) % seats] = place / seats
        return out

    return Feature((field,), seats, f"by seat: its place in the list from 1, divided by {seats}; 0: not in it", encode)


def by_seat(field: str, seats: int, most: float) -> Feature:
    """A number from 0 to `most` for each seat."""
    return Feature((field,), seats, f"by seat: divided by {most:g}", _rotated(seats, lambda number: number / most))


def by_seat_unbounded(field: str, seats: int, scale: float) -> Feature:
    """A number without a bound for each seat."""
    meaning = f"by seat: N / (abs(N) + {scale:g})"
    return Feature((field,), seats, meaning, _rotated(seats, lambda number: squash(number, scale)))


def _rotated(seats: int, value: Callable[[float], float]) -> Encode:
    @lru_cache(maxsize=4096)
    def one(number: float) -> bytes:
        return packed([value(number)])

    def encode(seat: int, numbers: Sequence[float]) -> bytes:
        numbers = numbers or (0,) * seats
        return b"".join([one(number) for number in (*numbers[seat:], *numbers[:seat])])

    return encode


def by_seat_one_of(field: str, seats: int, values: Iterable[Any], laps: int = 1) -> Feature:
    """One of some values for each seat; with several laps, for each seat of each lap."""
    places = {value: place for place, value in enumerate(values)}
    count = len(places)

    *rows, nothing = unit_rows(count)
    row_of = dict(zip(places, rows, strict=True))

    def encode(seat: int, listed_values: Sequence[Any]) -> bytes:
        turned = listed_values
        for lap in range(laps):
            start, end = lap * seats, (lap + 1) * seats
            turned = (*turned[:start], *turned[start + seat : end], *turned[start : start + seat], *turned[end:])
        return b"".join([row_of.get(value, nothing) for value in turned])

    by = "by lap and seat" if laps > 1 else "by seat"
    return Feature((field,), laps * seats * count, f"{by}: one-hot: {listed(places)}", encode)


def partners(field: str, seats: int, laps: int = 1) -> Feature:
    """For each seat another one or -1, the pile; -2 is nobody."""
    rows = unit_rows(seats + 1)

    def encode(seat: int, others: Sequence[int]) -> bytes:
        out = []
        for start in range(0, laps * seats, seats):
            for at in (*range(start + seat, start + seats), *range(start, start + seat)):
                other = others[at]
                out.append(rows[(other - seat) % seats if other >= 0 else seats if other == -1 else seats + 1])
        return b"".join(out)

    by = "by lap and seat" if laps > 1 else "by seat"
    return Feature((field,), laps * seats * (seats + 1), f"{by}: one-hot: the seat, or after these the pile", encode)


def counted(field: str, values: Iterable[Any], most: float) -> Feature:
    """How often each of some values is in a list."""
    places = {value: place for place, value in enumerate(values)}

    def encode(seat: int, listed_values: Sequence[Any]) -> list[float]:
        out = [0.0] * len(places)
        for value in listed_values:
            if value in places:
                out[places[value]] += 1 / most
        return out

    return Feature(
        (field,), len(places), f"how often each is in it, divided by {most:g}: {listed(places)}", encode, False
    )


def one_by_one(field: str, most: int, values: Iterable[Any]) -> Feature:
    """A list of up to `most` of some values, in order."""
    places = {value: place for place, value in enumerate(values)}
    count = len(places)

    def encode(seat: int, listed_values: Sequence[Any]) -> list[float]:
        out = [0.0] * (most * count)
        for at, value in enumerate(listed_values[:most]):
            if value in places:
                out[at * count + places[value]] = 1.0
        return out

    return Feature(
        (field,), most * count, f"for each of up to {most}, in order: one-hot: {listed(places)}", encode, False
    )


def left_out(field: str, why: str) -> Feature:
    """No value at all: a field that observations need not show."""
    return Feature((field,), 0, f"left out: {why}", lambda seat, value: b"", False)


def listed(values: Iterable[Any]) -> str:
    """Return values as a short text: runs of numbers by their ends."""
    texts = list(values)
    if len(texts) > 2 and all(isinstance(text, int) for text in texts) and texts == [*range(texts[0], texts[-1] + 1)]:
        return f"{texts[0]} to {texts[-1]}"
    return ", ".join(str(text) for text in texts) if len(texts) <= 12 else f"{texts[0]} .. {texts[-1]}"
