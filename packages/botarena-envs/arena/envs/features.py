"""The kinds of features that observations are made of.

A feature turns one or several fields of a view into a fixed number of values from -1 to 1. Seats are counted from
the observing seat on, which is number 0, so that a policy plays every seat alike. What is unknown or absent is 0.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Any, Final, NamedTuple

from referee.games.cuckoo_pack import CUCKOO, FOOL

Encode = Callable[..., list[float] | bytes]

KINDS: Final = tuple(range(FOOL, CUCKOO + 1))
"""The kinds of cards in the cuckoo pack, the weakest first."""


class Row(IntEnum):
    """In which row of a feature a value goes, the rows of seats or teams turned so that the own one is the first."""

    NONE = 0
    """There is one row."""
    AT = 1
    """By its place in the list; what is beyond the last row is left out."""
    TURNED_AT = 2
    """By its place in the list, which is that of a seat or team; the list may go round several times."""
    TURNED = 3
    """By itself: it is a seat or team."""
    BY_OTHER = 4
    """By the seat or team at the same place of another field."""
    BY_LEADER = 5
    """By the seat that played it, where another field has the seats that led, one for each round of seats."""
    BY_LAST = 6
    """By the seat that played it after the last seat of another field led."""


class Column(IntEnum):
    """In which column of its row a value goes."""

    NONE = 0
    """In the first."""
    PLACE = 1
    """By its place among the listed values; others are left out."""
    SEAT = 2
    """By itself: it is a seat, counted from the observing one; None is left out."""
    OTHER = 3
    """The same, and what is below 0 is left out."""
    PARTNER = 4
    """The same, and -1 goes after the last seat."""


class Value(IntEnum):
    """What is written there."""

    ONE = 0
    """1."""
    STEP = 1
    """The number of the spread more than there was."""
    SHARE = 2
    """The value divided by the number."""
    SQUASH = 3
    """What `squash` makes of the value with the number as the scale."""
    ORDER = 4
    """Its place in the list from 1, divided by the number."""
    LENGTH = 5
    """Once, what `squash` makes of the length of the list."""


class Spread(NamedTuple):
    """How a feature places the values of a field, as a table: for `native`, which does what `Feature.encode` does."""

    field: str
    value: Value
    number: float = 1.0
    """What `value` says."""
    column: Column = Column.NONE
    row: Row = Row.NONE
    rows: int = 1
    width: int = 1
    """How many values a row has."""
    values: tuple[Any, ...] = ()
    """The listed values."""
    other: str = ""
    """The other field."""
    origins: tuple[int, ...] = ()
    """By observing seat the first row; by default the seat itself."""
    offset: int = 0
    """Where the columns begin."""
    clears: int = 0
    """How many columns are set to 0 before."""
    start: int = 0
    """The first place of the list that counts."""
    last: bool = False
    """Whether only the last place of the list counts."""
    scalar: bool = False
    """Whether the field is one value, not a list."""


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
    spreads: tuple[Spread, ...] = ()
    """The same as a table, one after the other, where it can be told so; then C does it (see `native`)."""


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
    spread = Spread(field, Value.SHARE, most, scalar=True)
    meaning = f"divided by {most:g}"
    return Feature((field,), 1, meaning, lambda seat, number: [(number or 0) / most], False, (spread,))


def unbounded(field: str, scale: float) -> Feature:
    """A number without a bound."""
    spread = Spread(field, Value.SQUASH, scale, scalar=True)
    meaning = f"N / (abs(N) + {scale:g})"
    return Feature((field,), 1, meaning, lambda seat, number: [squash(number or 0, scale)], False, (spread,))


def one_of(field: str, values: Iterable[Any]) -> Feature:
    """One of some values."""
    places = {value: place for place, value in enumerate(values)}
    *rows, nothing = unit_rows(len(places))
    row_of = dict(zip(places, rows, strict=True))
    spread = Spread(field, Value.ONE, column=Column.PLACE, values=tuple(places), scalar=True)
    meaning = f"one-hot: {listed(places)}"
    return Feature((field,), len(places), meaning, lambda seat, value: row_of.get(value, nothing), spreads=(spread,))


def seat_of(field: str, seats: int) -> Feature:
    """A seat, or none."""
    *rows, nothing = unit_rows(seats)

    def encode(seat: int, other: int | None) -> bytes:
        return nothing if other is None else rows[(other - seat) % seats]

    spread = Spread(field, Value.ONE, column=Column.SEAT, scalar=True)
    return Feature((field,), seats, "one-hot: the seat", encode, spreads=(spread,))


def last_seat_of(field: str, seats: int) -> Feature:
    """The last of a list of seats, and how long the list is."""

    def encode(seat: int, listed_seats: Sequence[int]) -> list[float]:
        out = [0.0] * (seats + 1)
        if listed_seats:
            out[(listed_seats[-1] - seat) % seats] = 1.0
        out[seats] = squash(len(listed_seats), 10)
        return out

    spreads = (
        Spread(field, Value.ONE, column=Column.SEAT, last=True),
        Spread(field, Value.LENGTH, 10, offset=seats),
    )
    meaning = "one-hot: the last seat in it; then its length, N / (N + 10)"
    return Feature((field,), seats + 1, meaning, encode, spreads=spreads)


def tally(field: str, seats: int, most: float) -> Feature:
    """How often each seat is in a list."""

    def encode(seat: int, listed_seats: Sequence[int]) -> list[float]:
        out = [0.0] * seats
        for other in listed_seats:
            out[(other - seat) % seats] += 1 / most
        return out

    spread = Spread(field, Value.STEP, 1 / most, row=Row.TURNED, rows=seats)
    meaning = f"by seat: how often it is in the list, divided by {most:g}"
    return Feature((field,), seats, meaning, encode, spreads=(spread,))


def places_in(field: str, seats: int) -> Feature:
    """Where in a list of different seats each seat stands."""

    def encode(seat: int, order: Sequence[int]) -> list[float]:
        out = [0.0] * seats
        for place, other in enumerate(order, 1):
            out[(other - seat) % seats] = place / seats
        return out

    spread = Spread(field, Value.ORDER, seats, row=Row.TURNED, rows=seats)
    meaning = f"by seat: its place in the list from 1, divided by {seats}; 0: not in it"
    return Feature((field,), seats, meaning, encode, spreads=(spread,))


def by_seat(field: str, seats: int, most: float) -> Feature:
    """A number from 0 to `most` for each seat."""
    spread = Spread(field, Value.SHARE, most, row=Row.TURNED_AT, rows=seats)
    encode = _rotated(seats, lambda number: number / most)
    return Feature((field,), seats, f"by seat: divided by {most:g}", encode, spreads=(spread,))


def by_seat_unbounded(field: str, seats: int, scale: float) -> Feature:
    """A number without a bound for each seat."""
    meaning = f"by seat: N / (abs(N) + {scale:g})"
    spread = Spread(field, Value.SQUASH, scale, row=Row.TURNED_AT, rows=seats)
    return Feature((field,), seats, meaning, _rotated(seats, lambda number: squash(number, scale)), spreads=(spread,))


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
    spread = Spread(
        field, Value.ONE, column=Column.PLACE, row=Row.TURNED_AT, rows=seats, width=count, values=tuple(places)
    )
    return Feature((field,), laps * seats * count, f"{by}: one-hot: {listed(places)}", encode, spreads=(spread,))


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
    spread = Spread(field, Value.ONE, column=Column.PARTNER, row=Row.TURNED_AT, rows=seats, width=seats + 1)
    meaning = f"{by}: one-hot: the seat, or after these the pile"
    return Feature((field,), laps * seats * (seats + 1), meaning, encode, spreads=(spread,))


def counted(field: str, values: Iterable[Any], most: float) -> Feature:
    """How often each of some values is in a list."""
    places = {value: place for place, value in enumerate(values)}

    def encode(seat: int, listed_values: Sequence[Any]) -> list[float]:
        out = [0.0] * len(places)
        for value in listed_values:
            if value in places:
                out[places[value]] += 1 / most
        return out

    spread = Spread(field, Value.STEP, 1 / most, column=Column.PLACE, values=tuple(places))
    meaning = f"how often each is in it, divided by {most:g}: {listed(places)}"
    return Feature((field,), len(places), meaning, encode, False, (spread,))


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

    spread = Spread(field, Value.ONE, column=Column.PLACE, row=Row.AT, rows=most, width=count, values=tuple(places))
    meaning = f"for each of up to {most}, in order: one-hot: {listed(places)}"
    return Feature((field,), most * count, meaning, encode, False, (spread,))


def left_out(field: str, why: str) -> Feature:
    """No value at all: a field that observations need not show."""
    return Feature((field,), 0, f"left out: {why}", lambda seat, value: b"", False)


def listed(values: Iterable[Any]) -> str:
    """Return values as a short text: runs of numbers by their ends."""
    texts = list(values)
    if len(texts) > 2 and all(isinstance(text, int) for text in texts) and texts == [*range(texts[0], texts[-1] + 1)]:
        return f"{texts[0]} to {texts[-1]}"
    return ", ".join(str(text) for text in texts) if len(texts) <= 12 else f"{texts[0]} .. {texts[-1]}"
