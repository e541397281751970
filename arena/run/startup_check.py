"""Whether any bot of the field starts: a tournament that nobody plays is an error, not a result."""

from collections.abc import Collection, Sequence

from arena.run.dispatcher import ResultBatch
from arena.values.definition import Entrant
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import MatchRow
from arena.values.tournament_errors import StartupError

_NEVER_UP = {"start", "withdrawn"}
"""The kinds of faults of bots that never said hello."""

_QUOTED = 3
"""How many bots are named in an error."""


class Startup:
    """Holds back the results of the first matches until one bot has said hello to a referee.

    If every bot is withdrawn before that, the sandbox or all programs are broken: no match is stored, and the same
    tournament can be resumed once that is repaired.

    error: says so; None while a bot may still start.
    """

    def __init__(self, field: Sequence[Entrant], withdrawn: Collection[int], *, played: bool) -> None:
        """Begin with the field.

        withdrawn: the places of the bots that were withdrawn before.
        played: whether matches are stored already.
        """
        self._field = field
        self._awaited = set(range(len(field))) - set(withdrawn)
        # A single bot that is left over may well be broken, if there were others.
        self._done = not self._awaited or (played and len(self._awaited) == 1)
        self.error: StartupError | None = None
        self._reasons: dict[int, str] = {}
        self._failures: dict[int, ProcessFailureRow] = {}
        self._held: list[ResultBatch] = []

    def release(self, batches: Sequence[ResultBatch]) -> list[ResultBatch]:
        """Add batches, and return what may be stored now: process failures at least. May set `error`."""
        self._held += batches
        if not self._done:
            self._done = any(_is_played(row) for batch in batches for row in batch.rows)
        if self._done:
            return self.release_all()
        failures = [failure for batch in batches for failure in batch.failures]
        self._failures |= {failure.entrant: failure for failure in failures}
        for batch in batches:
            self._reasons |= batch.withdrawn
            batch.failures = []
        if self._awaited <= set(self._reasons):
            self._held.clear()
            self.error = StartupError(self._sentence())
        return [ResultBatch(failures=failures)] if failures else []

    def release_all(self) -> list[ResultBatch]:
        """Return all that is held back."""
        held, self._held = self._held, []
        return held

    def _sentence(self) -> str:
        reasons = [f"{self._field[place].name}: {self._reason(place)}" for place in sorted(self._awaited)[:_QUOTED]]
        more = f"; and {len(self._awaited) - _QUOTED} more" if len(self._awaited) > _QUOTED else ""
        return (
            f"no bot of the field said hello, and no match was stored ({'; '.join(reasons)}{more}): "
            "see `arena doctor` for this machine, and `arena check BOT` for a bot"
        )

    def _reason(self, place: int) -> str:
        failure = self._failures.get(place)
        return self._reasons[place] if failure is None else failure.last_words


def _is_played(row: MatchRow) -> bool:
    """Return whether a bot answered in a match, or failed after its hello."""
    return any(seat.decisions for seat in row.seats) or any(fault.kind not in _NEVER_UP for fault in row.faults)
