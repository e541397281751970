"""The list of bots that were submitted, or take part in a tournament or league."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.league.store.leagues import Leagues
from arena.replay.html import Child, Element, tag
from arena.server.leagues.league_parts import league_path
from arena.server.matches.match_list import MOST_LISTED
from arena.server.pages.layout import bot_link, content, count, page, sheet, table
from arena.store import Store
from arena.values.rows import TournamentRow
from arena.values.versioned_names import base_name

NEWEST = 6
"""Tournaments of a bot that are listed."""

HEADERS = ("bot", "games", "leagues", "tournaments", "version")


class _Entry(NamedTuple):
    game: str
    league: str
    number: int


def show(store: Store, part: str) -> str:
    """Return the list of bots, by name.

    part: only bots with this text in their name are listed; empty: all are.
    """
    tournaments = _tournaments(store)
    entries = _entries(store)
    versions = {each.name: each.version for each in store.submissions.newest()}
    names = sorted({*tournaments, *entries, *versions})
    matching = [name for name in names if part.lower() in name.lower()]
    rows = [
        (
            bot_link(name),
            ", ".join(sorted({*(row.game for row in tournaments[name]), *(row.game for row in entries[name].values())}))
            or "-",
            _entry_links(entries[name].values()),
            _tournament_links(tournaments[name]),
            str(versions.get(name, "-")),
        )
        for name in matching[:MOST_LISTED]
    ]
    none = "No bot has this in its name." if names else "No bot has been submitted or has played yet."
    return page(
        "Bots",
        content(
            "Bots",
            _search(part, len(matching), len(names)) if len(names) > MOST_LISTED or part else None,
            sheet(table(HEADERS, rows, (4,), (1, 4), sortable=True) if rows else tag("p", {"class": "soft"}, none)),
        ),
        here="/bots",
        styles=("site.css",),
        scripts=("sort.js",),
    )


def _tournaments(store: Store) -> dict[str, list[TournamentRow]]:
    """Return the tournaments of each bot, the newest first."""
    by_bot = defaultdict[str, list[TournamentRow]](list)
    for tournament in reversed(store.tournaments()):
        bots = {base_name(each.name) if "@" in each.name else each.name for each in tournament.entrants}
        for name in bots:
            by_bot[name].append(tournament)
    return by_bot


def _entries(store: Store) -> dict[str, dict[str, _Entry]]:
    """Return the newest entry of each bot by league, the newest league first."""
    by_bot = defaultdict[str, dict[str, _Entry]](dict)
    for league in reversed(Leagues(store).all()):
        for entry in Leagues(store).entries(league.id):
            by_bot[entry.submission[0]][league.name] = _Entry(league.game, league.name, entry.number)
    return by_bot


def _entry_links(entries: Iterable[_Entry]) -> Child:
    return [_link(f"{league_path(each.league)}/entries/{each.number}", each.league) for each in entries] or "-"


def _tournament_links(tournaments: Sequence[TournamentRow]) -> Child:
    more = len(tournaments) - NEWEST
    links = [_link(f"/tournaments/{each.id}", str(each.id)) for each in tournaments[:NEWEST]]
    return [*links, tag("span", {"class": "soft"}, f"and {count(more)} more")] if more > 0 else links or "-"


def _link(address: str, words: str) -> Child:
    return (tag("a", {"class": "moment", "href": address}, words), " ")


def _search(part: str, matching: int, total: int) -> Element:
    """Return the field for a part of a name.

    matching: how many bots have the part in their name.
    total: how many bots there are.
    """
    attributes = {"name": "name", "value": part, "type": "search", "size": "20", "autocapitalize": "off"}
    listed = min(matching, MOST_LISTED)
    which = f"{count(total)} bots" if listed == total else f"{count(listed)} of {count(total)} bots"
    return tag(
        "form",
        {"class": "filters sheet", "method": "get", "action": "/bots"},
        tag("label", {}, "part of a name ", tag("input", attributes)),
        tag("button", {"class": "main"}, "show"),
        tag("span", {"class": "soft"}, which),
    )
