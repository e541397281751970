"""One process plays a tournament at a time, and none has to remove what a dead one left."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Barrier, Thread

import pytest
from sqlalchemy import insert, update

from arena.store import Store, open_store
from arena.store.backup import back_up
from arena.store.engine.schema import runs
from arena.store.engine.worker_name import is_alive, worker_name
from arena.store.matches.runs import SILENCE_SECONDS, Run
from arena.values.rows import now_ms
from referee.games.cambio import CAMBIO
from tests import played

ELSEWHERE = "elsewhere:1:5:99"


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        opened.add_tournament(played.tournament(CAMBIO, matches=8))
        yield opened


def note(store: Store, worker: str, heard_ms: int) -> None:
    with store.write() as connection:
        connection.execute(insert(runs).values(event_id=1, worker=worker, began="2026-07-01", heard_ms=heard_ms))


def test_a_tournament_is_played_once(store: Store) -> None:
    assert store.runs.current(1) is None
    run = Run.new()
    assert run.worker == worker_name()
    assert store.runs.begin(1, run) is None
    assert store.runs.begin(1, run) is None, "whoever does not know whether it worked tries again"
    assert store.runs.begin(1, Run.new()) == run == store.runs.current(1)
    assert store.runs.hear(1, run)
    store.runs.end(1, run)
    assert store.runs.current(1) is None
    assert not store.runs.hear(1, run)
    assert store.runs.begin(1, Run.new()) is None


def test_a_process_is_told_by_its_number_and_host() -> None:
    assert str(Run(ELSEWHERE, "2026-07-01T10:00:00+00:00")) == "process 5 of elsewhere, since 2026-07-01T10:00:00 UTC"


def test_who_is_elsewhere_or_does_not_tell_its_start_may_live_or_not() -> None:
    own = worker_name()
    unstarted = own[: own.rindex(":") + 1]
    assert (is_alive(own), is_alive(ELSEWHERE), is_alive(unstarted)) == (True, None, None)


@pytest.mark.promise
def test_the_dead_play_nothing_and_the_living_do_however_long_they_are_silent(store: Store) -> None:
    code = "from arena.store.engine.worker_name import worker_name; print(worker_name(), flush=True); input()"
    other = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    note(store, other.stdout.readline().strip(), heard_ms=0)
    found = store.runs.begin(1, Run.new())
    assert found is not None
    assert str(found) == f"process {other.pid} of {socket.gethostname()}, since 2026-07-01 UTC"
    other.communicate("\n")
    assert store.runs.begin(1, Run.new()) is None


@pytest.mark.parametrize(("silent", "lives"), [(0, True), (SILENCE_SECONDS - 5, True), (SILENCE_SECONDS + 5, False)])
@pytest.mark.parametrize("sign", [1, -1])
def test_others_are_gone_once_they_were_silent(store: Store, silent: float, lives: bool, sign: int) -> None:
    """Also if a clock was set back: then they seem to have been heard in the future."""
    note(store, ELSEWHERE, now_ms(-sign * silent))
    assert (store.runs.current(1) is not None) is lives
    assert (store.runs.begin(1, Run.new()) is not None) is lives


def test_who_was_taken_over_is_told_and_ends_nothing(store: Store) -> None:
    run = Run.new()
    store.runs.begin(1, run)
    with store.write() as connection:
        connection.execute(update(runs).values(worker=ELSEWHERE))
    assert not store.runs.hear(1, run)
    store.runs.end(1, run)
    found = store.runs.current(1)
    assert found is not None
    assert found.worker == ELSEWHERE


def test_of_two_that_begin_at_once_one_does(store: Store, database: str) -> None:
    barrier, found = Barrier(8), list[Run | None]()

    def begin() -> None:
        with open_store(database, write=True) as own:
            barrier.wait()
            found.append(own.runs.begin(1, Run.new()))

    threads = [Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(other is None for other in found) == 1


def test_nobody_plays_in_a_copy(tmp_path: Path) -> None:
    with open_store(tmp_path / "arena.db", create=True) as store:
        store.add_tournament(played.tournament(CAMBIO, matches=8))
        store.runs.begin(1, Run.new())
        back_up(Path(store.where), tmp_path / "copy.db")
        with closing(open_store(tmp_path / "copy.db")) as copy:
            assert copy.runs.current(1) is None
        assert store.runs.current(1) is not None
