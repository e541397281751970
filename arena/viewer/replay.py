"""The replay of a match: its frames from every perspective, and the drawn table of each frame."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from threading import Lock

from arena.replay.played_rules import rules
from arena.store.rows import StoredMatch
from arena.viewer.frames import Frame, frames
from arena.viewer.positions import match_positions
from arena.viewer.recent_events import with_recent_events
from arena.viewer.renderer import render
from arena.viewer.scene import Scene
from referee.codec import ViewEncoder
from referee.wire import view_message


class Replay:
    """A stored match that is replayed once, and its frames, which are computed on demand; thread-safe.

    match: restricted to what the reader may see (`arena.replay.owner_view`). positions: its positions. log: all its
    events.

    Raises UnknownGame, OptionError or RecordError if the record does not fit the installed rules.
    """

    def __init__(self, match: StoredMatch) -> None:
        self.match = match
        self.seats = len(match.row.seats)
        self.positions, self.log = match_positions(match)
        game = rules(match).game
        self._message = view_message(game)
        self._encode = ViewEncoder(game).encode
        self._frames: dict[int | None, tuple[list[Frame], Iterator[Frame]]] = {}
        self._lock = Lock()

    def frames(self, seat: int | None = None, end: int | None = None) -> list[Frame]:
        """Return the frames that a seat knew, or all frames.

        end: compute only the frames before this one, if not all are needed; those of a long match take a while.
        """
        with self._lock:
            if seat not in self._frames:
                self._frames[seat] = [], frames(self.match, self.positions, self.log, seat)
            ready, rest = self._frames[seat]
            try:
                ready.extend(rest if end is None else islice(rest, max(0, end - len(ready))))
            except BaseException:
                del self._frames[seat]  # an iterator that failed is exhausted: the next call must start again
                raise
            return ready

    def count(self, seat: int | None = None) -> int:
        """Return the number of frames that a seat knew, or of all frames."""
        return len(self.positions if seat is None else self.frames(seat))

    def scene(self, number: int, seat: int | None = None) -> Scene:
        """Draw the table of a frame from the view that was sent to the seat, or from those of all seats."""
        frame = self.frames(seat, number + 1)[number]
        view = self.positions[frame.position].view
        perspectives = range(self.seats) if seat is None else (seat,)
        views = {viewer: self._message.FromString(self._encode(view(viewer))) for viewer in perspectives}
        return with_recent_events(render(views, self.seats), frame.events)

    def nearest_frame(self, number: int, seat: int | None, other: int | None) -> int:
        """Return the frame of perspective `other` for frame `number` of `seat`: of the same position, or the next."""
        position = self.frames(seat)[number].position
        return min(
            bisect_left(self.frames(other), position, key=lambda frame: frame.position), len(self.frames(other)) - 1
        )
