"""Sums of the matches of a league: all that its ratings and its board need, for ever.

Sums are whole numbers: those of any parts make up those of the whole, and the same matches give the same bytes in
whatever order they come.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple, Self

import numpy as np

from arena.league.results.deal_kinds import DealKinds
from arena.league.results.deal_sums import sum_deals
from arena.ratings.errors import RatingError
from arena.ratings.integer_columns import pack_columns, unpack_columns
from arena.ratings.keyed_sums import Ints, KeyedSums
from arena.ratings.tally import Tally
from arena.store.errors import StoreError
from arena.store.rows import EffortRow, ResultRow
from arena.tournament.results.team_results import team_result

VERSION = 1
"""Of the packed form."""

_DIGEST = 8
_TOTALS = 5


class TableMatch(NamedTuple):
    """The result of a match of a league; the tuples have one value per seat, and entries are those of the league.

    table: its number in the batch. deal: its number at the table: matches are of one deal if both agree.
    """

    table: int
    deal: int
    entries: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


class EntryTotals(NamedTuple):
    """What an entry did in all its matches.

    matches: the number that it played. seats: those that it held in them; with teams, the teams that it played. score:
    the sum of its scores, in the game's unit. decisions, charged_us: its decisions, and the time charged for them.
    """

    matches: int
    seats: int
    score: int
    decisions: int
    charged_us: int


class LeagueSums:
    """Sums of matches: deals by kind, and totals by entry."""

    def __init__(self) -> None:
        self.played = 0
        """Matches."""
        self.kinds: dict[int, DealKinds] = {}
        """By the number of entries that met in a deal."""
        self.faults: dict[int, Counter[str]] = {}
        """Of the entries that made any: their number by kind."""
        self.forfeits = Counter[int]()
        """Of the entries that forfeited any: the number of their matches, or with teams of seats, that they did."""
        self.ready_us = Counter[int]()
        """Of the entries that got ready for matches: how long they took, in microseconds. No match tells of it."""
        self._totals = KeyedSums(_TOTALS)

    @classmethod
    def of_matches(
        cls,
        matches: Iterable[TableMatch],
        *,
        team_of: Sequence[int] = (),
        efforts: Mapping[int, EffortRow] | None = None,
        faults: Mapping[int, Mapping[str, int]] | None = None,
        forfeits: Mapping[int, int] | None = None,
        ready_us: Mapping[int, int] | None = None,
    ) -> Self:
        """Return the sums of the matches of a batch.

        team_of: the team of each seat, in games with teams, which are rated as in tournaments: a match compares teams,
        and an entry plays all seats of its own. efforts, faults, forfeits: of entries, as `Store` sums them up.
        ready_us: how long they took to get ready, in microseconds.

        Raises RatingError where entries are partners, and ValueError as `Tally.add`.
        """
        sums = cls()
        entries, tally = _tally(list(matches), team_of)
        totals = tally.totals()
        if partners := next((team for team in totals.lineup.teams if len(team) > 1), None):
            who = " and ".join(str(entries[int(name)]) for name in partners)
            raise RatingError(f"entries {who} are partners, but in a league one entry plays all seats of a team")
        sums.played = totals.played
        sittings, size = totals.sittings, len(entries)
        seats, score = np.zeros((2, size), np.int64)
        np.add.at(seats, sittings.bot, sittings.count)
        np.add.at(score, sittings.bot, sittings.score)
        none = np.zeros(size, np.int64)
        sums._totals.add(entries, totals.matches, seats, score, none, none)
        for entry, effort in (efforts or {}).items():
            sums._totals.add(np.array([entry]), *np.array([[0], [0], [0], [effort.decisions], [effort.charged_us]]))
        sums._add_faults((faults or {}).items())
        sums.forfeits.update(forfeits or {})
        sums.ready_us.update(ready_us or {})
        for table_size, keys, values in sum_deals(totals.pairs, entries):
            sums._of_size(table_size).add(keys, values)
        return sums

    def add(self, packed: bytes) -> "LeagueSums":
        """Add sums that `to_bytes` made, and return them alone. Raises StoreError where they are damaged."""
        other = _unpack(packed)
        self.played += other.played
        self._totals.add_sums(*other._totals.total())
        self._add_faults(other.faults.items())
        self.forfeits.update(other.forfeits)
        self.ready_us.update(other.ready_us)
        for size, kinds in other.kinds.items():
            self._of_size(size).add(*kinds.rows())
        return other

    def to_bytes(self) -> bytes:
        """Return the sums, packed."""
        entries, totals = self._totals.total()
        columns: list[Ints] = [entries, *totals]
        sizes = sorted(self.kinds)
        for size in sizes:
            keys, sums = self.kinds[size].rows()
            columns += [np.searchsorted(entries, keys[:, :size]).ravel(), keys[:, size:].ravel()]
            pairs = size * (size - 1) // 2
            columns += [sums[:, 0], sums[:, 1 : 1 + pairs].ravel(), sums[:, 1 + pairs :].ravel()]
        faults = [[entry, dict(sorted(self.faults[entry].items()))] for entry in sorted(self.faults)]
        header = {"version": VERSION, "played": self.played, "sizes": sizes, "faults": faults}
        if self.forfeits:  # left out otherwise, as sums had none of them at first
            header["forfeits"] = sorted(self.forfeits.items())
        if self.ready_us:
            header["ready_us"] = sorted(self.ready_us.items())
        packed = pack_columns(header, columns)
        return _digest(packed) + packed

    @property
    def entries(self) -> Ints:
        """The entries, ascending."""
        return self._totals.total()[0]

    def totals(self) -> dict[int, EntryTotals]:
        """Return the totals of each entry."""
        entries, totals = self._totals.total()
        return {entry: EntryTotals(*values) for entry, values in zip(entries.tolist(), totals.T.tolist(), strict=True)}

    def _of_size(self, size: int) -> DealKinds:
        return self.kinds.setdefault(size, DealKinds(size))

    def _add_faults(self, faults: Iterable[tuple[int, Mapping[str, int]]]) -> None:
        for entry, kinds in faults:
            self.faults.setdefault(entry, Counter()).update(kinds)


def _tally(matches: Sequence[TableMatch], team_of: Sequence[int]) -> tuple[Ints, Tally]:
    """Return the entries, ascending, and a tally of the matches in which the name of each is its place among them."""
    entries = sorted({entry for match in matches for entry in match.entries})
    place = {entry: number for number, entry in enumerate(entries)}
    names = [f"{number:09}" for number in range(len(entries))]  # sorted as the entries are
    deals: dict[tuple[int, int], int] = {}
    tally = Tally()
    for table, deal, seated, scores, ranks in matches:
        number = deals.setdefault((table, deal), len(deals))
        row = ResultRow(number, tuple(place[entry] for entry in seated), scores, ranks)
        tally.add(team_result(row, names, team_of))
    return np.array(entries, np.int64), tally


def _digest(packed: bytes) -> bytes:
    return blake2b(packed, digest_size=_DIGEST).digest()


def _unpack(packed: bytes) -> LeagueSums:
    """Return the sums of a packed form. Raises StoreError where it is damaged."""
    content = packed[_DIGEST:]
    if _digest(content) != packed[:_DIGEST]:
        raise StoreError("sums of a batch of a league are damaged: add them up again from its matches")
    header, columns = unpack_columns(content)
    if header["version"] != VERSION:
        raise StoreError(
            f"sums of a batch of a league are of version {header['version']}, and this arena reads {VERSION}: "
            "install the version of arena that made them, or add them up again from the matches"
        )
    sums = LeagueSums()
    sums.played = header["played"]
    at = iter(columns)
    entries = next(at)
    sums._totals.add_sums(entries, np.array([next(at) for _ in range(_TOTALS)]))
    sums._add_faults(header["faults"])
    sums.forfeits.update(dict(header.get("forfeits", [])))
    sums.ready_us.update(dict(header.get("ready_us", [])))
    for size in header["sizes"]:
        members, counts, deals, points, products = (next(at) for _ in range(5))
        of_kinds = (len(deals), -1)
        keys = np.hstack((entries[members].reshape(of_kinds), counts.reshape(of_kinds)))
        values = np.hstack((deals[:, None], points.reshape(of_kinds), products.reshape(of_kinds)))
        sums._of_size(size).add(keys, values)
    return sums
