"""Which match makes a bot's process fail, and how often is too often.

With one open question its match is guilty. With several nobody knows: a fresh process is asked
them one at a time, oldest first, and the match in which it fails alone is guilty.
"""

from collections import deque
from collections.abc import Sequence

from referee.match.faults import Kind
from referee.match.seat import Chair

FAILED_STARTS = 3
"""How many failed starts in a row are too many."""


class Guilt:
    """The failures of one player's processes.

    failures: how many there were. most: how many matches may be guilty; failures that no match
    explains count like a match each.
    """

    def __init__(self, most: int) -> None:
        self.failures = 0
        self._most = most
        self._guilty: set[int] = set()
        self._unexplained = 0
        self._failed_starts = 0
        self._suspects: deque[Chair] = deque()
        self._trial: Chair | None = None
        self._searching = False

    @property
    def isolating(self) -> bool:
        """Whether questions are asked one at a time."""
        return self._trial is not None or bool(self._suspects)

    @property
    def too_many(self) -> bool:
        """Whether the bot is to be withdrawn."""
        return len(self._guilty) + self._unexplained > self._most or self._failed_starts >= FAILED_STARTS

    def failed(self, kind: Kind, open_chairs: Sequence[Chair]) -> Chair | None:
        """Count a failure with these questions open, and return the guilty chair where it is clear."""
        self.failures += 1
        self._failed_starts += kind is Kind.START
        self._trial = None
        if len(open_chairs) == 1:
            self._guilty.add(open_chairs[0].match.number)
            self._unexplained -= self._searching
            self._searching = False
            return open_chairs[0]
        self._unexplained += 1
        self._searching = self._searching or bool(open_chairs)
        self._suspects.extend(open_chairs)
        return None

    def excuse(self, open_chairs: Sequence[Chair]) -> None:
        """Have these questions asked again, one at a time, although nothing failed: their bot went away in peace."""
        self._trial = None
        self._suspects.extendleft(reversed(open_chairs))

    def lost(self) -> None:
        """Count a failure that no match explains: the connection to a remote bot."""
        self.failures += 1
        self._unexplained += 1

    def started(self) -> None:
        """Note that a process was welcomed."""
        self._failed_starts = 0

    def next_suspect(self) -> Chair | None:
        """Return the question to be asked alone now; None where there is no suspect left."""
        self._trial = None
        while self._suspects:
            chair = self._suspects.popleft()
            if chair.index < 0 and not chair.forfeit:
                self._trial = chair
                return chair
        self._searching = False
        return None

    def drop(self) -> None:
        """Suspect nobody any more."""
        self._suspects.clear()
        self._trial = None
