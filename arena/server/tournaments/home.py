"""The home page: what goes on in leagues, the newest tournaments and their leaders, and the list of all tournaments."""

import time
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from arena.language.languages import LANGUAGE
from arena.language.messages import gettext as _
from arena.language.page_words import script_name
from arena.ratings import RankingRow
from arena.ratings.elo_text import rank_text
from arena.replay.readable import game_codes
from arena.replay.renderer import table_scripts
from arena.server.access import Access
from arena.server.files import art_address
from arena.server.leagues.board import facts_text, upsets_of
from arena.server.leagues.cache import LeagueView
from arena.server.leagues.league_list import LeagueHome
from arena.server.leagues.league_parts import league_path
from arena.server.templates import TEMPLATES
from arena.server.tournaments.ranking_cache import RankingCache
from arena.server.watch.shown_tables import ShownTable
from arena.store import Store
from arena.values.rows import TournamentRow

NEWEST = 6
"""Tournaments that are shown with their leaders."""

LEADERS = 3


class _Leader(NamedTuple):
    """A bot among the first of a tournament."""

    row: RankingRow
    rank: str
    """Its rank as text."""
    low: float
    """The lower end of its interval."""
    high: float
    """The upper end of its interval."""


class _Stage(NamedTuple):
    """The league whose table is shown, and what is said beside it."""

    league: str
    base: str
    """The path of its page."""
    game: str
    art: str | None
    """The address of the drawings."""
    codes: str | None
    """The tables by which its texts are read."""
    eyebrow: str
    headline: str
    facts: str
    """The least expected win of late, or else what the league is."""
    upset: int | None
    """The match that its winner was least expected to win, of the latest ones."""
    now: int
    """The time of the server, in milliseconds since 1970."""
    shown: Sequence[ShownTable]
    """What a browser without JavaScript names."""
    scripts: Sequence[str]


SCRIPTS = ("source.js", "live-page.js", "watch.js", "sort.js", "dates.js")
"""The scripts of a page with a table that is watched, besides those that draw it."""


def show(store: Store, rankings: RankingCache, access: Access, leagues: LeagueHome) -> str:
    """Return the home page: leagues, the newest tournaments with their leaders, and all tournaments, newest first.

    access: on an empty site, organisers see a hint.
    leagues: what is shown of leagues; nothing where there are none.
    """
    rows = store.tournaments()[::-1]
    counts = {row.id: store.count(row.id) for row in rows}
    return TEMPLATES.page(
        "tournaments/home.html",
        translated=True,
        rows=[(row, counts[row.id], options_text(row)) for row in rows],
        cards=[(row, counts[row.id], _leaders(rankings, row, counts[row.id])) for row in rows[:NEWEST]],
        organiser=access.organiser,
        parts=leagues.parts,
        stage=None if leagues.watched is None else _stage(leagues.watched, leagues.shown),
        events="/leagues/events"
        + ("" if leagues.watched is None else f"?{urlencode({'watch': leagues.watched.league.name})}"),
    )


def _stage(view: LeagueView, shown: Sequence[ShownTable]) -> _Stage:
    name, game = view.league.name, view.definition.game
    under_way = any(row.state == "leased" for row in view.queue)
    return _Stage(
        name,
        league_path(name),
        game,
        art_address(game),
        game_codes(game),
        " · ".join((_("Now playing") if under_way else _("Last played"), _("League {0}", name))),
        _headline(view),
        _upset(view) or facts_text(view),
        view.upsets[0].first.match if view.upsets else None,
        round(time.time() * 1000),
        shown,
        ("words.js", *script_name(LANGUAGE.get()), *table_scripts(game), *SCRIPTS),
    )


def _upset(view: LeagueView) -> str:
    """Say which of the latest matches its winner was least expected to win; empty where there is none."""
    latest = upsets_of(view, 1)
    return f"{latest[0][2]}: {_('expected once in {0}', latest[0][3])}" if latest else ""


def _headline(view: LeagueView) -> str:
    """Say who leads a league, and whether the ratings separate them from who follows."""
    ranked = [row for row in view.active if row.rank is not None]
    if not ranked:
        return _("Nothing is rated yet.")
    first = ranked[0].entry.name
    if len(ranked) == 1:
        return _("{0} leads.", first)
    second = ranked[1]
    if not second.separated or ranked[0].bound or second.bound or ranked[0].elo is None or second.elo is None:
        return _("{0} leads; {1} is not separated from it.", first, second.entry.name)
    return _("{0} leads {1} by {2} Elo.", first, second.entry.name, round(ranked[0].elo) - round(second.elo))


def options_text(tournament: TournamentRow) -> str:
    """Say which options the game of a tournament has."""
    return ", ".join(f"{name}={value}" for name, value in sorted(tournament.options.items()))


def _leaders(rankings: RankingCache, row: TournamentRow, played: int) -> list[_Leader]:
    """Return the leaders; none while nobody is rated, or where the ranking is not at hand."""
    if not played or rankings.waiting(row):
        return []
    rows = rankings.of(row).standings.table.rows[:LEADERS]
    ends = [leader.ci95 or 0 for leader in rows]
    return [
        _Leader(leader, rank_text(leader.rank, leader.separated), leader.elo - end, leader.elo + end)
        for leader, end in zip(rows, ends, strict=True)
    ]
