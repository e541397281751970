"""The progress of a tournament on stderr: a bar on a terminal, otherwise a line every few seconds."""

import sys
from collections import deque
from collections.abc import Sequence
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Self

from arena.values.texts import printable

if TYPE_CHECKING:
    from arena.run.runner import Watcher
    from arena.values.failure_rows import ProcessFailureRow
    from arena.values.rows import MatchRow

LINE_SECONDS = 10.0

ESTIMATE_MATCHES = 16
ESTIMATE_SECONDS = 3.0
"""What an estimate of the time left rests on at least, after the first matches: those say nothing, as bots start before
them, and they may come one at a time or by the hundred."""


SAMPLE_SECONDS = 0.25
"""Between two counts that are kept: as many as there are quarters of a second in half of the run."""

_Sample = tuple[float, int, int]
"""When how many matches and decisions had been stored by this run."""


class Pace:
    """Counts matches, and estimates speed and time left.

    total: the number of matches of the tournament.
    done: the number of matches that are stored.
    """

    def __init__(self, total: int, played: int = 0) -> None:
        self.total = total
        self.done = played
        self._added = 0
        self._decisions = 0
        self._began = monotonic()
        self._first: _Sample | None = None
        self._samples: deque[_Sample] = deque()
        self.standing = ""
        """How the tournament stands, in a few words."""

    def add(self, rows: Sequence["MatchRow"]) -> None:
        """Count matches that have been stored."""
        self.done += len(rows)
        self._added += len(rows)
        self._decisions += sum(seat.decisions for row in rows for seat in row.seats)
        sample = (monotonic(), self._added, self._decisions)
        self._first = self._first or sample
        if not self._samples or sample[0] - self._samples[-1][0] >= SAMPLE_SECONDS:
            self._samples.append(sample)

    def recount(self, done: int) -> None:
        """Correct the number of stored matches, after some were voided."""
        self.done = done

    def stands(self, how: str) -> None:
        """Note how the tournament stands: its stage, or a test that may end it."""
        self.standing = how

    def text(self) -> str:
        """Return speed, time left and standing."""
        return ", ".join(filter(None, [self.speed(), self.standing]))

    def speed(self) -> str:
        """Return the speed, and the time left as soon as it can be estimated.

        The speed is that of the later half of the time since the first matches: a tournament begins with few matches
        at a time, and so more slowly than it goes on.
        """
        now = monotonic()
        began, matches, decisions = self._began, 0, 0
        if is_estimate := self._is_settled(now):
            began, matches, decisions = self._later_half(now)
        matches, decisions = self._added - matches, self._decisions - decisions
        seconds = max(now - began, 0.001)
        left = ""
        if is_estimate and matches:
            left = f", {duration(max(self.total - self.done, 0) * seconds / matches)} left"
        return f"{matches / seconds:,.0f} matches/s, {decisions / seconds:,.0f} decisions/s{left}"

    def _is_settled(self, now: float) -> bool:
        """Return whether enough matches have ended since the first ones for an estimate."""
        if self._first is None:
            return False
        time, matches, _ = self._first
        return self._added - matches >= ESTIMATE_MATCHES and now - time >= ESTIMATE_SECONDS

    def _later_half(self, now: float) -> _Sample:
        """Return the counts at the latest sample in the first half of the time since the first matches."""
        assert self._first is not None
        middle = (self._first[0] + now) / 2
        while len(self._samples) > 1 and self._samples[1][0] <= middle:
            self._samples.popleft()
        return self._samples[0]


class Progress:
    """An `arena.run.runner.Watcher` that prints for people; a context manager.

    total: the number of matches of the tournament.
    played: the number of matches that are stored already.
    """

    def __init__(self, total: int, played: int = 0) -> None:
        self._pace = Pace(total, played)
        self._printed = monotonic()
        self._bar = _Bar(total, played) if sys.stderr.isatty() else None

    def __enter__(self) -> Self:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar:
            self._bar.stop()

    def say(self, line: str) -> None:
        """Show a line above the bar."""
        if self._bar:
            self._bar.say(line)
        else:
            _print(line)

    def recount(self, stored: int) -> None:
        """Correct the number of stored matches."""
        self._pace.recount(stored)

    def stands(self, how: str) -> None:
        """Show how the tournament stands: its stage, or a test that may end it."""
        self._pace.stands(how)

    def failed(self, rows: Sequence["ProcessFailureRow"]) -> None:
        """Ignore processes that failed: the first is reported by `say`."""

    def stored(self, rows: Sequence["MatchRow"]) -> None:
        """Count matches that have been stored."""
        pace = self._pace
        pace.add(rows)
        now = monotonic()
        if self._bar:
            self._bar.show(pace.done, pace.text())
        elif now - self._printed >= LINE_SECONDS:
            self._printed = now
            _print(f"{pace.done:,} of {pace.total:,} matches, {pace.text()}")


def _print(line: str) -> None:
    print(printable(line), file=sys.stderr, flush=True)


class _Bar:
    """A progress bar of rich, which is imported only for terminals."""

    def __init__(self, total: int, played: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self._progress = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[speed]}"),
            console=Console(stderr=True),
            transient=True,
            refresh_per_second=4,
        )
        self._task = self._progress.add_task("", total=total, completed=played, speed="starting the bots")
        self.start = self._progress.start
        self.stop = self._progress.stop

    def show(self, done: int, speed: str) -> None:
        self._progress.update(self._task, completed=done, speed=speed)

    def say(self, line: str) -> None:
        self._progress.console.print(printable(line), markup=False, highlight=False)


class Watchers:
    """Several watchers as one."""

    def __init__(self, watchers: Sequence["Watcher"]) -> None:
        self._watchers = watchers

    def stored(self, rows: Sequence["MatchRow"]) -> None:
        """Pass on matches that have been stored."""
        for watcher in self._watchers:
            watcher.stored(rows)

    def failed(self, rows: Sequence["ProcessFailureRow"]) -> None:
        """Pass on processes that failed."""
        for watcher in self._watchers:
            watcher.failed(rows)

    def say(self, line: str) -> None:
        """Pass on a line for people."""
        for watcher in self._watchers:
            watcher.say(line)

    def recount(self, stored: int) -> None:
        """Pass on how many matches are stored."""
        for watcher in self._watchers:
            watcher.recount(stored)

    def stands(self, how: str) -> None:
        """Pass on how the tournament stands: its stage, or a test that may end it."""
        for watcher in self._watchers:
            watcher.stands(how)


def duration(seconds: float) -> str:
    """Return a duration as 1:02:03, 2:03 or 3 s."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{rest:02}"
    return f"{minutes}:{rest:02}" if minutes else f"{rest} s"
