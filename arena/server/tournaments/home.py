"""The home page: what goes on in leagues, the newest tournaments and their leaders, and the list of all tournaments."""

from collections.abc import Sequence

from arena.ratings.elo_text import elo_text, rank_text
from arena.replay.html import Element, tag
from arena.server.access import Access
from arena.server.leagues.league_list import home
from arena.server.leagues.league_parts import live_page
from arena.server.live.page_parts import PageParts
from arena.server.pages.layout import bot_link, content, count, page, sheet, table
from arena.server.tournaments.ranking import elo_bar
from arena.server.tournaments.ranking_cache import RankingCache
from arena.store import Store
from arena.values.rows import TournamentRow

NEWEST = 6
"""Tournaments that are shown with their leaders."""

LEADERS = 3

BAR_WIDTH = 96
"""Pixels of the drawing of an error bar."""


def show(store: Store, rankings: RankingCache, access: Access, leagues: PageParts) -> str:
    """Return the home page: leagues, the newest tournaments with their leaders, and all tournaments, newest first.

    access: on an empty site, organisers see a hint.
    leagues: what is shown of leagues; nothing where there are none.
    """
    rows = store.tournaments()[::-1]
    counts = {row.id: store.count(row.id) for row in rows}
    hint = (" Run one with ", tag("code", {}, "arena tourney"), ".") if access.organiser else None
    empty = sheet(tag("p", {"class": "soft"}, "There are no tournaments yet.", hint))
    cards = tag("div", {"class": "cards"}, [_card(rankings, row, counts[row.id]) for row in rows[:NEWEST]])
    listed = (cards, sheet(_table(rows, counts)))
    if not leagues.elements:
        body = listed if rows else empty
        return page("Tournaments", content("Tournaments", body), here="/", styles=("site.css",), scripts=("sort.js",))
    section = (tag("h2", {}, "Tournaments"), listed) if rows else None
    return live_page("Home", "Home", leagues, "/leagues/events", home(leagues), section, here="/")


def _card(rankings: RankingCache, row: TournamentRow, played: int) -> Element:
    """Return a tournament and its leaders; without them where its ranking is not at hand."""
    title = tag("a", {"href": f"/tournaments/{row.id}"}, f"Tournament {row.id}")
    words = f"{len(row.entrants)} bots, {count(played)} of {count(row.matches)} matches"
    going_on = tag("progress", {"max": row.matches, "value": played, "aria-label": "matches"})
    return sheet(
        tag("h2", {}, title, tag("span", {"class": "soft"}, f" {row.game}")),
        tag("p", {"class": "soft"}, words, None if row.finished else going_on),
        _leaders(rankings, row) if played and not rankings.waiting(row) else None,
    )


def _leaders(rankings: RankingCache, row: TournamentRow) -> Element | None:
    """Return the leaders; None while nobody is rated."""
    rows = rankings.of(row).standings.table.rows[:LEADERS]
    if not rows:
        return None
    low = min(each.elo - (each.ci95 or 0) for each in rows)
    high = max(each.elo + (each.ci95 or 0) for each in rows)
    items = [
        tag(
            "li",
            {},
            tag("span", {"class": "number soft"}, rank_text(each.rank, each.separated)),
            bot_link(each.bot),
            elo_bar(each.elo, each.ci95, low, high, BAR_WIDTH),
            tag("span", {"class": "number"}, elo_text(each.elo, each.bound)),
        )
        for each in rows
    ]
    return tag("ol", {"class": "leaders with-bars"}, items)


def _table(rows: Sequence[TournamentRow], counts: dict[int, int]) -> Element:
    lines = [
        (
            tag("a", {"href": f"/tournaments/{row.id}"}, str(row.id)),
            row.game,
            ", ".join(f"{name}={value}" for name, value in sorted(row.options.items())) or "-",
            len(row.entrants),
            f"{count(counts[row.id])} of {count(row.matches)}",
            row.created[:16].replace("T", " "),
            "finished" if row.finished else "unfinished",
        )
        for row in rows
    ]
    headers = ("number", "game", "options", "bots", "matches", "began (UTC)", "state")
    return table(headers, lines, (0, 3, 4), (2, 3, 5), sortable=True)
