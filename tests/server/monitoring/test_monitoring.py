"""Health and metrics of a server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
import trio
import trio.testing
from starlette.applications import Starlette
from trio.testing import MockClock

from arena.bots.hand_ins import HandIns
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.server.access import VISITOR
from arena.server.live.event_streams import VIEWER, Viewer
from arena.server.monitoring.health import KEPT_SECONDS, HealthCheck
from arena.server.monitoring.heartbeat import LONGEST_SECONDS, Heartbeat
from arena.server.monitoring.metrics import Metrics
from arena.server.monitoring.requests import FinishedRequest, RequestWatch, route_names
from arena.server.site import application
from arena.store import Store, StoreUnavailable, open_store
from arena.values.server_log import LOGGER, log_event
from tests import leagues


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as store:
        yield store


async def ask(app: Any, path: str = "/healthz", method: str = "GET", **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://arena") as client:
        return await client.request(method, path, headers=headers)


async def nothing(*_: Any) -> Any:
    raise AssertionError("the health of a server is answered before its site")


class Broken:
    """A store whose queries fail, or hang until they are let go."""

    def __init__(self, hangs: Event | None = None) -> None:
        self.asked = 0
        self.began = Event()
        self._hangs = hangs

    def query(self, _query: Any) -> list[int]:
        self.asked += 1
        self.began.set()
        if self._hangs is not None:
            self._hangs.wait()
            return [0]
        raise StoreUnavailable("the disk is gone", "the disk is gone")


def test_a_server_that_works_is_healthy(store: Store) -> None:
    answer = trio.run(ask, HealthCheck(nothing, store, {"leagues": lambda: True}))
    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "database": "ok", "leagues": "ok"})
    assert answer.headers["cache-control"] == "no-store"


def test_a_worker_that_is_gone_is_named(store: Store) -> None:
    check = HealthCheck(nothing, store, {"hand_ins": lambda: False, "leagues": lambda: True})
    answer = trio.run(ask, check)
    assert answer.status_code == 503
    assert answer.json() == {"status": "failing", "database": "ok", "hand_ins": "failing", "leagues": "ok"}
    assert trio.run(ask, check, "/healthz", "POST").status_code == 405


async def test_a_database_is_asked_once_a_second(mock_clock: MockClock) -> None:
    broken = Broken()
    check = HealthCheck(nothing, broken, {})  # type: ignore[arg-type]
    async with trio.open_nursery() as nursery:
        for _ in range(20):
            nursery.start_soon(ask, check)
    assert (await ask(check)).json()["database"] == "failing"
    assert broken.asked == 1
    mock_clock.jump(KEPT_SECONDS)
    assert (await ask(check)).status_code == 503
    assert broken.asked == 2


async def test_a_database_that_hangs_holds_up_one_thread(autojump_clock: MockClock) -> None:
    let_go = Event()
    hanging = Broken(let_go)
    check = HealthCheck(nothing, hanging, {})  # type: ignore[arg-type]
    try:
        for _ in range(3):
            assert (await ask(check)).status_code == 503
            await trio.sleep(KEPT_SECONDS)
        assert hanging.began.wait(60)  # the clock of the test does not wait for threads
    finally:
        let_go.set()
    assert hanging.asked == 1


async def test_other_work_in_all_threads_is_no_failing_database(store: Store, mock_clock: MockClock) -> None:
    statuses: list[int] = []

    async def check() -> None:
        statuses.append((await ask(HealthCheck(nothing, store, {}))).status_code)

    threads = trio.to_thread.current_default_thread_limiter()
    others = [object() for _ in range(int(threads.available_tokens))]
    for other in others:
        threads.acquire_on_behalf_of_nowait(other)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(check)
            await trio.testing.wait_all_tasks_blocked()
            assert threads.statistics().tasks_waiting == 0
    finally:
        for other in others:
            threads.release_on_behalf_of(other)
    assert statuses == [200]


def test_a_loop_that_stops_is_noticed() -> None:
    now = 0.0
    heart = Heartbeat(lambda: now)
    now = LONGEST_SECONDS - 1
    assert heart.is_alive()
    heart.beat()
    now += LONGEST_SECONDS
    assert not heart.is_alive()


@contextmanager
def metrics_of(store: Store) -> Iterator[tuple[Metrics, Starlette]]:
    """The metrics of a site, without a handler of the log that outlives the test."""
    handlers, level = list(LOGGER.handlers), LOGGER.level
    site = application(store, VISITOR)
    metrics = Metrics(store, lambda: site.state.streams.total)
    site.add_middleware(RequestWatch, finished=[metrics.count], names=route_names(site))
    LOGGER.setLevel("DEBUG")
    try:
        yield metrics, site
    finally:
        LOGGER.handlers[:] = handlers
        LOGGER.setLevel(level)


def shown(metrics: Metrics) -> dict[str, float]:
    answer = trio.run(ask, metrics.application("0.0.0.0"), "/metrics")
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_metrics_of_requests_have_routes_and_no_paths(store: Store) -> None:
    with metrics_of(store) as (metrics, site):
        for path in (
            "/bots",
            "/bots?x=1",
            "/bots/club/owl",
            "/api/v1/leagues",
            "/nothing/s3cret",
            "/invitations/s3cret",
        ):
            trio.run(ask, site, path)
        trio.run(ask, site, "/bots", "BREW")
        values = shown(metrics)
    count = "arena_http_requests_total"
    assert values[f'{count}{{method="GET",route="/bots",status="200"}}'] == 2
    assert values[f'{count}{{method="GET",route="/bots/{{name}}",status="404"}}'] == 1
    assert values[f'{count}{{method="GET",route="/api/v1/leagues",status="200"}}'] == 1
    assert values[f'{count}{{method="GET",route="none",status="404"}}'] == 2
    assert values['arena_http_request_seconds_count{route="/bots"}'] >= 2
    assert any('method="other"' in name for name in values)
    assert not any("s3cret" in name or "BREW" in name for name in values)


async def test_a_request_that_is_given_up_is_no_failure() -> None:
    told: list[FinishedRequest] = []

    async def waits(*_: Any) -> None:
        await trio.sleep_forever()

    async def breaks(*_: Any) -> None:
        raise ValueError

    async def is_away(*_: Any) -> None:
        raise StoreUnavailable("the disk is gone", "the disk is gone")

    scope = {"type": "http", "method": "POST", "path": "/"}
    with trio.CancelScope() as gone:
        gone.cancel()
        await RequestWatch(waits, [told.append], {})(scope, nothing, nothing)
    with pytest.raises(ValueError):  # noqa: PT011
        await RequestWatch(breaks, [told.append], {})(scope, nothing, nothing)
    with pytest.raises(StoreUnavailable):
        await RequestWatch(is_away, [told.append], {})(scope, nothing, nothing)
    assert [request.status for request in told] == [499, 500, 503]


async def test_requests_of_the_api_have_the_account_of_their_token() -> None:
    told: list[FinishedRequest] = []

    async def answers(scope: Any, _receive: Any, send: Any) -> None:
        scope["access"] = VISITOR
        scope[VIEWER] = Viewer("club", lambda: True)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    await ask(RequestWatch(answers, [told.append], {}))
    assert [(request.status, request.account) for request in told] == [(200, "club")]


def test_metrics_of_leagues_and_hand_ins_follow_the_database(store: Store) -> None:
    league = leagues.league(store)
    with metrics_of(store) as (metrics, _):
        assert shown(metrics)['arena_league_batches{league="club",state="stored"}'] == 0
        for number in (1, 2, 3):
            assert Batches(store).add(league.id, leagues.batch(), number)
        first = Batches(store).lease(league.id, "one", 0, 1000)
        assert first is not None
        assert Batches(store).finish(leagues.lease(first), leagues.result()) == 1
        second = Batches(store).lease(league.id, "one", 0, 1000)
        assert second is not None
        again = Batches(store).lease(league.id, "two", 2000, 3000)
        assert again is not None
        HandIns(store).receive("ann", "ann/owl", "owl.py", b"")
        for _ in range(2):  # sums that are kept count once
            values = shown(metrics)
            assert values['arena_league_batches{league="club",state="stored"}'] == 1
            assert values['arena_league_batches{league="club",state="leased"}'] == 1
            assert values['arena_league_batches{league="club",state="waiting"}'] == 1
            assert values['arena_league_matches_total{league="club"}'] == 8
            assert values['arena_league_attempts_total{league="club",outcome="stored"}'] == 1
            assert values['arena_league_attempts_total{league="club",outcome="expired"}'] == 1
            assert values['arena_league_entries{league="club",state="standing"}'] == 2
            assert values['arena_hand_ins{state="waiting"}'] == 1
        assert Batches(store).finish(leagues.lease(again), leagues.result()) == 2
        values = shown(metrics)
        assert values['arena_league_matches_total{league="club"}'] == 16
        assert values['arena_league_attempts_total{league="club",outcome="stored"}'] == 2
        Leagues(store).set_state(league.id, "closed", "ann")
        assert not any("league=" in name for name in shown(metrics))


def test_metrics_count_the_events_of_the_log(store: Store) -> None:
    with metrics_of(store) as (metrics, _):
        assert shown(metrics)['arena_events_total{event="lease_lost"}'] == 0
        log_event("lease_lost", "its lease went to another runner", league="club", batch=3)
        log_event("database_retried", "the disk is full", level=10)
        values = shown(metrics)
    assert values['arena_events_total{event="lease_lost"}'] == 1
    assert values['arena_events_total{event="database_retried"}'] == 1
    assert values["arena_database_up"] == 1


def test_metrics_are_shown_without_a_database() -> None:
    metrics = Metrics(Broken(), lambda: 3)  # type: ignore[arg-type]
    LOGGER.handlers.pop()
    values = shown(metrics)
    assert values["arena_database_up"] == 0
    assert values["arena_event_streams"] == 3


def test_on_this_machine_metrics_are_for_no_other_site(store: Store) -> None:
    with metrics_of(store) as (metrics, _):
        rebound = trio.run(ask, metrics.application("127.0.0.1"), "/metrics")  # its host is called arena
    assert rebound.status_code == 403
