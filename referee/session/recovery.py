"""Recovery from lost processes: keeps the questions that cannot be asked yet, and reports each failure."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import cast

from referee.match.faults import FaultKind
from referee.match.match import Seat
from referee.session.crash_attribution import CrashAttribution
from referee.v1.work_pb2 import ProcessFailure


class Recovery:
    """Decides which questions a player asks once it can ask again, over all its processes.

    Suspects are asked alone (see `referee.session.crash_attribution`); all other questions wait until there is none.
    """

    def __init__(self, crashes: CrashAttribution, report: Callable[[ProcessFailure], None] | None) -> None:
        """Make one without questions.

        report: takes the report of each failure; None: none is made.
        """
        self._crashes = crashes
        self._report = report
        self._waiting: deque[Seat] = deque()
        self._asked_before: set[Seat] = set()

    @property
    def has_questions(self) -> bool:
        """Whether questions wait, or one is asked alone."""
        return bool(self._waiting) or self._crashes.is_isolating

    def add(self, seat: Seat, again: bool = False) -> None:
        """Let the question of a seat wait.

        again: an earlier process left it open.
        """
        self._waiting.append(seat)
        if again:
            self._asked_before.add(seat)

    def next_questions(self) -> list[tuple[Seat, bool]]:
        """Return the seats to be asked now, each with whether it was asked this question before.

        That is the next suspect alone; where there is none, all seats that wait.
        """
        suspect = self._crashes.next_suspect()
        if suspect is not None:
            return [(suspect, True)]
        waiting = dict.fromkeys(self._waiting)
        questions = [(seat, seat in self._asked_before) for seat in waiting if seat.answer < 0]
        self._waiting.clear()
        self._asked_before.clear()
        return questions

    def add_failure(
        self, kind: FaultKind, sentence: str, open_seats: Sequence[Seat], failure: ProcessFailure | None
    ) -> Seat | None:
        """Attribute the failure of a process to a match and report it.

        open_seats: the seats that it was asked.
        failure: the report so far; None: nothing is reported.

        Returns: the guilty seat where it is known. The others are asked again.
        """
        guilty = self._crashes.add_failure(kind, open_seats)
        self._send_report(failure, cast("ProcessFailure.Kind.ValueType", int(kind)), sentence, open_seats, guilty)
        return guilty

    def add_lost_connection(self, sentence: str, open_seats: Sequence[Seat], failure: ProcessFailure | None) -> None:
        """Count and report a lost connection, and let the open questions wait before all others."""
        self.put_back(open_seats)
        self._crashes.add_lost_connection()
        self._send_report(failure, ProcessFailure.KIND_CONNECTION, sentence, open_seats, None)

    def put_back(self, open_seats: Sequence[Seat]) -> None:
        """Let questions that were open wait before all others."""
        self._asked_before.update(open_seats)
        self._waiting.extendleft(reversed(open_seats))

    def clear(self) -> None:
        """Drop all questions, as the bot is withdrawn."""
        self._waiting.clear()
        self._crashes.clear()

    def _send_report(
        self,
        failure: ProcessFailure | None,
        kind: "ProcessFailure.Kind.ValueType",
        sentence: str,
        open_seats: Sequence[Seat],
        guilty: Seat | None,
    ) -> None:
        """Complete the report of a failure with the matches that may have caused it, and send it."""
        if failure is None or self._report is None:
            return
        failure.kind = kind
        failure.sentence = sentence
        failure.matches.extend(dict.fromkeys(seat.match.number for seat in open_seats))
        if guilty is not None:
            failure.guilty = guilty.match.number
        self._report(failure)
