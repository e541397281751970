"""Operations on leagues: what is played, who leads, and what organisers and owners decide."""

from typing import Annotated

from msgspec import Meta, Struct
from starlette.responses import Response

from arena.league import control
from arena.league.results.season_report import report_season
from arena.league.store.batches import Batches
from arena.league.store.league_rows import LeagueRow
from arena.league.store.leagues import Leagues
from arena.server.api.batch_values import BatchList, BatchValue, batch_item, batch_value
from arena.server.api.event_feeds import Feeds
from arena.server.api.league_values import (
    BoardValue,
    EntryList,
    EntryValue,
    LeagueList,
    LeagueProgress,
    LeagueValue,
    SeasonTableValue,
    board_value,
    entry_value,
    find_entry,
    league_item,
    league_value,
    season_table_value,
)
from arena.server.api.operations import PREFIX, Call, Operation, PageQuery, Reason
from arena.server.api.paging import next_link
from arena.server.leagues.cache import LeagueCache, LeagueView
from arena.server.requests.parameters import LARGEST_NUMBER
from arena.store import Store
from arena.store.people.account_tokens import MANAGE
from arena.values.texts import printable

NO_LEAGUE = f"there is no league {{league}}: {PREFIX}/leagues lists them"
NO_ENTRY = f"the league {{league}} has no entry {{entry}}: {PREFIX}/leagues/{{league}}/entries lists them"
NO_SEASON = f"the league {{league}} has no season {{season}}: {PREFIX}/leagues/{{league}} lists them"
NO_BATCH = f"the league {{league}} has no batch {{batch}}: {PREFIX}/leagues/{{league}}/batches lists them"


class BoardQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What a board shows."""

    all: Annotated[bool, Meta(description="With entries that are retired or suspended.")] = False


class SeasonEnding(Struct, frozen=True, forbid_unknown_fields=True):
    """How the season of a league ends. What is left out is as the league was created."""

    season: Annotated[int, Meta(ge=1, le=LARGEST_NUMBER)] | None = None
    """The number of the season, so that a request that is repeated does not end the next one; null: the newest."""
    top: Annotated[int, Meta(ge=2, le=LARGEST_NUMBER)] | None = None
    """The largest number of finalists."""
    deals: Annotated[int, Meta(ge=1, le=LARGEST_NUMBER)] | None = None
    """The number of deals of each table of the final."""
    close: bool = False
    """Whether the league is closed after the final, instead of beginning a next season."""
    reason: Annotated[str, Meta(max_length=500)] = ""
    """Why the season ends, for the log of the league."""


class LeagueOperations:
    """The handlers.

    leagues: the leagues as they were read last.
    """

    def __init__(self, store: Store, leagues: LeagueCache, feeds: Feeds) -> None:
        self._store = store
        self._leagues = leagues
        self._feeds = feeds

    def operations(self) -> list[Operation]:
        """Return the declarations."""
        one = "/leagues/{league}"
        entry = f"{one}/entries/{{entry:number}}"
        return [
            Operation("listLeagues", "GET", "/leagues", "List the leagues.", self.all, LeagueList),
            Operation("getLeague", "GET", one, "Show a league.", self.league, LeagueValue, NO_LEAGUE),
            Operation(
                "getBoard", "GET", f"{one}/board", "Show the board.", self.board, BoardValue, NO_LEAGUE, BoardQuery
            ),
            Operation(
                "followLeague",
                "GET",
                f"{one}/events",
                "Follow a league.",
                self.follow,
                None,
                NO_LEAGUE,
                events={"league": LeagueProgress},
            ),
            Operation(
                "listEntries",
                "GET",
                f"{one}/entries",
                "List the entries of a league.",
                self.entries,
                EntryList,
                NO_LEAGUE,
                PageQuery,
            ),
            Operation("getEntry", "GET", entry, "Show an entry.", self.entry, EntryValue, NO_ENTRY),
            Operation(
                "getSeason",
                "GET",
                f"{one}/seasons/{{season:number}}",
                "Show the final table of a season.",
                self.season,
                SeasonTableValue,
                NO_SEASON,
            ),
            Operation(
                "listBatches",
                "GET",
                f"{one}/batches",
                "List the batches of a league.",
                self.batches,
                BatchList,
                NO_LEAGUE,
                PageQuery,
            ),
            Operation(
                "getBatch", "GET", f"{one}/batches/{{batch:number}}", "Show a batch.", self.batch, BatchValue, NO_BATCH
            ),
            *(
                Operation(
                    f"{word}League",
                    "POST",
                    f"{one}/{word}",
                    f"{word.capitalize()} a league.",
                    self.decide,
                    LeagueValue,
                    NO_LEAGUE,
                    scopes=(MANAGE,),
                    body=Reason,
                )
                for word in ("pause", "resume", "close")
            ),
            Operation(
                "endSeason",
                "POST",
                f"{one}/end-season",
                "End the season of a league with a final.",
                self.end_season,
                LeagueValue,
                NO_LEAGUE,
                scopes=(MANAGE,),
                body=SeasonEnding,
            ),
        ]

    def all(self, _call: Call) -> LeagueList:
        """Return the list of leagues."""
        with self._store.snapshot():
            return LeagueList([league_item(self._store, row) for row in Leagues(self._store).all()])

    def league(self, call: Call) -> LeagueValue:
        """Return a league."""
        with self._store.snapshot():
            return league_value(self._store, self._league(call))

    def board(self, call: Call) -> BoardValue:
        """Return the board of a league."""
        return board_value(self._view(call).board, past=call.query.all)

    async def follow(self, call: Call) -> Response:
        """Return the progress of a league as server-sent events."""
        return await self._feeds.league(call.path["league"])

    def entries(self, call: Call) -> EntryList:
        """Return a part of the entries."""
        rows = sorted(self._view(call).board.rows, key=lambda row: -row.entry.number)
        rows = [row for row in rows if call.query.before is None or row.entry.number < call.query.before]
        shown = rows[: call.query.limit]
        following = next_link(call, shown[-1].entry.number) if len(rows) > len(shown) else None
        return EntryList(list(map(entry_value, shown)), following)

    def entry(self, call: Call) -> EntryValue:
        """Return an entry."""
        return find_entry(self._view(call), call.path["entry"])

    def season(self, call: Call) -> SeasonTableValue:
        """Return the final table of a season."""
        with self._store.snapshot():
            return season_table_value(report_season(self._store, self._league(call), call.path["season"]))

    def batches(self, call: Call) -> BatchList:
        """Return a part of the batches."""
        limit = call.query.limit
        rows = Batches(self._store).of(self._league(call).id, limit=limit + 1, before=call.query.before)
        following = next_link(call, rows[limit - 1].number) if len(rows) > limit else None
        return BatchList(list(map(batch_item, rows[:limit])), following)

    def batch(self, call: Call) -> BatchValue:
        """Return a batch with its attempts."""
        return batch_value(self._store, self._league(call), call.path["batch"])

    def decide(self, call: Call) -> LeagueValue:
        """Pause, resume or close a league."""
        name, decide = self._league(call).name, call.request.url.path.rpartition("/")[2]
        {"pause": control.pause, "resume": control.resume, "close": control.close}[decide](
            self._store, name, call.account.name, printable(call.body.reason, "")
        )
        return self.league(call)

    def end_season(self, call: Call) -> LeagueValue:
        """Freeze the season of a league."""
        name, body = self._league(call).name, call.body
        by, reason = call.account.name, printable(call.body.reason, "")
        season, is_new = control.end_season(
            self._store,
            name,
            number=body.season,
            top=body.top,
            deals=body.deals,
            closes=body.close,
            by=by,
            reason=reason,
        )
        if not is_new:
            raise control.LeagueError(f"season {season.number} of the league {name} is frozen already")
        return self.league(call)

    def _view(self, call: Call) -> LeagueView:
        return self._leagues.of(call.path["league"]).view()

    def _league(self, call: Call) -> LeagueRow:
        return Leagues(self._store).named(call.path["league"])
