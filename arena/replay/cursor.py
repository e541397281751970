"""The current frame and perspective of a replay, and the steps and jumps that the keys of a viewer make."""

from collections.abc import Callable

from arena.language.message import Message
from arena.replay.costly_moves import story_with_chances
from arena.replay.event_frames import EventFrame
from arena.replay.frames import Frame
from arena.replay.known_values import Known
from arena.replay.readable import Read, reader_of
from arena.replay.replay import Replay
from arena.replay.story import Moment, Story


class Cursor:
    """The current position in a replay.

    number: the number of the current frame.
    events: the event frames that lead to it; the last of them is the frame itself.
    event: the number of the current one of these.
    seat: the perspective; None for the whole match.
    chosen_seat: the seat to whose moves `jump_to_question` goes.
    read: returns a text of the game as people read it.
    """

    def __init__(self, replay: Replay, number: int = 0, seat: int | None = None, known: Known | None = None) -> None:
        """Go to a frame.

        number: the frame.
        known: what packages know of the match.
        """
        self.replay = replay
        self._known = known or {}
        self.read = reader_of(replay.match).of
        self.seat = seat
        self.chosen_seat = seat or 0
        self.number = self.event = 0
        self.events: tuple[EventFrame, ...] = ()
        self.go_to(number)

    @property
    def frames(self) -> list[Frame]:
        """All frames of the perspective."""
        return self.replay.frames(self.seat)

    @property
    def frame(self) -> Frame:
        """The current frame."""
        return self.frames[self.number]

    @property
    def story(self) -> Story:
        """The story of the match from the perspective."""
        return story_with_chances(self.replay, self.seat, self._known.get(self.seat, {}).get("chances"))

    @property
    def is_question(self) -> bool:
        """Whether the frame itself is shown, and not an event before it."""
        return self.event == len(self.events) - 1

    @property
    def last(self) -> int:
        """The number of the last frame."""
        return len(self.frames) - 1

    def go_to(self, number: int) -> None:
        """Go to a frame; numbers out of range mean the first or last frame."""
        self._load(max(0, min(self.last, number)))
        self.event = len(self.events) - 1

    def step(self, step: int) -> None:
        """Go forward by one event (1), or back (-1)."""
        if 0 <= self.event + step < len(self.events):
            self.event += step
        elif step > 0 and self.number < self.last:
            self._load(self.number + 1)
            self.event = 0
        elif step < 0:
            self.go_to(self.number - 1)

    def set_perspective(self, seat: int | None) -> None:
        """Change the perspective, and go to its frame of the same moment, or the next one."""
        number = self.replay.nearest_frame(self.number, self.seat, seat)
        self.seat = seat
        self.go_to(number)
        if seat is not None:
            self.chosen_seat = seat

    def jump_to_mark(self, kind: str, step: int) -> bool:
        """Jump to the next (step 1) or previous (step -1) frame with a mark; beyond the last one, to the end.

        Like all jumps it stays and returns False if no frame of the match has the mark.
        """
        return self._jump(step, lambda frame: kind in frame.marks)

    def jump_to_question(self, step: int) -> bool:
        """Jump to the next or previous question of the chosen seat."""
        return self._jump(step, lambda frame: self.chosen_seat in frame.asked)

    def jump_to_moment(self, step: int) -> Moment | None:
        """Jump to the next or previous moment of the story and return it; None if there is none there."""
        moments = self.story.moments
        here = self.number, self.event if len(self.events) > 1 and not self.is_question else len(self.events)
        found = None
        for moment in moments if step > 0 else reversed(moments):
            events = len(self.replay.event_frames(moment.frame, self.seat))
            at = moment.frame, events if moment.event is None else moment.event - 1
            if (at > here) if step > 0 else (at < here):
                found = moment
                break
        if found is not None:
            self.go_to(found.frame)
            if found.event is not None:
                self.event = found.event - 1
        return found

    def search(self, text: str, step: int) -> bool:
        """Jump to the next or previous frame whose text contains `text`."""
        wanted = text.strip().lower()
        return self._jump(step, lambda frame: wanted in searchable_text(frame, self.read))

    def _load(self, number: int) -> None:
        self.number = number
        self.events = self.replay.event_frames(number, self.seat)

    def _jump(self, step: int, matches: Callable[[Frame], bool]) -> bool:
        if not any(map(matches, self.frames)):
            return False
        number = self.number + step
        while 0 <= number <= self.last:
            if matches(self.frames[number]):
                break
            number += step
        self.go_to(number)
        return True


def searchable_text(frame: Frame, read: Read = str) -> str:
    """Return the events, answers and faults of a frame as one lower-case text to search in.

    read: returns a text of the game as people read it, which is found as well as its codes.
    """
    answers = (
        text
        for answer in frame.answers
        for text in (
            f"seat {answer.seat}: {answer.move}",
            f"{read(Message('seat {0}', answer.seat))}: {read(answer.move)}",
            *answer.notes,
            answer.said,
        )
    )
    faults = (f"{fault.kind} {fault.sentence}" for fault in frame.faults)
    return "\n".join((*frame.events, *map(read, frame.events), *answers, *faults)).lower()
