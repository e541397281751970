"""How long the slowest bot of a batch takes for its answers, by what was known when it was drawn."""

from arena.league.plan.matchmaking.errors import DrawError
from arena.league.plan.matchmaking.snapshot import Snapshot
from arena.league.store.league_rows import BatchRow
from arena.league.store.leagues import Leagues
from arena.store import NoSuchRow, Store


def answer_seconds(store: Store, batch: BatchRow) -> float:
    """Return how long it takes, in seconds, where all play as much; 0 where nothing is known.

    The others answer meanwhile.
    """
    try:
        snapshot = Snapshot.from_text(Leagues(store).snapshot(batch.league, batch.snapshot))
    except (DrawError, NoSuchRow):  # verifications name it
        return 0.0
    paces = {entry.number: entry.cpu_us_per_deal for entry in snapshot.entries}
    deals = batch.matches / max(len(batch.entries), 1)
    return max((paces.get(entry, 0) for entry in batch.entries), default=0) * deals / 1e6
