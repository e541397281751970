"""The analyses of matches that visitors have asked for: one at a time, in a process of its own.

The queue is in memory: a request that waits or is under way when the server stops is gone, and can be made again.
Results are stored.
"""

from collections import OrderedDict
from dataclasses import dataclass
from http import HTTPStatus

import trio
from starlette.exceptions import HTTPException

from arena.analysis.analysis_process import analysis_process
from arena.analysis.errors import AnalysisError
from arena.replay.played_rules import rules
from arena.server_log import report_bug
from arena.store import Store
from arena.store.chances import ChancesKey
from arena.store.errors import NoSuchRow
from arena.web.access import Access
from arena.web.api.authentication import too_many
from arena.web.rate_limit import RateLimit
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
    """An analysis that was asked for. account: by whom. state: waiting, running or failed. sentence: why it failed."""

    account: str = ""
    state: str = "waiting"
    done: int = 0
    total: int = 0
    sentence: str = ""


Key = tuple[int, int | None]
"""A match, and the seat whose knowledge is kept; None: the whole match."""


class AnalysisQueue:
    """The queue, to be used in trio's thread. store: with the matches, and for the results."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._quota = RateLimit(PER_DAY, 24 * 3600)
        self._open: OrderedDict[Key, Analysis] = OrderedDict()
        self._failed: OrderedDict[Key, Analysis] = OrderedDict()
        self._send, self._receive = trio.open_memory_channel[Key](MOST_WAITING + 1)

    def find(self, key: Key) -> Analysis | None:
        """Return an analysis that is not finished, or has failed; None if there is none."""
        return self._open.get(key) or self._failed.get(key)

    def position(self, key: Key) -> int:
        """Return how many analyses come before one that is not finished."""
        return list(self._open).index(key)

    def add(self, key: Key, access: Access) -> None:
        """Queue an analysis, unless it is queued already. Raises HTTPException beyond a limit."""
        if key in self._open:
            return
        if len(self._open) > MOST_WAITING:
            sentence = "too many matches wait to be analysed: try again in some minutes"
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, sentence, {"retry-after": "120"})
        account = access.account.name if access.account else ""
        if not access.organiser:
            if sum(analysis.account == account for analysis in self._open.values()) >= AT_ONCE:
                raise too_many(f"you may have {AT_ONCE} matches analysed at a time: wait for one of them", 60)
            if not self._quota.allows(account):
                seconds = self._quota.seconds_left(account)
                raise too_many(f"you may have {PER_DAY} matches analysed a day: wait a while", seconds)
        self._failed.pop(key, None)
        self._open[key] = Analysis(account)
        self._send.send_nowait(key)

    async def run(self) -> None:
        """Compute what is asked for, until it is cancelled."""
        async for key in self._receive:
            analysis = self._open[key]
            try:
                with trio.fail_after(MOST_SECONDS):
                    await trio.to_thread.run_sync(self._compute, key, analysis)
            except trio.TooSlowError:
                analysis.sentence = f"it took longer than {MOST_SECONDS / 60:g} minutes: use arena analyse"
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
                self._failed[key] = analysis
                while len(self._failed) > MOST_FAILED:
                    self._failed.popitem(last=False)

    def _compute(self, key: Key, analysis: Analysis) -> None:
        """Analyse a match and store the result, in a thread; a cancelled one ends the process."""
        analysis.state = "running"
        match = self._store.match(key[0])
        with analysis_process(match, key[1]) as pipe:
            while True:
                while not pipe.poll(POLL_SECONDS):
                    trio.from_thread.check_cancelled()
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
                    (chances,) = values
                    behaviour = rules(match).game.behaviour
                    stored = ChancesKey(key[1], behaviour, chances["policy"], chances["playouts"])
                    self._store.chances.save(match, stored, chances)
                return
