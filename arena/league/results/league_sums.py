"""Sums of the matches of a league: all that its ratings and its board need, for ever.

Sums are whole numbers: those of any parts make up those of the whole, and the same matches give the same bytes in
whatever order they come.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple, Self

import numpy as np

from arena.league.results.deal_kinds import DealKinds
from arena.league.results.deal_sums import sized_deals
from arena.league.results.experiment_sums import ExperimentSums, KindRows, SetNumbers, find_repeats
from arena.ratings.integer_columns import pack_columns, unpack_columns
from arena.ratings.keyed_sums import Ints, KeyedSums
from arena.ratings.repeats import Repeats
from arena.ratings.tally import Tally
from arena.results.team_results import team_result
from arena.store.engine.errors import StoreError
from arena.values.errors import RatingError
from arena.values.rows import EffortRow, ResultRow

VERSION = 2
"""The version of the packed form. Sums without experiments have version 1, as all had before."""

_DIGEST = 8
_TOTALS = 5


class EntryTotals(NamedTuple):
    """What an entry did in all its matches."""

    matches: int
    """The number of matches that it played."""
    seats: int
    """The number of seats that it held in them; with teams, of teams that it played."""
    score: int
    """The sum of its scores, in the game's unit."""
    decisions: int
    """The number of its decisions."""
    charged_us: int
    """The time charged for its decisions, in microseconds."""


class LeagueSums:
    """Sums of matches: deals by kind, and totals by entry."""

    def __init__(self) -> None:
        self.played = 0
        """The number of matches."""
        self.loose: dict[int, DealKinds] = {}
        """The deals that are experiments of their own, by the number of entries that met in them."""
        self.experiments: dict[int, ExperimentSums] = {}
        """The deals that may repeat others, or begin as others do, by the number of entries that met in them."""
        self.faults: dict[int, Counter[str]] = {}
        """The number of faults by kind, of each entry that made any."""
        self.forfeits = Counter[int]()
        """The number of matches, or with teams of seats, that an entry forfeited, of each entry that forfeited any."""
        self.ready_us = Counter[int]()
        """How long each entry that got ready for matches took, in microseconds. No match tells of it."""
        self._totals = KeyedSums(_TOTALS)

    @classmethod
    def of_matches(
        cls,
        matches: Iterable[ResultRow],
        *,
        team_of: Sequence[int] = (),
        sets: Mapping[tuple[int, int], SetNumbers] | None = None,
        efforts: Mapping[int, EffortRow] | None = None,
        faults: Mapping[int, Mapping[str, int]] | None = None,
        forfeits: Mapping[int, int] | None = None,
        ready_us: Mapping[int, int] | None = None,
    ) -> Self:
        """Return the sums of the matches of a batch.

        team_of: the team of each seat, in games with teams, which are rated as in tournaments: a match compares teams,
            and an entry plays all seats of its own.
        sets: by table and deal, what tells experiments; None where each deal is one.
        efforts, faults, forfeits: of entries, as `Store` sums them up.
        ready_us: how long entries took to get ready, in microseconds.

        Raises RatingError where entries are partners, and ValueError as `Tally.add`.
        """
        sums = cls()
        entries, deals, tally = _tally(list(matches), team_of)
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
        numbers = np.array([sets[deal] for deal in deals] if sets else [], np.int64)
        for sized in sized_deals(totals.pairs, entries):
            keys, of_kinds, kind = sized.sums()
            if not sets:
                sums._of_size(sized.size).add(keys, of_kinds)
                continue
            of_pairs = sized.values[:, : 1 + sized.size * (sized.size - 1) // 2].T
            experiment, log = numbers[sized.deals].T
            sums._experiments_of(sized.size).add(
                keys, of_kinds, KindRows(kind, experiment, of_pairs), KindRows(kind, log, of_pairs[:1])
            )
        return sums

    def add(self, packed: bytes) -> "LeagueSums":
        """Add sums that `to_bytes` made, and return them alone. Raises StoreError where they are damaged."""
        other = _unpack(packed)
        self.played += other.played
        self._totals.add_sums(*other._totals.total())
        self._add_faults(other.faults.items())
        self.forfeits.update(other.forfeits)
        self.ready_us.update(other.ready_us)
        for size, kinds in other.loose.items():
            self._of_size(size).add(*kinds.rows())
        for size, experiments in other.experiments.items():
            self._experiments_of(size).add(*experiments.columns())
        return other

    @property
    def kinds(self) -> list[DealKinds]:
        """The kinds of all deals, whether these are experiments of their own or not."""
        return [*self.loose.values(), *(sums.kinds for sums in self.experiments.values())]

    @property
    def repeats(self) -> Repeats | None:
        """What was found of repeats; None where they were not looked for."""
        deals = sum(int(kinds.deals.sum()) for kinds in self.kinds)
        return find_repeats(self.experiments, self.loose.values(), round(self.played / max(deals, 1)))

    def forget_experiments(self) -> None:
        """Take each deal for an experiment of its own."""
        for size, experiments in self.experiments.items():
            self._of_size(size).add(*experiments.kinds.rows())
        self.experiments.clear()

    def to_bytes(self) -> bytes:
        """Return the sums, packed."""
        entries, totals = self._totals.total()
        columns: list[Ints] = [entries, *totals]
        sizes = sorted(self.loose)
        for size in sizes:
            columns += _kind_columns(size, entries, *self.loose[size].rows())
        faults = [[entry, dict(sorted(self.faults[entry].items()))] for entry in sorted(self.faults)]
        version = VERSION if self.experiments else 1
        header = {"version": version, "played": self.played, "sizes": sizes, "faults": faults}
        if self.forfeits:  # left out otherwise, as sums had none of them at first
            header["forfeits"] = sorted(self.forfeits.items())
        if self.ready_us:
            header["ready_us"] = sorted(self.ready_us.items())
        tables: list[list[int]] = []
        for size in sorted(self.experiments):
            keys, sums, experiments, sets, bits, zeros = self.experiments[size].columns()
            tables.append([size, bits, zeros])
            columns += _kind_columns(size, entries, keys, sums)
            columns += [*experiments[:2], experiments.sums.ravel(), *sets[:2], sets.sums.ravel()]
        if tables:
            header["experiments"] = tables
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
        return self.loose.setdefault(size, DealKinds(size))

    def _experiments_of(self, size: int) -> ExperimentSums:
        return self.experiments.setdefault(size, ExperimentSums(size))

    def _add_faults(self, faults: Iterable[tuple[int, Mapping[str, int]]]) -> None:
        for entry, kinds in faults:
            self.faults.setdefault(entry, Counter()).update(kinds)


def _tally(matches: Sequence[ResultRow], team_of: Sequence[int]) -> tuple[Ints, dict[tuple[int, int], int], Tally]:
    """Return the entries, the numbers of deals by table and deal, and a tally of the matches.

    The entries are ascending, and the name of each in the tally is its place among them.
    """
    entries = sorted({entry for match in matches for entry in match.entrants})
    place = {entry: number for number, entry in enumerate(entries)}
    names = [f"{number:09}" for number in range(len(entries))]  # sorted as the entries are
    deals: dict[tuple[int, int], int] = {}
    tally = Tally()
    for match in matches:
        number = deals.setdefault((match.table, match.deal), len(deals))
        seated = tuple(place[entry] for entry in match.entrants)
        tally.add(team_result(match._replace(deal=number, entrants=seated), names, team_of))
    return np.array(entries, np.int64), deals, tally


def _kind_columns(size: int, entries: Ints, keys: Ints, sums: Ints) -> list[Ints]:
    """Return what `DealKinds.rows` returned as columns, in which entries stand by their places."""
    pairs = size * (size - 1) // 2
    return [
        np.searchsorted(entries, keys[:, :size]).ravel(),
        keys[:, size:].ravel(),
        sums[:, 0],
        sums[:, 1 : 1 + pairs].ravel(),
        sums[:, 1 + pairs :].ravel(),
    ]


def _kind_rows(entries: Ints, at: Iterator[Ints]) -> tuple[Ints, Ints]:
    """Return what `_kind_columns` made columns of."""
    members, counts, deals, points, products = (next(at) for _ in range(5))
    of_kinds = (len(deals), -1)
    keys = np.hstack((entries[members].reshape(of_kinds), counts.reshape(of_kinds)))
    return keys, np.hstack((deals[:, None], points.reshape(of_kinds), products.reshape(of_kinds)))


def _number_rows(at: Iterator[Ints]) -> KindRows:
    kind, number, sums = (next(at) for _ in range(3))
    return KindRows(kind, number, sums.reshape(-1, len(kind)))


def _digest(packed: bytes) -> bytes:
    return blake2b(packed, digest_size=_DIGEST).digest()


def _unpack(packed: bytes) -> LeagueSums:
    """Return the sums of a packed form. Raises StoreError where it is damaged."""
    content = packed[_DIGEST:]
    if _digest(content) != packed[:_DIGEST]:
        raise StoreError("sums of a batch of a league are damaged: add them up again from its matches")
    header, columns = unpack_columns(content)
    if not 1 <= header["version"] <= VERSION:
        raise StoreError(
            f"sums of a batch of a league are of version {header['version']}, and this arena reads up to {VERSION}: "
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
        sums._of_size(size).add(*_kind_rows(entries, at))
    for size, bits, zeros in header.get("experiments", []):
        keys, values = _kind_rows(entries, at)
        sums._experiments_of(size).add(keys, values, _number_rows(at), _number_rows(at), bits, zeros)
    return sums
