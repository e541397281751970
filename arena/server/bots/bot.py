"""The page of a bot: versions, tournaments, Elo, times, opponents, seats, faults."""

from collections.abc import Iterator
from urllib.parse import urlencode

import numpy as np

from arena.league.store.league_rows import EntryRow
from arena.ratings.crosstable import Crosstable, SeatResults
from arena.ratings.elo_text import elo_text
from arena.replay.html import Element
from arena.server.access import Access
from arena.server.bots import failures
from arena.server.bots.answer_time_chart import histogram
from arena.server.bots.answer_times import sample
from arena.server.bots.elo_chart import elo_chart
from arena.server.bots.elo_history_cache import EloHistoryCache, not_added_up
from arena.server.errors import PageNotFound
from arena.server.leagues.cache import LeagueCache
from arena.server.matches.match_list import WORST, listing
from arena.server.templates import TEMPLATES
from arena.server.tournaments.ranking_cache import CachedRanking, RankingCache
from arena.store import Store
from arena.store.engine.errors import SearchTooLong
from arena.store.engine.time_limit import SEARCH_SECONDS
from arena.values.rows import TournamentRow
from arena.values.versioned_names import is_version_of

MATCHES = 10
"""Matches in each list of the page."""

_results = TEMPLATES.macro("bots/results.html", "results", english=True)

Matches = tuple[Element | str | None, str, str]
"""A list of matches, or why there is none; None without matches. Then the addresses of all, and of those from the
lowest score.
"""


def show(
    store: Store,
    rankings: RankingCache,
    elo_histories: EloHistoryCache,
    leagues: LeagueCache,
    name: str,
    access: Access,
) -> str:
    """Return the page of a bot. Raises PageNotFound if no bot of that name was submitted or has played."""
    tournaments = [
        tournament
        for tournament in store.tournaments()
        if any(is_version_of(bot.name, name) for bot in tournament.entrants)
    ]
    versions = _versions(store, name, access)
    has_played = bool(tournaments) or any(is_version_of(stored_name, name) for stored_name in store.names())
    if not has_played and not versions:
        raise PageNotFound(f"there is no bot {name}: see the list of bots")
    waiting = [
        (tournament.id, matches) for tournament in reversed(tournaments) if (matches := rankings.waiting(tournament))
    ]
    left_out = {number for number, _ in waiting}
    ranked = [
        (tournament, rankings.of(tournament)) for tournament in reversed(tournaments) if tournament.id not in left_out
    ]
    times = sample(store, access, list(reversed(tournaments)), name)
    elo_history = elo_histories.of(list(reversed(store.tournaments())), name)
    return TEMPLATES.page(
        "bots/bot.html",
        title=name,
        versions=versions,
        leagues=list(_entries(leagues, name)),
        played=has_played,
        tournaments=list(_rows(ranked, name)) if tournaments else None,
        left_out=not_added_up(waiting),
        elo=elo_chart(elo_history),
        times=histogram(times) if times else None,
        results=[
            within(tournament, ranking, bot)
            for tournament, ranking in ranked
            for bot in ranking.met.bots
            if is_version_of(bot, name)
        ],
        newest=_matches(store, rankings, name, None),
        faulty=_matches(store, rankings, name, "any"),
        failures=failures.newest(store, access, bot=name),
    )


def _rows(ranked: list[tuple[TournamentRow, CachedRanking]], name: str) -> Iterator[tuple[int | str, ...]]:
    """Yield what rankings say of a bot and its versions."""
    for tournament, ranking in ranked:
        for row in ranking.standings.table.rows:
            stats = ranking.standings.conduct.get(row.bot)
            if is_version_of(row.bot, name):
                yield (
                    tournament.id,
                    row.bot,
                    tournament.game,
                    row.rank,
                    len(ranking.standings.table.rows),
                    elo_text(row.elo, row.bound, 1),
                    "-" if row.ci95 is None else f"{row.ci95:.1f}",
                    f"{row.score:.2f}",
                    f"{row.expected_place:.2f}",
                    f"{row.matches:,}",
                    ", ".join(f"{kind} {number}" for kind, number in sorted(stats.faults.items())) or "-"
                    if stats
                    else "-",
                    f"{stats.ms_per_decision:.2f}" if stats and stats.ms_per_decision is not None else "-",
                )


def within(tournament: TournamentRow, ranking: CachedRanking, name: str) -> Element:
    """Return the results of a bot in one tournament, by opponent and by seat."""
    heading = f"{name} in tournament {tournament.id}, {tournament.game}: by opponent and by seat"
    return _results(heading, _opponents(tournament, ranking.met, name), _seats(tournament, ranking.sat, name))


def _opponents(tournament: TournamentRow, met: Crosstable, name: str) -> Iterator[tuple[str, float, str, str, str]]:
    row = met.bots.index(name)
    for column, other in enumerate(met.bots):
        meetings, points = float(met.meetings[row, column]), float(met.points[row, column])
        if column != row and meetings:
            address = _address(tournament, name, against=other)
            yield other, points / meetings, f"{points:,.1f}", f"{meetings:,.0f}", address


def _seats(tournament: TournamentRow, sat: SeatResults, name: str) -> Iterator[tuple[int, str, str, str, str]]:
    row = sat.bots.index(name)
    for seat in range(sat.matches.shape[1]):
        if sat.matches[row, seat] and not np.isnan(sat.score[row, seat]):
            score, place, matches = sat.score[row, seat], sat.place[row, seat], int(sat.matches[row, seat])
            yield seat, f"{score:.2f}", f"{place:.2f}", f"{matches:,}", _address(tournament, name, seat=seat)


def _address(tournament: TournamentRow, name: str, **more: object) -> str:
    """Return the address of matches of a bot in a tournament."""
    return f"/matches?{urlencode({'tournament': tournament.id or '', 'bot': name, **more})}"


def _entries(leagues: LeagueCache, name: str) -> Iterator[tuple[str | EntryRow, ...]]:
    """Yield the entries of a bot in leagues, the newest version first."""
    for cached in leagues.all():
        for row in sorted(cached.view().board.rows, key=lambda row: -row.entry.number):
            if is_version_of(row.entry.name, name):
                yield (
                    cached.name,
                    row.entry,
                    row.entry.state,
                    "-" if row.rank is None else str(row.rank),
                    elo_text(row.elo, row.bound),
                    "-" if row.ci95 is None else f"{row.ci95:.0f}",
                    f"{row.matches:,}",
                )


def _versions(store: Store, name: str, access: Access) -> list[tuple[str, ...]]:
    bot = name.partition("@")[0]
    return [
        (
            version.title,
            version.created[:16].replace("T", " "),
            f"{version.bytes:,}",
            version.content[:12],
            "retired" if version.retired else "practice only" if version.practice_only else "active",
        )
        for version in reversed(store.submissions.shown_versions(bot, practice=access.sees_versions(bot)))
    ]


def _matches(store: Store, rankings: RankingCache, name: str, fault: str | None) -> Matches:
    query = {"bot": name, **({"fault": fault} if fault else {})}
    everything, lowest = (f"/matches?{urlencode(filters)}" for filters in (query, query | {"order": WORST}))
    try:
        listed = store.matches(bot=name, fault=fault, limit=MATCHES, seconds=SEARCH_SECONDS)
    except SearchTooLong:
        return "There are too many matches to search them all.", everything, lowest
    return listing(listed, rankings.stages) if listed else None, everything, lowest
