"""The forms by which somebody who is signed in has an entry of a league challenged, retired or readmitted."""

from collections.abc import Sequence

from arena.language.messages import gettext as _
from arena.league.results.board import BoardRow
from arena.ratings.elo_text import elo_text
from arena.replay.html import Element
from arena.server.access import Access
from arena.server.leagues.cache import LeagueView
from arena.server.templates import TEMPLATES

DEALS = 100
"""Of a challenge, unless somebody changes it."""


def show(view: LeagueView, row: BoardRow, access: Access) -> Element | None:
    """Return the forms for an entry; None where there is nothing to be done."""
    if access.account is None or view.league.state == "closed" or view.league.owner is not None:
        return None
    is_mine = row.entry.owner == access.account.owner
    if access.organiser or is_mine:
        bots, others, decision = [row], _opponents(view, row), _decision(view, row, access)
    else:
        bots = [rated for rated in view.active if rated.entry.owner == access.account.owner]
        others, decision = [row] if bots and row.entry.is_active else [], None
    if not others and decision is None:
        return None
    most = view.definition.challenge_deals
    return TEMPLATES.macro("leagues/entry_actions.html", "actions")(
        view.league.name,
        row.entry,
        _("Your bot") if is_mine else _("Actions"),
        [_option(bot) for bot in bots],
        [_option(other) for other in others],
        min(DEALS, most),
        most,
        decision,
    )


def _versions(view: LeagueView, row: BoardRow) -> list[BoardRow]:
    return [rated for rated in view.rows.values() if rated.entry.submission[0] == row.entry.submission[0]]


def _opponents(view: LeagueView, row: BoardRow) -> Sequence[BoardRow]:
    """Return whom an entry may challenge."""
    if row.entry.state == "suspended":
        return []
    others = [*view.active, *_versions(view, row)]
    opponents = {other.entry.number: other for other in others if other is not row and other.entry.state != "suspended"}
    return list(opponents.values())


def _decision(view: LeagueView, row: BoardRow, access: Access) -> tuple[str, str, str] | None:
    """Return what its owner, or an organiser, may decide on an entry, in an address and in words, and what follows.

    None: nothing.
    """
    entry = row.entry
    if entry.is_active:
        if entry.is_anchor:
            return None
        return "retire", _("retire {0}", entry.name), _("It keeps its rating and plays no more.")
    is_newest = entry.number == max(version.entry.number for version in _versions(view, row))
    may_readmit = is_newest and (entry.state == "retired" or access.organiser)
    if not may_readmit:
        return None
    return "readmit", _("readmit {0}", entry.name), _("It is placed and plays again.")


def _option(row: BoardRow) -> tuple[str, str]:
    """Return an entry as an option: its value and words."""
    rank = f"{row.rank}. " if row.rank is not None else ""
    elo = f" ({elo_text(row.elo)})" if row.elo is not None else ""
    return row.entry.name, f"{rank}{row.entry.name}{elo}"
