"""Databases that are new, old, too new, locked, read-only, or none at all."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from textwrap import dedent

import pytest
from sqlalchemy import create_engine
from sqlalchemy.pool import QueuePool

from arena.bots.hand_ins import HandIns
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.results.standings import standings
from arena.results.stored_tournament import StoredTournament
from arena.results.verification import check
from arena.store import NoDatabase, StoreError, migrations, open_store, opening
from arena.store.engine import sqlite
from arena.store.engine.errors import StoreUnavailable
from arena.store.engine.schema import FIRST, HEAD, metadata
from arena.store.engine.worker_name import worker_name
from tests import played
from tests.guessing import GUESSING

PUBLISHED = "d5ef7145e9eac98399710fe54ac837d42982c90fb7b544053d63c73237ac1fcc"
"""The hash of the definition of the tournament in the database of the first release."""


HANDED_OVER = {
    "INSERT INTO \"feature_tables\" VALUES('webhooks',1);",
    "INSERT INTO \"outbox_cursors\" VALUES('webhooks',0,'[]');",
}
"""What the webhook in that database makes of it: its tables are those of a package, which hears of all events."""

FILE = "X'736F75726365'"
"""What is handed in there: it has moved to a table of its own."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with one tournament."""
    path = tmp_path / "a.db"
    with open_store(path, create=True) as store:
        store.add_tournament(played.tournament(GUESSING))
    return path


@pytest.fixture
def migrated(tmp_path: Path) -> Path:
    """A database whose tables the migrations have made."""
    path = tmp_path / "migrated.db"
    with create_engine(f"sqlite:///{path}").begin() as connection:
        opening._migrate(connection)
    return path


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """The database of the first release: a tournament of Scopa, and a league in its second season."""
    path = tmp_path / "released.db"
    execute(path, (Path(__file__).parent / "data" / "first_release.sql").read_text())
    return path


def execute(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def dump(path: Path) -> list[str]:
    """Return the statements that would make the database again."""
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def schema(path: Path) -> dict[str, str]:
    """Return the statement of each table and index."""
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT name, sql FROM sqlite_master")
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


def rows(path: Path) -> set[str]:
    """Return the statements that would insert the rows of a database again, but for its version."""
    return {line for line in dump(path) if line.startswith("INSERT") and "alembic_version" not in line}


def received(submission: str) -> str:
    """Return the statement of a version of a bot with the time at which it was received, which was not stored.

    It is not for practice alone.
    """
    return submission.replace(");", f",'{submission.split(chr(39))[-2]}',0);")


def test_the_database_of_the_first_release_opens_with_all_that_it_holds(released: Path, path: Path) -> None:
    before = rows(released)
    with open_store(released, write=True) as store:
        others = {name: text for name, text in schema(released).items() if "webhook" not in name}
        others.pop("entry_rivals")
        others.pop("sqlite_autoindex_entry_rivals_1", None)
        assert (others, details(released)) == (schema(path), details(path))
        tournament = StoredTournament.load(store, 1)
        checked = list(check(tournament, definition_hash=PUBLISHED, where=str(released)))
        assert [part.matches for part in checked if part.matches] == [2]
        assert [verdict for part in checked for _, verdict in part.findings if verdict.wrong] == []
        assert [row.bot for row in standings(tournament).table.rows] == ["sweeper", "random"]
        league = Leagues(store).named("club")
        assert [entry.name for entry in Leagues(store).entries(league.id)][2:] == ["club/owl@1", "club/fox@1"]
        [batch] = Batches(store).of(league.id)
        assert (batch.state, batch.matches) == ("stored", 8)
    moved = {
        row.replace(f"'hen.py',{FILE},", "'hen.py',").replace(");", ",NULL,0,NULL,NULL,NULL,0);")
        if "'hen.py'" in row
        else row.replace(");", f"{',NULL' * 5});")
        if '"accounts"' in row
        else received(row)
        if '"submissions"' in row
        else row.replace(");", f"{',NULL' * 3});")
        if '"leagues"' in row
        else row.replace(");", ",NULL);")
        if '"seasons"' in row
        else row
        for row in before
    }
    assert rows(released) == moved | HANDED_OVER | {f'INSERT INTO "hand_in_files" VALUES(1,6,{FILE});'}
    with closing(sqlite3.connect(released)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


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


def test_the_migrations_are_those_from_the_first_release_on() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", opening.MIGRATIONS)
    script = ScriptDirectory.from_config(config)
    assert script.get_current_head() == HEAD
    assert script.get_base() == FIRST


def test_a_database_is_in_wal_mode(path: Path) -> None:
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


@pytest.mark.processes
def test_only_upgrading_a_database_imports_alembic(tmp_path: Path) -> None:
    code = (
        "import sys; from arena.store import open_store; "
        f"open_store({str(tmp_path / 'new.db')!r}, create=True); print('alembic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("write", [True, False])
def test_a_database_from_before_the_first_release_is_refused(released: Path, *, write: bool) -> None:
    execute(released, "UPDATE alembic_version SET version_num = '0023'; DROP TABLE runs")
    before = dump(released)
    with pytest.raises(StoreError) as refused:
        open_store(released, write=write)
    assert str(refused.value) == (
        f"the database {released} was written before the first release of arena (its schema is 0023, this one upgrades "
        f"from 0024): run `arena tourney list` on a copy of it with arena at commit {opening.LAST_TO_UPGRADE}, which "
        "upgrades it, and use that copy; or use another --db"
    )
    assert dump(released) == before


def test_a_database_of_the_first_release_is_upgraded(
    released: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one more migration."""
    later = tmp_path / "migrations"
    shutil.copytree(Path(migrations.__file__).parent, later, ignore=shutil.ignore_patterns("__pycache__"))
    step = """
        from alembic import op

        revision = "9999"
        down_revision = "0041"


        def upgrade() -> None:
            op.execute("UPDATE accounts SET role = 'organiser'")
    """
    (later / "versions" / "v9999_roles.py").write_text(dedent(step))
    monkeypatch.setattr(opening, "MIGRATIONS", str(later))
    monkeypatch.setattr(opening, "HEAD", "9999")
    with open_store(released) as store:
        assert [account.role for account in store.accounts.all()] == ["organiser"]
    before = dump(released)
    assert any("INSERT INTO \"alembic_version\" VALUES('9999')" in line for line in before)
    open_store(released, write=True).close()
    assert dump(released) == before


def test_what_was_handed_in_before_an_upgrade_is_checked_after_it(released: Path) -> None:
    with open_store(released, write=True) as store:
        claimed = HandIns(store).claim(worker_name(), 60.0)
    assert claimed is not None
    assert (claimed.row.name, claimed.content) == ("club/hen", b"source")


def test_a_newer_database_is_refused(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match=rf"written by a newer arena \(its schema is 9999, this one knows {HEAD}\)"):
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
