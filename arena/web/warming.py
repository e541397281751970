"""Rankings that are made before anybody asks for them: nobody waits for that of many matches."""

import trio

from arena.errors import ArenaError
from arena.store import Store
from arena.web.rankings import Rankings
from referee.engine.errors import EngineError

NEWEST = 64
"""So many tournaments, the newest first."""

REST = 9
"""How many times what it took it rests after each: a tenth of a core."""


async def warm(store: Store, rankings: Rankings) -> None:
    """Make the rankings of the newest tournaments, one after the other; for a task of its own."""
    for tournament in reversed((await trio.to_thread.run_sync(store.tournaments))[-NEWEST:]):
        try:
            found = await trio.to_thread.run_sync(rankings.of, tournament, abandon_on_cancel=True)
        except (ArenaError, EngineError):
            continue  # whoever asks for it is told
        await trio.sleep(REST * found.cost)
