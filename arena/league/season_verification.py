"""Verification of the ends of seasons: that finalists, parts of the final and the final table follow."""

from collections.abc import Iterator, Sequence

from arena.league.division_verification import first_division_before
from arena.league.freeze_verification import FreezeCheck
from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.final import MOST_DRAWS, FinalPart, choose_finalists, part_count, usual_deals
from arena.league.plan.matchmaking.errors import DrawError
from arena.league.plan.matchmaking.snapshot import Snapshot
from arena.league.results.season_table import (
    SeasonPlace,
    season_table,
    table_digest,
    unpack_table,
)
from arena.league.run.season_end import is_played
from arena.league.store.batches import Batches
from arena.league.store.league_rows import EntryRow, Final, LeagueRow, SeasonRow
from arena.league.store.leagues import Leagues
from arena.league.store.seasons import Seasons
from arena.store import NoSuchRow, Store, StoreError, StoreUnavailable
from arena.values.rows import DecisionRow

TOLERANCE = 0.02
"""Elo: by so much a fit may differ on another machine, after it was rounded."""


def season_problems(store: Store, league: LeagueRow, definition: LeagueDefinition) -> Iterator[str]:
    """Yield a sentence for everything in the ends of a league's seasons that does not follow."""
    with store.snapshot():
        seasons, log = Leagues(store).seasons(league.id), Leagues(store).log(league.id)
        entries, batches = Leagues(store).entries(league.id), Batches(store).of(league.id)
    freezes = FreezeCheck(store, league.id, entries, log, batches)
    for season in seasons:
        if season.final is not None:
            check = _SeasonCheck(store, league, definition, season, season.final, log, entries, freezes)
            try:
                for problem in check.problems():
                    yield f"season {season.number}: {problem}"
            except StoreUnavailable:
                raise
            except StoreError as error:
                yield f"season {season.number}: {error}"


class _SeasonCheck:
    """Checks the end of one season.

    log, entries: of the league.
    """

    def __init__(
        self,
        store: Store,
        league: LeagueRow,
        definition: LeagueDefinition,
        season: SeasonRow,
        final: Final,
        log: Sequence[DecisionRow],
        entries: Sequence[EntryRow],
        freezes: FreezeCheck,
    ) -> None:
        self._store = store
        self._league = league.id
        self._definition = definition
        self._season = season
        self._final = final
        self._log = log
        self._entries = {entry.number: entry for entry in entries}
        self._anchors = [entry.number for entry in entries if entry.is_anchor]
        self._freezes = freezes

    def problems(self) -> Iterator[str]:
        """Yield a sentence for everything that does not follow. Raises StoreError where sums are damaged."""
        final, number = self._final, self._season.number
        frozen = self._entry("freeze")
        if frozen is None or frozen.details["top"] != final.top or frozen.details["close"] != final.closes:
            yield "its final is not the one that the log decided"
            return
        if final.entries is None:
            return
        settled = self._entry("final")
        if settled is None or settled.details != {"season": number, **final.to_json()}:
            yield "its finalists are not those of the log"
            return
        try:
            text = Leagues(self._store).snapshot(self._league, final.snapshot)
            snapshot = Snapshot.from_text(text)
        except (NoSuchRow, DrawError):
            yield f"snapshot {final.snapshot}, by which its finalists were chosen, is missing"
            return
        among = first_division_before(self._log, settled.number, self._entries, self._freezes)
        entries = choose_finalists(snapshot, self._anchors, final.top, self._definition.table_size, among)
        usual = usual_deals(self._definition, len(entries)) if entries else 0
        if (entries, final.deals) != (final.entries, frozen.details["deals"] or usual):
            yield f"its finalists, or their deals, do not follow from snapshot {final.snapshot}"
            return
        yield from self._freezes.problems(number, snapshot, final.snapshot, settled.number)
        # A league that was closed in the middle of a final has no table of it.
        is_broken_off = self._entry("end-season") is None and any(row.kind == "close" for row in self._log)
        if self._season.ended is not None and not is_broken_off:
            yield from self._table_problems(snapshot)

    def _table_problems(self, snapshot: Snapshot) -> Iterator[str]:
        ended = self._entry("end-season")
        stored = Seasons(self._store).standings(self._league, self._season.number)
        if ended is None or stored is None or table_digest(stored) != ended.details["table"]:
            yield "its final table is not the one of the log"
            return
        left = self._left_before(ended)
        if left != ended.details["left"]:
            yield "the finalists that left it are not those of the log"
        yield from self._part_problems(left, ended)
        sums = Batches(self._store).final_sums(self._league, self._season.number)
        expected = season_table(snapshot, self._anchors, self._final, left, sums)
        table = unpack_table(stored)
        if len(table) != len(expected) or not all(map(_is_same, table, expected)):
            yield "its final table does not follow from its final"

    def _part_problems(self, left: Sequence[int], ended: DecisionRow) -> Iterator[str]:
        size = self._definition.table_size
        states = Batches(self._store).final_parts(self._league, self._season.number)
        playing = [entry for entry in self._final.entries or () if entry not in left]
        for number in range(part_count(self._final, size)):
            is_omitted = number in ended.details["omitted"]
            part = FinalPart(self._final, size, number)
            if is_played(states, number) == is_omitted:
                yield f"part {number + 1} of its final was not played, and not left out, as the log says"
            elif is_omitted and part.tables(playing) and states.get(number, []).count("void") < MOST_DRAWS:
                yield f"part {number + 1} of its final was left out without a reason"

    def _entry(self, kind: str) -> DecisionRow | None:
        """Return the entry of the log of this kind about the season; None if there is none."""
        of_kind = (row for row in self._log if row.kind == kind and row.details.get("season") == self._season.number)
        return next(of_kind, None)

    def _left_before(self, ended: DecisionRow) -> list[int]:
        """Return the finalists that were not active when the season ended, by the log."""
        inactive = set[int]()
        for row in self._log[: ended.number]:
            if row.kind in ("suspend", "retire"):
                inactive.add(row.details["entry"])
            elif row.kind in ("readmit", "place"):
                inactive.discard(row.details["entry"])
        return [entry for entry in self._final.entries or () if entry in inactive]


def _is_same(one: SeasonPlace, other: SeasonPlace) -> bool:
    places = [(place.rank, place.entry, place.elo, place.ci95, place.deals, place.has_left) for place in (one, other)]
    if places[0] != places[1] or (one.final is None) != (other.final is None):
        return False
    if one.final is None or other.final is None:
        return True
    counts = [
        (report.bound, report.deals, report.matches, report.points, report.comparisons)
        for report in (one.final, other.final)
    ]
    return counts[0] == counts[1] and abs(one.final.elo - other.final.elo) <= TOLERANCE
