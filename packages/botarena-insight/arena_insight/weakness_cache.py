"""The reports on why bots lose, as parts of pages; computed one at a time, and again when there are new matches."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock

from arena.replay.html import Element
from arena.server.limits.refresh import Refresh
from arena.store import Store
from arena_insight import weakness_pages as weaknesses
from arena_insight.weaknesses.contest import Contest
from arena_insight.weaknesses.costly_decisions import CostlyDecisions
from arena_insight.weaknesses.loading import load_matches
from arena_insight.weaknesses.report import report_weaknesses

DECISIONS = 20_000
"""About so many decisions are replayed for a page: two seconds."""

KEPT = 64
"""The number of cached reports."""


ReportKey = tuple[Hashable, ...]
"""What a report is about: a bot of a tournament, or an entry of a league."""


@dataclass
class _CachedReport:
    version: Hashable = None
    parts: tuple[Element, ...] | None = None
    costly: CostlyDecisions | None = None
    refresh: Refresh = field(default_factory=Refresh)


class WeaknessCache:
    """The parts of pages by what they are about; thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[ReportKey, _CachedReport] = OrderedDict()
        self._lock = Lock()
        self._computing = Lock()

    def find(self, key: ReportKey, version: Hashable) -> tuple[Element, ...] | None:
        """Return the parts of the page of a bot; None if they must be computed.

        key, version: as in `of`.
        """
        entry = self._entry(key)
        return entry.parts if _is_current(entry, self._with_closed(version)) else None

    def of(self, key: ReportKey, version: Hashable, load: Callable[[], Contest]) -> tuple[Element, ...]:
        """Return the parts of the page of a bot; older ones where those were computed only just now.

        key: the key of the bot's report.
        version: the version of the results of its contest.
        load: reads the contest.
        """
        entry, version = self._entry(key), self._with_closed(version)
        if _is_current(entry, version) and entry.parts is not None:
            return entry.parts
        with self._computing:  # however many pages are asked for, they take one core
            if entry.parts is None or not _is_current(entry, version):
                with entry.refresh.measure():
                    contest = load()
                    report = report_weaknesses(contest, lambda ids: load_matches(self._store, ids), DECISIONS)
                    entry.parts = tuple(weaknesses.parts(report))
                entry.version = version
            return entry.parts

    def costly(self, key: ReportKey) -> CostlyDecisions | None:
        """Return the costliest decisions of a bot as last searched; None if they were not."""
        return self._entry(key).costly

    def add_costly(self, key: ReportKey, costly: CostlyDecisions) -> None:
        """Keep the costliest decisions of a bot with its report."""
        self._entry(key).costly = costly

    def _entry(self, key: ReportKey) -> _CachedReport:
        with self._lock:
            entry = self._kept.setdefault(key, _CachedReport())
            self._kept.move_to_end(key)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return entry

    def _with_closed(self, version: Hashable) -> tuple[Hashable, int]:
        return version, self._store.accounts.closed()  # names that are not shown any more


def _is_current(entry: _CachedReport, version: tuple[Hashable, int]) -> bool:
    """Return whether the parts can be shown: they are the newest, or recent and with no name that is closed since."""
    if entry.version == version:
        return True
    return isinstance(entry.version, tuple) and entry.version[1] == version[1] and not entry.refresh.is_due()
