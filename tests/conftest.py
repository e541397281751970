import os
import shutil
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from referee import sandbox
from tests.postgres import Server, program

# A shell that starts the tests in the background has Ctrl-C ignored, and so would all programs that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Most bots of the tests are ours: where bubblewrap does not work, tournaments between them are rated all the same.
if sandbox.choose().gap:
    os.environ["ARENA_TRUST_BOTS"] = "1"


# On a busy machine everything is slow, the making of examples too.
settings.register_profile("arena", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("arena")


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
