"""The rounds of a replay, by which matches of one deal are compared: the same name is the same deal of the cards."""

from dataclasses import dataclass

from arena.language.message import Message
from arena.replay.replay import Replay, Scores

SET = "set"
"""What begins with a line that has rounds of its own."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a match, as a perspective knows it."""

    name: str
    """The name of the round, as "round 3", "deal 3", or in a game of sets "set 2, round 3"."""
    frame: int
    """The number of its first frame."""
    gains: Scores | None
    """What the score of each seat has changed by when the next round begins, by seat; None if that is not known, as
    scores are hidden from the perspective, or as it was told of the next round only together with this one.
    """


def rounds(replay: Replay, seat: int | None = None) -> list[Round]:
    """Return the rounds of a match that a seat knew, or all rounds; none of a game that declares no beginnings."""
    begun = _beginnings(replay, seat)
    if not begun:
        return []
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
    in_set: tuple[object, ...] = ()
    is_open = False
    for number, frame in enumerate(replay.frames(seat)):
        for line in frame.events:
            kind = line.kind.begins
            if kind == SET:
                in_set, is_open = line.event[1:2], True
            elif kind:
                begun.append((_name(kind, in_set, line.event[1]), number))
                is_open = False
        if is_open:  # a set without rounds
            begun.append((Message("set {0}", *in_set), number))
            is_open = False
    return begun


def _name(kind: str, in_set: tuple[object, ...], number: object) -> str:
    return Message(f"set {{0}}, {kind} {{1}}", *in_set, number) if in_set else Message(f"{kind} {{0}}", number)
