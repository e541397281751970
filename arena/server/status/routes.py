"""The route of the status page."""

from collections.abc import Callable, Iterator
from datetime import datetime
from http import HTTPStatus
from typing import Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.bots.hand_in_rows import HandInRow
from arena.bots.hand_in_workers import HandInWorkers
from arena.bots.hand_ins import HandIns
from arena.bots.rejudging import UNFIT, Chosen, Rejudging
from arena.league.results.health import SILENT, LeagueHealth
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchRow, LeagueRow
from arena.league.store.league_runs import BatchProgress, LeagueRunRow, LeagueRuns
from arena.league.store.leagues import Leagues
from arena.server.access import PRIVATE, access_of
from arena.server.leagues.batches import runner_words
from arena.server.monitoring.progress import read_progress
from arena.server.status.recent_notices import RecentNotices
from arena.server.templates import TEMPLATES
from arena.store import Store

PATH = "/status"

MOST_BATCHES, MOST_HAND_INS, MOST_REFUSED = 50, 100, 20
"""Rows of the tables."""

NEWEST_HAND_INS = 1000
"""Hand-ins among which those that are not finished are looked for."""


class _Played(NamedTuple):
    """A batch that is played."""

    league: str
    row: BatchRow
    since: str
    runner: str
    """Who plays it, in words."""
    progress: BatchProgress | None
    """How far it is; None if its run has not told yet."""


class _Run(NamedTuple):
    """A process that runs leagues."""

    name: str
    row: LeagueRunRow
    leagues: list[str]
    is_alive: bool


class StatusRoutes:
    """The handler.

    notices: of the log of this server.
    """

    def __init__(self, store: Store, notices: RecentNotices) -> None:
        self._store = store
        self._notices = notices

    def routes(self) -> list[tuple[str, Callable[[Request], Any]]]:
        """Return the routes as path and handler."""
        return [(PATH, self.show)]

    def show(self, request: Request) -> Response:
        """Return the page. Raises HTTPException for anybody but organisers: reasons name folders and bots."""
        if not access_of(request).organiser:
            raise HTTPException(HTTPStatus.FORBIDDEN, "only organisers see the status of the server")
        with self._store.snapshot():
            progress = read_progress(self._store)
            open_leagues = [league for league in Leagues(self._store).all() if league.state != "closed"]
            unplayed = [(league, row) for league in open_leagues for row in Batches(self._store).unplayed(league.id)]
            runs = list(self._runs(open_leagues, progress.now))
            progress_of = {league.id: LeagueRuns(self._store).progress(league.id) for league in open_leagues}
            played = [
                self._played(league, row, progress_of[league.id].get(row.number))
                for league, row in unplayed
                if row.state == "leased"
            ]
            queue = _unfinished(self._store)
            refused = Rejudging(self._store).choose(Chosen(states=UNFIT))[::-1]
            checkers = HandInWorkers(self._store).all()
        health = {found.league: found for found in progress.leagues}
        waiting = [(league.name, row) for league, row in unplayed if row.state == "waiting"]
        page = TEMPLATES.page(
            "status/status.html",
            translated=True,
            now=progress.now,
            problems=progress.problems(),
            leagues=[(league, *_progress_of(league, health, progress.now)) for league in open_leagues],
            runs=runs,
            played=played[:MOST_BATCHES],
            waiting=waiting[:MOST_BATCHES],
            more_waiting=max(len(waiting) - MOST_BATCHES, 0),
            checkers=[
                (runner_words(row.worker), row, row.is_alive(progress.now), row.is_checking(progress.now))
                for row in checkers
                if row.jobs or row.problem
            ],
            queue=[(row, runner_words(row.worker or "")) for row in queue[:MOST_HAND_INS]],
            names=access_of(request).display_names(self._store),
            more_queue=max(len(queue) - MOST_HAND_INS, 0),
            refused=refused[:MOST_REFUSED],
            more_refused=max(len(refused) - MOST_REFUSED, 0),
            can_rejudge=access_of(request).account is not None,
            notices=self._notices.newest(progress.now),
        )
        return HTMLResponse(page, headers=PRIVATE)

    def _played(self, league: LeagueRow, row: BatchRow, progress: BatchProgress | None) -> _Played:
        began = Batches(self._store).attempts(league.id, row.number)[-1].began
        return _Played(league.name, row, began, runner_words(row.runner), progress)

    def _runs(self, leagues: list[LeagueRow], now: datetime) -> Iterator[_Run]:
        """Yield the processes that run leagues, or did until lately, the newest first."""
        found: dict[tuple[str, str], tuple[LeagueRunRow, list[str]]] = {}
        for league in leagues:
            for row in LeagueRuns(self._store).of(league.id):
                newest, names = found.get((row.runner, row.began), (row, []))
                found[row.runner, row.began] = max(newest, row, key=lambda row: row.heard), [*names, league.name]
        for row, names in sorted(found.values(), key=lambda run: run[0].heard, reverse=True):
            is_alive = now - datetime.fromisoformat(row.heard) < SILENT
            yield _Run(runner_words(row.runner), row, names, is_alive)


def _progress_of(league: LeagueRow, health: dict[str, LeagueHealth], now: datetime) -> tuple[str | None, str, bool]:
    """Return when the last batch of a league was stored, what is wrong with it, and whether it fails."""
    found = health.get(league.name)
    if found is None:
        return None, "", False
    stored = None if found.stored is None else found.stored.isoformat(timespec="seconds")
    return stored, found.sentence(now), found.is_failing


def _unfinished(store: Store) -> list[HandInRow]:
    """Return the hand-ins that are not finished, the oldest first."""
    rows = HandIns(store).newest(None, NEWEST_HAND_INS)
    return [row for row in reversed(rows) if not row.is_finished]
