"""Health and metrics of a server."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
import trio
import trio.testing
from starlette.applications import Starlette
from trio.testing import MockClock

from arena.bots.hand_in_rows import HandInEnd
from arena.bots.hand_in_workers import HandInWorkerRow, HandInWorkers
from arena.bots.hand_ins import HandIns
from arena.league.store.batches import Batches
from arena.league.store.league_runs import LeagueRunRow, LeagueRuns
from arena.league.store.leagues import Leagues
from arena.server.access import VISITOR
from arena.server.live.event_streams import VIEWER, Viewer
from arena.server.monitoring.health import KEPT_SECONDS, HealthCheck
from arena.server.monitoring.heartbeat import LONGEST_SECONDS, Heartbeat
from arena.server.monitoring.metrics import Metrics
from arena.server.monitoring.progress import Progress, read_progress
from arena.server.monitoring.requests import FinishedRequest, RequestWatch, route_names
from arena.server.site import application
from arena.store import Store, StoreUnavailable, open_store
from arena.store.engine.worker_name import worker_name
from arena.values.rows import utc_now
from arena.values.server_log import LOGGER, log_event
from sample_bots import SAMPLES
from tests import leagues

REASON = "bots cannot be unpacked into /var/cache/arena: Permission denied"


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


def stand_still(store: Store) -> None:
    """Have the only run of a league with a bot tell that it has drawn nothing for 13 minutes."""
    league = leagues.cambio(store)
    row = leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    Leagues(store).enter(league.id, leagues.entry(row), "club")
    now = datetime.now(UTC)
    since = (now - timedelta(minutes=13)).isoformat()
    LeagueRuns(store).write([LeagueRunRow(league.id, "here", since, now.isoformat(), False, since, REASON)], "")


def watched_for_an_hour(store: Store) -> HealthCheck:
    check = HealthCheck(nothing, store, {"hand_ins": lambda: True, "leagues": lambda: True})
    check._began = datetime.now(UTC) - timedelta(hours=1)
    return check


def test_a_league_that_draws_nothing_makes_a_server_fail_with_the_sentence(store: Store) -> None:
    stand_still(store)
    answer = trio.run(ask, watched_for_an_hour(store))
    assert answer.status_code == 503
    assert answer.json() == {
        "status": "failing",
        "database": "ok",
        "hand_ins": "ok",
        "leagues": "failing",
        "problems": ["the league cambio has drawn or played nothing for 13 minutes"],
    }, "why is for nobody from elsewhere: this visitor calls the server arena"


@pytest.mark.parametrize(
    ("url", "client", "headers", "is_told"),
    [
        ("http://127.0.0.1", "127.0.0.1", {}, True),
        ("http://localhost", "::1", {}, True),
        ("http://arena.example", "127.0.0.1", {}, False),
        ("http://127.0.0.1", "10.0.0.7", {}, False),
        ("http://127.0.0.1", "127.0.0.1", {"x-forwarded-for": "10.0.0.7"}, False),
    ],
)
def test_why_is_told_on_this_machine_alone(
    store: Store, url: str, client: str, headers: dict[str, str], is_told: bool
) -> None:
    async def get() -> httpx.Response:
        transport = httpx.ASGITransport(watched_for_an_hour(store), client=(client, 1))
        async with httpx.AsyncClient(transport=transport, base_url=url, headers=headers) as visitor:
            return await visitor.get("/healthz")

    stand_still(store)
    [problem] = trio.run(get).json()["problems"]
    assert problem.endswith(REASON) == is_told


def test_a_server_that_has_just_started_and_one_whose_league_plays_are_healthy(store: Store) -> None:
    stand_still(store)
    assert trio.run(ask, HealthCheck(nothing, store, {})).status_code == 200
    with store.write() as connection:
        connection.exec_driver_sql("UPDATE league_runs SET failing_since = NULL")
    assert trio.run(ask, watched_for_an_hour(store)).json()["status"] == "ok"


def test_hand_ins_that_wait_while_none_is_checked_make_a_server_fail(store: Store) -> None:
    def queued() -> Progress:
        return read_progress(store, datetime.now(UTC) - timedelta(hours=1))

    assert (queued().queue_since, queued().oldest) == (None, None)
    for name in ("ann/owl", "ann/jay"):
        HandIns(store).receive("ann", name, "owl.py", b"")
    assert not queued().is_queue_failing
    with store.write() as connection:
        early = (datetime.now(UTC) - timedelta(minutes=20)).isoformat(timespec="seconds")
        connection.exec_driver_sql(f"UPDATE hand_ins SET created = '{early}'")
    assert queued().is_queue_failing
    answer = trio.run(ask, watched_for_an_hour(store))
    assert answer.status_code == 503
    assert answer.json()["hand_ins"] == "failing"
    sentence = "hand-ins wait, and none has been checked for 20 minutes"
    nobody = f"{sentence}: no program checks any, neither `arena serve` nor `arena hand-ins check`"
    assert answer.json()["problems"] == [nobody]
    HandInWorkers(store).write(HandInWorkerRow(worker_name(), False, utc_now(), utc_now(), 2, (), 1, 1))
    assert (queued().checking, queued().problems()) == (2, [sentence])
    assert not read_progress(store, datetime.now(UTC)).is_queue_failing, "the server has just started"
    claimed = HandIns(store).claim("me", 60)
    assert claimed is not None
    assert queued().queue_since is None, "one is checked"
    HandIns(store).finish(claimed.claim, "refused", "is refused", HandInEnd(1))
    assert not queued().is_queue_failing, "one was checked just now"


def test_a_hand_in_that_is_tried_again_later_does_not_make_a_server_fail(store: Store) -> None:
    HandIns(store).receive("ann", "ann/owl", "owl.py", b"")
    claimed = HandIns(store).claim("me", 60)
    assert claimed is not None
    HandIns(store).postpone(claimed.claim, "the machine was too busy", HandInEnd(1))
    with store.write() as connection:
        early = (datetime.now(UTC) - timedelta(minutes=20)).isoformat(timespec="seconds")
        connection.exec_driver_sql(f"UPDATE hand_ins SET created = '{early}'")
    progress = read_progress(store, datetime.now(UTC) - timedelta(hours=1))
    assert (progress.queue_since, progress.oldest) == (None, None)


def test_metrics_tell_what_stands_still(store: Store) -> None:
    stand_still(store)
    HandIns(store).receive("ann", "ann/owl", "owl.py", b"")
    with metrics_of(store) as (metrics, _):
        before = shown(metrics)
        [collector] = [found for found in metrics.registry._collector_to_names if hasattr(found, "_began")]
        collector._began = datetime.now(UTC) - timedelta(hours=1)
        values = shown(metrics)
    assert before['arena_league_failing{league="cambio"}'] == 0, "the server has just started"
    assert values['arena_league_failing{league="cambio"}'] == 1
    assert 780 <= values['arena_league_standstill_seconds{league="cambio"}'] < 900
    assert 'arena_league_batch_age_seconds{league="cambio"}' not in values, "none is stored"
    assert 0 <= values["arena_hand_ins_standstill_seconds"] < 120
    assert values["arena_check_jobs"] == 0
    assert values['arena_events_total{event="draw_failed"}'] == 0


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
