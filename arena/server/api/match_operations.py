"""Operations on matches and tournaments."""

from functools import partial
from http import HTTPStatus
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from starlette.exceptions import HTTPException

from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.replay.json_values import FRAMES_PER_PART, replay_values, table_values
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
from arena.server.api.operations import PAGE, PREFIX, Call, Limit, Number, Operation, PageQuery, Text
from arena.server.api.paging import next_link
from arena.server.limits.search_turns import SearchTurns
from arena.server.matches.replay_cache import ReplayCache
from arena.server.tournaments.ranking_cache import RankingCache
from arena.store import NoSuchRow, Store
from arena.store.engine.time_limit import SEARCH_SECONDS

NO_MATCH = f"there is no match {{match}}: {PREFIX}/matches lists them"
NO_TOURNAMENT = f"there is no tournament {{tournament}}: {PREFIX}/tournaments lists them"
NOT_FILTERED = f"there is no such league, batch or tournament: {PREFIX}/leagues and {PREFIX}/tournaments list them"

FaultKind = Literal["any", "illegal", "timeout", "crash", "hung", "memory", "protocol", "start", "withdrawn"]
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

    def operations(self) -> list[Operation]:
        """Return the declarations."""
        one = "/matches/{match:number}"
        return [
            Operation("listMatches", "GET", "/matches", "List matches.", self.all, MatchList, NOT_FILTERED, MatchQuery),
            Operation("getMatch", "GET", one, "Show a match.", self.match, MatchValue, NO_MATCH),
            Operation(
                "getReplay", "GET", f"{one}/replay", "Replay a match.", self.replay, ReplayValue, NO_MATCH, SeatQuery
            ),
            Operation(
                "getTables",
                "GET",
                f"{one}/replay/tables",
                "Show a part of the tables of a replay.",
                self.tables,
                TablesValue,
                NO_MATCH,
                TablesQuery,
            ),
            Operation(
                "getOutput",
                "GET",
                f"{one}/output",
                "Show what a bot printed.",
                self.output,
                OutputValue,
                NO_MATCH,
                OutputQuery,
            ),
            Operation(
                "listTournaments",
                "GET",
                "/tournaments",
                "List the tournaments.",
                self.tournaments,
                TournamentList,
                query=PageQuery,
            ),
            Operation(
                "getTournament",
                "GET",
                "/tournaments/{tournament:number}",
                "Show a tournament with its ranking.",
                self.tournament,
                TournamentValue,
                NO_TOURNAMENT,
            ),
        ]

    async def all(self, call: Call) -> MatchList:
        """Return a part of the matches."""
        return await self._searches.run(visitor_of(call.request), partial(self._all, call))

    def _all(self, call: Call) -> MatchList:
        query = call.query
        if query.batch is not None and query.league is None:
            raise HTTPException(HTTPStatus.BAD_REQUEST, "batch needs a league: batches are numbered in each league")
        names = [name for name in (query.bot, query.against) if name]
        apart = self._rankings.apart(*names) if len(names) == 2 else ()
        if query.league is not None:
            self._check_batch(Leagues(self._store).named(query.league).id, query.batch)
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
        )
        following = next_link(call, rows[query.limit - 1].id) if len(rows) > query.limit else None
        return MatchList(list(map(match_item, rows[: query.limit])), following)

    def match(self, call: Call) -> MatchValue:
        """Return a match."""
        return match_value(call.access.match(self._store, call.path["match"]))

    def replay(self, call: Call) -> ReplayValue:
        """Return the frames of a match."""
        replay = self._replay(call)
        return msgspec.convert(replay_values(replay, call.query.seat), ReplayValue)

    def tables(self, call: Call) -> TablesValue:
        """Return one part of the tables of a match."""
        replay, seat = self._replay(call), call.query.seat
        first = min(call.query.first, replay.count(seat) - 1)
        return msgspec.convert(table_values(replay, seat, first - first % FRAMES_PER_PART), TablesValue)

    def output(self, call: Call) -> OutputValue:
        """Return the output of a bot."""
        output = self._replay(call).match.outputs.get(call.query.seat)
        return OutputValue("", False) if output is None else OutputValue(output.text, output.truncated)

    def tournaments(self, call: Call) -> TournamentList:
        """Return a part of the tournaments."""
        before = call.query.before
        rows = [row for row in reversed(self._store.tournaments()) if before is None or row.id < before]
        shown = rows[: call.query.limit]
        following = next_link(call, shown[-1].id) if len(rows) > len(shown) else None
        return TournamentList(list(map(tournament_item, shown)), following)

    def tournament(self, call: Call) -> TournamentValue:
        """Return a tournament with its ranking."""
        row = self._store.tournament(call.path["tournament"])
        return tournament_value(row, self._rankings.of(row))

    def _check_batch(self, league: int, batch: int | None) -> None:
        """Raise NoSuchRow if a league has no batch of that number; None: of any."""
        if batch is not None and Batches(self._store).get(league, batch) is None:
            raise NoSuchRow("no such batch")

    def _replay(self, call: Call) -> Replay:
        replay = self._replays.of(call.access, call.path["match"])
        if call.query.seat is not None and call.query.seat >= replay.seats:
            raise HTTPException(HTTPStatus.BAD_REQUEST, f"this match has the seats 0 to {replay.seats - 1}")
        return replay
