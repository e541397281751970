"""The board of a league: its entries by Elo, what is played now, and the latest upsets."""

from collections.abc import Mapping

from arena.league.results.board import BoardRow
from arena.league.results.upsets import Upset
from arena.ratings.elo_text import UNSEPARATED
from arena.ratings.ranking_output import GRANTS_LEGEND
from arena.replay.html import Element, tag
from arena.server.leagues.board_table import board_row, board_scale, board_table, has_grants
from arena.server.leagues.cache import LeagueView
from arena.server.leagues.league_parts import (
    batch_link,
    duration,
    entry_link,
    entry_links,
    league_path,
    live_page,
    moment,
    part,
    scale_of,
)
from arena.server.live.page_parts import PageParts
from arena.server.pages.layout import count, sheet

STATES = {"": "active", "all": "all", "placing": "placing", "standing": "standing", "retired": "retired",
          "suspended": "suspended"}  # fmt: skip
"""The filter by state, and its words."""

PLAYING, NEWEST = 3, 6
"""Batches and entries that are listed beside the board."""

NAMED = 3
"""The most names of losers in an upset."""

NOTE = (
    f"{UNSEPARATED} Elo: the difference to the mean of the reference bots, from one joint fit of all matches, with its "
    "95 % interval drawn; > and < mark bounds. 1 day: the change since the day before. version: the difference to the "
    "bot's version before."
)


def show(view: LeagueView, parts: PageParts, query: Mapping[str, str], owner: str | None = None) -> str:
    """Return the page.

    parts: as `board_parts` returns them.
    query: the filters in the URL: q, a part of the name or the author; state.
    owner: whoever is signed in; their rows are marked.
    """
    name = view.league.name
    text, state = query.get("q", "")[:80].lower(), query.get("state", "") if query.get("state") in STATES else ""
    scale, with_grants = scale_of(view.active), has_grants(view)
    drawn = [
        board_row(view, row, scale, owner, with_grants=with_grants)
        for row in view.board.rows
        if _is_meant(row, text, state)
    ]
    base = league_path(name)
    body = tag(
        "div",
        {"class": "beside"},
        tag(
            "div",
            {"class": "main"},
            _filters(base, text, state),
            sheet(
                board_table(
                    drawn, parts.elements["scale"], owner, is_whole=not text and not state, with_grants=with_grants
                )
                if drawn
                else tag("p", {"class": "soft"}, "No entries found."),
                tag("p", {"class": "soft"}, NOTE, f" {GRANTS_LEGEND}" if with_grants else None),
                parts.elements["repeats"],
            ),
            tag(
                "p",
                {},
                tag("a", {"href": f"{base}/batches"}, "queue and batches"),
                [
                    (" · ", tag("a", {"href": f"{base}/{file}"}, words))
                    for file, words in (("board.json", "JSON"), ("board.csv", "CSV"), ("feed.atom", "Atom feed"))
                ],
                [(" · ", tag("a", {"href": f"{base}/seasons/{season}"}, f"season {season}")) for season in view.past],
            ),
        ),
        tag("div", {"class": "side"}, [parts.elements[id] for id in ("playing", "upsets", "newest")]),
    )
    return live_page(f"League {name}", f"League {name}", parts, f"{base}/events", body, above=parts.elements["facts"])


def board_parts(view: LeagueView) -> PageParts:
    """Return the parts of the page that change: a row for each active entry, and what is beside the board."""
    scale, with_grants = scale_of(view.active), has_grants(view)
    rows = {f"entry-{row.entry.number}": board_row(view, row, scale, with_grants=with_grants) for row in view.active}
    others = {
        "facts": facts(view),
        "repeats": repeats(view),
        "scale": board_scale(scale),
        "playing": playing(view),
        "upsets": part("upsets", "Latest upsets", upset_list(view)),
        "newest": part("newest", "Newest entries", newest_list(view)),
    }
    return PageParts({**others, **rows}, tuple(rows))


def facts(view: LeagueView, id: str | None = "facts") -> Element:
    """Return what a league is, in a line.

    id: the id of the element; None: it has none.
    """
    plan, board = view.definition, view.board
    options = "".join(f", {name}={value}" for name, value in sorted(plan.options.items()))
    authors = {row.entry.owner for row in view.active if row.entry.owner}
    bots = sum(not row.entry.is_anchor for row in view.active)
    anchors = sum(row.entry.is_anchor for row in view.board.rows)
    state = {"open": "", "paused": "paused: nothing new is played · ", "closed": "closed · "}[view.league.state]
    if view.season.season.phase in ("frozen", "final"):
        state += f"{view.season.sentence} · "
    if view.unplayable:
        state += f"nothing is played, as {view.unplayable} · "
    return tag(
        "p",
        {"id": id, "class": "soft"},
        f"{state}{plan.game} at tables of {plan.seats}{options} · {count(bots)} {_plural('bot', bots)} by "
        f"{count(len(authors))} {_plural('author', len(authors))} · {count(board.matches)} matches in "
        f"{count(board.results)} {'batch' if board.results == 1 else 'batches'} · 0 is the mean of {anchors} "
        "reference bots",
    )


def repeats(view: LeagueView) -> Element:
    """Return what was found of repeated matches; nothing where there were none."""
    found = view.board.repeats
    return tag("p", {"id": "repeats", "class": "soft"}, " ".join(found.notes) if found is not None else None)


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


def _plural(word: str, number: int) -> str:
    return word if number == 1 else f"{word}s"


def _enumerated(names: list[str]) -> str:
    """Return names in a row; of many the first and how many more there are."""
    if len(names) > NAMED:
        names = [*names[: NAMED - 1], f"{len(names) - NAMED + 1} others"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
