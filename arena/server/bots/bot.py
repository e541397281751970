"""The page of a bot: versions, tournaments, Elo, times, opponents, seats, faults."""

from collections.abc import Iterator
from urllib.parse import urlencode

import numpy as np

from arena.ratings.crosstable import Crosstable, SeatResults
from arena.ratings.elo_text import elo_text
from arena.replay.html import Child, Element, tag
from arena.server.access import Access
from arena.server.bots import failures
from arena.server.bots.answer_time_chart import histogram
from arena.server.bots.answer_times import sample
from arena.server.bots.elo_chart import elo_chart
from arena.server.bots.elo_history_cache import EloHistoryCache, not_added_up
from arena.server.errors import PageNotFound
from arena.server.leagues.cache import LeagueCache
from arena.server.leagues.league_parts import entry_link, league_link
from arena.server.matches.match_list import WORST, listing
from arena.server.pages.layout import bot_link, content, count, page, sheet, table, tournament_link
from arena.server.tournaments.ranking_cache import CachedRanking, RankingCache
from arena.store import Store
from arena.store.engine.errors import SearchTooLong
from arena.store.engine.time_limit import SEARCH_SECONDS
from arena.values.rows import TournamentRow
from arena.values.versioned_names import is_version_of


def show(
    store: Store,
    rankings: RankingCache,
    elo_histories: EloHistoryCache,
    leagues: LeagueCache,
    name: str,
    access: Access,
) -> str:
    """Return the page of a bot. Raises PageNotFound if no bot of that name was submitted or has played."""
    tournaments = [each for each in store.tournaments() if any(is_version_of(bot.name, name) for bot in each.entrants)]
    versions = _versions(store, name)
    has_played = bool(tournaments) or any(is_version_of(each, name) for each in store.names())
    if not has_played and versions is None:
        raise PageNotFound(f"there is no bot {name}: see the list of bots")
    waiting = [(each.id, matches) for each in reversed(tournaments) if (matches := rankings.waiting(each))]
    left_out = {number for number, _ in waiting}
    ranked = [(each, rankings.of(each)) for each in reversed(tournaments) if each.id not in left_out]
    times = sample(store, access, list(reversed(tournaments)), name)
    elo_history = elo_histories.of(list(reversed(store.tournaments())), name)
    return page(
        name,
        content(
            name,
            versions,
            _leagues(leagues, name),
            None if has_played else tag("p", {"class": "soft"}, "This bot has not played yet."),
            sheet(
                tag("h2", {}, "Tournaments"),
                table(_HEADERS, _rows(ranked, name), (3, 4, 5, 6, 7, 8, 10), sortable=True) if ranked else None,
                tag("p", {"class": "soft"}, not_added_up(waiting)) if waiting else None,
            )
            if tournaments
            else None,
            elo_chart(elo_history),
            histogram(times) if times else None,
            [
                within(tournament, ranking, bot)
                for tournament, ranking in ranked
                for bot in ranking.met.bots
                if is_version_of(bot, name)
            ],
            _matches(store, name, "Newest matches", None),
            _matches(store, name, "Newest faults", "any"),
            failures.newest(store, access, bot=name),
        ),
        here="/bots",
        styles=("site.css",),
        scripts=("sort.js",),
    )


_HEADERS = (
    "tournament",
    "bot",
    "game",
    "rank",
    "Elo",
    "± 95 %",
    "score",
    "mean place",
    "matches",
    "faults",
    "ms per move",
)


def _rows(ranked: list[tuple[TournamentRow, CachedRanking]], name: str) -> Iterator[tuple[Child, ...]]:
    for tournament, ranking in ranked:
        for row in ranking.standings.table.rows:
            stats = ranking.standings.conduct.get(row.bot)
            if is_version_of(row.bot, name):
                yield (
                    tournament_link(tournament.id),
                    row.bot,
                    tournament.game,
                    f"{row.rank} of {len(ranking.standings.table.rows)}",
                    elo_text(row.elo, row.bound, 1),
                    "-" if row.ci95 is None else f"{row.ci95:.1f}",
                    f"{row.score:.2f}",
                    f"{row.expected_place:.2f}",
                    count(row.matches),
                    ", ".join(f"{kind} {number}" for kind, number in sorted(stats.faults.items())) or "-"
                    if stats
                    else "-",
                    f"{stats.ms_per_decision:.2f}" if stats and stats.ms_per_decision is not None else "-",
                )


def within(tournament: TournamentRow, ranking: CachedRanking, name: str) -> Element:
    """Return the results of a bot in one tournament, by opponent and by seat."""
    return sheet(
        tag("h2", {}, f"{name} in tournament {tournament.id}, {tournament.game}: by opponent and by seat"),
        tag(
            "div",
            {"class": "side-by-side"},
            _opponents(tournament, ranking.met, name),
            _seats(tournament, ranking.sat, name),
        ),
    )


def _opponents(tournament: TournamentRow, met: Crosstable, name: str) -> Element:
    row = met.bots.index(name)
    lines = []
    for column, other in enumerate(met.bots):
        meetings, points = float(met.meetings[row, column]), float(met.points[row, column])
        if column != row and meetings:
            query = urlencode({"tournament": tournament.id or "", "bot": name, "against": other})
            link = tag("a", {"href": f"/matches?{query}"}, f"{meetings:,.0f}")
            lines.append((bot_link(other), share(points / meetings), f"{points:,.1f}", link))
    return table(("against", "points in %", "points", "meetings"), lines, (1, 2, 3), sortable=True)


def _seats(tournament: TournamentRow, sat: SeatResults, name: str) -> Element:
    row = sat.bots.index(name)
    lines = []
    for seat in range(sat.matches.shape[1]):
        if sat.matches[row, seat] and not np.isnan(sat.score[row, seat]):
            query = urlencode({"tournament": tournament.id or "", "bot": name, "seat": seat})
            link = tag("a", {"href": f"/matches?{query}"}, count(int(sat.matches[row, seat])))
            lines.append((str(seat), f"{sat.score[row, seat]:.2f}", f"{sat.place[row, seat]:.2f}", link))
    return table(("seat", "score", "mean place", "matches"), lines, (0, 1, 2, 3), sortable=True)


def share(points: float) -> Element:
    """Return a share of points in per cent, coloured.

    points: the share, from 0 to 1.
    """
    return tag("span", {"class": f"share heat-{round(points * 10)}"}, f"{points * 100:.0f}")


def _leagues(leagues: LeagueCache, name: str) -> Element | None:
    """Return the entries of a bot in leagues, the newest version first."""
    lines = [
        (
            league_link(cached.name),
            entry_link(cached.name, row.entry),
            row.entry.state,
            "-" if row.rank is None else str(row.rank),
            elo_text(row.elo, row.bound),
            "-" if row.ci95 is None else f"{row.ci95:.0f}",
            count(row.matches),
        )
        for cached in leagues.all()
        for row in sorted(cached.view().board.rows, key=lambda row: -row.entry.number)
        if is_version_of(row.entry.name, name)
    ]
    headers = ("league", "entry", "state", "rank", "Elo", "± 95 %", "matches")
    return sheet(tag("h2", {}, "Leagues"), table(headers, lines, (3, 4, 5, 6), (5,))) if lines else None


def _versions(store: Store, name: str) -> Element | None:
    versions = store.submissions.shown_versions(name.partition("@")[0])
    if not versions:
        return None
    rows = [
        (
            each.title,
            each.created[:16].replace("T", " "),
            count(each.bytes),
            each.content[:12],
            "retired" if each.retired else "active",
        )
        for each in reversed(versions)
    ]
    return sheet(
        tag("h2", {}, "Versions"), table(("version", "submitted (UTC)", "bytes", "content", "state"), rows, (2,))
    )


def _matches(store: Store, name: str, title: str, fault: str | None) -> Element | None:
    try:
        listed = store.matches(bot=name, fault=fault, limit=10, seconds=SEARCH_SECONDS)
    except SearchTooLong:
        return sheet(
            tag("h2", {}, title), tag("p", {"class": "soft"}, "There are too many matches to search them all.")
        )
    if not listed:
        return None
    query = {"bot": name, **({"fault": fault} if fault else {})}
    return sheet(
        tag("h2", {}, title),
        listing(listed),
        tag(
            "p",
            {},
            tag("a", {"href": f"/matches?{urlencode(query)}"}, "show all"),
            " · ",
            tag("a", {"href": f"/matches?{urlencode(query | {'order': WORST})}"}, "lowest scores first"),
        ),
    )
