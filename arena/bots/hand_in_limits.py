"""What hand-ins may take: disk until they are checked, and time in their check to start and to get ready.

That time is as long as any league they would enter grants.
"""

from collections.abc import Collection
from typing import NamedTuple

from msgspec.structs import replace

from arena.values.definition import TimeControl

DEFAULT_MB = 2048
"""Megabytes that the files of hand-ins take at most, unless the organiser says otherwise."""

DEFAULT_DAYS = 14
"""Days for which the files of hand-ins are kept that were refused, unless the organiser says otherwise."""


class LeagueLimits(NamedTuple):
    """What a league grants its entries."""

    game: str
    """The game that it plays."""
    time: TimeControl
    """The clock and the limits of the league."""
    league: str
    """Its name."""
    thinking: int
    """How long a bot may take for its answers in a match, on average, in seconds; 0: no limit."""


def most_generous(usual: TimeControl, granted: Collection[LeagueLimits], games: Collection[str]) -> TimeControl:
    """Return the usual limits, with the longest time to start and to get ready that any league of some games grants.

    games: that the bot plays; none: any.
    """
    times = [usual, *(limits.time for limits in granted if not games or limits.game in games)]
    ready = [time.ready_time_ms for time in times]
    return replace(
        usual,
        start_time_ms=max(time.start_time_ms for time in times),
        ready_time_ms=max(ready) if all(ready) else 0,
    )
