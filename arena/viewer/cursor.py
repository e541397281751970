"""Where one stands in a replay, seen by whom, and the steps from there: what the keys of a viewer do."""

from collections.abc import Callable

from arena.viewer.frames import Frame
from arena.viewer.replay import Replay


class Cursor:
    """A place in a replay.

    number: the frame. seat: whose knowledge is looked at; None is everything. chosen: whose moves are jumped to.
    """

    def __init__(self, replay: Replay, number: int = 0, seat: int | None = None) -> None:
        self.replay = replay
        self.seat = seat
        self.chosen = seat or 0
        self.number = 0
        self.go(number)

    @property
    def frames(self) -> list[Frame]:
        """All frames that are known to whom we see with."""
        return self.replay.frames(self.seat)

    @property
    def frame(self) -> Frame:
        """The frame one stands at."""
        return self.frames[self.number]

    @property
    def last(self) -> int:
        """The number of the last frame."""
        return len(self.frames) - 1

    def go(self, number: int) -> None:
        """Go to a frame, or to the nearest there is."""
        self.number = max(0, min(self.last, number))

    def see(self, seat: int | None) -> None:
        """See with other perspectives, at the same moment or the next that they know."""
        self.number = self.replay.moment(self.number, self.seat, seat)
        self.seat = seat
        if seat is not None:
            self.chosen = seat

    def to_mark(self, kind: str, step: int) -> bool:
        """Go to the next (step 1) or previous (step -1) frame with a mark, or as far as it goes.

        Stay and return False where there is none in the whole match; so do all jumps.
        """
        return self._jump(step, lambda frame: kind in frame.marks)

    def to_move(self, step: int) -> bool:
        """Go to the next or previous question of the chosen seat, or as far as it goes."""
        return self._jump(step, lambda frame: self.chosen in frame.asked)

    def search(self, text: str, step: int) -> bool:
        """Go to the next or previous frame of which `text` is told, or as far as it goes."""
        wanted = text.strip().lower()
        return self._jump(step, lambda frame: wanted in words(frame))

    def _jump(self, step: int, fits: Callable[[Frame], bool]) -> bool:
        if not any(map(fits, self.frames)):
            return False
        number = self.number + step
        while 0 <= number <= self.last:
            if fits(self.frames[number]):
                break
            number += step
        self.go(number)
        return True


def words(frame: Frame) -> str:
    """Return all that is told of a frame as one text in small letters."""
    answers = (text for each in frame.answers for text in (f"seat {each.seat}: {each.move}", *each.notes, each.said))
    faults = (f"{fault.kind} {fault.sentence}" for fault in frame.faults)
    return "\n".join((*frame.events, *answers, *faults)).lower()
