"""Operations on leagues: what is played, who leads, and what organisers and owners decide."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Annotated

from anyio.to_thread import run_sync
from msgspec import Meta, Struct
from starlette.responses import Response

from arena.league import control
from arena.league.announcements.control import LONGEST, announce, announcements, retract
from arena.league.dates.control import GivenDates, extend, set_dates
from arena.league.results.season_report import report_season
from arena.league.store.batches import Batches
from arena.league.store.league_rows import LeagueRow
from arena.league.store.leagues import Leagues
from arena.server.api.batch_values import BatchList, BatchValue, batch_items, batch_value
from arena.server.api.division_values import DivisionsValue, divisions_value
from arena.server.api.event_feeds import Feeds
from arena.server.api.league_values import (
    AnnouncementList,
    AnnouncementValue,
    BoardValue,
    EntryList,
    EntryValue,
    LeagueList,
    LeagueProgress,
    LeagueValue,
    SeasonTableValue,
    announcement_value,
    board_value,
    entry_value,
    find_entry,
    league_item,
    league_value,
    season_table_value,
)
from arena.server.api.operations import PREFIX, Call, Number, PageQuery, Reason, operation
from arena.server.api.paging import next_link
from arena.server.leagues import divisions
from arena.server.leagues.cache import LeagueCache, LeagueView
from arena.server.leagues.groups import choose
from arena.server.requests.parameters import LARGEST_NUMBER
from arena.store import Store
from arena.store.people.account_tokens import MANAGE
from arena.values.texts import printable

LeagueName = Annotated[str, Meta(min_length=1, description="The name of a league.")]
EntryNumber = Annotated[Number, Meta(description="The number of an entry in the league.")]
AnnouncementNumber = Annotated[Number, Meta(description="The number of an announcement of the league.")]
BatchNumber = Annotated[Number, Meta(description="The number of a batch in the league.")]
SeasonNumber = Annotated[Number, Meta(description="The number of a season of the league.")]

NO_LEAGUE = f"there is no league {{league}}: {PREFIX}/leagues lists them"
NO_ENTRY = f"the league {{league}} has no entry {{entry}}: {PREFIX}/leagues/{{league}}/entries lists them"
NO_SEASON = f"the league {{league}} has no season {{season}}: {PREFIX}/leagues/{{league}} lists them"
NO_ANNOUNCEMENT = (
    f"the league {{league}} has no announcement {{announcement}}: {PREFIX}/leagues/{{league}}/announcements lists them"
)
NO_BATCH = f"the league {{league}} has no batch {{batch}}: {PREFIX}/leagues/{{league}}/batches lists them"


class BoardQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What a board shows."""

    all: Annotated[bool, Meta(description="With entries that are retired or suspended.")] = False
    group: Annotated[
        Annotated[str, Meta(min_length=1, max_length=200)] | None,
        Meta(description="Of this group of accounts; no rows where you may not see it."),
    ] = None


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


GivenTime = Annotated[str, Meta(min_length=1, max_length=64)]


class DatesChange(Struct, frozen=True, forbid_unknown_fields=True):
    """New dates of a season; what is null stays as it is.

    A time is like "2026-05-01T18:00", in the time zone, or has its offset; "none" takes a date back.
    """

    opens: GivenTime | None = None
    """Before it nothing is played; bots may be handed in."""
    deadline: GivenTime | None = None
    """What is received before it counts for the season; the rest enters with the next one."""
    hides: GivenTime | None = None
    """From when on visitors see the board as it stood then, until the season ends; it may be in the past."""
    ends: GivenTime | None = None
    """When the season ends with its final."""
    timezone: GivenTime | None = None
    """The time zone of times without an offset, and in which the dates are shown first, such as "Europe/Berlin"."""
    season: Annotated[int, Meta(ge=1, le=LARGEST_NUMBER)] | None = None
    """The number of the season, which may be the next one; null: the newest."""
    reason: Annotated[str, Meta(max_length=500)] = ""
    """Why, for the log of the league."""


class Extension(Struct, frozen=True, forbid_unknown_fields=True):
    """A later deadline of one owner."""

    owner: Annotated[str, Meta(min_length=1, max_length=80)]
    """The part of the names of its bots before the slash."""
    until: GivenTime
    """A time as in `DatesChange`; "none" takes the extension back."""
    timezone: Annotated[str, Meta(max_length=64)] = ""
    """The time zone of a time without an offset; empty: that of the dates of the league."""
    reason: Annotated[str, Meta(max_length=500)] = ""
    """Why, for the log of the league."""


class AnnouncedText(Struct, frozen=True, forbid_unknown_fields=True):
    """The text of an announcement."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST)]
    """Plain text, in which addresses that begin with https:// become links."""


class LeagueOperations:
    """The handlers.

    leagues: the leagues as they were read last.
    """

    def __init__(self, store: Store, leagues: LeagueCache, feeds: Feeds) -> None:
        self._store = store
        self._leagues = leagues
        self._feeds = feeds

    @operation("listLeagues", "GET", "/leagues")
    def all(self, _call: Call) -> LeagueList:
        """List the leagues."""
        with self._store.snapshot():
            return LeagueList([league_item(self._store, row) for row in Leagues(self._store).all()])

    @operation("getLeague", "GET", "/leagues/{league}", NO_LEAGUE)
    def league(self, call: Call, league: LeagueName) -> LeagueValue:
        """Show a league."""
        with self._store.snapshot():
            return league_value(self._store, call.access.league(self._store, league))

    @operation("getBoard", "GET", "/leagues/{league}/board", NO_LEAGUE)
    def board(self, call: Call, league: LeagueName, query: BoardQuery) -> BoardValue:
        """Show the board."""
        board = self._view(call, league).board
        if query.group is not None:
            board = choose(self._store, board, call.access, {"group": query.group}).board
        return board_value(board, self._names(call), past=query.all)

    @operation("getDivisions", "GET", "/leagues/{league}/divisions", NO_LEAGUE)
    def divisions(self, call: Call, league: LeagueName) -> DivisionsValue:
        """Show the divisions."""
        cached = self._leagues.of(league, call.access)
        return divisions_value(cached.name, divisions.report(self._store, cached), cached.view().board.names)

    @operation("followLeague", "GET", "/leagues/{league}/events", NO_LEAGUE, events={"league": LeagueProgress})
    async def follow(self, call: Call, league: LeagueName) -> Response:
        """Follow a league."""
        row = await run_sync(call.access.league, self._store, league)
        return await self._feeds.league(row.name)

    @operation("listEntries", "GET", "/leagues/{league}/entries", NO_LEAGUE)
    def entries(self, call: Call, league: LeagueName, query: PageQuery) -> EntryList:
        """List the entries of a league."""
        rows = sorted(self._view(call, league).board.rows, key=lambda row: -row.entry.number)
        rows = [row for row in rows if query.before is None or row.entry.number < query.before]
        shown = rows[: query.limit]
        following = next_link(call, shown[-1].entry.number) if len(rows) > len(shown) else None
        names = self._names(call)
        return EntryList([entry_value(row, names) for row in shown], following)

    @operation("getEntry", "GET", "/leagues/{league}/entries/{entry}", NO_ENTRY)
    def entry(self, call: Call, league: LeagueName, entry: EntryNumber) -> EntryValue:
        """Show an entry."""
        return find_entry(self._view(call, league), entry, self._names(call))

    @operation("getSeason", "GET", "/leagues/{league}/seasons/{season}", NO_SEASON)
    def season(self, call: Call, league: LeagueName, season: SeasonNumber) -> SeasonTableValue:
        """Show the final table of a season."""
        with self._store.snapshot():
            row = call.access.league(self._store, league)
            return season_table_value(report_season(self._store, row, season), self._names(call))

    @operation("listBatches", "GET", "/leagues/{league}/batches", NO_LEAGUE)
    def batches(self, call: Call, league: LeagueName, query: PageQuery) -> BatchList:
        """List the batches of a league."""
        limit = query.limit
        with self._store.snapshot():
            rows = Batches(self._store).of(
                call.access.league(self._store, league).id, limit=limit + 1, before=query.before
            )
            items = batch_items(self._store, rows[:limit])
        following = next_link(call, rows[limit - 1].number) if len(rows) > limit else None
        return BatchList(items, following)

    @operation("getBatch", "GET", "/leagues/{league}/batches/{batch}", NO_BATCH)
    def batch(self, call: Call, league: LeagueName, batch: BatchNumber) -> BatchValue:
        """Show a batch."""
        return batch_value(self._store, call.access.league(self._store, league), batch)

    @operation("pauseLeague", "POST", "/leagues/{league}/pause", NO_LEAGUE, scopes=(MANAGE,))
    def pause(self, call: Call, league: LeagueName, body: Reason) -> LeagueValue:
        """Pause a league."""
        return self._decided(control.pause, call, league, body)

    @operation("resumeLeague", "POST", "/leagues/{league}/resume", NO_LEAGUE, scopes=(MANAGE,))
    def resume(self, call: Call, league: LeagueName, body: Reason) -> LeagueValue:
        """Resume a league."""
        return self._decided(control.resume, call, league, body)

    @operation("closeLeague", "POST", "/leagues/{league}/close", NO_LEAGUE, scopes=(MANAGE,))
    def close(self, call: Call, league: LeagueName, body: Reason) -> LeagueValue:
        """Close a league."""
        return self._decided(control.close, call, league, body)

    @operation("endSeason", "POST", "/leagues/{league}/end-season", NO_LEAGUE, scopes=(MANAGE,))
    def end_season(self, call: Call, league: LeagueName, body: SeasonEnding) -> LeagueValue:
        """End the season of a league with a final."""
        name = self._league(league).name
        by, reason = call.account.name, printable(body.reason, "")
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
        return self.league(call, league)

    @operation("listAnnouncements", "GET", "/leagues/{league}/announcements", NO_LEAGUE)
    def announcements(self, _call: Call, league: LeagueName) -> AnnouncementList:
        """List the announcements of a league."""
        return AnnouncementList(list(map(announcement_value, announcements(self._store, self._league(league)))))

    @operation(
        "announce",
        "POST",
        "/leagues/{league}/announcements",
        NO_LEAGUE,
        scopes=(MANAGE,),
        status=HTTPStatus.CREATED,
    )
    def announce(self, call: Call, league: LeagueName, body: AnnouncedText) -> AnnouncementValue:
        """Announce something on the page of a league."""
        return announcement_value(announce(self._store, self._league(league).name, body.text, call.account.name))

    @operation(
        "changeAnnouncement",
        "POST",
        "/leagues/{league}/announcements/{announcement}",
        NO_ANNOUNCEMENT,
        scopes=(MANAGE,),
    )
    def change(
        self, call: Call, league: LeagueName, announcement: AnnouncementNumber, body: AnnouncedText
    ) -> AnnouncementValue:
        """Give an announcement another text."""
        name = self._league(league).name
        return announcement_value(announce(self._store, name, body.text, call.account.name, announcement))

    @operation(
        "retractAnnouncement",
        "POST",
        "/leagues/{league}/announcements/{announcement}/retract",
        NO_ANNOUNCEMENT,
        scopes=(MANAGE,),
    )
    def retract(
        self, call: Call, league: LeagueName, announcement: AnnouncementNumber, body: Reason
    ) -> AnnouncementValue:
        """Retract an announcement."""
        name, reason = self._league(league).name, printable(body.reason, "")
        return announcement_value(retract(self._store, name, announcement, call.account.name, reason))

    @operation("setDates", "POST", "/leagues/{league}/dates", NO_LEAGUE, scopes=(MANAGE,))
    def set_dates(self, call: Call, league: LeagueName, body: DatesChange) -> LeagueValue:
        """Set the dates of a season of a league."""
        given = {name: getattr(body, name) for name in ("opens", "deadline", "hides", "ends", "timezone")}
        dates = GivenDates(**{name: text for name, text in given.items() if text is not None})
        name, reason = self._league(league).name, printable(body.reason, "")
        set_dates(self._store, name, dates, call.account.name, reason, body.season)
        return self.league(call, league)

    @operation("extendDeadline", "POST", "/leagues/{league}/extensions", NO_LEAGUE, scopes=(MANAGE,))
    def extend(self, call: Call, league: LeagueName, body: Extension) -> LeagueValue:
        """Extend the deadline of a league for one owner."""
        name, reason = self._league(league).name, printable(body.reason, "")
        extend(self._store, name, body.owner, body.until, call.account.name, reason, body.timezone)
        return self.league(call, league)

    def _decided(
        self, decide: Callable[[Store, str, str, str], object], call: Call, league: str, body: Reason
    ) -> LeagueValue:
        decide(self._store, self._league(league).name, call.account.name, printable(body.reason, ""))
        return self.league(call, league)

    def _view(self, call: Call, league: str) -> LeagueView:
        return self._leagues.of(league, call.access).view()

    def _names(self, call: Call) -> Mapping[str, str]:
        return call.access.display_names(self._store)

    def _league(self, name: str) -> LeagueRow:
        return Leagues(self._store).named(name)
