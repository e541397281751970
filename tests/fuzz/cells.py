"""A database of which one row says something else: what bytes damaged at random hardly ever make."""

import json
import sqlite3
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.mutate import mutated

_VALUES: tuple[Any, ...] = (
    None, 0, 1, -1, 2**31, 2**62, 2**63 - 1, -(2**63), 0.5, float("inf"), 1e308, "", "x", "7", "null", "[]", "{}",
    "[[]]", '{"seats": "x"}', '["a"]', "\u202ex", "\x1b[2J", "a\nb", "\x00", "ü" * 400, "9" * 5000, "[" * 100_000,
    '{"a":' * 5000,
    b"", b"\x00", b"\x01", b"\xff\xfe", b"\x01\xff\xff", b"\x80" * 40,
)  # fmt: skip


def damage_cell(path: Path, random: Random) -> None:
    """Change one to three values of a database, or take rows or a table away."""
    with sqlite3.connect(path, isolation_level=None) as connection:
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            with suppress(sqlite3.IntegrityError):
                _damage(connection, random)
    connection.close()


def _damage(connection: sqlite3.Connection, random: Random) -> None:
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    table = random.choice([name for name in tables if not name.startswith("sqlite_")])
    kind = random.randrange(40)
    if kind == 0:
        connection.execute(f"DROP TABLE {table}")
        return
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    if kind == 1:
        column = random.choice(columns)
        with suppress(sqlite3.OperationalError):  # of the key
            connection.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO other")
        return
    keys = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[5]] or ["rowid"]
    rows = connection.execute(f"SELECT {', '.join(keys)} FROM {table}").fetchall()
    if not rows:
        return
    chosen = random.choice(rows)
    where = " AND ".join(f"{key} IS ?" for key in keys)
    if kind < 4:
        connection.execute(f"DELETE FROM {table} WHERE {where}", chosen)
        return
    column = random.choice(columns)
    (old,) = connection.execute(f"SELECT {column} FROM {table} WHERE {where}", chosen).fetchone() or (None,)
    connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (_other(old, random), *chosen))


def _other(old: Any, random: Random) -> Any:
    """Return something else than a value was, or nearly the same."""
    kind = random.randrange(3)
    if kind == 0 or old is None:
        return random.choice(_VALUES)
    if isinstance(old, bytes):
        return mutated(old, random)
    if isinstance(old, str):
        with suppress(ValueError):
            if kind == 1 and isinstance(values := json.loads(old), dict | list):
                return json.dumps(_deep(values, random), separators=(",", ":"), sort_keys=True)
        return mutated(old.encode(), random).decode("utf-8", "replace")
    return max(-(1 << 63), min((1 << 63) - 1, old + random.choice((-1, 1, 2, -1000, 2**31, 1 << 40))))


def _deep(value: Any, random: Random) -> Any:
    """Return JSON values of which one, somewhere below, is another one or missing."""
    if isinstance(value, dict) and value and random.random() < 0.9:
        key = random.choice(sorted(value))
        if random.random() < 0.2:
            return {name: each for name, each in value.items() if name != key}
        return {**value, key: _deep(value[key], random)}
    if isinstance(value, list) and value and random.random() < 0.9:
        at = random.randrange(len(value))
        return [*value[:at], *([] if random.random() < 0.2 else [_deep(value[at], random)]), *value[at + 1 :]]
    return random.choice((None, True, -1, 0, 1, 10**30, 0.5, "", "x", "\u202e", [], {}, [[]], {"a": 1}, [1, 2, 3]))
