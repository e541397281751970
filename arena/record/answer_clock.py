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
    """The clock of a seat."""

    move: float
    """The move time in µs; 0 for no limit."""
    bank: float
    """The bank, in µs."""
    fischer: bool = False
    """Whether the clock is a Fischer clock: what an answer leaves of the move time is added to the bank."""


def clock_limits(match: StoredMatch, seat: int) -> ClockLimits:
    """Return the clock of a seat of a match."""
    own = match.event.definition.clock_of(match.row.seats[seat].entrant)
    return ClockLimits(own.move_time_ms * 1000, own.bank_ms * 1000, own.fischer)


class AnswerClock:
    """Computes the time of each answer of a match; answers must be asked for in order."""

    def __init__(self, match: StoredMatch) -> None:
        self._row = match.row
        self._limits = [clock_limits(match, seat) for seat in range(len(match.row.seats))]
        self._banks = [float(limits.bank) for limits in self._limits]

    def time_of(self, seat: int, ply: int) -> AnswerTime | None:
        """Return the time of an answer; None for a default move, or if the record holds no time."""
        if ply >= len(self._row.times) or played_by_referee(self._row, seat, ply):
            return None
        micros = unpack_time(self._row.times[ply])
        limits = self._limits[seat]
        if not limits.move:
            return AnswerTime(micros, None)
        beyond = micros - limits.move
        self._banks[seat] = max(0.0, self._banks[seat] - (beyond if limits.fischer else max(0.0, beyond)))
        return AnswerTime(micros, self._banks[seat])
