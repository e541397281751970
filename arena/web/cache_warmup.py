"""What is made before anybody asks for it: the first look at a match, and rankings of many matches."""

from contextlib import suppress

import trio

from arena.store import Store
from arena.viewer.json_values import opening_values
from arena.viewer.replay import Replay
from arena.web.ranking_cache import CachedRanking, RankingCache

NEWEST = 64
"""So many tournaments, the newest first."""

REST = 9
"""How many times what it took it rests after each: a tenth of a core."""


async def warm(store: Store, rankings: RankingCache) -> None:
    """Look at a match, then make the rankings of the newest tournaments, one after the other; for a task of its own."""
    try:
        with suppress(Exception):
            await trio.to_thread.run_sync(_look, store, abandon_on_cancel=True)
        listed = await trio.to_thread.run_sync(store.tournaments)
    except Exception:
        return  # pages are served all the same, and whoever asks is told
    for number in [each.id for each in reversed(listed[-NEWEST:])]:
        try:
            found = await trio.to_thread.run_sync(_made, store, rankings, number, abandon_on_cancel=True)
        except Exception:
            continue
        await trio.sleep(REST * found.cost)


def _look(store: Store) -> None:
    """Look at the newest match: its rules, its painter and whatever else a replay needs are loaded then."""
    for newest in store.matches(limit=1):
        opening_values(Replay(store.match(newest.id)), None, 0)


def _made(store: Store, rankings: RankingCache, number: int) -> CachedRanking:
    """Make the ranking of a tournament with those who take part by now."""
    return rankings.of(store.tournament(number))
