"""The forms by which somebody who is signed in has an entry of a league challenged, retired or readmitted."""

from collections.abc import Iterator, Sequence

from arena.league.results.board import BoardRow
from arena.ratings.elo_text import elo_text
from arena.replay.html import Child, Element, tag
from arena.server.access import Access
from arena.server.leagues.cache import LeagueView
from arena.server.leagues.league_parts import league_path
from arena.server.pages.layout import sheet

DEALS = 100
"""Of a challenge, unless somebody changes it."""

LONGEST_LIST = 10
"""Rows of a list of opponents that are shown at once."""


def show(view: LeagueView, row: BoardRow, access: Access) -> Element | None:
    """Return the forms for an entry; None where there is nothing to be done."""
    if access.account is None or view.league.state == "closed":
        return None
    own = access.organiser or row.entry.owner == access.account.name
    body = list(_of_owner(view, row, access) if own else _of_others(view, row, access.account.name))
    title = "Your bot" if row.entry.owner == access.account.name else "Actions"
    return sheet(tag("h2", {}, title), body, id="actions") if body else None


def _of_owner(view: LeagueView, row: BoardRow, access: Access) -> Iterator[Child]:
    """Yield what its owner, or an organiser, may do."""
    entry = row.entry
    versions = [each for each in view.rows.values() if each.entry.submission[0] == entry.submission[0]]
    if entry.state != "suspended":
        others = [each for each in (*view.active, *versions) if each is not row and each.entry.state != "suspended"]
        yield _challenge(view, [row], list({each.entry.number: each for each in others}.values()))
    is_newest = entry.number == max(each.entry.number for each in versions)
    if entry.is_active:
        if not entry.is_anchor:
            yield _decision(view, row, "retire", "It keeps its rating and plays no more.")
    elif is_newest and (entry.state == "retired" or access.organiser):
        yield _decision(view, row, "readmit", "It is placed and plays again.")


def _decision(view: LeagueView, row: BoardRow, word: str, consequence: str) -> Element:
    path = f"{league_path(view.league.name)}/entries/{row.entry.number}/{word}"
    return tag(
        "form",
        {"method": "post", "action": path},
        tag("button", {}, f"{word} {row.entry.name}"),
        tag("span", {"class": "soft"}, f" {consequence}"),
    )


def _of_others(view: LeagueView, row: BoardRow, account: str) -> Iterator[Child]:
    """Yield what somebody with bots in the league may do with somebody else's entry."""
    mine = [each for each in view.active if each.entry.owner == account]
    if mine and row.entry.is_active:
        yield _challenge(view, mine, [row])


def _challenge(view: LeagueView, challengers: Sequence[BoardRow], others: Sequence[BoardRow]) -> Child:
    if not others:
        return None
    most = view.definition.challenge_deals
    return tag(
        "form",
        {"method": "post", "action": f"{league_path(view.league.name)}/challenges", "class": "challenge"},
        tag("p", {"class": "soft"}, "A challenge is played when no other batch waits, and changes no rating."),
        _choice("bot", "your bot", challengers, several=False),
        _choice("against", "against", others, several=True),
        tag(
            "label",
            {},
            "deals ",
            tag("input", {"name": "deals", "type": "number", "min": 1, "max": most, "value": min(DEALS, most)}),
        ),
        tag("button", {"class": "main"}, "challenge"),
    )


def _choice(name: str, words: str, rows: Sequence[BoardRow], *, several: bool) -> Element:
    """Return a choice among entries; one alone is not chosen but said."""
    if len(rows) == 1:
        [row] = rows
        hidden = tag("input", {"type": "hidden", "name": name, "value": row.entry.name})
        return tag("p", {"class": "choice"}, tag("span", {}, f"{words} "), tag("strong", {}, row.entry.name), hidden)
    options = [tag("option", {"value": row.entry.name}, _option(row)) for row in rows]
    size = min(len(rows), LONGEST_LIST) if several else None
    chooser = tag("select", {"name": name, "multiple": several, "size": size, "required": True}, options)
    hint = tag("span", {"class": "soft"}, "one or several (Ctrl or ⌘)") if several else None
    return tag("label", {}, f"{words} ", chooser, hint)


def _option(row: BoardRow) -> str:
    rank = f"{row.rank}. " if row.rank is not None else ""
    elo = f" ({elo_text(row.elo)})" if row.elo is not None else ""
    return f"{rank}{row.entry.name}{elo}"
