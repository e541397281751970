"""The ratings that a draw may know, rounded and hashed, so that whoever has the snapshot can repeat the draw."""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Literal

from arena.league.plan.matchmaking.errors import DrawError

Kind = Literal["focused", "random", "placement"]
"""What a batch is for: focused, it tells as much as it can about the order of standing entries; random, any of these
meet; placement, newcomers meet standing entries."""


@dataclass(frozen=True, slots=True)
class RatedEntry:
    """An active entry of a league."""

    number: int
    """The number of the entry in its league."""
    owner: int | str
    """Whose it is: entries of one owner never share a table; "" is nobody, whose entries may meet."""
    elo: int
    """The rating, rounded."""
    ci95: int | None
    """Half the width of the 95 % interval of the rating in Elo, rounded; None if it has no interval."""
    deals: int
    """The deals that the rating rests on."""
    recent_deals: int
    """The deals of the last seven days, with those under way."""
    cpu_us_per_deal: int
    """The CPU time of the entry for a deal in all rotations, in microseconds."""
    pending_deals: int = 0
    """The deals that are drawn already, in batches whose results the rating does not hold."""
    is_placing: bool = False
    """Whether its placement goes on."""


@dataclass(frozen=True, slots=True, init=False)
class Snapshot:
    """The active entries of a league at a moment, in the order of their numbers."""

    number: int
    """The number of the last batch whose results the ratings hold."""
    entries: tuple[RatedEntry, ...]

    def __init__(self, number: int, entries: Sequence[RatedEntry]) -> None:
        """Sort the entries. Raises DrawError if two have the same number."""
        ordered = tuple(sorted(entries, key=lambda entry: entry.number))
        for one, other in pairwise(ordered):
            if one.number == other.number:
                raise DrawError(f"entry {one.number} is in the snapshot twice: give each active entry once")
        object.__setattr__(self, "number", number)
        object.__setattr__(self, "entries", ordered)

    def text(self) -> str:
        """Return the snapshot as JSON without blanks: its number, then a list of values for each entry."""
        return json.dumps([self.number, [astuple(entry) for entry in self.entries]], separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> "Snapshot":
        """Return the snapshot that `text` wrote. Raises DrawError if it is another text."""
        try:
            number, entries = json.loads(text)
            return cls(number, [RatedEntry(*values) for values in entries])
        except (TypeError, ValueError) as error:
            raise DrawError(f"a stored snapshot cannot be read ({error}): restore the database from a copy") from None

    def digest(self) -> str:
        """Return SHA-256 of the text, in hexadecimal."""
        return sha256(self.text().encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class BatchDraw:
    """Who meets whom in a batch."""

    entries: tuple[int, ...]
    """The numbers of the entries that play, ascending."""
    tables: tuple[tuple[int, ...], ...]
    """The numbers of the entries at each table, in no particular order."""
    deals: int
    """The deals to be played at each table, in all rotations."""
    kind: Kind


def batch_of(tables: Sequence[tuple[int, ...]], deals: int, kind: Kind) -> BatchDraw:
    """Return a batch of tables of entries, given by their numbers."""
    return BatchDraw(tuple(sorted({entry for table in tables for entry in table})), tuple(tables), deals, kind)
