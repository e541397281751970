"""Rankings that are made before anybody asks for them: nobody waits for that of many matches."""

import trio

from arena.store import Store
from arena.web.rankings import Ranked, Rankings

NEWEST = 64
"""So many tournaments, the newest first."""

REST = 9
"""How many times what it took it rests after each: a tenth of a core."""


async def warm(store: Store, rankings: Rankings) -> None:
    """Make the rankings of the newest tournaments, one after the other; for a task of its own."""
    try:
        listed = await trio.to_thread.run_sync(store.tournaments)
    except Exception:
        return  # pages are served all the same, and whoever asks is told
    for number in [each.id for each in reversed(listed[-NEWEST:]) if each.id is not None]:
        try:
            found = await trio.to_thread.run_sync(_made, store, rankings, number, abandon_on_cancel=True)
        except Exception:
            continue
        await trio.sleep(REST * found.cost)


def _made(store: Store, rankings: Rankings, number: int) -> Ranked:
    """Make the ranking of a tournament with those who take part by now."""
    return rankings.of(store.tournament(number))
