"""Crash attribution: which match makes a bot's process fail, and how many failures are too many.

With one open question its match is guilty. With several it is unknown: a fresh process is asked them one at a time,
oldest first, and the match in which it fails alone is guilty.
"""

from collections import deque
from collections.abc import Sequence

from referee.match.faults import FaultKind
from referee.match.match import Seat
from referee.process.bot_process import FAILED_STARTS


class CrashAttribution:
    """Attributes the failures of one player's processes to matches.

    failures: how many there were. The limit counts guilty matches, and each failure that no match explains like one.
    """

    def __init__(self, max_failed_matches: int) -> None:
        self.failures = 0
        self._max_failed_matches = max_failed_matches
        self._guilty: set[int] = set()
        self._unexplained = 0
        self._failed_starts = 0
        self._suspects: deque[Seat] = deque()
        self._asked_alone: Seat | None = None
        self._is_searching = False

    @property
    def is_isolating(self) -> bool:
        """Whether questions are asked one at a time."""
        return self._asked_alone is not None or bool(self._suspects)

    @property
    def exceeds_limit(self) -> bool:
        """Whether the bot is to be withdrawn."""
        return len(self._guilty) + self._unexplained > self._max_failed_matches or self._failed_starts >= FAILED_STARTS

    def add_failure(self, kind: FaultKind, open_seats: Sequence[Seat]) -> Seat | None:
        """Count a failure while these seats were asked; return the guilty one where it is known."""
        self.failures += 1
        self._failed_starts += kind is FaultKind.START
        self._asked_alone = None
        if len(open_seats) == 1:
            self._guilty.add(open_seats[0].match.number)
            self._unexplained -= self._is_searching
            self._is_searching = False
            return open_seats[0]
        self._unexplained += 1
        self._is_searching = self._is_searching or bool(open_seats)
        self._suspects.extend(open_seats)
        return None

    def add_lost_connection(self) -> None:
        """Count a lost connection to a remote bot, which no match explains."""
        self.failures += 1
        self._unexplained += 1

    def add_start(self) -> None:
        """Note that a process was welcomed."""
        self._failed_starts = 0

    def ask_alone(self, seats: Sequence[Seat]) -> None:
        """Let these seats be asked again, one at a time, although nothing failed."""
        self._asked_alone = None
        self._suspects.extendleft(reversed(seats))

    def next_suspect(self) -> Seat | None:
        """Return the seat to be asked alone now; None where no suspect is left."""
        self._asked_alone = None
        while self._suspects:
            seat = self._suspects.popleft()
            if seat.answer < 0 and not seat.forfeit:
                self._asked_alone = seat
                return seat
        self._is_searching = False
        return None

    def clear(self) -> None:
        """Drop all suspects."""
        self._suspects.clear()
        self._asked_alone = None
