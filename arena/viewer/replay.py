"""A match that can be looked at: its frames for every audience, and the table of each frame."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from threading import Lock

from arena.replay.played_rules import rules
from arena.store.rows import StoredMatch
from arena.viewer.frames import Frame, frames
from arena.viewer.positions import positions
from arena.viewer.recent_events import with_recent_events
from arena.viewer.renderer import render
from arena.viewer.scene import Scene
from referee.wire import ViewEncoder, view_message


class Replay:
    """A stored match, played again once.

    match: as its reader may have it (see `arena.replay.owner_view`). positions: its positions. log: all its events.

    Raises UnknownGame, OptionError or RecordError where the record does not fit the installed rules.
    """

    def __init__(self, match: StoredMatch) -> None:
        self.match = match
        self.seats = len(match.row.seats)
        self.positions, self.log = positions(match)
        game = rules(match).game
        self._message = view_message(game)
        self._encode = ViewEncoder(game)
        self._frames: dict[int | None, tuple[list[Frame], Iterator[Frame]]] = {}
        self._lock = Lock()

    def frames(self, seat: int | None = None, end: int | None = None) -> list[Frame]:
        """Return the frames as a seat knew them, or all of them.

        end: no more than so many are looked at, and there may be no more; those of a long match take a moment to make.
        """
        with self._lock:  # who asks from several threads at once has it made once
            if seat not in self._frames:
                self._frames[seat] = [], frames(self.match, self.positions, self.log, seat)
            made, more = self._frames[seat]
            try:
                made.extend(more if end is None else islice(more, max(0, end - len(made))))
            except BaseException:
                del self._frames[seat]  # an iterator that failed has ended: the rest would seem not to be there
                raise
            return made

    def count(self, seat: int | None = None) -> int:
        """Return how many frames a seat knew, or how many there are."""
        return len(self.positions if seat is None else self.frames(seat))

    def scene(self, number: int, seat: int | None = None) -> Scene:
        """Draw the table of a frame, from the bytes that the seat was sent, or from those of all seats together."""
        frame = self.frames(seat, number + 1)[number]
        view = self.positions[frame.position].view
        perspectives = range(self.seats) if seat is None else (seat,)
        scene = render({each: self._message.FromString(self._encode(view(each))) for each in perspectives}, self.seats)
        return with_recent_events(scene, frame.events)

    def moment(self, number: int, seat: int | None, other: int | None) -> int:
        """Return the frame that another audience knows nearest to a frame: the same, or the next that it knows."""
        position = self.frames(seat)[number].position
        return min(
            bisect_left(self.frames(other), position, key=lambda frame: frame.position), len(self.frames(other)) - 1
        )
