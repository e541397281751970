"""The rounds of a replay, by which matches of one deal are compared: the same name is the same deal of the cards."""

import re
from dataclasses import dataclass

from arena.viewer.replay import Replay, Scores

_BEGINS = re.compile(r"(round|deal|set) (\d+)(?: begins|:)")


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a match, as a perspective knows it.

    name: "round 3", "deal 3", or in a game of sets "set 2, round 3". frame: the first one. gains: by seat, what its
    score has changed by when the next round begins; None if that is not known, as scores are hidden from the seat, or
    as it was told of the next round only together with this one.
    """

    name: str
    frame: int
    gains: Scores | None


def rounds(replay: Replay, seat: int | None = None) -> list[Round]:
    """Return the rounds of a match that a seat knew, or all rounds."""
    begun = _beginnings(replay, seat)
    changes = dict(replay.scores(seat))
    ends = [frame for _, frame in begun[1:]] + [replay.count(seat) - 1]
    scores: list[Scores] = []
    for number in range(replay.count(seat) if changes else 0):
        scores.append(changes.get(number, scores[-1] if scores else ()))
    played = []
    for (name, first), end in zip(begun, ends, strict=True):
        is_known = bool(scores) and (end > first or end == replay.count(seat) - 1)
        gains = tuple(after - before for before, after in zip(scores[first], scores[end], strict=True))
        played.append(Round(name, first, gains if is_known else None))
    return played


def _beginnings(replay: Replay, seat: int | None) -> list[tuple[str, int]]:
    """Return the name and first frame of each round."""
    begun: list[tuple[str, int]] = []
    set_name, is_open = "", False
    for number, frame in enumerate(replay.frames(seat)):
        for line in frame.events:
            if (match := _BEGINS.match(line)) is None:
                continue
            kind, name = match[1], f"{match[1]} {match[2]}"
            if kind == "set":
                set_name, is_open = name, True
                continue
            begun.append((f"{set_name}, {name}" if set_name else name, number))
            is_open = False
        if is_open:  # a set without rounds
            begun.append((set_name, number))
            is_open = False
    return begun
