"""The latest events at each place: the captions of its cards, from the log lines since the previous frame.

A caption belongs to its moment. It goes as a round, deal or trick begins, or with another line that the rules declare
to clear it, so that nothing stands beside cards of which it does not speak.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from arena.language.message import Message
from arena.replay.log_lines import LogLine, of_seat
from arena.replay.scene import Scene
from referee.engine.moves import EVERYBODY

MOST_LINES = 3
"""The largest number of lines shown; the newest are kept."""


def current_captions(lines: Iterable[LogLine]) -> list[LogLine]:
    """Return those of some lines in a row that speak of what still lies on the table after them."""
    current: list[LogLine] = []
    for line in lines:
        clears = EVERYBODY if line.kind.begins else line.kind.clears
        if clears == EVERYBODY:
            current = []
        elif clears is not None:
            seat = line.event[1 + clears]
            current = [other for other in current if not (other.kind.is_of_seat and other.event[1] == seat)]
        current.append(line)
    return current


def seat_events(lines: Sequence[LogLine], seat: int) -> str:
    """Return what log lines say of a seat as one text: "keeps · reveals 7"."""
    said = [of_seat(line) for line in lines if line.is_about(seat) and not line.kind.drawn][-MOST_LINES:]
    return Message(" · ".join([f"{{{number}}}" for number in range(len(said))]), *said) if said else ""


def with_recent_events(scene: Scene, lines: Sequence[LogLine]) -> Scene:
    """Return a scene with the latest events at each place.

    lines: those since the previous frame.
    """
    current = current_captions(lines)
    places = ((place, seat_events(current, place.seat)) for place in scene.places)
    return replace(
        scene,
        places=tuple(place if place.recent == recent else replace(place, recent=recent) for place, recent in places),
    )


def has_talk(scene: Scene) -> bool:
    """Return whether table talk stands at a place."""
    return any(place.said for place in scene.places)


def without_old_talk(scene: Scene, lines: Iterable[LogLine]) -> Scene:
    """Return a scene without the talk of earlier rounds, which views keep.

    lines: those of the match so far, the newest first.
    """
    said: set[tuple[object, object]] = set()
    for line in lines:
        if line.kind.begins:
            break
        if line.kind.is_of_seat:
            said.add((line.event[1], line.event[-1]))
    places = (
        place if not place.said or (place.seat, place.said) in said else replace(place, said="")
        for place in scene.places
    )
    return replace(scene, places=tuple(places))
