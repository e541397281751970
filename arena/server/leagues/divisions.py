"""The divisions of a league: who is in which, who would move if the span ended now, and who has moved."""

from collections.abc import Mapping

from arena.language.messages import gettext as _
from arena.league.divisions.decisions import DivisionDecisions, holders
from arena.league.divisions.report import LATEST, DivisionReport, report_divisions
from arena.league.divisions.rules import division_of
from arena.league.results.board import versions_of
from arena.league.store.league_rows import EntryRow
from arena.league.store.leagues import Leagues
from arena.server.errors import PageNotFound
from arena.server.leagues.cache import CachedLeague, LeagueView
from arena.server.leagues.hidden import hidden_note
from arena.server.leagues.league_parts import percent, scale_of
from arena.server.templates import TEMPLATES
from arena.store import Store
from arena.values.display_names import NO_NAMES


def report(store: Store, cached: CachedLeague) -> DivisionReport | None:
    """Return the divisions of a league as they are now; None if it has none."""
    view = cached.view()
    return report_divisions(store, view.board, Leagues(store).seasons(cached.id)[-1], cached.los)


def place_words(store: Store, view: LeagueView, entry: EntryRow) -> str:
    """Say in which division an active entry is, and since when; empty where there is none, or not yet."""
    decisions = DivisionDecisions(store, view.league.id).latest(LATEST) if view.definition.divisions else []
    if not decisions or not entry.is_active or entry.is_anchor:
        return ""
    entries = {number: row.entry for number, row in view.rows.items()}
    held = holders(decisions[0].places, entries, [row.entry.number for row in view.active])
    lowest = view.definition.divisions
    words = _("It plays in division {0}.", division_of(held).get(entry.number, lowest))
    versions = {version.number for version in versions_of(entry, entries.values())}
    for decision in decisions:
        promoted = _("It was promoted to division {0} on {1}."), decision.promoted
        relegated = _("It was relegated to division {0} on {1}."), decision.relegated(lowest)
        for sentence, moves in (promoted, relegated):
            if division := next((division for number, division in moves if number in versions), None):
                return f"{words} {sentence.format(division, decision.created[:10])}"
    return words


def show(store: Store, cached: CachedLeague, owner: str | None, names: Mapping[str, str] = NO_NAMES) -> str:
    """Return the page.

    owner: whoever is signed in; their rows are marked.
    names: the display names of accounts that the visitor sees.

    Raises PageNotFound if the league has no divisions.
    """
    view, divisions = cached.view(), report(store, cached)
    if divisions is None:
        raise PageNotFound(f"the league {cached.name} has no divisions: see its board")
    return TEMPLATES.page(
        "leagues/divisions.html",
        translated=True,
        league=cached.name,
        hidden=hidden_note(view),
        divisions=divisions,
        definition=view.definition,
        scale=scale_of(view.active),
        entries={number: row.entry for number, row in view.rows.items()},
        owner=owner,
        names=names,
        percent=percent,
    )
