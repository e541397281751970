"""The analyses that visitors have asked for: one at a time, in a process of its own.

The queue is in memory: a request that waits or is under way when the server stops is gone, and can be made again.
"""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import trio
from starlette.exceptions import HTTPException

from arena.server.access import Access
from arena.server.api.authentication import too_many
from arena.server.limits.rate_limit import RateLimit
from arena.store.engine.errors import NoSuchRow
from arena.values.server_log import report_bug
from arena_insight.analysis.analysis_process import analysis_process
from arena_insight.analysis.errors import AnalysisError
from arena_insight.analysis_tasks import AnalysisTask
from referee.engine.errors import EngineError

MOST_WAITING = 8
"""Analyses that wait; further requests are refused."""

AT_ONCE = 3
"""Analyses that an account may have waiting or under way, so that others need not wait long."""

PER_DAY = 20
"""Analyses that an account may ask for within 24 hours; what is stored already does not count."""

MOST_SECONDS = 900.0
"""How long an analysis may take."""

POLL_SECONDS = 0.2
"""Between two looks whether an analysis under way is to end."""

MOST_FAILED = 64
"""Failed analyses that are remembered, for whoever asked for them."""


@dataclass(slots=True)
class Analysis:
    """An analysis that somebody has asked for, and how far it is."""

    task: AnalysisTask
    account: str = ""
    """The account that asked for it; "" for none."""
    state: str = "waiting"
    """The state: "waiting", "running" or "failed"."""
    done: int = 0
    """How much of it is done, in units of the task."""
    total: int = 0
    """How much there is to do, in units of the task; 0 until that is known."""
    sentence: str = ""
    """Why it failed; empty unless it did."""

    def values(self) -> dict[str, Any]:
        """Return how far it is, as JSON values."""
        return {"state": self.state, "done": self.done, "total": self.total, "unit": self.task.unit}


class AnalysisQueue:
    """The queue, to be used in trio's thread. Keys are any values that say what an analysis is about."""

    def __init__(self) -> None:
        self._quota = RateLimit(PER_DAY, 24 * 3600)
        self._open: OrderedDict[Hashable, Analysis] = OrderedDict()
        self._failed: OrderedDict[Hashable, dict[str, Any]] = OrderedDict()  # without tasks, which hold whole boards
        self._send, self._receive = trio.open_memory_channel[Hashable](MOST_WAITING + 1)

    def state(self, key: Hashable) -> dict[str, Any] | None:
        """Return how far an analysis is that is not finished, or why it failed, as JSON values; None if there is none.

        before: how many others come first.
        """
        analysis = self._open.get(key)
        if analysis is None:
            return self._failed.get(key)
        return analysis.values() | {"before": list(self._open).index(key)}

    def is_busy(self) -> bool:
        """Return whether an analysis waits or is under way; in any thread."""
        return bool(self._open)

    def add(self, key: Hashable, access: Access, task: AnalysisTask) -> None:
        """Queue an analysis, unless it is queued already. Raises HTTPException beyond a limit."""
        if key in self._open:
            return
        if len(self._open) > MOST_WAITING:
            sentence = "too many analyses wait: try again in some minutes"
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, sentence, {"retry-after": "120"})
        account = access.account.owner if access.account else ""
        if not access.organiser:
            if sum(analysis.account == account for analysis in self._open.values()) >= AT_ONCE:
                raise too_many(f"you may have {AT_ONCE} analyses at a time: wait for one of them", 60)
            if not self._quota.allows(account):
                seconds = self._quota.seconds_left(account)
                raise too_many(f"you may have {PER_DAY} analyses a day: wait a while", seconds)
        self._failed.pop(key, None)
        self._open[key] = Analysis(task, account)
        self._send.send_nowait(key)

    async def run(self) -> None:
        """Compute what is asked for, until it is cancelled."""
        async for key in self._receive:
            analysis = self._open[key]
            try:
                with trio.fail_after(MOST_SECONDS):
                    await trio.to_thread.run_sync(_compute, analysis)
            except trio.TooSlowError:
                analysis.sentence = f"it took longer than {MOST_SECONDS / 60:g} minutes"
            except NoSuchRow:
                analysis.sentence = "the match is no longer stored"
            except (AnalysisError, EngineError) as error:
                analysis.sentence = str(error)
            except Exception as error:  # must not end the queue; a message of the store is for the organiser alone
                report_bug(error)
                analysis.sentence = "the server's log shows the cause to the organiser"
            del self._open[key]
            if analysis.sentence:
                analysis.state = "failed"
                self._failed[key] = analysis.values() | {"sentence": analysis.sentence}
                while len(self._failed) > MOST_FAILED:
                    self._failed.popitem(last=False)


def _compute(analysis: Analysis) -> None:
    """Compute and keep the result, in a thread; a cancelled one ends the process."""
    analysis.state = "running"
    work, arguments = analysis.task.prepare()
    with analysis_process(work, *arguments) as pipe:
        while True:
            trio.from_thread.check_cancelled()
            if not pipe.poll(POLL_SECONDS):
                continue
            try:
                kind, *values = pipe.recv()
            except EOFError:
                analysis.sentence = "its process was killed: try again"
                return
            if kind == "progress":
                analysis.done, analysis.total = values
                continue
            if kind == "failed":
                (analysis.sentence,) = values
            else:
                analysis.task.keep(*values)
            return
