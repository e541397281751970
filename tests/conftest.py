import gc
import logging
import multiprocessing
import os
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from multiprocessing.context import BaseContext
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import Connection, insert

from arena.bots import check_processes
from arena.store import opening
from arena.store.engine.schema import HEAD, alembic_version
from referee import sandbox
from tests import in_process as running_in_process
from tests import memory_limit, process_starts
from tests.postgres import Server, program

# A shell that starts the tests in the background has Ctrl-C ignored, and so would all programs that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

check_processes.PRELOADED = "tests.preloaded"


# Most bots of the tests are ours: where bubblewrap does not work, tournaments between them are rated all the same.
if sandbox.choose().gap:
    os.environ["ARENA_TRUST_BOTS"] = "1"


# On a busy machine everything is slow, the making of examples too.
settings.register_profile("arena", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("arena")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Return what `-n auto` means: one more than there are cores, as many tests wait for processes or clocks.

    Returns None, so that xdist decides, for `-n logical` and where PYTEST_XDIST_AUTO_NUM_WORKERS is set.
    """
    if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS") or config.option.numprocesses != "auto":
        return None
    return len(os.sched_getaffinity(0)) + 1


def pytest_configure(config: pytest.Config) -> None:
    """Hold all tests, those of the packages too, to the markers `processes` and `promise`, and limit their memory."""
    config.pluginmanager.register(process_starts)
    config.pluginmanager.register(memory_limit)


def pytest_collection_finish() -> None:
    """Exempt the ten thousand tests from searches for garbage, of which each would take a quarter of a second."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def drawn_secrets() -> Iterator[None]:
    """Make the secrets that this process draws follow from the test that runs: what fails once fails again."""
    drawn = Counter[str]()

    def token_bytes(size: int) -> bytes:
        test, _, _ = os.environ["PYTEST_CURRENT_TEST"].rpartition(" ")
        drawn[test] += 1
        return sha256(f"{test} {drawn[test]}".encode()).digest()[:size]

    with pytest.MonkeyPatch.context() as patch:
        for module in ("arena.plan.secret", "arena.league.plan.secret_chain"):
            patch.setattr(f"{module}.secrets", SimpleNamespace(token_bytes=token_bytes))
        yield


@pytest.fixture(scope="session", autouse=True)
def _tables_of_the_first_database() -> Iterator[None]:
    """Make the tables of all databases but the first by its statements: to compile them takes most of the time."""
    create = opening._create
    made: list[str] = []

    def create_again(connection: Connection) -> None:
        if connection.dialect.name != "sqlite":
            create(connection)
        elif made:
            for statement in made:
                connection.exec_driver_sql(statement)
            connection.execute(insert(alembic_version).values(version_num=HEAD))
        else:
            create(connection)
            made.extend(
                connection.exec_driver_sql(
                    "SELECT sql FROM sqlite_master WHERE sql <> '' AND name NOT LIKE 'sqlite_%'"
                ).scalars()
            )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "_create", create_again)
        yield


@pytest.fixture(autouse=True)
def _server_log_as_before() -> Iterator[None]:
    """Leave the log of servers as it was: a command that serves configures it."""
    log = logging.getLogger("arena.server")
    handlers, level = log.handlers[:], log.level
    yield
    log.handlers[:] = handlers
    log.setLevel(level)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server of our own."""
    if program("postgres") is None or shutil.which("psql") is None:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    if find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed (uv sync)")
    with Server.running() as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.toolchain)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new database is to be: once in a file, and once on a server."""
    return str(request.getfixturevalue("postgres").database() if request.param == "postgres" else tmp_path / "a.db")


@pytest.fixture(scope="module")
def in_process() -> Iterator[None]:
    """Matches are played in this process: for all tests whose subject is not what surrounds a process."""
    with running_in_process.in_process():
        yield


@pytest.fixture
def with_processes() -> Iterator[None]:
    """Matches are played by processes although the others of the module are not."""
    with running_in_process.with_processes():
        yield


@pytest.fixture(scope="session")
def fork_server() -> BaseContext:
    """How processes are forked from one that has imported the modules of arena."""
    check_processes.start_fork_server()  # in the folder of the tests, and with the environment of all of them
    return multiprocessing.get_context("forkserver")


@pytest.fixture(scope="module")
def forked_checks(fork_server: BaseContext) -> Iterator[None]:
    """The processes that check bots are forked from one that has imported all of arena.

    What they get, and how they are spoken to and ended, is as ever.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.bots.hand_in_worker.get_context", lambda method: fork_server)
        yield


@pytest.fixture
def spawned_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are new ones although those of the module are forked: with the streams and the environment of the test."""
    monkeypatch.setattr("arena.bots.hand_in_worker.get_context", lambda method: multiprocessing.get_context("spawn"))
