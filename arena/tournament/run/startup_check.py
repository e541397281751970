"""Whether any bot of the field comes up: a tournament that nobody plays is an error, and not a result."""

from collections.abc import Collection, Sequence

from arena.store.failure_rows import ProcessFailureRow
from arena.store.rows import MatchRow
from arena.tournament.errors import StartupError
from arena.tournament.plan.definition import Entrant
from arena.tournament.run.dispatcher import Haul

_NEVER_UP = {"start", "withdrawn"}
"""The kinds of faults of bots that said no hello."""

_QUOTED = 3
"""How many bots are named in an error."""

_LINE_CHARACTERS = 200
"""What is told of the last line that a bot printed."""


class Startup:
    """Holds back what comes of the first matches until one bot has said hello to a referee.

    Where every bot is withdrawn before that, the sandbox or all the programs are broken: then no match is stored, and
    the same tournament can be resumed once that is fixed. error: tells so; None while a bot may come up.
    """

    def __init__(self, field: Sequence[Entrant], withdrawn: Collection[int], *, played: bool) -> None:
        """Begin with the field. withdrawn: who was withdrawn before, by place. played: matches are stored already."""
        self._field = field
        self._awaited = set(range(len(field))) - set(withdrawn)
        # A single bot that is left over may well be broken, if there were others.
        self._done = not self._awaited or (played and len(self._awaited) == 1)
        self.error: StartupError | None = None
        self._reasons: dict[int, str] = {}
        self._failures: dict[int, ProcessFailureRow] = {}
        self._held: list[Haul] = []

    def ready(self, hauls: Sequence[Haul]) -> list[Haul]:
        """Return what may be stored by now: of what is held back, that processes failed. May set `error`."""
        self._held += hauls
        if not self._done:
            self._done = any(_is_played(row) for haul in hauls for row in haul.rows)
        if self._done:
            return self.rest()
        failures = [failure for haul in hauls for failure in haul.failures]
        self._failures |= {failure.entrant: failure for failure in failures}
        for haul in hauls:
            self._reasons |= haul.withdrawn
            haul.failures = []
        if self._awaited <= set(self._reasons):
            self._held.clear()
            self.error = StartupError(self._sentence())
        return [Haul(failures=failures)] if failures else []

    def rest(self) -> list[Haul]:
        """Return what is held back."""
        held, self._held = self._held, []
        return held

    def _sentence(self) -> str:
        told = [f"{self._field[place].name}: {self._reason(place)}" for place in sorted(self._awaited)[:_QUOTED]]
        more = f"; and {len(self._awaited) - _QUOTED} more" if len(self._awaited) > _QUOTED else ""
        return (
            f"no bot of the field said hello, and no match was stored ({'; '.join(told)}{more}): "
            "see `arena doctor` for this machine, and `arena check BOT` for a bot"
        )

    def _reason(self, place: int) -> str:
        failure = self._failures.get(place)
        if failure is None:
            return self._reasons[place]
        lines = [line for line in failure.output.splitlines() if line.strip()]
        return failure.sentence + (f', last words "{lines[-1][:_LINE_CHARACTERS]}"' if lines else "")


def _is_played(row: MatchRow) -> bool:
    """Tell whether a bot answered in a match, or failed after its hello."""
    return any(seat.decisions for seat in row.seats) or any(fault.kind not in _NEVER_UP for fault in row.faults)
