"""JSON schemas of the files that people and programs write: `python -m tools.schemas` writes docs/schemas.

    bots      bot.toml, from the reader's keys and the types of `Manifest`
    events    event files, from the settings of a tournament
    archives  lines of archives, from the protocol's messages and the types of `arena.league.archive.lines`

A schema describes what can be said of a file by itself. Readers refuse more: bots that do not exist, options of a game,
schedules that contradict themselves.
"""

from collections.abc import Callable
from typing import Any

from tools.schemas.archives import archive_schema, league_archive_schema
from tools.schemas.bots import bot_schema
from tools.schemas.events import event_schema

SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "bot.schema.json": bot_schema,
    "event.schema.json": event_schema,
    "archive.schema.json": archive_schema,
    "league-archive.schema.json": league_archive_schema,
}
"""By the name of a file in docs/schemas: what makes it."""
