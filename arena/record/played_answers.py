"""Whose answers a record has, and whether its faults, decisions and charged times fit them."""

from collections import Counter
from collections.abc import Iterator

from arena.record.played_rules import played_by_referee
from arena.values.rows import FAULT_KINDS, StoredMatch
from referee.engine.record import time_bounds

_ROUNDING_US = 2.0
"""Microseconds by which a sum of charged times may differ, as it and the first of them are rounded."""


class PlayedAnswers:
    """The answers of a match, taken in the order of the record; then `errors` says what does not fit them.

    An answer is the bot's own, or a default move that the referee played after a fault.
    """

    def __init__(self, match: StoredMatch) -> None:
        self._row = match.row
        opening = match.event.definition.opening
        self._opening = opening[1] if opening else 0
        if opening and match.event.definition.redeal:
            # Redealt, as many moments may take other numbers of answers; those of the opening took no time.
            self._opening = len(self._row.times) - len(self._row.times.lstrip(b"\0"))
        self._strikes = match.event.definition.time.strikes
        self._seat_of: list[int] = []
        self._own: list[list[int]] = [[] for _ in match.row.seats]

    def take(self, seat: int, ply: int) -> bool:
        """Take the next answer; return whether it is the bot's own."""
        self._seat_of.append(seat)
        if self._row.faults and played_by_referee(self._row, seat, ply):
            return False
        if ply >= self._opening:
            self._own[seat].append(ply)
        return True

    def errors(self) -> Iterator[str]:
        """Yield a sentence for each fault, and for each seat, that does not fit the answers."""
        yield from self._fault_errors()
        failed = {fault.seat for fault in self._row.faults}
        for number, (seat, plies) in enumerate(zip(self._row.seats, self._own, strict=True)):
            if seat.decisions not in (len(plies), len(plies) + self._may_have_answered(number)):
                yield f"seat {number} gave {len(plies)} answers itself, and is stored with {seat.decisions} decisions"
            elif self._row.times:
                least, most = self._charge(plies)
                is_too_much = seat.charged_us > most and number not in failed  # what failed answers took is in no time
                if seat.charged_us < least or is_too_much:
                    yield (
                        f"seat {number} is stored as charged {seat.charged_us / 1e6:.6f} s, which the times of its "
                        "answers do not add up to"
                    )

    def _fault_errors(self) -> Iterator[str]:
        strikes, struck, forfeited = Counter[int](), set[tuple[int, int]](), set[int]()
        for place, fault in enumerate(self._row.faults):
            name = f"fault {place}, of seat {fault.seat} at answer {fault.ply},"
            if fault.ply < self._opening:  # of the match that this one continues
                continue
            if fault.seat >= len(self._row.seats) or fault.ply > len(self._seat_of) or fault.kind not in FAULT_KINDS:
                yield f"{name} cannot be"
            elif fault.seat in forfeited:
                yield f"{name} comes after the seat was forfeited"
            elif fault.forfeit:
                forfeited.add(fault.seat)
            elif (fault.seat, fault.ply) in struck:
                yield f"{name} is one too many"
            elif self._seat_of[fault.ply : fault.ply + 1] != [fault.seat]:
                yield f"{name} is about an answer of another seat"
            elif self._row.times[fault.ply : fault.ply + 1].strip(b"\0"):
                yield f"{name} is about an answer that the bot gave"
            else:
                struck.add((fault.seat, fault.ply))
                strikes[fault.seat] += 1
                if strikes[fault.seat] >= self._strikes:
                    yield f"{name} is strike {strikes[fault.seat]}, and the seat was not forfeited"

    def _may_have_answered(self, seat: int) -> bool:
        """Return whether a record without times leaves open who gave the answer at which a seat was forfeited."""
        return not self._row.times and any(
            fault.forfeit and fault.seat == seat and self._seat_of[fault.ply : fault.ply + 1] == [seat]
            for fault in self._row.faults
        )

    def _charge(self, plies: list[int]) -> tuple[float, float]:
        """Return the least and the most that answers can have been charged together, in µs."""
        least = most = 0.0
        for byte, count in Counter(self._row.times[ply] for ply in plies if ply < len(self._row.times)).items():
            low, high = time_bounds(byte)
            least += low * count
            most += high * count
        return least - _ROUNDING_US, most + _ROUNDING_US
