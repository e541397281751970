"""What is made before anybody asks: templates, boards of leagues, the first look at a match, rankings."""

from contextlib import suppress

import trio

from arena.replay.json_values import opening_values
from arena.replay.replay import Replay
from arena.server.leagues.board import board_parts
from arena.server.leagues.cache import LeagueCache
from arena.server.templates import TEMPLATES
from arena.server.tournaments.ranking_cache import CachedRanking, RankingCache
from arena.store import Store

NEWEST = 64
"""So many tournaments, the newest first."""

REST = 9
"""How many times what it took it rests after each: a tenth of a core."""


LEAGUE_SECONDS = 3.0
"""The most time that boards of leagues take before the server answers anybody."""


async def warm_leagues(leagues: LeagueCache) -> None:
    """Read the leagues and draw their boards: whoever asks first would wait for all of it.

    Boards that are not ready after `LEAGUE_SECONDS` are finished while the server answers.
    """
    with trio.move_on_after(LEAGUE_SECONDS), suppress(Exception):
        await trio.to_thread.run_sync(_draw_boards, leagues, abandon_on_cancel=True)


async def warm(store: Store, rankings: RankingCache) -> None:
    """Compile the templates, look at a match, and make the rankings of the newest tournaments, one after the other.

    For a task of its own.
    """
    try:
        await trio.to_thread.run_sync(TEMPLATES.compile, abandon_on_cancel=True)
        with suppress(Exception):
            await trio.to_thread.run_sync(_look, store, abandon_on_cancel=True)
        listed = await trio.to_thread.run_sync(store.tournaments)
    except Exception:
        return  # pages are served all the same, and whoever asks is told
    for number in [tournament.id for tournament in reversed(listed[-NEWEST:])]:
        try:
            ranking = await trio.to_thread.run_sync(_made, store, rankings, number, abandon_on_cancel=True)
        except Exception:
            continue
        await trio.sleep(REST * ranking.cost)


def _draw_boards(leagues: LeagueCache) -> None:
    """Draw the boards of all leagues; the rows are kept."""
    for cached in leagues.all():
        with suppress(Exception):
            board_parts(cached.view())


def _look(store: Store) -> None:
    """Look at the newest match: its rules, its painter and whatever else a replay needs are loaded then."""
    for newest in store.matches(limit=1):
        opening_values(Replay(store.match(newest.id)), None, 0)


def _made(store: Store, rankings: RankingCache, number: int) -> CachedRanking:
    """Make the ranking of a tournament with those who take part by now."""
    return rankings.of(store.tournament(number))
