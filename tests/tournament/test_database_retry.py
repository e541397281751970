"""A database that cannot be used for a while holds a tournament up, and ends it only after a long time."""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trio

from arena.results.stored_tournament import StoredTournament
from arena.run import database_retry
from arena.run.database_retry import GIVE_UP_SECONDS, STOP_SECONDS, DatabaseRetry
from arena.run.runner import run
from arena.run.single_match import Single, keep
from arena.store import Store, StoreUnavailable, open_store
from arena.values.definition import Definition
from tests import played
from tests.guessing import GUESSING
from tests.tournament.runs import Watcher, begin, results

KEPT = "finished matches are kept in memory, and storing them is tried again for up to 60 minutes"


class Flaky:
    """A question to a database that is locked for the first so many times; None: for ever."""

    def __init__(self, refusals: int | None) -> None:
        self.left = refusals
        self.calls = 0

    def __call__(self, answer: str) -> str:
        self.calls += 1
        if self.left is None or self.left > 0:
            self.left = self.left and self.left - 1
            raise StoreUnavailable("the database x is locked", ": wait")
        return answer


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


async def test_each_incident_is_told_once_and_so_is_its_end(store: Store, autojump_clock: object) -> None:
    said: list[str] = []
    retry = DatabaseRetry(store, said.append)
    assert await retry.call(Flaky(0), "a") == "a"
    assert said == []
    for _ in range(2):
        assert await retry.call(Flaky(3), "b") == "b"
        locked, over = said
        assert locked.startswith(f"the database x is locked; {KEPT}")
        assert over == "the database can be used again after 3 s; nothing is lost"
        said.clear()


async def test_what_works_meanwhile_does_not_end_an_incident(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_retry, "RETRY_SECONDS", 0.001)
    said: list[str] = []
    told = trio.Event()

    def say(line: str) -> None:
        said.append(line)
        told.set()

    retry, writes = DatabaseRetry(store, say), [Flaky(None), Flaky(None)]
    async with trio.open_nursery() as nursery:
        for write in writes:
            nursery.start_soon(retry.call, write, "a")
        await told.wait()
        while not all(write.calls > 1 for write in writes):
            await trio.sleep(0)
        assert await retry.call(Flaky(0), "read") == "read"
        writes[0].left = 0
        calls = writes[1].calls
        while writes[1].calls < calls + 3:
            await trio.sleep(0)
        assert len(said) == 1
        writes[1].left = 0
    assert len(said) == 2


async def test_it_gives_up_after_an_hour(store: Store, autojump_clock: object) -> None:
    retry = DatabaseRetry(store, lambda line: None)
    began = trio.current_time()
    with pytest.raises(StoreUnavailable, match="the database x is locked: wait"):
        await retry.call(Flaky(None), "a")
    assert trio.current_time() - began == pytest.approx(GIVE_UP_SECONDS, abs=2)


async def test_it_gives_up_soon_once_the_tournament_is_stopped(store: Store, autojump_clock: object) -> None:
    retry = DatabaseRetry(store, lambda line: None)
    began = trio.current_time()

    async def stop() -> None:
        await trio.sleep(30)
        retry.stop()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(stop)
        with pytest.raises(StoreUnavailable):
            await retry.call(Flaky(None), "a")
    assert trio.current_time() - began == pytest.approx(30 + STOP_SECONDS, abs=2)


async def test_other_errors_are_raised_at_once(store: Store) -> None:
    def broken() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await DatabaseRetry(store, lambda line: None).call(broken)


LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute(sys.argv[2])
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.mark.processes
@pytest.mark.parametrize("lock", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_lock_of_another_program_holds_a_tournament_up_and_costs_nothing(
    store: Store, cambio: Callable[..., Definition], lock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_retry, "ATTEMPT_SECONDS", 0.1)
    monkeypatch.setattr(database_retry, "RETRY_SECONDS", 0.01)
    definition = cambio("random", "cautious", rounds=60)
    free, held = begin(store, definition), begin(store, definition)
    run(StoredTournament.load(store, free), definition, 1, Watcher())

    with subprocess.Popen(
        [sys.executable, "-c", LOCK, str(store.file), lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as locker:
        assert locker.stdin is not None
        assert locker.stdout is not None
        assert locker.stdout.readline() == b"locked\n"
        release = locker.stdin.close

        class Releasing(Watcher):
            def say(self, line: str) -> None:
                super().say(line)
                if "is locked" in line:
                    release()

        watcher = Releasing()
        played = run(
            StoredTournament.load(store, held), StoredTournament.load(store, held).resumable_definition(), 1, watcher
        )
    assert played.matches == watcher.matches == 120
    locked, over = watcher.lines
    assert locked.startswith(f"the database {store.where} is locked: another program is writing to it; {KEPT}")
    assert over.endswith("nothing is lost")
    assert results(store, held) == results(store, free)
    assert store.patience is None


STOPPED = """
import os, signal, sqlite3, sys
from arena.cli import main
from arena.run.progress import Progress
from arena.run import database_retry

lock = sqlite3.connect(sys.argv[1], isolation_level=None, check_same_thread=False)
say = Progress.say
def seize(self, rows):
    if not lock.in_transaction:
        lock.execute("BEGIN IMMEDIATE")
def interrupt(self, line):
    say(self, line)
    if "is locked" in line:
        os.kill(os.getpid(), signal.SIGINT)
Progress.stored, Progress.say = seize, interrupt
database_retry.ATTEMPT_SECONDS, database_retry.RETRY_SECONDS, database_retry.STOP_SECONDS = 0.1, 0.01, 0.0
main(sys.argv[2:])
"""


@pytest.mark.processes
def test_stopping_while_the_database_is_locked_says_what_is_lost_and_how_to_go_on(
    store: Store, cambio: Callable[..., Definition]
) -> None:
    number = begin(store, cambio("random", "cautious", rounds=300))
    words = [str(store.file), "tourney", "resume", str(number), "--db", str(store.file), "--jobs", "1"]
    done = subprocess.run(
        [sys.executable, "-c", STOPPED, *words], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    error = done.stderr.splitlines()[-1]
    assert "is locked: another program is writing to it" in error
    assert re.search(r"; [\d,]+ finished match(es are| is) not stored and will be played again;", error)
    assert f"resume with: arena tourney resume {number}" in done.stderr
    assert 0 < len(store.played(number)) < 600


def test_a_single_match_waits_for_the_database_too(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_retry, "ATTEMPT_SECONDS", 0.05)
    monkeypatch.setattr(database_retry, "RETRY_SECONDS", 0.01)
    lock = sqlite3.connect(store.file, isolation_level=None, check_same_thread=False)
    lock.execute("BEGIN IMMEDIATE")
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if lock.in_transaction:
            lock.execute("ROLLBACK")

    match = keep(store, Single(played.tournament(GUESSING, matches=1), played.match(GUESSING), ()), say)
    lock.close()
    assert (match.id, len(said)) == (1, 2)
