"""What is particular to a database on a PostgreSQL server."""

import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import create_engine, text

from arena.store import NoDatabase, NoSuchRow, Store, StoreError, hide_password, open_store, opening
from arena.store.engine import postgres
from arena.store.engine.errors import ValueRefused
from arena.store.engine.schema import metadata
from arena.store.people.accounts import AUTHOR
from arena.store.people.submissions import PackRow
from arena.values.installing import how_to_install
from tests import played
from tests.guessing import GUESSING
from tests.postgres import Server

server = postgres
PROGRAMS = 4

needs_server = pytest.mark.toolchain


@pytest.fixture
def url(postgres: Server) -> str:
    """An empty database."""
    return postgres.database()


@pytest.fixture
def programs(url: str) -> Iterator[list[Store]]:
    """Several programs that have the same database open."""
    with ExitStack() as opened:
        yield [opened.enter_context(open_store(url, create=True)) for _ in range(PROGRAMS)]


@needs_server
@pytest.mark.parametrize("migrated", [True, False])
def test_migrations_make_the_schema(url: str, migrated: bool) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    if migrated:
        engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:", 1))
        with engine.begin() as connection:
            opening._migrate(connection)
        engine.dispose()
    with open_store(url, create=True) as store, store._engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        # Comments are told to readers of the schema only.
        assert [each for each in compare_metadata(context, metadata) if "comment" not in str(each)] == []


@needs_server
def test_programs_that_make_the_database_at_the_same_time_make_it_once(url: str) -> None:
    start = Barrier(PROGRAMS)

    def begin(_: int) -> int:
        start.wait()
        with open_store(url, create=True) as store:
            return store.add_tournament(played.tournament(GUESSING))

    with ThreadPoolExecutor(PROGRAMS) as pool:
        assert sorted(pool.map(begin, range(PROGRAMS))) == [1, 2, 3, 4]


@needs_server
def test_programs_give_no_number_and_no_id_twice(programs: list[Store]) -> None:
    def add(store: Store) -> list[tuple[int, int]]:
        numbers = [store.add_tournament(played.tournament(GUESSING, matches=7)) for _ in range(10)]
        return [(number, store.tournament(number).first_match) for number in numbers]

    with ThreadPoolExecutor(PROGRAMS) as pool:
        added = sorted(each for some in pool.map(add, programs) for each in some)
    assert added == [(number + 1, 1 + 7 * number) for number in range(10 * PROGRAMS)]


@needs_server
def test_the_first_record_of_a_match_counts_whichever_program_brings_it(programs: list[Store]) -> None:
    programs[0].add_tournament(played.tournament(GUESSING))
    rows = [played.match(GUESSING, number, faults={1: "timeout"}, notes=True) for number in range(60)]

    def add(program: int) -> None:
        for at in range(0, len(rows), 10):
            programs[program].add_matches(1, [replace(row, duration_ms=program) for row in rows[at : at + 10]])

    with ThreadPoolExecutor(PROGRAMS) as pool:
        list(pool.map(add, range(PROGRAMS)))
    assert programs[0].played(1) == set(range(60))
    for row in rows:
        stored = programs[1].match(1 + row.number).row
        assert stored == replace(row, duration_ms=stored.duration_ms)
    assert sum(effort.matches for effort in programs[0].efforts(1).values()) == 60 * 4


@needs_server
def test_versions_of_a_bot_count_whichever_program_takes_them(programs: list[Store]) -> None:
    def add(store: Store) -> list[int]:
        pack = PackRow("1" * 64, b"one", 1, 3)
        return [store.submissions.add("club/owl", pack, pack, {}, {}).version for _ in range(5)]

    with ThreadPoolExecutor(PROGRAMS) as pool:
        versions = sorted(version for some in pool.map(add, programs) for version in some)
    assert versions == list(range(1, 5 * PROGRAMS + 1))


@needs_server
def test_an_invitation_makes_one_account_whichever_program_accepts_it(programs: list[Store]) -> None:
    start = Barrier(PROGRAMS)
    secrets = [f"{number:064x}" for number in range(10)]
    for secret in secrets:
        programs[0].invitations.add("", AUTHOR, secret, "2999-01-01T00:00:00+00:00")

    def accept(program: int) -> list[bool]:
        accepted = []
        for number, secret in enumerate(secrets):
            start.wait(60)
            accepted.append(
                programs[program].invitations.accept(secret, f"ann-{program}-{number}", f"{program}{number}" * 32)
            )
        return accepted

    with ThreadPoolExecutor(PROGRAMS) as pool:
        accepted = list(pool.map(accept, range(PROGRAMS)))
    assert [sum(each) for each in zip(*accepted, strict=True)] == [1] * len(secrets)
    assert len(programs[0].accounts.all()) == len(secrets)


@needs_server
def test_ids_and_times_go_beyond_two_to_the_power_of_31(url: str) -> None:
    with open_store(url, create=True) as store:
        store.add_tournament(played.tournament(GUESSING, matches=3_000_000_000))
        second = store.add_tournament(played.tournament(GUESSING))
        row = played.with_seat(played.match(GUESSING), 0, charged_us=5_000_000_000, score=-3_000_000_000)
        store.add_matches(second, [row])
        assert store.match(3_000_000_001).row == row
        assert store.efforts(second)[0].charged_us == 5_000_000_000


@needs_server
@pytest.mark.parametrize("number", [2**31, 10**18, 2**63, 10**30])
def test_a_value_that_no_column_holds_is_refused_or_found_nowhere(url: str, number: int) -> None:
    with open_store(url, create=True) as store:
        if number < 2**63:
            with pytest.raises(NoSuchRow):
                store.tournament(number)
        else:
            with pytest.raises(ValueRefused, match="cannot hold a value: bigint out of range"):
                store.tournament(number)
        entrant = replace(played.tournament(GUESSING).entrants[0], name="a\0b")
        with pytest.raises(ValueRefused, match="cannot hold a value: PostgreSQL text fields cannot contain NUL"):
            store.add_tournament(replace(played.tournament(GUESSING), entrants=(entrant,)))
        with pytest.raises(ValueRefused, match="cannot hold a value: integer out of range"):
            store.add_tournament(replace(played.tournament(GUESSING), behaviour=2**31))


@needs_server
def test_nothing_there_is_said(url: str, postgres: Server) -> None:
    with pytest.raises(NoDatabase, match="there is no database at .*: run a tournament or a league first"):
        open_store(url)
    with pytest.raises(
        StoreError, match=r"does not exist: its server has none of that name; make it \(createdb NAME\)"
    ):
        open_store(postgres.url("nowhere"), create=True)


@needs_server
def test_a_database_of_another_program_or_another_arena_is_left_alone(url: str, postgres: Server) -> None:
    postgres.run("CREATE TABLE recipes (id INTEGER)", url.partition("@/")[2].partition("?")[0])
    with pytest.raises(StoreError, match="is a database of some other program"):
        open_store(url, create=True)
    newer = postgres.database()
    open_store(newer, create=True).close()
    postgres.run("UPDATE alembic_version SET version_num = '9999'", newer.partition("@/")[2].partition("?")[0])
    with pytest.raises(StoreError, match="written by a newer arena"):
        open_store(newer)
    postgres.run("UPDATE alembic_version SET version_num = '0023'", newer.partition("@/")[2].partition("?")[0])
    with pytest.raises(StoreError, match="was written before the first release of arena .its schema is 0023, "):
        open_store(newer, write=True)


@needs_server
def test_who_is_not_let_in_is_told_so_and_no_password_is_shown(url: str, postgres: Server) -> None:
    open_store(url, create=True).close()
    postgres.run("CREATE USER guarded PASSWORD 'right'")
    name = url.partition("@")[2]
    with pytest.raises(StoreError, match="lets nobody in by that user and password: see ~/.pgpass") as refused:
        open_store(f"postgresql://guarded:wr0ng@{name}")
    assert "wr0ng" not in str(refused.value)
    assert "guarded:***@" in str(refused.value)
    with pytest.raises(StoreError, match="lets nobody in by that user"):
        open_store(f"postgresql://guarded@{name}")
    with pytest.raises(StoreError, match="lets nobody in by that user"):
        open_store(f"postgresql://stranger@{name}")
    with pytest.raises(StoreError, match="forbids this to its user: have its owner GRANT the right"):
        open_store(f"postgresql://guarded:right@{name}", write=True)


@needs_server
def test_a_locked_database_is_said(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE_MS", 1)
    with open_store(url, create=True) as store, open_store(url) as other:
        store.add_tournament(played.tournament(GUESSING))
        with store.write(numbers=True) as connection:
            with pytest.raises(StoreError, match="is locked: another program is writing to it"):
                other.add_tournament(played.tournament(GUESSING))
            assert other.tournament().id == 1, "looking does not wait"
            other.add_matches(1, [played.match(GUESSING)])
            store._id_range(connection, 1, lock=True)
            with pytest.raises(StoreError, match="is locked: another program is writing to it"):
                other.add_matches(1, [played.match(GUESSING, 1)])


@needs_server
def test_a_database_that_may_only_be_read_can_be_looked_at(url: str) -> None:
    with open_store(url, create=True) as store:
        store.add_tournament(played.tournament(GUESSING))
    only = f"{url}&options=-cdefault_transaction_read_only=on"
    with open_store(only) as store:
        assert store.tournament().id == 1
        with pytest.raises(StoreError, match="is read-only: its server is a standby"):
            store.finish_tournament(1)
    with pytest.raises(StoreError, match="is read-only"):
        open_store(only, write=True)


@needs_server
def test_a_mark_is_read_by_another_connection_where_the_server_has_ended_that_of_marks(url: str) -> None:
    ended = text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid()"
    )
    with open_store(url, create=True) as store:
        before = store.mark()
        with open_store(url) as other, other.read() as connection:
            assert True in connection.scalars(ended).all()
        assert store.mark() == before, "nothing was written"
        store.add_tournament(played.tournament(GUESSING))
        assert store.mark() != before


@needs_server
def test_a_connection_that_was_lost_is_made_again(url: str) -> None:
    with open_store(url, create=True) as store:
        store.add_tournament(played.tournament(GUESSING))
        with pytest.raises(StoreError, match="is going down or coming up"), store.write() as connection:
            connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
        assert store.add_tournament(played.tournament(GUESSING)) == 2


def test_a_server_that_is_not_there_is_said(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(StoreError, match=r"the database .*me:\*\*\*@.* cannot be reached: .*No such file") as refused:
        open_store(f"postgresql://me:s3cret@/arena?host={tmp_path}")
    assert "s3cret" not in str(refused.value)


def test_a_driver_that_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match="needs psycopg.*" + re.escape(how_to_install("botarena[postgres]"))):
        open_store("postgres://me@localhost/arena")


@pytest.mark.parametrize(
    ("where", "shown"),
    [
        ("arena.db", "arena.db"),
        ("sqlite:///a:b@c.db", "sqlite:///a:b@c.db"),
        ("postgresql://localhost:5432/arena", "postgresql://localhost:5432/arena"),
        ("postgresql://me@localhost:5432/arena", "postgresql://me@localhost:5432/arena"),
        ("postgresql://me:s3:cr@t@localhost/arena", "postgresql://me:***@localhost/arena"),
        ("postgresql:///arena?user=me&password=s3cret&x=1", "postgresql:///arena?user=me&password=***&x=1"),
    ],
)
def test_a_password_is_hidden(where: str, shown: str) -> None:
    assert hide_password(where) == shown
