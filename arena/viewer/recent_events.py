"""The latest events at each place, from the log lines since the previous frame."""

import re
from collections.abc import Sequence
from dataclasses import replace

from arena.viewer.scene import Scene

MOST_LINES = 3
"""The largest number of lines shown; the newest are kept."""

_DRAWN = re.compile(r"(is dealt|pays \S+ as (ante|stake)|discards|rolls|is the partner)")
"""Lines that are left out, because the drawn table shows them."""


def seat_events(events: Sequence[str], seat: int) -> str:
    """Return the log lines about a seat as one text: "keeps · reveals 7"."""
    start = f"seat {seat} "
    lines = [line.removeprefix(start) for line in events if line.startswith(start)]
    return " · ".join([line for line in lines if not _DRAWN.match(line)][-MOST_LINES:])


def with_recent_events(scene: Scene, events: Sequence[str]) -> Scene:
    """Return a scene with the latest events at each place."""
    return replace(
        scene, places=tuple(replace(place, recent=seat_events(events, place.seat)) for place in scene.places)
    )
