"""The tables of webhooks: those of the first release of arena, and those that the package makes."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from arena_webhooks.kinds import KINDS
from arena_webhooks.store import Webhooks
from arena_webhooks.tables import metadata
from sqlalchemy import inspect, text

from arena.league.store.leagues import Leagues
from arena.store import Store, StoreError, open_store
from tests.postgres import program

RELEASED = Path(__file__).parents[4] / "tests" / "store" / "data" / "first_release.sql"
"""A database of the first release, with a webhook of club."""


@pytest.fixture
def released(tmp_path: Path) -> Path:
    path = tmp_path / "released.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(RELEASED.read_text())
        connection.execute(
            "INSERT INTO webhook_deliveries VALUES (7, 1, 'msg_1', 'season.over', '{}', '2026-01-01T00:00:00+00:00',"
            " 'waiting', 0, 0, 0, NULL, NULL, '')"
        )
        connection.commit()
    return path


def shape(store: Store) -> dict[str, object]:
    """Return what the database says about the columns, indexes and keys of the tables."""
    with store.read() as connection:
        known = inspect(connection)
        return {
            name: (
                [(each["name"], str(each["type"]), each["nullable"]) for each in known.get_columns(name)],
                known.get_indexes(name),
                known.get_pk_constraint(name)["constrained_columns"],
                [each["referred_table"] for each in known.get_foreign_keys(name)],
            )
            for name in metadata.tables
        }


def test_webhooks_of_the_first_release_hear_of_what_happens_from_then_on(released: Path, tmp_path: Path) -> None:
    with open_store(released, write=True) as store, open_store(tmp_path / "new.db", create=True) as new:
        assert Leagues(store).set_state(Leagues(store).named("club").id, "closed", "ann")
        webhooks = Webhooks(store)
        newer, older = webhooks.deliveries(1, 9)
        assert (newer.kind, newer.state, older.message) == ("season.over", "waiting", "msg_1")
        Webhooks(new).all()
        assert shape(store) == shape(new)
        assert store.accounts.remove("club")
        assert webhooks.all() == []


@pytest.mark.toolchain
@pytest.mark.skipif(program("postgres") is None or shutil.which("psql") is None, reason="PostgreSQL is not installed")
def test_those_on_a_server_too(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The migrations make the tables there, with a webhook in between."""
    from alembic import command
    from alembic.config import Config

    from arena.store import opening
    from arena.store.engine.postgres import postgres_engine

    if "postgresql" not in database:
        pytest.skip("tested above")
    engine = postgres_engine(opening._url(database), database)
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", opening.MIGRATIONS)
        config.attributes["connection"] = connection
        command.upgrade(config, "0024")
        connection.execute(text("INSERT INTO accounts VALUES ('club', 'author', '', '', NULL)"))
        values = "(1, 'club', 'https://example.org/', 'whsec_', 'entry.placed', NULL, '', NULL, NULL, '')"
        connection.execute(text(f"INSERT INTO webhooks VALUES {values}"))
    engine.dispose()
    with open_store(database, write=True) as store:
        assert [each.account for each in Webhooks(store).all()] == ["club"]
        assert store.accounts.remove("club")
        assert Webhooks(store).all() == []


def test_unused_tables_of_the_first_release_go_and_come_again_when_they_are_used(released: Path) -> None:
    with closing(sqlite3.connect(released)) as connection:
        connection.executescript("DELETE FROM webhook_deliveries; DELETE FROM webhooks")
    with open_store(released, write=True) as store:
        with store.read() as reading:
            assert not metadata.tables.keys() & set(inspect(reading).get_table_names())
        assert Webhooks(store).add("club", "https://example.org/", "whsec_", KINDS).id == 1


def test_tables_of_a_newer_package_are_left_alone(released: Path) -> None:
    with open_store(released, write=True) as store:
        with store.write(numbers=True) as connection:
            connection.execute(text("UPDATE feature_tables SET version = 9"))
        with pytest.raises(StoreError, match="written by a newer package .* update botarena-webhooks"):
            Webhooks(store).all()
        with pytest.raises(StoreError):
            Webhooks(store).rivals(1)


def test_after_a_long_time_without_the_package_webhooks_are_off(released: Path) -> None:
    with open_store(released, write=True) as store:
        with store.write(numbers=True) as connection:
            connection.execute(text("DELETE FROM outbox_cursors"))
            copied = "2, 'gone', url, secret, kinds, token, created, NULL, NULL, ''"
            connection.execute(text(f"INSERT INTO webhooks SELECT {copied} FROM webhooks"))
        webhooks = Webhooks(store)
        assert webhooks.claim(2**45, 2**46) is None
        [row] = webhooks.all()
        assert (row.account, row.reason) == ("club", "nothing was sent for 30 days")
        assert webhooks.enable(row.id).disabled is None
