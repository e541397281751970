"""How long a batch may take by what is known of its bots, and how long each of them may take in it.

A bot that was quick in its check and its matches may become slow in the middle of a large batch, within the time limit
of each answer, so that the batch takes hours. It cannot be cut short: all matches of a process are under way at once,
so by waiting in those that it loses a bot would choose which of them count. Instead its time is bounded, as by a clock
for the whole rotation: whoever uses it up forfeits what is left, so nobody gains by waiting.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from arena.league.plan.matchmaking.snapshot import Snapshot
from arena.values.definition import Definition

SLOWER = 10
"""How many times as long as ever before a bot may take for its answers in a rotation of a batch ..."""

LEAST_THINKING_SECONDS = 600.0
"""... and so many seconds at least."""

MOST_THINKING_MS = 2**32 - 1
"""What a message can hold."""

OVERRUN = 3
"""How many times as long as it should a batch takes until it counts as slow ..."""

LEAST_OVERRUN_SECONDS = 60.0
"""... and so many seconds at least."""

LEAST_LATE_SECONDS = 10.0
"""How many seconds a batch takes at least until it counts as late."""


@dataclass(frozen=True, slots=True)
class BatchPace:
    """What is known of the time that a batch takes."""

    usual_seconds: float
    """The seconds that such batches should take of a core."""
    slowest_seconds: float = 0.0
    """The seconds that the slowest of its bots takes for its answers in a rotation, as far as known."""
    answer_seconds: float = 0.0
    """The seconds that all its bots together take for their answers, as far as known."""
    thinking_ms: tuple[int, ...] = ()
    """How long each bot of the field may take for all its answers in a rotation, in milliseconds; empty: no limits."""

    @classmethod
    def of(cls, snapshot: Snapshot, entries: Sequence[int], played: Definition, usual_seconds: float) -> "BatchPace":
        """Return what a snapshot tells of a batch that was drawn from it.

        entries: those of the batch.
        played: its definition.
        """
        known = {entry.number: entry.cpu_us_per_deal / 1e6 for entry in snapshot.entries}
        tables = Counter(place for table in played.tables for place in table)
        seconds = [known.get(entry, 0.0) * tables[place] * played.rounds for place, entry in enumerate(entries)]
        rotations = len(played.tables[0]) if played.tables else 1
        limits = (max(SLOWER * of_entry / rotations, LEAST_THINKING_SECONDS) for of_entry in seconds)
        most = tuple(min(round(1000 * limit), MOST_THINKING_MS) for limit in limits)
        return cls(usual_seconds, max(seconds, default=0.0) / rotations, sum(seconds), most)

    @property
    def overrun_seconds(self) -> float:
        """After how many seconds by the clock the batch counts as slow."""
        return max(OVERRUN * max(self.answer_seconds, self.usual_seconds), LEAST_OVERRUN_SECONDS)

    @property
    def late_seconds(self) -> float:
        """After how many seconds by the clock the batch should be over: if its bots only wait by then, it is slow."""
        return max(self.answer_seconds, self.usual_seconds, LEAST_LATE_SECONDS)


UNKNOWN_PACE = BatchPace(0.0)
