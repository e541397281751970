"""What has just happened at a place, from the lines of the log since the frame before."""

import re
from collections.abc import Sequence
from dataclasses import replace

from arena.viewer.scene import Scene

SHOWN = 3
"""Lines told at the most: the newest."""

_DULL = re.compile(r"(is dealt|pays \S+ as (ante|stake)|discards|rolls|is the partner)")
"""What the drawn table shows anyway."""


def seat_events(events: Sequence[str], seat: int) -> str:
    """Return what some lines of a log say about a seat, without the dull ones: "keeps · reveals 7"."""
    start = f"seat {seat} "
    lines = [line.removeprefix(start) for line in events if line.startswith(start)]
    return " · ".join([line for line in lines if not _DULL.match(line)][-SHOWN:])


def with_recent_events(scene: Scene, events: Sequence[str]) -> Scene:
    """Return a scene with what the log says has just happened at each place."""
    return replace(scene, places=tuple(replace(each, recent=seat_events(events, each.seat)) for each in scene.places))
