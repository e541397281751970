"""`arena serve`: pages and leagues in one program."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic

import pytest

from arena.store import Store, open_store
from sample_bots import SAMPLES
from tests import leagues
from tests.tournament.processes import Watched, descendants

PATIENCE = 60.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@contextmanager
def serving(path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Serve the database; yield the process and its port."""
    words = [sys.executable, "-m", "arena", "serve", "--port", "0", "--trust-bots", "--db", str(path)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        address = process.stderr.readline()
        assert address.startswith("http://127.0.0.1:"), address
        try:
            yield process, int(address.split("/")[2].rpartition(":")[2])
        finally:
            process.kill()


def wait_until(store: Store, process: subprocess.Popen[str], condition: Callable[[Store], bool]) -> None:
    """Wait for something in the database, as long as the server runs."""
    end = monotonic() + PATIENCE
    while not condition(store):
        assert process.poll() is None
        assert monotonic() < end, [league.results for league in store.leagues.all()]


def page(port: int, path: str) -> tuple[int, str]:
    with closing(HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read().decode()


def test_a_league_that_is_created_meanwhile_is_run_and_goes_on_after_a_kill(path: Path) -> None:
    with serving(path) as (process, port), open_store(path, write=True) as store:
        assert page(port, "/")[0] == 200
        leagues.cambio(store)
        leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
        wait_until(store, process, lambda store: store.leagues.named("cambio").results > 0)
        assert page(port, f"/matches/{store.matches(limit=1)[0].id}")[0] == 200, (
            "a league never ends, so it hides nothing"
        )
        below = Watched(descendants(process.pid))
        process.kill()
        process.wait()
        assert below.survivors() == []
    with open_store(path, write=True) as store:
        known = store.leagues.named("cambio").results
        with serving(path) as (process, _):
            wait_until(store, process, lambda store: store.leagues.named("cambio").results > known)
            process.terminate()
            assert process.wait() == 0
        assert all(batch.state != "leased" for batch in store.batches.of(store.leagues.named("cambio").id))
