"""The list of bots that were submitted, or take part in a tournament or league."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from arena.league.store.leagues import Leagues
from arena.server.matches.match_list import MOST_LISTED
from arena.server.templates import TEMPLATES
from arena.store import Store
from arena.values.rows import TournamentRow
from arena.values.versioned_names import base_name

NEWEST = 6
"""Tournaments of a bot that are listed."""


class _Entry(NamedTuple):
    game: str
    league: str
    number: int


class _Bot(NamedTuple):
    """A line of the list."""

    name: str
    games: str
    """Their names; "-" for none."""
    entries: Collection[_Entry]
    """The newest of each league."""
    tournaments: Sequence[int]
    """The numbers of the newest."""
    older: int
    """How many further tournaments there are."""
    version: int | str
    """Its newest version; "-" for none."""


def show(store: Store, part: str) -> str:
    """Return the list of bots, by name.

    part: only bots with this text in their name are listed; empty: all are.
    """
    tournaments = _tournaments(store)
    entries = _entries(store)
    versions = {submission.name: submission.version for submission in store.submissions.newest()}
    names = sorted({*tournaments, *entries, *versions})
    matching = [name for name in names if part.lower() in name.lower()]
    rows = [
        _Bot(
            name,
            ", ".join(sorted({*(row.game for row in tournaments[name]), *(row.game for row in entries[name].values())}))
            or "-",
            entries[name].values(),
            [tournament.id for tournament in tournaments[name][:NEWEST]],
            max(len(tournaments[name]) - NEWEST, 0),
            versions.get(name, "-"),
        )
        for name in matching[:MOST_LISTED]
    ]
    return TEMPLATES.page(
        "bots/list.html",
        rows=rows,
        part=part,
        searchable=len(names) > MOST_LISTED or part != "",
        found=f"{len(names):,} bots" if len(rows) == len(names) else f"{len(rows):,} of {len(names):,} bots",
        empty="No bot has this in its name." if names else "No bot has been submitted or has played yet.",
    )


def _tournaments(store: Store) -> dict[str, list[TournamentRow]]:
    """Return the tournaments of each bot, the newest first."""
    by_bot = defaultdict[str, list[TournamentRow]](list)
    for tournament in reversed(store.tournaments()):
        bots = {base_name(bot.name) if "@" in bot.name else bot.name for bot in tournament.entrants}
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
