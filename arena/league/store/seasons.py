"""The end of a season of a league: frozen, its final settled, ended; each step once, whoever takes it."""

import json
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select, update

from arena.league.store.dropped_batches import drop_waiting, is_under_way
from arena.league.store.league_dates import read_dates
from arena.league.store.league_log import append_to_log, lock_league
from arena.league.store.league_rows import BatchKind, Final, SeasonRow
from arena.league.store.outbox_events import add_season_over
from arena.league.store.season_rows import start_season
from arena.store import Store
from arena.store.engine.blobs import compress, decompress
from arena.store.engine.clock import database_time
from arena.store.engine.schema import batches, league_log, leagues, seasons
from arena.values.canonical_json import canonical_json
from arena.values.rows import utc_now


class Seasons:
    """The ends of the seasons of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def freeze(
        self, league: int, season: int, final: Final, who: str, reason: str = "", log_length: int | None = None
    ) -> bool:
        """Let nothing enter a season any more; what waits to be played becomes void, but for trials.

        log_length: of the league, when it was found that the season is at its end; None where somebody decides it.

        Returns False if it is frozen or ended already, if the league is closed, or if there were decisions meanwhile.
        """
        with self._store.write(numbers=True) as connection:
            lock_league(connection, league)
            if _state(connection, league) == "closed":
                return False
            if log_length is not None and progress(connection, league)[1] != log_length:
                return False
            is_open = _is_season(league, season) & seasons.c.frozen.is_(None) & seasons.c.ended.is_(None)
            frozen = update(seasons).where(is_open).values(frozen=utc_now(), final=_text(final))
            if not connection.execute(frozen).rowcount:
                return False
            drop_waiting(connection, league)
            details = {"season": season, "top": final.top, "deals": final.deals, "close": final.closes}
            append_to_log(connection, league, who, "freeze", details, reason)
            return True

    def settle_final(self, league: int, season: int, final: Final, who: str, seen: tuple[int, int]) -> bool:
        """Settle who plays the final.

        seen: as in `end`, before anything was read by which finalists were chosen.

        Returns False if it is settled already, if a batch of the season is not over, or if there were batches or
        decisions meanwhile.
        """
        with self._store.write(numbers=True) as connection:
            lock_league(connection, league)
            known = connection.execute(select(seasons.c.final).where(_is_season(league, season))).scalar_one()
            is_settled = known is None or Final.from_json(json.loads(known)).entries is not None
            if is_settled or progress(connection, league) != seen:
                return False
            if is_under_way(connection, league):
                return False
            connection.execute(update(seasons).where(_is_season(league, season)).values(final=_text(final)))
            append_to_log(connection, league, who, "final", {"season": season, **final.to_json()})
            return True

    def end(
        self,
        league: int,
        season: int,
        standings: bytes,
        details: dict[str, Any],
        who: str,
        new: SeasonRow | None,
        seen: tuple[int, int],
    ) -> bool:
        """Store the final table of a season and end it, in one transaction.

        details: for the log.
        new: the season that begins; None: the league is closed.
        seen: the number of the next batch, and the length of the log, before anything was read from which the table
            follows.

        Returns False if the season has ended, the league is not open, or there were batches or decisions meanwhile.
        """
        with self._store.write(numbers=True) as connection:
            lock_league(connection, league)
            if _state(connection, league) != "open" or progress(connection, league) != seen:
                return False
            goes_on = _is_season(league, season) & seasons.c.ended.is_(None)
            ended = update(seasons).where(goes_on).values(ended=utc_now(), standings=compress(standings))
            if not connection.execute(ended).rowcount:
                return False
            add_season_over(connection, league, season)
            append_to_log(connection, league, who, "end-season", {"season": season, **details})
            if new is not None:
                start_season(connection, league, new, who)
            else:
                connection.execute(update(leagues).where(leagues.c.id == league).values(state="closed"))
                append_to_log(connection, league, who, "close", {})
            return True

    def with_table(self, league: int) -> list[int]:
        """Return the numbers of the seasons that have a final table, the newest first."""
        has_table = (seasons.c.league_id == league) & seasons.c.standings.is_not(None)
        with self._store.read() as connection:
            return list(connection.scalars(select(seasons.c.number).where(has_table).order_by(seasons.c.number.desc())))

    def hides(self, league: int, season: int) -> str | None:
        """Return from when on results of a season are hidden from visitors, UTC, ISO 8601; None where none are."""
        with self._store.read() as connection:
            return connection.scalar(select(seasons.c.hides).where(_is_season(league, season)))

    def standings(self, league: int, season: int) -> bytes | None:
        """Return the final table of a season, as `end` stored it; None if it has none."""
        with self._store.read() as connection:
            packed = connection.scalar(select(seasons.c.standings).where(_is_season(league, season)))
        return None if packed is None else decompress(packed)


def season_takes(connection: Connection, league: int, season: int, kind: BatchKind) -> bool:
    """Return whether a season takes further batches of a kind.

    That is none before it opens by its dates, and once it is frozen, those of its final and trials.
    """
    query = select(seasons.c.frozen, seasons.c.final, seasons.c.ended).where(_is_season(league, season))
    row = connection.execute(query).first()
    if row is None or row.frozen is None:
        is_open = read_dates(connection, league, season).opens <= database_time(connection)
        return is_open and kind != "final" and (row is None or row.ended is None)
    return kind in ("final", "trial") and row.ended is None


def _state(connection: Connection, league: int) -> str | None:
    return connection.scalar(select(leagues.c.state).where(leagues.c.id == league))


def progress(connection: Connection, league: int) -> tuple[int, int]:
    """Return the number of the next batch of a league, and the length of its log."""
    batch = connection.scalar(select(func.max(batches.c.number)).where(batches.c.league_id == league)) or 0
    log = connection.scalar(select(func.max(league_log.c.number)).where(league_log.c.league_id == league)) or 0
    return batch + 1, log


def _is_season(league: int, number: int) -> ColumnElement[bool]:
    return (seasons.c.league_id == league) & (seasons.c.number == number)


def _text(final: Final) -> str:
    return canonical_json(final.to_json())
