"""What a run tells those who watch a server of its leagues: whether it draws and plays, and why not."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import trio

from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.league_runs import BatchProgress, LeagueRunRow, LeagueRuns
from arena.run.database_retry import DatabaseRetry
from arena.store import Store

REPORT_SECONDS = 10.0
"""Between two reports of how far batches under way are, where nothing else has changed."""

IDLE_SECONDS = 30.0
"""Between two reports while no batch is under way: each write has all who wait for one look."""

FORGOTTEN = timedelta(days=7)
"""After which a run that has ended is forgotten."""


class RunReports:
    """Writes what a run says of its leagues, whenever that changes, and once in a while."""

    def __init__(self, store: Store, retry: DatabaseRetry, runner: str) -> None:
        self._runs = LeagueRuns(store)
        self._retry = retry
        self._runner = runner
        self._began = datetime.now(UTC)
        self._written_at = float("-inf")
        self._written: dict[int, tuple[bool, str]] = {}

    async def write(
        self,
        schedulers: Iterable[LeagueScheduler],
        progress: Callable[[], Mapping[int, Sequence[BatchProgress]]],
        *,
        is_quiet: bool,
    ) -> None:
        """Write what is new, or that this run lives.

        progress: returns how far the batches under way are, by league.
        """
        problems = {scheduler.id: scheduler.problems.oldest for scheduler in schedulers if not scheduler.is_over}
        said = {league: (is_quiet, "" if found is None else found.sentence) for league, found in problems.items()}
        under_way = progress()
        pause = REPORT_SECONDS if under_way else IDLE_SECONDS
        if said == self._written and trio.current_time() - self._written_at < pause:
            return
        now = datetime.now(UTC)
        rows = [
            LeagueRunRow(
                league,
                self._runner,
                _text(self._began),
                _text(now),
                is_quiet,
                None if found is None else _text(found.since),
                "" if found is None else found.sentence,
                json.dumps(under_way.get(league, ())),
            )
            for league, found in problems.items()
        ]
        await self._retry.call(self._runs.write, rows, _text(now - FORGOTTEN))
        self._written, self._written_at = said, trio.current_time()


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
