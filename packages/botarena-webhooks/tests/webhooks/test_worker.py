"""Deliveries: with a real receiver, several servers on one database, and servers that are killed."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from time import perf_counter

import pytest
import trio
from arena_webhooks.addresses import AddressRules
from arena_webhooks.kinds import KINDS, TEST
from arena_webhooks.registration import NewWebhook, add_webhook
from arena_webhooks.store import OFF_AFTER, Webhooks
from arena_webhooks.tables import webhook_deliveries
from arena_webhooks.worker import ALIVE_SECONDS, JITTER, PAUSES, WebhookWorker, retry_pause
from sqlalchemy import update
from webhooks.receiver import PATIENCE, Received, Receiver, receiving

from arena.league.account_closing import close_account
from arena.store import Store, StoreUnavailable, open_store
from arena.values.rows import now_ms
from arena.values.server_log import Notice
from referee.process.awake_clock import AwakeClock, Beat
from tests.tournament.processes import wait_until

LOCAL = AddressRules(local=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with open_store(path, create=True) as opened:
        for number in range(5):
            opened.accounts.add(f"club{number}", "author", f"{number:064}")
        yield opened


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as opened:
        yield opened


def add(store: Store, receiver: Receiver, account: str = "club0") -> NewWebhook:
    return add_webhook(Webhooks(store), account, receiver.url, ())


def deliver(*stores: Store) -> None:
    """Deliver what is due, by a worker for each store, side by side."""

    async def run() -> None:
        async with trio.open_nursery() as nursery:
            for store in stores:
                nursery.start_soon(WebhookWorker(Webhooks(store), LOCAL, print).deliver_due)

    trio.run(run)


def test_an_event_arrives_signed_and_is_logged(store: Store, receiver: Receiver) -> None:
    row, secret = add(store, receiver)
    Webhooks(store).add_test(row.id)
    deliver(store)
    received = receiver.next()
    assert received.is_signed(secret)
    assert not received._replace(body=received.body + b" ").is_signed(secret)
    assert (received.path, received.event["type"]) == ("/arena?from=here", TEST)
    assert received.event["data"] == {"webhook": row.id}
    assert received.headers["content-type"] == "application/json"
    [logged] = Webhooks(store).deliveries(row.id, 9)
    assert (logged.message, logged.state, logged.status, logged.attempt) == (received.id, "delivered", 204, 1)


def test_what_fails_comes_again_with_the_same_id_and_another_time(
    store: Store, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena_webhooks.worker.retry_pause", lambda attempt, kind: None if attempt == 3 else -1.0)
    row, secret = add(store, receiver)
    Webhooks(store).add_test(row.id)
    receiver.status = lambda _: 302
    deliver(store)
    attempts = [receiver.next() for _ in range(3)]
    assert len({each.id for each in attempts}) == 1
    assert all(each.is_signed(secret) for each in attempts)
    assert receiver.received.empty(), "a redirect is not followed"
    [logged] = Webhooks(store).deliveries(row.id, 9)
    assert (logged.state, logged.status, logged.attempt) == ("failed", 302, 3)
    assert logged.error == "the answer is 302: redirects are not followed"


def test_pauses_grow_and_end_about_when_a_webhook_is_switched_off() -> None:
    pauses = [retry_pause(attempt, KINDS[0]) for attempt in range(1, len(PAUSES) + 2)]
    assert pauses[-1] is None
    assert all(
        pause is not None and usual * (1 - JITTER) <= pause <= usual * (1 + JITTER)
        for pause, usual in zip(pauses, PAUSES, strict=False)
    )
    assert list(PAUSES) == sorted(PAUSES)
    assert OFF_AFTER.total_seconds() < sum(PAUSES) < 5 * 86400
    assert retry_pause(1, TEST) is None, "a test is made once"


def test_two_servers_deliver_side_by_side_and_nothing_twice(path: Path, store: Store, receiver: Receiver) -> None:
    rows = [add(store, receiver, f"club{number}").row for number in range(5)]
    for row in rows:
        for _ in range(6):
            Webhooks(store).add_test(row.id)
    under_way, most = Counter[int](), Counter[int]()

    def status(received: Received) -> int:
        webhook = received.event["data"]["webhook"]
        under_way[webhook] += 1
        most[webhook] = max(most[webhook], under_way[webhook])
        under_way[webhook] -= 1
        return 200

    receiver.status = status
    with open_store(path, write=True) as other:
        deliver(store, other)
    ids = [receiver.next().id for _ in range(30)]
    assert receiver.received.empty()
    assert len(set(ids)) == 30
    assert set(most.values()) == {1}, "one of an account at a time"
    assert all(each.state == "delivered" for row in rows for each in Webhooks(store).deliveries(row.id, 9))


def test_what_is_revoked_under_way_is_forgotten(store: Store, receiver: Receiver) -> None:
    token = store.account_tokens.add("club1", "ci", ("submit",), "9" * 64, None)
    row = add_webhook(Webhooks(store), "club1", receiver.url, (), token).row
    closed = add(store, receiver).row
    for id in (row.id, closed.id, row.id, closed.id):
        Webhooks(store).add_test(id)

    def revoke(received: Received) -> int:
        if received.event["data"]["webhook"] == row.id:
            store.account_tokens.revoke(token or 0)
        else:
            close_account(store, "club0")
        return 200

    receiver.status = revoke
    deliver(store)
    assert {receiver.next().event["data"]["webhook"] for _ in range(2)} == {row.id, closed.id}
    assert receiver.received.empty(), "what waited is not sent"
    assert [each.id for each in Webhooks(store).all()] == [row.id]
    assert {each.state for each in Webhooks(store).deliveries(row.id, 9)} == {"failed"}


async def test_a_database_that_cannot_be_used_ends_nothing_and_is_told_once(
    store: Store, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena_webhooks.worker.RETRY_SECONDS", 0.01)
    monkeypatch.setattr("arena_webhooks.worker.POLL_SECONDS", 0.01)
    row, _ = add(store, receiver)
    Webhooks(store).add_test(row.id)
    locked, mistake = StoreUnavailable("the database is locked", ": wait"), ValueError("a mistake of ours")
    outages: list[list[Exception]] = [[locked, locked, mistake, locked], [locked, locked]]
    webhooks = Webhooks(store)
    claim = webhooks.claim

    def fails(now: int, until: int, lost: float) -> object:
        if outages and outages[0]:
            raise outages[0].pop(0)
        claimed = claim(now, until, lost)
        if claimed is None and outages:  # delivered: the next outage
            outages.pop(0)
            if outages:
                Webhooks(store).add_test(row.id)
        return claimed

    monkeypatch.setattr(webhooks, "claim", fails)
    said: list[str] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(WebhookWorker(webhooks, LOCAL, said.append).run)
        for _ in range(2):
            await trio.to_thread.run_sync(receiver.next)
        nursery.cancel_scope.cancel()
    # Once for each outage, and once more where the end of the first delivery is noted within the second one.
    assert said[:2] == ["the database is locked; webhooks wait until it can be used again"] * 2
    assert len(said) <= 3
    assert {notice.event for notice in said if isinstance(notice, Notice)} == {"database_unavailable"}


async def test_an_outage_is_told_once_for_all_that_is_under_way(
    store: Store, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        Webhooks(store).add_test(add(store, receiver, f"club{number}").row.id)
    said = list[str]()
    started = Event()
    receiver.status = lambda _: 204 if started.wait(PATIENCE) else 500

    def fails(*_: object) -> bool:
        raise StoreUnavailable("the database is locked", ": wait")

    webhooks = Webhooks(store)
    monkeypatch.setattr(webhooks, "note_delivered", fails)
    async with trio.open_nursery() as nursery:
        await WebhookWorker(webhooks, LOCAL, said.append)._start_due(nursery)
        started.set()
    assert said == ["the database is locked; webhooks wait until it can be used again"]


async def test_a_worker_with_much_to_do_is_alive(
    store: Store, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        Webhooks(store).add_test(add(store, receiver, f"club{number}").row.id)
    now, alive = [0.0], []
    monkeypatch.setattr("arena_webhooks.worker.monotonic", lambda: now[0])
    webhooks = Webhooks(store)
    worker, claim = WebhookWorker(webhooks, LOCAL, print), webhooks.claim

    def slow(at: int, until: int, lost: float) -> object:
        alive.append(worker.is_alive())
        now[0] += ALIVE_SECONDS * 0.9
        return claim(at, until, lost)

    monkeypatch.setattr(webhooks, "claim", slow)
    async with trio.open_nursery() as nursery:
        assert await worker._start_due(nursery) == 4
    assert alive == [True] * 5
    now[0] += ALIVE_SECONDS
    assert not worker.is_alive()


def test_what_is_under_way_is_not_made_again_after_a_pause(store: Store, receiver: Receiver) -> None:
    rows = [add(store, receiver, f"club{number}").row for number in range(2)]
    Webhooks(store).add_test(rows[0].id)
    a_minute_ago = now_ms(-60)
    assert Webhooks(store).claim(now_ms(), a_minute_ago) is not None, "by another worker, before the pause"
    Webhooks(store).add_test(rows[1].id)

    async def run() -> None:
        await WebhookWorker(Webhooks(store), LOCAL, print).deliver_due()

    clock, at = AwakeClock(), perf_counter()
    clock.beat(Beat(at - 300, 0.0, 0.0, 10), Beat(at, 0.0, 0.0, 12))
    trio.run(run, clock=clock)
    assert [Webhooks(store).deliveries(row.id, 9)[0].state for row in rows] == ["waiting", "delivered"]
    trio.run(run, clock=AwakeClock())
    assert [Webhooks(store).deliveries(row.id, 9)[0].attempt for row in rows] == [2, 1]


@contextmanager
def serving(path: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Serve the pages of a database, with accounts."""
    command = [sys.executable, "-m", "arena", "web", "--sign-in", "--port", "0", "--db", str(path)]
    with subprocess.Popen([*command, *words], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("http://")
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.promise
def test_a_killed_server_loses_no_event(path: Path, store: Store, receiver: Receiver) -> None:
    row, secret = add(store, receiver)
    Webhooks(store).add_test(row.id)  # and no server runs
    held, release = Event(), Event()

    def hold(_: Received) -> int:
        held.set()
        release.wait(PATIENCE)
        return 200

    receiver.status = hold
    with serving(path, "--local-webhooks") as process:
        first = receiver.next()
        assert held.wait(PATIENCE)
        process.kill()
        process.wait()
    release.set()
    [waiting] = Webhooks(store).deliveries(row.id, 9)
    assert (waiting.state, waiting.attempt) == ("waiting", 1), "nobody knows whether it has arrived"
    with store.write() as connection:  # a minute passes
        connection.execute(update(webhook_deliveries).values(lease_until=0))
    with serving(path, "--local-webhooks") as process:
        again = receiver.next()
        wait_until(process, lambda: Webhooks(store).deliveries(row.id, 9)[0].state == "delivered")
    assert again.id == first.id
    assert again.is_signed(secret)


@pytest.mark.processes
def test_without_the_option_nothing_on_this_machine_is_reached(path: Path, store: Store, receiver: Receiver) -> None:
    row, _ = add(store, receiver)
    Webhooks(store).add_test(row.id)
    with serving(path) as process:
        wait_until(process, lambda: Webhooks(store).deliveries(row.id, 9)[0].state != "waiting")
    [logged] = Webhooks(store).deliveries(row.id, 9)
    assert (logged.state, logged.status) == ("failed", None)
    assert "must begin with https://" in logged.error
    assert receiver.received.empty()
