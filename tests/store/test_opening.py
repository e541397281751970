"""Databases that are new, old, too new, locked, read-only, or none at all."""

import os
import sqlite3
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlalchemy.pool import QueuePool

from arena.store import NoDatabase, StoreError, open_store, sqlite
from arena.store.errors import DamagedDatabase, StoreUnavailable
from arena.store.schema import HEAD, metadata
from tests import played
from tests.guessing import GUESSING


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with one tournament."""
    path = tmp_path / "a.db"
    with open_store(path, create=True) as store:
        store.add_tournament(played.tournament(GUESSING))
    return path


@pytest.fixture
def migrated(tmp_path: Path) -> Path:
    """A database that every migration has been through, with one tournament."""
    path = tmp_path / "migrated.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
    connection.commit()
    connection.close()
    with open_store(path, create=True) as store:
        store.add_tournament(played.tournament(GUESSING))
    return path


def schema(path: Path) -> dict[str, str]:
    """Return the statement of each table and index; alembic's own table apart, which the fixture made."""
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE tbl_name != 'alembic_version'")
    statements = {name: " ".join(sql.split()) if sql else "" for name, sql in rows}
    connection.close()
    return statements


def details(path: Path) -> dict[str, list[list[object]]]:
    """Return what SQLite says about the columns, indexes and foreign keys of each table.

    The order of several indexes is that of a set of SQLAlchemy's, and means nothing.
    """
    connection = sqlite3.connect(path)
    found = {
        name: [
            connection.execute(f"PRAGMA table_xinfo({name})").fetchall(),
            sorted(row[1:] for row in connection.execute(f"PRAGMA index_list({name})")),
            connection.execute(f"PRAGMA foreign_key_list({name})").fetchall(),
        ]
        for name in metadata.tables
    }
    for name, lists in found.items():  # indexes are made in any order, by which they are numbered
        lists.append(sorted(row[1:] for row in connection.execute(f"PRAGMA index_list({name})")))
    connection.close()
    return found


def test_a_new_database_has_the_schema_that_migrations_make(path: Path, migrated: Path) -> None:
    assert {"events", "matches", "seats"} <= set(schema(path))
    assert schema(path) == schema(migrated)
    assert details(path) == details(migrated)


def test_a_new_database_has_the_version_as_alembic_keeps_it(path: Path, tmp_path: Path) -> None:
    from alembic.runtime.migration import MigrationContext

    def version(of: Path) -> list[object]:
        connection = sqlite3.connect(of)
        rows = [
            *connection.execute("SELECT name, sql FROM sqlite_master WHERE tbl_name = 'alembic_version'"),
            *connection.execute("SELECT version_num FROM alembic_version"),
        ]
        connection.close()
        return rows

    engine = create_engine(f"sqlite:///{tmp_path / 'alembic.db'}")
    with engine.begin() as connection:
        context = MigrationContext.configure(connection)
        context._ensure_version_table()
        connection.exec_driver_sql(f"INSERT INTO alembic_version VALUES ('{HEAD}')")
    engine.dispose()
    assert version(path) == version(tmp_path / "alembic.db")


def test_the_version_is_in_the_first_table(path: Path) -> None:
    """The sandbox knows databases of arena by it: see `referee.sandbox.filesystem_view`."""
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT name FROM sqlite_master").fetchone() == ("alembic_version",)
    connection.close()


def test_the_last_migration_is_the_head() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", "arena.store:migrations")
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_a_database_is_in_wal_mode(path: Path) -> None:
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_only_upgrading_a_database_imports_alembic(tmp_path: Path) -> None:
    code = (
        "import sys; from arena.store import open_store; "
        f"open_store({str(tmp_path / 'new.db')!r}, create=True); print('alembic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_an_older_database_is_upgraded(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
    connection.commit()
    connection.close()
    with open_store(path) as store:
        assert store.add_tournament(played.tournament(GUESSING)) == 1


def test_a_newer_database_is_refused(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match=rf"written by a newer arena \(its schema is 9999, this one knows {HEAD}\)"):
        open_store(path)


def test_a_version_that_no_arena_has_written_is_damage(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("UPDATE alembic_version SET version_num = '0000'")
    connection.commit()
    connection.close()
    with pytest.raises(DamagedDatabase, match="is damaged .its schema has an unknown version.: restore it from a copy"):
        open_store(path)


def test_nothing_there_is_said(tmp_path: Path) -> None:
    missing = tmp_path / "none.db"
    with pytest.raises(NoDatabase, match="there is no database at .*none.db: run a tournament or a league first"):
        open_store(missing)
    assert not missing.exists()
    missing.touch()
    with pytest.raises(NoDatabase):
        open_store(missing)
    open_store(missing, create=True).close()


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="the folder .*nowhere does not exist: make it, or use another --db"):
        open_store(tmp_path / "nowhere" / "a.db", create=True)


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder: name a file in it"):
        open_store(tmp_path, create=True)


def test_another_file_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("Dear diary, today I played Cambio. " * 40)
    with pytest.raises(StoreError, match="is not a database at all: name another file"):
        open_store(tmp_path / "x.db", create=True)


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "x.db")
    connection.execute("CREATE TABLE recipes (id INTEGER)")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="is a database of some other program"):
        open_store(tmp_path / "x.db", create=True)


@pytest.mark.parametrize(
    "url", ["mysql://localhost/arena", "https://example.org/arena.db", "postgresql://me@localhost:port/arena"]
)
def test_other_servers_are_refused(url: str) -> None:
    with pytest.raises(StoreError, match="sqlite:///PATH"):
        open_store(url)


def test_a_url_names_a_file_as_well(path: Path) -> None:
    with open_store(f"sqlite:///{path}") as store:
        assert store.tournament().id == 1


def test_a_locked_database_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.0)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="is locked: another program is writing to it"):
        open_store(path, write=True)
    with open_store(path) as store:
        assert store.tournament().id == 1, "looking does not wait"
        with pytest.raises(StoreError, match="is locked"):
            store.mark_withdrawn(1, 0, "x")
    other.close()
    open_store(path, write=True).close()


def test_a_database_that_another_program_is_making_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.0)
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match="is locked: another program is writing to it"):
        open_store(tmp_path / "a.db", create=True)
    other.close()


def test_a_path_that_cannot_be_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened: File name too long"):
        open_store(tmp_path / ("x" * 300), create=True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_database_in_a_read_only_folder_can_be_looked_at(path: Path) -> None:
    path.parent.chmod(0o555)
    try:
        with open_store(path) as store:
            assert store.tournament().id == 1
        with pytest.raises(StoreError, match="is read-only"):
            open_store(path, write=True)
    finally:
        path.parent.chmod(0o755)


def test_a_read_only_database_is_said(path: Path) -> None:
    url = f"sqlite:///file:{path}?mode=ro&uri=true"
    with open_store(url) as store:
        assert store.tournament().id == 1, "looking needs no right to write"
    with pytest.raises(StoreError, match="is read-only: give yourself the right to write"):
        open_store(url, write=True)


def test_a_full_disk_is_said(path: Path) -> None:
    with open_store(path) as store:
        with store._engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1")
        with pytest.raises(StoreError, match="cannot grow, the disk is full: make room"):
            store.add_matches(1, [played.match(GUESSING, number) for number in range(200)])
        assert store.played(1) == set()


def test_a_database_whose_connections_are_all_in_use_may_be_tried_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(path) as store:
        pool = store._engine.pool
        assert isinstance(pool, QueuePool)
        monkeypatch.setattr(pool, "_timeout", 0)
        with ExitStack() as connections:
            for _ in range(pool.size() + pool._max_overflow):
                connections.enter_context(store._engine.connect())
            with pytest.raises(StoreUnavailable, match="^all connections to the database .* are in use: try again"):
                store.tournaments()
        assert len(store.tournaments()) == 1
