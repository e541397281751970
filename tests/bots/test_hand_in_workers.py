"""The programs that check hand-ins, as they tell of themselves."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from arena.bots import hand_in_worker
from arena.bots.hand_in_worker import HandInWorker
from arena.bots.hand_in_workers import (
    FORGOTTEN,
    SILENT,
    HandInWorkerRow,
    HandInWorkers,
    ServerTerms,
    checking_jobs,
    machine_equipment,
)
from arena.bots.hand_ins import HandIns
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.store import Store, open_store
from arena.store.engine.worker_name import worker_name
from arena.values.definition import TimeControl
from arena.values.rows import utc_now
from referee.engine import registry

NOW = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        yield opened


def row(worker: str, heard: timedelta = timedelta(), **more: object) -> HandInWorkerRow:
    text = (NOW + heard).isoformat(timespec="seconds")
    made = HandInWorkerRow(worker, False, text, text, 1, ("go",), 10_000, 10_000)
    return replace(made, **more)  # type: ignore[arg-type]


def test_who_is_silent_counts_as_gone_and_is_forgotten_later(store: Store) -> None:
    workers = HandInWorkers(store)
    workers.write(row("a:1:1:1"))
    workers.write(row("a:1:1:1", timedelta(seconds=10), jobs=2))
    workers.write(row("b:1:1:1", timedelta(seconds=20), problem="it lacks go"))
    first, second = workers.all()
    assert (first.worker, first.jobs, first.equipment) == ("a:1:1:1", 2, ("go",))
    assert [each.is_alive(NOW + timedelta(seconds=20)) for each in (first, second)] == [True, True]
    assert [each.is_checking(NOW + timedelta(seconds=20)) for each in (first, second)] == [True, False]
    assert not first.is_alive(NOW + timedelta(seconds=10) + SILENT)
    workers.write(row("c:1:1:1", timedelta(seconds=15) + FORGOTTEN))
    assert [each.worker for each in workers.all()] == ["b:1:1:1", "c:1:1:1"]
    workers.remove("b:1:1:1")
    assert [each.worker for each in workers.all()] == ["c:1:1:1"]


def test_a_process_that_is_dead_is_gone_at_once() -> None:
    here = worker_name()
    dead = here.rpartition(":")[0] + ":1"
    assert [row(worker).is_alive(NOW) for worker in (here, dead)] == [True, False]


def test_the_queue_is_as_quick_as_those_who_check(store: Store) -> None:
    for worker, jobs, problem in (("a:1:1:1", 2, ""), ("b:1:1:1", 1, ""), ("c:1:1:1", 4, "it lacks go")):
        HandInWorkers(store).write(row(worker, heard=datetime.now(UTC) - NOW, jobs=jobs, problem=problem))
    with store.read() as connection:
        assert checking_jobs(connection) == [2, 1]


def test_the_servers_that_were_heard_last_say_what_is_needed(store: Store) -> None:
    workers = HandInWorkers(store)
    assert workers.server_terms() is None
    workers.write(row("w:1:1:1", timedelta(hours=1), equipment=("ruby",)))
    assert workers.server_terms() is None, "it is no server"
    workers.write(row("a:1:1:1", is_server=True, equipment=("old",)))
    workers.write(row("b:1:1:1", SILENT, is_server=True, ready_ms=0, jobs=0))
    workers.write(row("c:1:1:1", SILENT + timedelta(seconds=5), is_server=True, equipment=("rust",), start_ms=60_000))
    terms = workers.server_terms()
    assert terms == (frozenset({"go", "rust"}), 60_000, 0)
    assert terms is not None
    assert terms.lacking(("go", "more")) == "rust"
    assert terms.lacking(("go", "rust", "more")) == ""


def test_bots_have_as_much_time_as_any_grants() -> None:
    own = TimeControl(start_time_ms=5, ready_time_ms=7)
    assert ServerTerms(frozenset(), 6, 6).limits(own) == (6, 7)
    assert ServerTerms(frozenset(), 4, 0).limits(own) == (5, 0)


def test_a_machine_has_its_games_and_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.bots.hand_in_workers.shutil.which", lambda name: name if name == "go" else None)
    [game] = [game for game in registry.installed()[0] if game.name == "cambio"]
    equipment = machine_equipment(BuildTerms())
    assert f"the game cambio with version {game.behaviour} of its rules" in equipment
    assert [each for each in equipment if each.startswith("the program")] == ["the program go"]
    assert set(machine_equipment(BuildTerms(network=True))) - set(equipment) == {
        "the network for builds (--build-network)"
    }


class Server:
    """A server, as another machine sees it in the database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def has(self, *more: str) -> None:
        """Say that it has what this machine has, and more."""
        equipment = (*machine_equipment(BuildTerms()), *more)
        made = HandInWorkerRow("elsewhere:1:1:1", True, utc_now(), utc_now(), 0, equipment, 10_000, 10_000)
        HandInWorkers(self._store).write(made)


@pytest.fixture
def server(store: Store) -> Server:
    return Server(store)


def worker_elsewhere(store: Store, said: list[str]) -> HandInWorker:
    worker = HandInWorker(store, Hosting(), BuildTerms(), said.append, is_server=False)
    worker._equipment = machine_equipment(BuildTerms())
    return worker


@pytest.mark.parametrize("lacks", [True, False])
def test_a_machine_that_lacks_what_the_server_has_refuses_no_bot_for_that(
    store: Store, server: Server, monkeypatch: pytest.MonkeyPatch, *, lacks: bool
) -> None:
    checked: list[int] = []
    monkeypatch.setattr(HandInWorker, "_check", lambda _, claimed, *__, **___: checked.append(claimed.row.id))
    said: list[str] = []
    worker = worker_elsewhere(store, said)
    id = HandIns(store).receive("club", "club/owl", "owl.py", b"import arena.sdk")
    server.has(*(["the game go with version 1 of its rules"] if lacks else []))
    assert worker.check_next() is not lacks
    assert checked == ([] if lacks else [id])
    if lacks:
        found = HandIns(store).find(id)
        assert (found.state, found.died, found.abandoned) == ("received", 0, 0)
        assert not worker.check_next()
        [sentence] = said
        assert sentence.startswith(
            "it checks nothing, as it lacks what the server has: the game go with version 1 of its rules; install it"
        )
        worker._report()
        [row] = [row for row in HandInWorkers(store).all() if not row.is_server]
        assert row.problem == sentence.partition("; install")[0]
        server.has()
        worker._report()
        assert worker.check_next()


def test_a_server_that_leaves_checks_to_others_tells_what_it_has(store: Store) -> None:
    server = HandInWorker(store, Hosting(), BuildTerms(), print, jobs=0)
    server.start()
    try:
        assert server._reported.wait(60)
        assert server.is_alive()
        [row] = HandInWorkers(store).all()
        assert (row.is_server, row.jobs, row.worker) == (True, 0, worker_name())
        assert not row.is_checking(datetime.now(UTC))
        assert row.equipment == machine_equipment(BuildTerms())
    finally:
        server.close()
    assert HandInWorkers(store).all() == []


def test_a_worker_that_lacks_something_claims_nothing(
    store: Store, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hand_in_worker, "LOOK_SECONDS", 0.0)
    server.has("the game go with version 1 of its rules")
    id = HandIns(store).receive("club", "club/owl", "owl.py", b"import arena.sdk")
    rounds = iter(range(3))
    worker = HandInWorker(store, Hosting(), BuildTerms(), lambda line: None, is_server=False)
    wait_for = worker._told.wait_for

    def count(is_told: Callable[[], bool], seconds: float) -> bool:
        if next(rounds, None) is None:
            worker._stopped.set()
        return wait_for(is_told, seconds)

    monkeypatch.setattr(worker._told, "wait_for", count)
    worker._equipment = machine_equipment(BuildTerms())
    worker._report()
    worker._reported.set()
    worker._work([0], False)
    assert HandIns(store).find(id).attempt == 0
