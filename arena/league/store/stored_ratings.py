"""The ratings of leagues: those that pages show, and the snapshots from which batches are drawn."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from arena.league.store.league_rows import RatingsRow
from arena.store import Store
from arena.store.engine.blobs import compress, decompress
from arena.store.engine.errors import NoSuchRow
from arena.store.engine.row_map import PACKED, RowMap
from arena.store.engine.schema import league_ratings, snapshots
from arena.store.people.closed_names import load_closed_names
from arena.values.rows import utc_now

_RATINGS = RowMap(RatingsRow, league_ratings, packed=PACKED)


class StoredRatings:
    """The ratings of the leagues of a database, without those that its readers do not see yet."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add_snapshot(self, league: int, text: bytes, sha256: str) -> int:
        """Store the ratings from which batches are drawn, unless the newest are the same; return their number."""
        with self._store.write(numbers=True) as connection:
            of_league = snapshots.c.league_id == league
            newest = connection.execute(
                select(snapshots.c.number, snapshots.c.sha256)
                .where(of_league)
                .order_by(snapshots.c.number.desc())
                .limit(1)
            ).first()
            if newest is not None and newest.sha256 == sha256:
                return int(newest.number)
            number = 1 if newest is None else int(newest.number) + 1
            connection.execute(
                insert(snapshots).values(
                    league_id=league, number=number, packed=compress(text), sha256=sha256, created=utc_now()
                )
            )
            return number

    def snapshot(self, league: int, number: int) -> str:
        """Return the ratings from which batches were drawn, with the owners that readers see.

        Raises NoSuchRow if there are none of that number.
        """
        text = self.signed_snapshot(league, number).decode()
        with self._store.read() as connection:
            closed = load_closed_names(connection)
        return closed.snapshot(text)

    def signed_snapshot(self, league: int, number: int) -> bytes:
        """Return the ratings from which batches were drawn as they were written, to which their hash belongs.

        Raises NoSuchRow if there are none of that number.
        """
        with self._store.read() as connection:
            of_number = (snapshots.c.league_id == league) & (snapshots.c.number == number)
            for bound in self._store.hidden(connection):
                if bound.league == league:
                    of_number &= snapshots.c.created < bound.since
            packed = connection.scalar(select(snapshots.c.packed).where(of_number))
        if packed is None:
            raise NoSuchRow(f"the database {self._store.where} has no snapshot {number} of that league")
        return decompress(packed)

    def snapshot_hashes(self, league: int) -> list[tuple[int, str]]:
        """Return the number of each snapshot of a league, and the SHA-256 in hex that is stored with it."""
        with self._store.read() as connection:
            query = select(snapshots.c.number, snapshots.c.sha256).where(snapshots.c.league_id == league)
            return [(row.number, row.sha256) for row in connection.execute(query.order_by(snapshots.c.number))]

    def save_ratings(self, league: int, row: RatingsRow, superseded: Collection[int] = ()) -> None:
        """Store ratings as the newest, and drop others that they make superfluous, by their numbers."""
        with self._store.write(numbers=True) as connection:
            of_league = league_ratings.c.league_id == league
            dropped = league_ratings.c.number.in_([row.number, *superseded])
            connection.execute(delete(league_ratings).where(of_league, dropped))
            connection.execute(insert(league_ratings).values(league_id=league, **_RATINGS.values(row)))

    def ratings(self, league: int, number: int | None = None) -> RatingsRow | None:
        """Return stored ratings, by default the newest; None if there are none."""
        with self._store.read() as connection:
            query = select(*_RATINGS.columns).where(self._of(connection, league))
            if number is not None:
                query = query.where(league_ratings.c.number == number)
            row = connection.execute(query.order_by(league_ratings.c.number.desc()).limit(1)).first()
            return None if row is None else _RATINGS.load(row)

    def rating_times(self, league: int) -> list[tuple[int, str]]:
        """Return the numbers of the stored ratings, and when they were made, the oldest first."""
        with self._store.read() as connection:
            query = select(league_ratings.c.number, league_ratings.c.created)
            rows = connection.execute(query.where(self._of(connection, league)).order_by(league_ratings.c.number))
            return [(row.number, row.created) for row in rows]

    def newest_ratings(self, league: int) -> int:
        """Return the number of the newest ratings; 0 if there are none."""
        with self._store.read() as connection:
            query = select(func.max(league_ratings.c.number)).where(self._of(connection, league))
            return connection.scalar(query) or 0

    def _of(self, connection: Connection, league: int) -> ColumnElement[bool]:
        """Return the condition that ratings are those of a league, and not hidden."""
        condition: ColumnElement[bool] = league_ratings.c.league_id == league
        for bound in self._store.hidden(connection):
            if bound.league == league:
                condition &= league_ratings.c.number <= bound.last
        return condition
