"""The table of chances to win: that of an arena of which it was a part, and the one that the package makes."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from arena_insight.stored_chances import StoredChances
from arena_insight.tables import metadata
from insight import test_stored_chances
from insight.test_stored_chances import KEY
from sqlalchemy import Boolean, MetaData, Table, create_engine, insert, inspect, text

from arena.store import Store, StoreError, open_store, opening
from tests import played
from tests.guessing import GUESSING
from tests.postgres import Server

BEFORE = Path(__file__).parent / "data" / "schema_0026.sql"
"""A database of schema 0026: a tournament with three matches, of which two were analysed, one of them thrice."""


@pytest.fixture
def before(tmp_path: Path) -> Path:
    path = tmp_path / "before.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(BEFORE.read_text())
    return path


def values(seed: int = 0, seat: int | None = None) -> dict[str, Any]:
    """Return chances as that arena wrote them, without costly moves."""
    return {name: value for name, value in test_stored_chances.values(seed, seat).items() if name != "costly"}


def shape(store: Store) -> dict[str, object]:
    """Return what the database says about the columns and keys of the table."""
    with store.read() as connection:
        known = inspect(connection)
        return {
            name: (
                [(each["name"], str(each["type"]), each["nullable"]) for each in known.get_columns(name)],
                known.get_indexes(name),
                known.get_pk_constraint(name)["constrained_columns"],
                known.get_foreign_keys(name),
            )
            for name in metadata.tables
        }


def check_handed_over(store: Store, new: Store) -> None:
    """Check that a database has the chances of the arena of before, of matches 1 and 2, and may get others."""
    chances = StoredChances(store)
    first, second = store.match(1), store.match(2)
    assert chances.find(first, KEY, 1) == values(seed=1)
    assert chances.find(second, KEY, 2) == values(seed=2)
    assert chances.best(first, None, 1) == values() | {"playouts": 128}
    assert chances.best(second, 0, 1) == values(seat=0)
    match = new.match(new.add_single(played.tournament(GUESSING, matches=1), played.match(GUESSING)))
    assert StoredChances(new).save(match, KEY, values())
    assert shape(store) == shape(new)
    assert chances.save(first, KEY, values(seed=7))
    assert chances.find(first, KEY, 7) == values(seed=7)
    assert chances.find(second, KEY, 2) == values(seed=2)
    store.append_decision(1, "organiser", "void", {"match": 0, "replay": True})
    store.add_matches(1, [replace(played.match(GUESSING, 0), digest=bytes(16))])
    assert chances.best(store.match(1), None, 1) is None


def test_chances_of_before_are_those_of_the_package(before: Path, tmp_path: Path) -> None:
    with open_store(before) as store, open_store(tmp_path / "new.db", create=True) as new:
        check_handed_over(store, new)
    with closing(sqlite3.connect(before)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_they_stay_as_they_are_while_the_package_is_not_used(before: Path) -> None:
    def rows() -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(before)) as connection:
            columns = "match_id, perspective, behaviour, policy, playouts, seed, packed, created"
            return connection.execute(f"SELECT {columns} FROM chances").fetchall()

    old = rows()
    assert len(old) == 5
    with open_store(before, write=True) as store:
        store.append_decision(1, "organiser", "void", {"match": 0, "replay": True})
        store.add_matches(1, [replace(played.match(GUESSING, 0), digest=bytes(16))])
    open_store(before, write=True).close()
    assert rows() == old


def test_an_empty_table_goes_and_comes_again_when_it_is_used(before: Path) -> None:
    with closing(sqlite3.connect(before)) as connection, connection:
        connection.execute("DELETE FROM chances")
    with open_store(before) as store:
        with store.read() as reading:
            assert not metadata.tables.keys() & set(inspect(reading).get_table_names())
        assert StoredChances(store).best(store.match(1), None, 1) is None
        assert StoredChances(store).save(store.match(1), KEY, values())
        assert StoredChances(store).best(store.match(1), None, 1) == values()


def test_a_table_of_a_newer_package_is_left_alone(before: Path) -> None:
    with open_store(before, write=True) as store:
        with store.write() as connection:
            connection.execute(text("UPDATE feature_tables SET version = 9"))
        match = store.match(1)
        with pytest.raises(StoreError, match="written by a newer package .* update botarena-insight"):
            StoredChances(store).best(match, None, 1)
        with pytest.raises(StoreError):
            StoredChances(store).save(match, KEY, values())


@pytest.mark.toolchain
def test_chances_on_a_server_too(postgres: Server, before: Path) -> None:
    """The migrations make the tables there, with the rows of `before` in between."""
    from alembic import command
    from alembic.config import Config

    from arena.store.engine.postgres import postgres_engine

    url = postgres.database()
    engine, source = postgres_engine(opening._url(url), url), create_engine(f"sqlite:///{before}")
    with engine.begin() as connection, source.connect() as rows:
        config = Config()
        config.set_main_option("script_location", opening.MIGRATIONS)
        config.attributes["connection"] = connection
        command.upgrade(config, "0026")
        for name in ("events", "entrants", "matches", "seats", "loose", "chances"):
            table = Table(name, MetaData(), autoload_with=connection)
            values = [dict(row) for row in rows.execute(text(f"SELECT * FROM {name}")).mappings()]
            connection.execute(insert(table), [_typed(table, row) for row in values])
    engine.dispose()
    source.dispose()
    with open_store(url, write=True) as store, open_store(postgres.database(), create=True) as new:
        check_handed_over(store, new)


def _typed(table: Table, row: dict[str, object]) -> dict[str, object]:
    """Return a row of SQLite, which has no booleans, as a server takes it."""
    return {name: bool(value) if isinstance(table.c[name].type, Boolean) else value for name, value in row.items()}
