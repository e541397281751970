"""The replay of a match: its frames from every perspective, and the drawn table of each frame."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from threading import Lock
from typing import Any, TypeAlias

from arena.record.played_rules import rules, version_remark
from arena.replay.event_frames import EventFrame, event_frames
from arena.replay.frames import Frame, frames
from arena.replay.log_lines import LogLine
from arena.replay.positions import match_positions
from arena.replay.recent_events import has_talk, with_recent_events, without_old_talk
from arena.replay.renderer import event_handlers, open_scores, render, rule_section
from arena.replay.scene import EMPTY, Scene
from arena.values.rows import StoredMatch
from referee.codec import ViewEncoder
from referee.engine.record import unpack_answers
from referee.wire import view_message

Scores: TypeAlias = tuple[int, ...]
"""Scores by seat, as in `referee.engine.game.Outcome`."""


class Replay:
    """A stored match that is replayed once, and its frames, which are computed on demand; thread-safe.

    match: restricted to what the reader may see (`arena.replay.owner_view`).
    positions: the positions of the match.
    log: all its events.
    stories: those that were made of it, by perspective (`arena.replay.story`).
    remark: what its readers must know, as that it was played by other rules; empty if there is nothing.

    Raises UnknownGame, OptionError or RecordError if the record does not fit the installed rules.
    """

    def __init__(self, match: StoredMatch, remark: str = "") -> None:
        self.match = match
        self.remark = " ".join(filter(None, (remark, version_remark(match))))
        self.seats = len(match.row.seats)
        self.positions, self.log = match_positions(match)
        game = rules(match).game
        self._handlers = event_handlers(game)
        self._message = view_message(game)
        self._encode = ViewEncoder(game).encode
        self._frames: dict[int | None, tuple[list[Frame], Iterator[Frame]]] = {}
        self._latest_scene: tuple[tuple[int, int | None] | None, Scene] = None, EMPTY
        self._lock = Lock()
        self.stories: dict[int | None, Any] = {}

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
        return self.event_frames(number, seat)[-1].scene

    def event_frames(self, number: int, seat: int | None = None) -> tuple[EventFrame, ...]:
        """Return the frames of the events that lead to a frame; the last one is that frame."""
        frame = self.frames(seat, number + 1)[number]
        if number == 0:
            return (EventFrame(len(frame.events), self._viewed_scene(0, seat)),)
        before, after = self._viewed_scene(number - 1, seat), self._viewed_scene(number, seat)
        return event_frames(self._handlers, before, after, frame.events, seat, ends=not frame.asked)

    def _viewed_scene(self, number: int, seat: int | None) -> Scene:
        key, scene = self._latest_scene
        if key != (number, seat):
            scene = self._draw(number, seat)
            self._latest_scene = (number, seat), scene
        return scene

    def _draw(self, number: int, seat: int | None) -> Scene:
        frame = self.frames(seat, number + 1)[number]
        view = self.positions[frame.position].view
        perspectives = range(self.seats) if seat is None else (seat,)
        views = {viewer: self._message.FromString(self._encode(view(viewer))) for viewer in perspectives}
        scene = with_recent_events(render(views, self.seats), frame.events)
        return without_old_talk(scene, self._lines_back(number, seat)) if has_talk(scene) else scene

    def _lines_back(self, number: int, seat: int | None) -> Iterator[LogLine]:
        """Yield the lines of the log before the question of a frame, the newest first."""
        for frame in reversed(self.frames(seat, number + 1)[: number + 1]):
            yield from reversed(frame.events)

    def section(self, number: int, seat: int | None = None) -> str:
        """Return the id of the section of the rules that the question of a frame is about; "" where none is known.

        A seat that is not asked knows only its own view, which may not tell.
        """
        frame = self.frames(seat, number + 1)[number]
        if not frame.asked:
            return ""
        view = self.positions[frame.position].view(frame.asked[0] if seat is None else seat)
        return rule_section(rules(self.match).game, int(getattr(view, "stage", 0)))

    def scores(self, seat: int | None = None, first: int = 0, end: int | None = None) -> list[tuple[int, Scores]]:
        """Return the scores by seat in the frames from `first` to `end` (excluded) in which they differ from before.

        Each with the number of its frame; always those of the first one. None are known to a seat where they may reveal
        what is hidden from it.
        """
        changes: list[tuple[int, Scores]] = []
        if seat is None or open_scores(rules(self.match).game):
            for number, frame in enumerate(self.frames(seat, end)[first:end], start=first):
                scores = self.positions[frame.position].state.outcome().scores
                if not changes or scores != changes[-1][1]:
                    changes.append((number, scores))
        return changes

    def nearest_frame(self, number: int, seat: int | None, other: int | None) -> int:
        """Return the frame of perspective `other` for frame `number` of `seat`: of the same position, or the next."""
        position = self.frames(seat)[number].position
        return min(
            bisect_left(self.frames(other), position, key=lambda frame: frame.position), len(self.frames(other)) - 1
        )

    def answers_before(self, number: int) -> int:
        """Return how many answers were given before a frame of all frames."""
        steps = self.positions[number].steps
        return steps[0].ply if steps else len(unpack_answers(self.match.row.answers))
