"""The time of each answer, and what it left of the bank.

Times come from the record in steps of 7.5 %, so what is left is as exact as that.
"""

from dataclasses import dataclass

from arena.replay.played_rules import played_by_referee
from arena.store.rows import StoredMatch
from referee.engine.record import unpack_time


@dataclass(frozen=True, slots=True)
class AnswerTime:
    """One answer's time. micros: in µs. bank: what it left of the seat's bank, in µs; None where that is not known."""

    micros: float
    bank: float | None


@dataclass(frozen=True, slots=True)
class ClockLimits:
    """The clock of a tournament. move: µs for each answer, 0 for no limit. bank: each seat's reserve in µs."""

    move: float
    bank: float


def limits(match: StoredMatch) -> ClockLimits | None:
    """Return the clock that a match was played by; None where its definition does not tell."""
    clock = match.event.definition.clock
    return None if clock is None else ClockLimits(clock.move_time_ms * 1000, clock.bank_ms * 1000)


class AnswerClock:
    """Follows the answers of one match in their order."""

    def __init__(self, match: StoredMatch) -> None:
        self._row = match.row
        self._limits = limits(match)
        self._left = [self._limits.bank if self._limits else 0.0] * len(match.row.seats)

    def spent(self, seat: int, ply: int) -> AnswerTime | None:
        """Return the time of an answer; None where the referee played, or the record holds no time."""
        if ply >= len(self._row.times) or played_by_referee(self._row, seat, ply):
            return None
        micros = unpack_time(self._row.times[ply])
        if self._limits is None or not self._limits.move:
            return AnswerTime(micros, None)
        self._left[seat] = max(0.0, self._left[seat] - max(0.0, micros - self._limits.move))
        return AnswerTime(micros, self._left[seat])
