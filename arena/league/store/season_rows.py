"""Seasons of leagues as rows: read, begun and ended, in the transactions of others."""

import json

from sqlalchemy import Connection, insert, select, update

from arena.league.store.league_dates import read_dates
from arena.league.store.league_log import append_to_log
from arena.league.store.league_rows import Final, SeasonRow
from arena.league.store.outbox_events import add_season_over
from arena.store.engine.blobs import compress
from arena.store.engine.row_map import RowMap, Stored
from arena.store.engine.schema import seasons
from arena.values.canonical_json import canonical_json
from arena.values.rows import utc_now


def _final(text: str | None) -> Final | None:
    return None if text is None else Final.from_json(json.loads(text))


SEASON = RowMap(
    SeasonRow,
    seasons,
    secret=Stored(bytes.fromhex, bytes.hex),
    final=Stored(_final, lambda final: None if final is None else canonical_json(final.to_json())),
)


def insert_season(connection: Connection, league: int, season: SeasonRow, standings: bytes | None = None) -> None:
    """Store a season.

    standings: its final table, if it has one.
    """
    connection.execute(
        insert(seasons).values(
            league_id=league,
            **SEASON.values(season),
            standings=None if standings is None else compress(standings),
        )
    )


def start_season(connection: Connection, league: int, season: SeasonRow, who: str) -> None:
    """Begin a season, and note it in the log."""
    insert_season(connection, league, season)
    note_hiding(connection, league, season.number)
    details = {"season": season.number, "commitment": season.commitment}
    append_to_log(connection, league, who, "season", details)


def note_hiding(connection: Connection, league: int, season: int) -> None:
    """Note with a season, if it has begun, from when on its results are hidden, as its log says."""
    is_season = (seasons.c.league_id == league) & (seasons.c.number == season)
    hides = read_dates(connection, league, season).hides or None
    connection.execute(update(seasons).where(is_season).values(hides=hides))


def end_seasons(connection: Connection, league: int) -> None:
    """End the season that goes on, and tell owners of it."""
    goes_on = (seasons.c.league_id == league) & seasons.c.ended.is_(None)
    for number in connection.scalars(select(seasons.c.number).where(goes_on)).all():
        add_season_over(connection, league, number)
    connection.execute(update(seasons).where(goes_on).values(ended=utc_now()))
