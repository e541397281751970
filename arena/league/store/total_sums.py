"""The sums of all batches of a league up to one of them, so that a run need not add up every batch again."""

from sqlalchemy import delete, insert, select

from arena.league.store.league_log import lock_league
from arena.store import Store
from arena.store.engine.blobs import compress, decompress
from arena.store.engine.schema import total_sums


class TotalSums:
    """The sums of the leagues of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def save(self, league: int, results: int, packed: bytes) -> None:
        """Store the sums of the first `results` batches, unless those of as many are stored."""
        with self._store.write() as connection:
            lock_league(connection, league)
            of_league = total_sums.c.league_id == league
            if (connection.scalar(select(total_sums.c.results).where(of_league)) or 0) < results:
                connection.execute(delete(total_sums).where(of_league))
                values = {"league_id": league, "results": results, "packed": compress(packed)}
                connection.execute(insert(total_sums).values(values))

    def newest(self, league: int) -> tuple[int, bytes]:
        """Return how many batches the stored sums hold, and the packed sums; 0 and nothing if there are none.

        Nor are there any where visitors do not see the results of all these batches.
        """
        with self._store.read() as connection:
            row = connection.execute(select(total_sums).where(total_sums.c.league_id == league)).first()
            shown = [bound.last for bound in self._store.hidden(connection) if bound.league == league]
            if row is None or row.results > min(shown, default=row.results):
                return 0, b""
            return row.results, decompress(row.packed)
