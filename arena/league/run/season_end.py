"""The end of a season, step by step: settle who plays its final, draw the final, store the final table.

Each step is taken once, by whichever runner comes first, and all that it needs is in the database: a run that begins
in the middle goes on there.
"""

from collections.abc import Callable, Collection
from datetime import date

from msgspec.structs import replace

from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.final import MOST_DRAWS, FinalPart, choose_finalists, part_count, usual_deals
from arena.league.plan.matchmaking.snapshot import Snapshot
from arena.league.plan.secret_chain import new_season
from arena.league.results.season_table import pack_table, season_table, table_digest
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchState, SeasonRow
from arena.league.store.leagues import Leagues
from arena.league.store.seasons import Seasons
from arena.store import Store


class SeasonEnd:
    """The end of the frozen season of a league.

    anchors: the entries whose mean is 0 Elo.
    """

    def __init__(
        self, store: Store, league: int, definition: LeagueDefinition, season: SeasonRow, anchors: Collection[int]
    ) -> None:
        assert season.final is not None
        self._store = store
        self._league = league
        self._definition = definition
        self._season = season
        self._final = season.final
        self._anchors = anchors

    def settle(
        self,
        snapshot: Snapshot,
        stored_as: int,
        tables: Callable[[int], int],
        seen: tuple[int, int],
        among: Collection[int] | None = None,
    ) -> bool:
        """Settle who plays the final; return False if that is settled, a batch is not over, or something else happened.

        snapshot: the ratings.
        stored_as: the number of the snapshot.
        tables: returns how many tables of so many deals make a batch.
        seen: see `Seasons.end`.
        among: the entries that may be finalists; None: all.
        """
        final = self._final
        entries = choose_finalists(snapshot, self._anchors, final.top, self._definition.table_size, among)
        deals = (final.deals or usual_deals(self._definition, len(entries))) if entries else final.deals
        settled = replace(
            final, entries=entries, snapshot=stored_as, deals=deals, tables=tables(deals) if entries else 0
        )
        return Seasons(self._store).settle_final(self._league, self._season.number, settled, "arena", seen)

    def missing_part(self, active: Collection[int]) -> FinalPart | None:
        """Return the first part of the settled final that is to be drawn; None if there is none.

        active: the entries that still play.
        """
        states = Batches(self._store).final_parts(self._league, self._season.number)
        size = self._definition.table_size
        for number in range(part_count(self._final, size)):
            part = FinalPart(self._final, size, number)
            if is_missing(states.get(number, ())) and part.tables(active):
                return part
        return None

    def finish(self, active: Collection[int], today: date, seen: tuple[int, int]) -> bool:
        """Store the final table, publish the secrets and begin the next season, or close the league.

        active: the entries that still play.
        today: the first day of the next season (UTC).
        seen: see `Seasons.end`.

        Returns False if the season has ended, or something else happened meanwhile.
        """
        final, season = self._final, self._season
        snapshot = Snapshot.from_text(Leagues(self._store).snapshot(self._league, final.snapshot))
        left = [entry for entry in final.entries or () if entry not in active]
        sums = Batches(self._store).final_sums(self._league, season.number)
        packed = pack_table(season_table(snapshot, self._anchors, final, left, sums))
        states = Batches(self._store).final_parts(self._league, season.number)
        omitted = [
            part for part in range(part_count(final, self._definition.table_size)) if not is_played(states, part)
        ]
        details = {"table": table_digest(packed), "left": left, "omitted": omitted}
        new = None if final.closes else new_season(season.number + 1, today, entropy=season.entropy)
        return Seasons(self._store).end(self._league, season.number, packed, details, "arena", new, seen)


def is_missing(states: Collection[BatchState]) -> bool:
    """Return whether a part of a final is to be drawn.

    states: of its batches.
    """
    return all(state == "void" for state in states) and len(states) < MOST_DRAWS


def is_played(states: dict[int, list[BatchState]], part: int) -> bool:
    """Return whether a batch of a part of a final is stored.

    states: of its batches, by part.
    """
    return "stored" in states.get(part, ())
