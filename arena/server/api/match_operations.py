"""Operations on matches and tournaments."""

from functools import partial
from http import HTTPStatus
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from starlette.exceptions import HTTPException

from arena.league.store.batches import Batches
from arena.replay.json_values import FRAMES_PER_PART, replay_values, table_values
from arena.replay.known_values import known_values
from arena.replay.replay import Replay
from arena.server.access import visitor_of
from arena.server.api.match_values import (
    MatchList,
    MatchValue,
    OutputValue,
    ReplayValue,
    TablesValue,
    TournamentList,
    TournamentValue,
    match_item,
    match_value,
    tournament_item,
    tournament_value,
)
from arena.server.api.operations import PAGE, PREFIX, Call, Limit, Number, PageQuery, Text, operation
from arena.server.api.paging import next_link
from arena.server.limits.search_turns import SearchTurns
from arena.server.matches.replay_cache import ReplayCache
from arena.server.tournaments.ranking_cache import RankingCache
from arena.store import NoSuchRow, Store
from arena.store.engine.time_limit import SEARCH_SECONDS
from arena.values.struct_types import ready

NO_MATCH = f"there is no match {{match}}: {PREFIX}/matches lists them"
NO_TOURNAMENT = f"there is no tournament {{tournament}}: {PREFIX}/tournaments lists them"
NOT_FILTERED = f"there is no such league, batch or tournament: {PREFIX}/leagues and {PREFIX}/tournaments list them"

FaultKind = Literal["any", "illegal", "timeout", "crash", "hung", "memory", "protocol", "start", "withdrawn"]
MatchNumber = Annotated[Number, Meta(description="The number of a match.")]
TournamentNumber = Annotated[Number, Meta(description="The number of a tournament.")]
Seat = Annotated[int, Meta(ge=0, le=99)]


class MatchQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which matches, all of those that pass every filter."""

    tournament: Annotated[Number | None, Meta(description="Only matches of this tournament.")] = None
    league: Annotated[Text | None, Meta(description="Only matches of this league.")] = None
    batch: Annotated[Number | None, Meta(description="With a league: only matches of this batch.")] = None
    bot: Annotated[Text | None, Meta(description="A bot that played; without a version, any of its versions.")] = None
    against: Annotated[Text | None, Meta(description="Another bot that played.")] = None
    seat: Annotated[Seat | None, Meta(description="With a bot: the seat that it held.")] = None
    fault: Annotated[FaultKind | None, Meta(description="A fault of the bot or the seat, or of anybody.")] = None
    before: Annotated[Number | None, Meta(description="Only matches with lower numbers: a cursor.")] = None
    limit: Limit = PAGE


class SeatQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """From which seat a match is seen."""

    seat: Annotated[Seat | None, Meta(description="What this seat knew; without it, everything.")] = None


class TablesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which part of the tables, and from which seat."""

    seat: Annotated[Seat | None, Meta(description="What this seat knew; without it, everything.")] = None
    first: Annotated[Number, Meta(description="A frame of the part.")] = 0


class OutputQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose output."""

    seat: Seat


class MatchOperations:
    """The handlers."""

    def __init__(self, store: Store, rankings: RankingCache, replays: ReplayCache, searches: SearchTurns) -> None:
        self._store = store
        self._searches = searches
        self._rankings = rankings
        self._replays = replays

    @operation("listMatches", "GET", "/matches", NOT_FILTERED)
    async def all(self, call: Call, query: MatchQuery) -> MatchList:
        """List matches."""
        return await self._searches.run(visitor_of(call.request), partial(self._all, call, query))

    def _all(self, call: Call, query: MatchQuery) -> MatchList:
        if query.batch is not None and query.league is None:
            raise HTTPException(HTTPStatus.BAD_REQUEST, "batch needs a league: batches are numbered in each league")
        names = [name for name in (query.bot, query.against) if name]
        apart = self._rankings.apart(*names) if len(names) == 2 else ()
        practice = False
        if query.league is not None:
            league = call.access.league(self._store, query.league)
            self._check_batch(league.id, query.batch)
            practice = league.owner is not None
        rows = self._store.matches(
            tournament=query.tournament,
            league=query.league,
            batch=query.batch,
            bot=query.bot,
            against=query.against,
            seat=query.seat,
            fault=query.fault,
            before=query.before,
            limit=query.limit + 1,
            excluded=apart,
            seconds=SEARCH_SECONDS,
            practice=practice,
        )
        following = next_link(call, rows[query.limit - 1].id) if len(rows) > query.limit else None
        return MatchList([match_item(row, self._rankings.stages) for row in rows[: query.limit]], following)

    @operation("getMatch", "GET", "/matches/{match}", NO_MATCH)
    def match(self, call: Call, match: MatchNumber) -> MatchValue:
        """Show a match."""
        return match_value(call.access.match(self._store, match), self._rankings.stages)

    @operation("getReplay", "GET", "/matches/{match}/replay", NO_MATCH)
    def replay(self, call: Call, match: MatchNumber, query: SeatQuery) -> ReplayValue:
        """Replay a match."""
        replay = self._replay(call, match, query.seat)
        known = known_values(self._store, replay.match, query.seat)
        return msgspec.convert(replay_values(replay, query.seat, known=known), ready(ReplayValue))

    @operation("getTables", "GET", "/matches/{match}/replay/tables", NO_MATCH)
    def tables(self, call: Call, match: MatchNumber, query: TablesQuery) -> TablesValue:
        """Show a part of the tables of a replay."""
        replay, seat = self._replay(call, match, query.seat), query.seat
        first = min(query.first, replay.count(seat) - 1)
        return msgspec.convert(table_values(replay, seat, first - first % FRAMES_PER_PART), ready(TablesValue))

    @operation("getOutput", "GET", "/matches/{match}/output", NO_MATCH)
    def output(self, call: Call, match: MatchNumber, query: OutputQuery) -> OutputValue:
        """Show what a bot printed."""
        output = self._replay(call, match, query.seat).match.outputs.get(query.seat)
        return OutputValue("", False) if output is None else OutputValue(output.text, output.truncated)

    @operation("listTournaments", "GET", "/tournaments")
    def tournaments(self, call: Call, query: PageQuery) -> TournamentList:
        """List the tournaments."""
        before = query.before
        rows = [row for row in reversed(self._store.tournaments()) if before is None or row.id < before]
        shown = rows[: query.limit]
        following = next_link(call, shown[-1].id) if len(rows) > len(shown) else None
        return TournamentList(list(map(tournament_item, shown)), following)

    @operation("getTournament", "GET", "/tournaments/{tournament}", NO_TOURNAMENT)
    def tournament(self, _call: Call, tournament: TournamentNumber) -> TournamentValue:
        """Show a tournament with its ranking."""
        row = self._store.tournament(tournament)
        return tournament_value(row, self._rankings.of(row))

    def _check_batch(self, league: int, batch: int | None) -> None:
        """Raise NoSuchRow if a league has no batch of that number; None: of any."""
        if batch is not None and Batches(self._store).get(league, batch) is None:
            raise NoSuchRow("no such batch")

    def _replay(self, call: Call, match: int, seat: int | None) -> Replay:
        replay = self._replays.of(call.access, match)
        if seat is not None and seat >= replay.seats:
            raise HTTPException(HTTPStatus.BAD_REQUEST, f"this match has the seats 0 to {replay.seats - 1}")
        return replay
