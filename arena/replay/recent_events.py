"""The latest events at each place, from the log lines since the previous frame."""

from collections.abc import Sequence
from dataclasses import replace

from arena.language.message import Message
from arena.replay.log_lines import LogLine, of_seat
from arena.replay.scene import Scene

MOST_LINES = 3
"""The largest number of lines shown; the newest are kept."""


def seat_events(lines: Sequence[LogLine], seat: int) -> str:
    """Return what log lines say of a seat as one text: "keeps · reveals 7"."""
    said = [of_seat(line) for line in lines if line.is_about(seat) and not line.kind.drawn][-MOST_LINES:]
    return Message(" · ".join([f"{{{number}}}" for number in range(len(said))]), *said) if said else ""


def with_recent_events(scene: Scene, lines: Sequence[LogLine]) -> Scene:
    """Return a scene with the latest events at each place."""
    places = ((place, seat_events(lines, place.seat)) for place in scene.places)
    return replace(
        scene,
        places=tuple(place if place.recent == recent else replace(place, recent=recent) for place, recent in places),
    )
