"""The board of a league: its entries by Elo, what is played now, and the latest upsets."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlencode

from arena.league.results.board import BoardRow
from arena.league.results.rating_history import RatingPoint
from arena.league.results.upsets import Upset
from arena.store.league_rows import EntryRow
from arena.viewer.html import Child, Element, tag
from arena.web.league_cache import LeagueView
from arena.web.live_pages import PageParts
from arena.web.pages.layout import count, sheet, wide
from arena.web.pages.league_parts import (
    BAR_WIDTH,
    Scale,
    batch_link,
    change,
    duration,
    elo_text,
    entry_link,
    entry_links,
    league_path,
    live_page,
    moment,
    part,
    scale_of,
    sparkline,
)
from arena.web.pages.ranking import elo_bar

HEADERS = (
    ("rank", "number"), ("bot", ""), ("author", "spare"), ("Elo", "number"), ("± 95 %", ""), ("1 day", "number spare"),
    ("version", "number spare"), ("line", "spare"), ("matches", "number spare"), ("last played", "spare"),
    ("faults", "number spare"),
)  # fmt: skip
"""The columns and their classes."""

STATES = {"": "active", "all": "all", "placing": "placing", "standing": "standing", "retired": "retired",
          "suspended": "suspended"}  # fmt: skip
"""The filter by state, and its words."""

PLAYING, NEWEST = 3, 6
"""Batches and entries that are listed beside the board."""

NOTE = (
    "Elo: the difference to the mean of the reference bots, from one joint fit of all matches, with its 95 % interval "
    "drawn; > and < mark bounds. 1 day: the change since the day before. version: the difference to the bot's version "
    "before."
)


def show(view: LeagueView, parts: PageParts, query: Mapping[str, str]) -> str:
    """Return the page.

    parts: as `board_parts` returns them. query: the filters in the URL: q, a part of the name or the author; state.
    """
    name = view.league.name
    text, state = query.get("q", "")[:80].lower(), query.get("state", "") if query.get("state") in STATES else ""
    rows = [row for row in view.board.rows if _is_meant(row, text, state)]
    scale = scale_of(view.active)
    base = league_path(name)
    body = tag(
        "div",
        {"class": "beside"},
        tag(
            "div",
            {"class": "main"},
            _filters(base, text, state),
            sheet(
                _table([_row(name, row, scale) for row in rows], is_whole=not text and not state)
                if rows
                else tag("p", {"class": "soft"}, "No entries found."),
                tag("p", {"class": "soft"}, NOTE),
            ),
            tag(
                "p",
                {},
                tag("a", {"href": f"{base}/batches"}, "queue and batches"),
                [
                    (" · ", tag("a", {"href": f"{base}/{file}"}, words))
                    for file, words in (("board.json", "JSON"), ("board.csv", "CSV"), ("feed.atom", "Atom feed"))
                ],
            ),
        ),
        tag("div", {"class": "side"}, [parts.elements[id] for id in ("playing", "upsets", "newest")]),
    )
    return live_page(f"League {name}", f"League {name}", parts, f"{base}/events", body, above=parts.elements["facts"])


def board_parts(view: LeagueView) -> PageParts:
    """Return the parts of the page that change: a row for each active entry, and what is beside the board."""
    name, scale = view.league.name, scale_of(view.active)
    rows = {f"entry-{row.entry.number}": _row(name, row, scale) for row in view.active}
    others = {
        "facts": facts(view),
        "playing": playing(view),
        "upsets": part("upsets", "Latest upsets", upset_list(view)),
        "newest": part("newest", "Newest entries", newest_list(view)),
    }
    return PageParts({**others, **rows}, tuple(rows))


def facts(view: LeagueView, id: str | None = "facts") -> Element:
    """Return what a league is, in a line. id: of the element; None: it has none."""
    plan, board = view.definition, view.board
    options = "".join(f", {name}={value}" for name, value in sorted(plan.options.items()))
    authors = {row.entry.owner for row in view.active if row.entry.owner}
    bots = sum(not row.entry.is_anchor for row in view.active)
    anchors = sum(row.entry.is_anchor for row in view.board.rows)
    state = {"open": "", "paused": "paused: nothing new is played · ", "closed": "closed · "}[view.league.state]
    return tag(
        "p",
        {"id": id, "class": "soft"},
        f"{state}{plan.game} at tables of {plan.seats}{options} · {count(bots)} {_plural('bot', bots)} by "
        f"{count(len(authors))} {_plural('author', len(authors))} · {count(board.matches)} matches in "
        f"{count(board.results)} {'batch' if board.results == 1 else 'batches'} · 0 is the mean of {anchors} "
        "reference bots",
    )


def playing(view: LeagueView) -> Element:
    """Return what is played now, and how much waits."""
    name = view.league.name
    leased = [row for row in view.queue if row.state == "leased"]
    waiting = len(view.queue) - len(leased)
    items = [
        tag(
            "li",
            {},
            tag("span", {}, entry_links(name, [view.rows[number].entry for number in row.entries])),
            tag("span", {"class": "soft"}, row.kind, " batch ", batch_link(name, row.number)),
        )
        for row in leased[:PLAYING]
    ]
    words = f"{count(waiting)} {'batch waits' if waiting == 1 else 'batches wait'}" if waiting else "nothing waits"
    more = f", {len(leased) - PLAYING} more are played" if len(leased) > PLAYING else ""
    return part(
        "playing",
        "Now playing",
        tag("ul", {"class": "events"}, items) if items else tag("p", {"class": "soft"}, "Nothing at the moment."),
        tag("p", {}, tag("a", {"href": f"{league_path(name)}/batches"}, f"{words}{more}")),
    )


def upset_list(view: LeagueView) -> Element:
    """Return the latest upsets."""
    items = [upset_item(view, upset) for upset in view.upsets]
    if not items:
        return tag("p", {"class": "soft"}, "None in the latest batches.")
    return tag("ul", {"class": "events"}, items)


def upset_item(view: LeagueView, upset: Upset) -> Element:
    """Return an upset as an item of a list, with a link to its replay."""
    return tag(
        "li",
        {},
        tag("a", {"href": f"/matches/{upset.match}"}, upset_words(view, upset)),
        tag("span", {"class": "soft"}, f"expected once in {round(1 / upset.chance)}"),
    )


def upset_words(view: LeagueView, upset: Upset) -> str:
    """Say who won against whom."""
    names = [view.rows[entry].entry.name for entry in upset.losers]
    return f"{view.rows[upset.winner].entry.name} beats {_enumerated(names)}"


def newest_list(view: LeagueView, most: int = NEWEST) -> Element:
    """Return the entries that were handed in last, at most `most` of them."""
    bots = [row for row in view.board.rows if not row.entry.is_anchor]
    entries = sorted(bots, key=lambda row: -row.entry.number)[:most]
    items = [
        tag(
            "li",
            {},
            entry_link(view.league.name, row.entry, state=True),
            tag("span", {"class": "soft"}, moment(row.entry.entered), " UTC"),
        )
        for row in entries
    ]
    if not items:
        return tag("p", {"class": "soft"}, "No bot has entered yet.")
    return tag("ul", {"class": "events"}, items)


def expected(view: LeagueView, matches: int) -> str:
    """Say how long matches take."""
    return "-" if view.match_seconds is None else f"about {duration(matches * view.match_seconds)} of a core"


def _is_meant(row: BoardRow, text: str, state: str) -> bool:
    entry = row.entry
    if text and text not in entry.name.lower() and text not in entry.owner.lower():
        return False
    return state == "all" or (entry.state == state if state else entry.is_active)


def _filters(base: str, text: str, state: str) -> Element:
    options = [tag("option", {"value": value, "selected": value == state}, words) for value, words in STATES.items()]
    return tag(
        "form",
        {"class": "filters sheet", "method": "get", "action": base},
        tag("label", {}, "name or author ", tag("input", {"type": "search", "name": "q", "value": text, "size": 14})),
        tag("label", {}, "entries ", tag("select", {"name": "state"}, options)),
        tag("button", {"class": "main"}, "show"),
    )


def _table(rows: list[Element], *, is_whole: bool) -> Element:
    """Return the table. is_whole: it shows all active entries, and so new ones as they come."""
    head = tag("tr", {}, [tag("th", {"class": kind or None, "scope": "col"}, words) for words, kind in HEADERS])
    return wide(
        "table: board",
        tag(
            "table",
            {"class": "board"},
            tag("thead", {}, head),
            tag("tbody", {"id": "rows", "data-whole": is_whole}, rows),
        ),
    )


class _Shown(NamedTuple):
    """What a row shows: as long as that stays the same, so does its markup. Elo is rounded."""

    entry: EntryRow
    rank: int | None
    elo: int | None
    bound: str
    ci95: int | None
    change: int | None
    version_change: int | None
    line: tuple[RatingPoint, ...]
    matches: int
    batch: tuple[int, str] | None
    faults: int


def _row(league: str, row: BoardRow, scale: Scale) -> Element:
    elo, ci95, day, version = (
        None if value is None else round(value) for value in (row.elo, row.ci95, row.change, row.version_change)
    )
    batch = None if row.played is None else (row.played.number, row.played.ended[:16])
    faults = sum((row.faults or {}).values())
    shown = _Shown(row.entry, row.rank, elo, row.bound, ci95, day, version, row.line, row.matches, batch, faults)
    return _drawn(league, shown, scale)


@lru_cache(maxsize=4096)
def _drawn(league: str, row: _Shown, scale: Scale) -> Element:
    at = f"{league_path(league)}/entries/{row.entry.number}"
    cells = zip((kind for _, kind in HEADERS), _cells(league, row, scale, at), strict=True)
    return tag(
        "tr",
        {"id": f"entry-{row.entry.number}", "class": row.entry.state},
        [tag("td", {"class": kind or None}, cell) for kind, cell in cells],
    )


def _cells(league: str, row: _Shown, scale: Scale, at: str) -> Iterator[Child]:
    entry = row.entry
    yield "-" if row.rank is None else row.rank
    yield entry_link(league, entry, state=True)
    yield entry.owner or tag("span", {"class": "soft"}, "-")
    yield tag("a", {"class": "elo-value", "href": f"{at}#history"}, elo_text(row.elo, row.bound))
    yield None if row.elo is None else elo_bar(row.elo, row.ci95, *scale, BAR_WIDTH)
    yield change(row.change, f"{at}#history")
    yield change(row.version_change, f"{at}#versions")
    yield sparkline(row.line)
    yield tag("a", {"href": f"/matches?{urlencode({'league': league, 'bot': entry.name})}"}, count(row.matches))
    yield None if row.batch is None else batch_link(league, row.batch[0], moment(row.batch[1]))
    query = urlencode({"league": league, "bot": entry.name, "fault": "any"})
    yield tag("a", {"href": f"/matches?{query}"}, count(row.faults)) if row.faults else "-"


def _plural(word: str, number: int) -> str:
    return word if number == 1 else f"{word}s"


def _enumerated(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
