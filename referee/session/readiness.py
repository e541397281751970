"""Readiness: the matches that a process is yet to get ready for, where it asks for that step (`Hello.wants_ready`).

It gets ready for one match at a time, while nothing else is asked of it. So the time is never part of what an answer is
charged, no other question can be thought about in it, and a process that fails meanwhile fails in that match.
"""

from referee.match.match import Seat


class Readiness:
    """Keeps the questions of one process while there are matches that it is to get ready for.

    seat: the seat whose match it gets ready for now; None where there is none.
    """

    def __init__(self) -> None:
        self.seat: Seat | None = None
        self._next: dict[Seat, None] = {}
        self._questions: dict[Seat, bool] = {}

    @property
    def is_pending(self) -> bool:
        """Whether there are matches that it is not ready for."""
        return self.seat is not None or bool(self._next)

    def add(self, seat: Seat) -> None:
        """Let the process get ready for the match of a seat, after those that were added before."""
        self._next[seat] = None

    def keep(self, seat: Seat, again: bool) -> None:
        """Keep the question of a seat.

        again: an earlier process left it open.
        """
        self._questions[seat] = again

    def begin(self) -> Seat | None:
        """Return the seat for whose match it gets ready from now on; None where there is none, or it does already."""
        if self.seat is not None or not self._next:
            return None
        self.seat = next(iter(self._next))
        del self._next[self.seat]
        return self.seat

    def forget(self, seat: Seat) -> None:
        """Forget a seat whose match is over, except that a process that gets ready for it has to end that."""
        self._next.pop(seat, None)
        self._questions.pop(seat, None)

    def take_questions(self) -> list[tuple[Seat, bool]]:
        """Return the questions that were kept, each with whether an earlier process left it open, and keep none."""
        questions = [(seat, again) for seat, again in self._questions.items() if seat.answer < 0]
        self._questions.clear()
        return questions
