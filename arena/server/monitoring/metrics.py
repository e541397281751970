"""The metrics of a server, in the format of Prometheus.

No label has more values than the code, the routes or the leagues have: none names a bot, an account or a match.
"""

import logging
from collections import Counter as Tally
from collections.abc import Callable, Iterator, Set
from datetime import UTC, datetime

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.server.monitoring.progress import Progress, read_progress
from arena.server.monitoring.requests import FinishedRequest
from arena.server.monitoring.server_counts import (
    BatchTotals,
    HandInCounts,
    LeagueCounts,
    count_hand_ins,
    count_leagues,
    sum_batches,
)
from arena.server.requests.middleware import LOOPBACK, SameOriginOnly
from arena.store import Store, StoreError
from arena.values.server_log import LOGGER

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""The buckets of durations."""

MOST_LEAGUES = 50
"""Leagues with metrics of their own, the newest."""

WATCHED = (
    "draw_failed",
    "referees_failed",
    "lease_lost",
    "batch_failed",
    "database_unavailable",
    "database_retried",
    "referee_died",
    "check_died",
    "bug",
)
"""Events of the log that are shown as 0 before the first one."""

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """All metrics of one server.

    streams: returns how many streams of events are open.
    """

    def __init__(self, store: Store, streams: Callable[[], int]) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # a moment beside each counter, which nobody asks for
        self.registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self.registry)
        self._requests = Counter(
            "arena_http_requests", "Requests that were answered.", ["method", "route", "status"], registry=self.registry
        )
        self._durations = Histogram(
            "arena_http_request_seconds",
            "Seconds until a response was sent, without streams of events.",
            ["route"],
            buckets=SECONDS,
            registry=self.registry,
        )
        events = Counter("arena_events", "Events of the server's log.", ["event"], registry=self.registry)
        for event in WATCHED:
            events.labels(event)
        LOGGER.addHandler(_EventCounter(events))
        self.registry.register(_DatabaseCollector(store, streams))

    def count(self, request: FinishedRequest) -> None:
        """Count a request that was answered."""
        method = request.method if request.method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE") else "other"
        self._requests.labels(method, request.route, request.status).inc()
        if request.seconds is not None:
            self._durations.labels(request.route).observe(request.seconds)

    def application(self, host: str) -> Starlette:
        """Return what answers `/metrics`, as an ASGI application.

        host: the host on which it listens.
        """

        def show(_request: Request) -> Response:
            return Response(generate_latest(self.registry), media_type=CONTENT_TYPE)

        hosts = LOOPBACK if host in LOOPBACK else ()
        return Starlette(routes=[Route("/metrics", show)], middleware=[Middleware(SameOriginOnly, hosts=hosts)])


class _EventCounter(logging.Handler):
    """Counts the events of the log by their kind."""

    def __init__(self, events: Counter) -> None:
        super().__init__(logging.DEBUG)
        self._events = events

    def emit(self, record: logging.LogRecord) -> None:
        self._events.labels(getattr(record, "event", "notice")).inc()


class _DatabaseCollector(Collector):
    """Reads the database whenever it is asked; sums over batches that do not change any more are kept."""

    def __init__(self, store: Store, streams: Callable[[], int]) -> None:
        self._store = store
        self._streams = streams
        self._began = datetime.now(UTC)
        self._settled: dict[int, tuple[int, BatchTotals]] = {}

    def describe(self) -> list[Metric]:
        """Return nothing: else the database would be read at once."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of now."""
        yield GaugeMetricFamily("arena_event_streams", "Streams of events that are open.", self._streams())
        try:
            (hand_ins,) = self._store.query(count_hand_ins)
            counted = self._store.query(count_leagues)[-MOST_LEAGUES:]
            leagues = [(league, self._totals(league)) for league in counted]
            progress = read_progress(self._store, self._began)
        except StoreError:
            yield GaugeMetricFamily("arena_database_up", "Whether the database answers.", 0)
            return
        yield GaugeMetricFamily("arena_database_up", "Whether the database answers.", 1)
        yield from _of_hand_ins(hand_ins)
        yield from _of_leagues(leagues)
        yield from _of_progress(progress, {league.name for league in counted})

    def _totals(self, league: LeagueCounts) -> BatchTotals:
        after, known = self._settled.get(league.id, (0, BatchTotals(0, Tally())))
        if league.settled > after:
            known = _sum(known, self._between(league.id, after, league.settled))
            after = league.settled
            self._settled[league.id] = after, known
        return _sum(known, self._between(league.id, after, league.newest))

    def _between(self, league: int, after: int, most: int) -> BatchTotals:
        (totals,) = self._store.query(lambda connection: sum_batches(connection, league, after, most))
        return totals


def _sum(one: BatchTotals, other: BatchTotals) -> BatchTotals:
    return BatchTotals(one.matches + other.matches, one.attempts + other.attempts)


def _of_hand_ins(counts: HandInCounts) -> Iterator[Metric]:
    hand_ins = GaugeMetricFamily("arena_hand_ins", "Hand-ins that are not finished.", labels=["state"])
    hand_ins.add_metric(["waiting"], counts.waiting)
    hand_ins.add_metric(["checked"], counts.checked)
    yield hand_ins
    age = 0.0 if counts.oldest is None else _age(counts.oldest)
    yield GaugeMetricFamily("arena_oldest_hand_in_age_seconds", "Since the oldest of them came; 0: there is none.", age)


def _of_leagues(leagues: list[tuple[LeagueCounts, BatchTotals]]) -> Iterator[Metric]:
    batches = GaugeMetricFamily("arena_league_batches", "Batches by state.", labels=["league", "state"])
    entries = GaugeMetricFamily("arena_league_entries", "Entries by state.", labels=["league", "state"])
    matches = CounterMetricFamily("arena_league_matches", "Matches that are stored.", labels=["league"])
    attempts = CounterMetricFamily(
        "arena_league_attempts", "Ended attempts to play a batch.", labels=["league", "outcome"]
    )
    ages = GaugeMetricFamily("arena_league_ratings_age_seconds", "Since the league was rated last.", labels=["league"])
    for league, totals in leagues:
        for state in ("waiting", "leased", "stored", "void"):
            batches.add_metric([league.name, state], league.batches.get(state, 0))
        for state in ("placing", "standing", "retired", "suspended"):
            entries.add_metric([league.name, state], league.entries.get(state, 0))
        matches.add_metric([league.name], totals.matches)
        for outcome in ("stored", "released", "failed", "expired"):
            attempts.add_metric([league.name, outcome], totals.attempts[outcome])
        if league.rated is not None:
            ages.add_metric([league.name], _age(league.rated))
    yield from (batches, entries, matches, attempts, ages)


def _of_progress(progress: Progress, shown: Set[str]) -> Iterator[Metric]:
    """Yield what stands still, and since when.

    shown: the leagues with metrics of their own.
    """
    now = progress.now
    queue = progress.queue_since
    yield GaugeMetricFamily(
        "arena_hand_ins_standstill_seconds",
        "Since hand-ins wait and none is checked; 0: none waits, or one is checked.",
        0.0 if queue is None else max((now - queue).total_seconds(), 0.0),
    )
    yield GaugeMetricFamily(
        "arena_check_jobs", "Hand-ins that all programs together check side by side.", progress.checking
    )
    failing = GaugeMetricFamily(
        "arena_league_failing",
        "Whether it has drawn or played nothing for too long, though it should.",
        labels=["league"],
    )
    standstills = GaugeMetricFamily(
        "arena_league_standstill_seconds",
        "Since the league can neither draw nor play; 0: it can, or has nothing to do.",
        labels=["league"],
    )
    stored = GaugeMetricFamily(
        "arena_league_batch_age_seconds", "Since the last batch of the league was stored.", labels=["league"]
    )
    for league in progress.leagues:
        if league.league not in shown:
            continue
        failing.add_metric([league.league], league.is_failing)
        lasted = 0.0 if league.since is None else max((now - league.since).total_seconds(), 0.0)
        standstills.add_metric([league.league], lasted)
        if league.stored is not None:
            stored.add_metric([league.league], max((now - league.stored).total_seconds(), 0.0))
    yield from (failing, standstills, stored)


def _age(moment: str) -> float:
    """Return the seconds since a moment (UTC, ISO 8601)."""
    return max((datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds(), 0.0)
