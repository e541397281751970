"""The table of a board: a row for each entry, drawn anew only where it shows something else."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlencode

from arena.league.results.board import BoardRow
from arena.league.results.flags import sentence
from arena.league.results.rating_history import RatingPoint
from arena.league.store.league_rows import EntryRow
from arena.ratings.elo_text import elo_text, rank_text
from arena.ratings.ranking_output import grants_text
from arena.replay.html import Child, Element, tag
from arena.server.leagues.cache import LeagueView
from arena.server.leagues.league_parts import (
    BAR_WIDTH,
    Scale,
    batch_link,
    change,
    entry_link,
    league_path,
    moment,
    sparkline,
)
from arena.server.pages.layout import count, wide
from arena.server.tournaments.ranking import elo_bar, elo_scale

INTERVAL = "± 95 %"

HEADERS = (
    ("rank", "number"), ("bot", ""), ("author", "spare"), ("Elo", "number"), (INTERVAL, ""), ("1 day", "number spare"),
    ("version", "number spare"), ("line", "spare"), ("matches", "number spare"), ("last played", "spare"),
    ("faults", "number spare"),
)  # fmt: skip
"""The columns and their classes."""

GRANTS = ("grants", "spare")
"""One more, where any entry has one."""


def board_scale(scale: Scale) -> Element:
    """Draw the scale of the intervals, which changes with them."""
    return tag("div", {"id": "scale"}, elo_scale(*scale, BAR_WIDTH))


def has_grants(view: LeagueView) -> bool:
    """Return whether the organiser of a league grants any entry more than others."""
    return any(row.entry.grants.words for row in view.board.rows)


def board_table(
    rows: list[Element], scale: Element, owner: str | None, *, is_whole: bool, with_grants: bool
) -> Element:
    """Return the table.

    scale: the scale of the intervals.
    owner: whose rows are marked.
    is_whole: whether it shows all active entries, and so new ones as they come.
    with_grants: whether the rows have the column of grants.
    """
    headings = [
        tag("th", {"class": kind or None, "scope": "col"}, words, scale if words == INTERVAL else None)
        for words, kind in (*HEADERS, *([GRANTS] if with_grants else []))
    ]
    return wide(
        "table: board",
        tag(
            "table",
            {"class": "board", "data-sortable": True},
            tag("thead", {}, tag("tr", {}, headings)),
            tag("tbody", {"id": "rows", "data-whole": is_whole, "data-owner": owner}, rows),
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
    separated: bool | None
    audit: str
    is_own: bool
    grants: str | None


def board_row(view: LeagueView, row: BoardRow, scale: Scale, owner: str | None = None, *, with_grants: bool) -> Element:
    """Return the row of an entry.

    owner: whose rows are marked.
    with_grants: whether it has the column of grants.
    """
    elo, ci95, day, version = (
        None if value is None else round(value) for value in (row.elo, row.ci95, row.change, row.version_change)
    )
    batch = None if row.played is None else (row.played.number, row.played.ended[:16])
    faults = sum((row.faults or {}).values())
    audit = "; ".join(sentence(flag, view.board.names) for flag in row.flags)
    is_own = bool(owner) and row.entry.owner == owner
    shown = _Shown(
        row.entry, row.rank, elo, row.bound, ci95, day, version, row.line, row.matches, batch, faults, row.separated,
        audit, is_own, grants_text(row.entry.grants.words) if with_grants else None,
    )  # fmt: skip
    return _drawn(view.league.name, shown, scale)


@lru_cache(maxsize=4096)
def _drawn(league: str, row: _Shown, scale: Scale) -> Element:
    at = f"{league_path(league)}/entries/{row.entry.number}"
    headers = HEADERS if row.grants is None else (*HEADERS, GRANTS)
    cells = zip((kind for _, kind in headers), _cells(league, row, scale, at), strict=True)
    return tag(
        "tr",
        {"id": f"entry-{row.entry.number}", "class": f"{row.entry.state} own" if row.is_own else row.entry.state},
        [tag("td", {"class": kind or None}, cell) for kind, cell in cells],
    )


def _cells(league: str, row: _Shown, scale: Scale, at: str) -> Iterator[Child]:
    entry = row.entry
    yield rank_text(row.rank, row.separated)
    yield entry_link(league, entry, state=True), _audit_badge(row.audit, at)
    yield tag("span", {"data-author": True}, entry.owner) if entry.owner else tag("span", {"class": "soft"}, "-")
    yield tag("a", {"class": "elo-value", "href": f"{at}#history"}, elo_text(row.elo, row.bound))
    yield None if row.elo is None else elo_bar(row.elo, row.ci95, *scale, BAR_WIDTH)
    yield change(row.change, f"{at}#history")
    yield change(row.version_change, f"{at}#versions")
    yield sparkline(row.line)
    yield tag("a", {"href": f"/matches?{urlencode({'league': league, 'bot': entry.name})}"}, count(row.matches))
    yield None if row.batch is None else batch_link(league, row.batch[0], moment(row.batch[1]))
    query = urlencode({"league": league, "bot": entry.name, "fault": "any"})
    yield tag("a", {"href": f"/matches?{query}"}, count(row.faults)) if row.faults else "-"
    if row.grants is not None:
        yield row.grants


def _audit_badge(words: str, at: str) -> Child:
    """Return the mark of an entry of which the audit says something, with a link to what it says."""
    if not words:
        return None
    return (" ", tag("a", {"class": "badge audit", "href": f"{at}#audit", "title": words}, "audit"))
