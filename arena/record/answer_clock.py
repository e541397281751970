"""The time of each answer, and what it left of the bank.

Records hold times in steps of 7.5 %; what is left of the bank is equally approximate.
"""

from dataclasses import dataclass

from arena.record.played_rules import played_by_referee
from arena.values.rows import StoredMatch
from referee.engine.record import unpack_time


@dataclass(frozen=True, slots=True)
class AnswerTime:
    """The time of one answer."""

    micros: float
    """The time in µs."""
    bank: float | None
    """What the answer left of the seat's bank, in µs; None if unknown."""


@dataclass(frozen=True, slots=True)
class ClockLimits:
    """The clock of a match."""

    move: float
    """The move time in µs; 0 for no limit."""
    bank: float
    """The bank of each seat, in µs."""
    fischer: bool = False
    """Whether the clock is a Fischer clock: what an answer leaves of the move time is added to the bank."""


def clock_limits(match: StoredMatch) -> ClockLimits:
    """Return the clock of a match."""
    time = match.event.definition.time
    return ClockLimits(time.move_time_ms * 1000, time.bank_ms * 1000, time.fischer)


class AnswerClock:
    """Computes the time of each answer of a match; answers must be asked for in order."""

    def __init__(self, match: StoredMatch) -> None:
        self._row = match.row
        self._limits = clock_limits(match)
        self._banks = [float(self._limits.bank)] * len(match.row.seats)

    def time_of(self, seat: int, ply: int) -> AnswerTime | None:
        """Return the time of an answer; None for a default move, or if the record holds no time."""
        if ply >= len(self._row.times) or played_by_referee(self._row, seat, ply):
            return None
        micros = unpack_time(self._row.times[ply])
        if not self._limits.move:
            return AnswerTime(micros, None)
        beyond = micros - self._limits.move
        self._banks[seat] = max(0.0, self._banks[seat] - (beyond if self._limits.fischer else max(0.0, beyond)))
        return AnswerTime(micros, self._banks[seat])
