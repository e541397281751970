"""The results of a tournament."""

import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import overload

from arena.api.databases import Database
from arena.api.errors import library_errors
from arena.api.frames import Frame
from arena.api.match import Match
from arena.api.ranking_table import RankingTable
from arena.replay.html import tag
from arena.results.archive.result_tables import results_parquet, results_table
from arena.results.standings import Standings, standings
from arena.results.stored_tournament import StoredTournament
from arena.results.tournament_header import tournament_header
from arena.store import Store, open_store


class Results:
    """The results of a tournament, as far as it is stored. In a notebook they show the ranking.

    id: the number of the tournament in its database.
    db: that database: the path of a file, or a URL. All commands of arena can read it (`arena ranking ID --db PATH`). A
        temporary one is removed when nobody holds the results any more.
    """

    def __init__(self, db: str, tournament: int | None, remove: Callable[[], None] | None = None) -> None:
        """Read a tournament; `tournament` and `load_results` do.

        remove: removes a temporary database.
        """
        self._database = _OpenDatabase(db, remove)
        self._tournament = StoredTournament.load(self._database.store, tournament)
        self.db = db
        self.id = self._tournament.id

    @property
    def game(self) -> str:
        """The id of the game."""
        return self._tournament.game

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of the bots, in the order in which they entered."""
        return tuple(self._tournament.names)

    @cached_property
    def ranking(self) -> RankingTable:
        """The ranking: a joint fit over all matches, with 95 % intervals."""
        return RankingTable(self._standings)

    @cached_property
    def matches(self) -> "Matches":
        """The matches, in the order of the schedule: a sequence that reads each of them when it is asked for."""
        return Matches(self._database, self.id)

    @property
    def verdict(self) -> str | None:
        """Why a test ended the tournament before its last round, as a sentence; None if it did not."""
        verdict = self._standings.verdict
        return None if verdict is None else verdict.sentence

    def to_frame(self) -> Frame:
        """Return one row per seat of each match as a `pyarrow.Table`.

        It has the Arrow PyCapsule interface and the dataframe interchange protocol, by which others take it:
        `results.to_frame().to_pandas()`, `polars.DataFrame(results.to_frame())`. The columns are those of
        `arena tourney export --format parquet`: match, round, deal, rotation, seat, bot, score, rank, decisions,
        time_ms, faults and others; the metadata of each field tells its meaning.

        Raises ArchiveError where pyarrow is not installed.
        """
        return results_table(self._database.store, self.id)

    def to_parquet(self, file: str | PathLike[str]) -> None:
        """Write the table of `to_frame` as a Parquet file, whatever its size in little memory.

        Raises ArchiveError as `to_frame`, OSError where the file cannot be written.
        """
        parts = results_parquet(self._database.store, self.id)
        with Path(file).open("wb") as out:
            out.writelines(parts)

    def __repr__(self) -> str:
        row = self._tournament.row
        return f"<Results of tournament {self.id}: {self.game}, {len(self.matches):,} of {row.matches:,} matches>"

    def __str__(self) -> str:
        return "\n".join([*self._header(), "", str(self.ranking)])

    def _repr_html_(self) -> str:
        header = "".join(str(tag("p", {}, line)) for line in self._header())
        return header + self.ranking._repr_html_()

    def _header(self) -> Iterator[str]:
        return tournament_header(self._tournament, self._standings)

    @cached_property
    def _standings(self) -> Standings:
        return standings(self._tournament)


class Matches(Sequence[Match]):
    """The matches of a tournament, read one by one."""

    def __init__(self, database: "_OpenDatabase", tournament: int) -> None:
        """List them; `Results.matches` does."""
        self._database = database
        self._tournament = tournament
        self._ids = database.store.match_ids(tournament)

    @overload
    def __getitem__(self, place: int) -> Match: ...
    @overload
    def __getitem__(self, place: slice) -> list[Match]: ...
    def __getitem__(self, place: int | slice) -> Match | list[Match]:
        store = self._database.store
        if isinstance(place, slice):
            return [Match(store.match(id)) for id in self._ids[place]]
        return Match(store.match(self._ids[place]))

    def __len__(self) -> int:
        return len(self._ids)

    def __repr__(self) -> str:
        return f"<{len(self):,} matches of tournament {self._tournament}>"


def load_results(db: Database, tournament: int | None = None) -> Results:
    """Return the results of a stored tournament, of any kind of bots.

    db: the path of a database file, or postgresql://USER@HOST/NAME.
    tournament: its number; None: the latest.

    Raises NoDatabase, NoSuchRow or StoreError (all ArenaErrors) where it cannot be read.
    """
    with library_errors():
        return Results(str(db), tournament)


class _OpenDatabase:
    """A database that is closed when nobody refers to it any more, and removed if it is temporary."""

    def __init__(self, where: str, remove: Callable[[], None] | None) -> None:
        self.store = open_store(where)
        weakref.finalize(self, _release, self.store, remove)


def _release(store: Store, remove: Callable[[], None] | None) -> None:
    store.close()
    if remove is not None:
        remove()
