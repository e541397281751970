"""The Atom feed of a league: what its followers want to hear of."""

import dataclasses
from collections.abc import Container, Iterator, Sequence
from datetime import UTC, datetime
from urllib.parse import urlencode

from arena.league.announcements.announcement import ANNOUNCE
from arena.league.divisions.decisions import DIVIDE, DivisionDecision
from arena.league.results.rating_history import StoredRatings
from arena.league.store.league_dates import DATES, dates_of
from arena.league.store.leagues import Leagues
from arena.ratings.elo_text import elo_text
from arena.server.leagues.board import upset_words
from arena.server.leagues.cache import CachedLeague, LeagueView
from arena.server.leagues.dates import WORDS
from arena.server.leagues.groups import GroupChoice
from arena.server.leagues.league_parts import league_path
from arena.server.pages.atom import News, atom_feed
from arena.server.pages.numbers import ordinal
from arena.store import Store
from arena.values.given_time import shown_time
from arena.values.rows import DecisionRow

NEWS = 60
"""Entries of the feed."""

LONGEST_TITLE = 300
"""Characters of what is said of an announcement."""

TOP = 5
"""Places whose changes are told."""


def league_feed(store: Store, cached: CachedLeague, address: str, choice: GroupChoice) -> bytes:
    """Return the feed.

    address: the address of the site, without a slash at its end.
    choice: the group whose entries it is about, with what concerns all; or none.
    """
    view = cached.view()
    name, key = view.league.name, view.league.definition_hash[:24]
    hours = cached.history.ended_hours(datetime.now(UTC))
    if choice.chosen:
        view = _of_group(view, choice)
    news = [*_decisions(store, view), *_places(view, hours), *_upsets(view)]
    news = sorted(news, key=lambda item: item.when, reverse=True)[:NEWS]
    page = f"{address}{league_path(name)}"
    news = [item._replace(address=f"{address}{item.address}") for item in news]
    query = f"?{urlencode({'group': choice.chosen})}" if choice.chosen else ""
    of_group = f", {choice.chosen}" if choice.chosen else ""
    return atom_feed(
        f"urn:arena:league:{key}{query}", f"League {name}{of_group}: {view.league.game}", f"{page}{query}",
        f"{page}/feed.atom{query}", news, view.league.created,
    )  # fmt: skip


def _of_group(view: LeagueView, choice: GroupChoice) -> LeagueView:
    """Return a league as a group sees it: its entries with their places in the group, and the upsets that they won."""
    rows = [dataclasses.replace(row, rank=row.group_rank) for row in choice.board.rows]
    board = dataclasses.replace(choice.board, rows=tuple(rows))
    members = {row.entry.number: row for row in rows}
    upsets = tuple(group for group in view.upsets if group.first.winner in members)
    return dataclasses.replace(view, board=board, upsets=upsets)


def _decisions(store: Store, view: LeagueView) -> Iterator[News]:
    """Yield what the log says of seasons and of entries: new versions, those that have their place, suspended ones."""
    base, shown = league_path(view.league.name), {row.entry.number: row for row in view.board.rows}
    announced = {row.number for row in view.announcements if row.retracted is None}
    for row in Leagues(store).log(view.league.id)[-4 * NEWS :]:
        season = row.details.get("season")
        if row.kind == DATES:
            yield News(f"log:{row.number}", row.created, _dates_title(row), base)
            continue
        if row.kind == ANNOUNCE and row.details["announcement"] in announced:
            words = f"announcement: {' '.join(row.details['text'].split())}"
            yield News(f"log:{row.number}", row.created, words[:LONGEST_TITLE], f"{base}/announcements")
        title = {
            "freeze": f"season {season} is frozen",
            "end-season": f"season {season} has ended: its final table",
            "close": "the league is closed",
        }.get(row.kind)
        if title is not None:
            where = base if season is None else f"{base}/seasons/{season}"
            yield News(f"log:{row.number}", row.created, title, where)
        yield from _moves(view, row, shown)
        number = row.details.get("entry")
        if not isinstance(number, int) or number not in shown:
            continue
        board_row = shown[number]
        entry = board_row.entry
        rank = "" if board_row.rank is None else f", now {ordinal(board_row.rank)}"
        title = {
            "enter": f"{entry.name} enters" if entry.submission[1] == 1 else f"{entry.name} is a new version",
            "place": f"{entry.name} has its place: Elo {elo_text(board_row.elo, board_row.bound)}{rank}",
            "suspend": f"{entry.name} is suspended: {row.reason}",
        }.get(row.kind)
        if title is not None and not entry.is_anchor:
            yield News(f"log:{row.number}", row.created, title, f"{base}/entries/{number}")


def _moves(view: LeagueView, row: DecisionRow, shown: Container[int]) -> Iterator[News]:
    """Yield who was promoted and relegated by a decision on divisions."""
    if row.kind != DIVIDE:
        return
    decision, page = DivisionDecision.of_row(row), f"{league_path(view.league.name)}/divisions"
    relegated = decision.relegated(view.definition.divisions)
    for words, moves in (("promoted", decision.promoted), ("relegated", relegated)):
        for number, division in moves:
            if number not in shown:
                continue
            title = f"{view.board.names[number]} is {words} to division {division}"
            yield News(f"log:{row.number}:{number}", row.created, title, page)


def _dates_title(row: DecisionRow) -> str:
    """Return a decision on dates in words."""
    season = row.details["season"]
    dates = dates_of([row], season)
    known = [(words, getattr(dates, name)) for name, words in WORDS.items()]
    given = ", ".join(f"{words} {shown_time(moment, dates.zone)}" for words, moment in known if moment)
    return f"season {season}: {given}" if given else f"season {season} has no dates any more"


def _places(view: LeagueView, moments: Sequence[StoredRatings]) -> Iterator[News]:
    """Yield changes among the first of those that are active now."""
    active = {row.entry.number: row.entry for row in view.active}
    before: list[int] = []
    for ratings in moments:
        rated = [number for number in ratings.rows if number in active]
        order = sorted(rated, key=lambda number: -ratings.rows[number].elo)
        for place, number in enumerate(order[:TOP], 1):
            if number in before and (was := before.index(number) + 1) > place:
                title = f"{active[number].name} is {ordinal(place)}, was {ordinal(was)}"
                path = f"{league_path(view.league.name)}/entries/{number}"
                yield News(f"place:{ratings.number}:{number}", ratings.when, title, path)
        before = order


def _upsets(view: LeagueView) -> Iterator[News]:
    for upset in (group.first for group in view.upsets):
        title = f"{upset_words(view, upset)}, expected once in {round(1 / upset.chance)}"
        yield News(f"match:{upset.match}", upset.when, title, f"/matches/{upset.match}")
