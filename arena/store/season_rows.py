"""Seasons of leagues as rows: read, begun and ended, in the transactions of others."""

import json
from typing import Any

from sqlalchemy import Connection, insert, select, update

from arena.store.blobs import compress
from arena.store.league_log import append_to_log
from arena.store.league_rows import Final, SeasonRow
from arena.store.rows import utc_now
from arena.store.schema import seasons
from arena.store.stored_definition import definition_text
from arena.store.webhook_events import add_season_over


def insert_season(connection: Connection, league: int, season: SeasonRow, standings: bytes | None = None) -> None:
    """Store a season. standings: its final table, if it has one."""
    connection.execute(
        insert(seasons).values(
            league_id=league,
            number=season.number,
            first_day=season.first_day,
            days=season.days,
            secret=season.secret.hex(),
            commitment=season.commitment,
            entropy=season.entropy,
            ended=season.ended,
            frozen=season.frozen,
            final=None if season.final is None else definition_text(season.final.to_json()),
            standings=None if standings is None else compress(standings),
        )
    )


def season_of(row: Any) -> SeasonRow:
    """Return the season of a row."""
    secret = bytes.fromhex(row.secret)
    final = None if row.final is None else Final.from_json(json.loads(row.final))
    return SeasonRow(
        row.number, row.first_day, row.days, secret, row.commitment, row.entropy, row.ended, row.frozen, final
    )


def start_season(connection: Connection, league: int, season: SeasonRow, who: str) -> None:
    """Begin a season, and note it in the log."""
    insert_season(connection, league, season)
    details = {"season": season.number, "commitment": season.commitment}
    append_to_log(connection, league, who, "season", details)


def end_seasons(connection: Connection, league: int) -> None:
    """End the season that goes on, and tell owners of it."""
    goes_on = (seasons.c.league_id == league) & seasons.c.ended.is_(None)
    for number in connection.scalars(select(seasons.c.number).where(goes_on)).all():
        add_season_over(connection, league, number)
    connection.execute(update(seasons).where(goes_on).values(ended=utc_now()))
