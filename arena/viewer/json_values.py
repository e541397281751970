"""A replay as JSON values: its frames at once, its drawn tables by parts of the match.

What a seat is told holds no number of an answer, no other seat's times, notes or faults and no view but its own.
Empty values are left out. docs/viewer.md lists every field.
"""

from dataclasses import fields
from typing import Any

from arena.replay.played_rules import older_or_newer, rules
from arena.store.rows import FaultRow
from arena.viewer.answer_clock import limits
from arena.viewer.frames import Frame, FrameAnswer
from arena.viewer.replay import Replay
from arena.viewer.scene import Scene
from referee.engine.registry import in_units

PART = 32
"""How many frames' tables are told together."""


def replay_values(replay: Replay, seat: int | None = None, first: int = 0, count: int | None = None) -> dict[str, Any]:
    """Return a match and its frames as a seat knew them, or all of them; without the tables.

    first, count: of the frames only so many from that one on.
    """
    match, last = replay.match, None if count is None else first + count
    event, row = match.event, match.row
    clock = limits(match)
    return {
        "match": match.id,
        "tournament": match.tournament_id,
        "game": event.game,
        "options": event.options,
        "unit": rules(match).game.unit,
        "seat": seat,
        "players": match.players,
        "teams": list(rules(match).game.teams(rules(match).options, replay.seats)),
        "clock": {"move": clock.move, "bank": clock.bank} if clock else None,
        "remark": older_or_newer(match),
        "result": [
            {"rank": each.rank, "score": in_units(event.game, each.score), "forfeit": each.forfeit}
            for each in row.seats
        ],
        "part": PART,
        "first": first,
        "count": replay.count(seat),
        "frames": [_frame(frame) for frame in replay.frames(seat, last)[first:last]],
    }


def opening_values(replay: Replay, seat: int | None, move: int) -> dict[str, Any]:
    """Return what is needed to look at one moment of a match: the story around it, and the tables of its part.

    move: the frame; one beyond the last is the last.
    """
    move = min(move, replay.count(seat) - 1)
    part = move - move % PART
    told = replay_values(replay, seat, max(0, part - PART), 3 * PART)
    return told | {"tables": table_values(replay, seat, part)}


def table_values(replay: Replay, seat: int | None, first: int, count: int = PART) -> dict[str, Any]:
    """Return the tables and the legal moves of some frames.

    What did not change from one frame to the next is told once: `pieces` are places and zones, and each of `scenes`
    names them by their number.
    """
    pieces: dict[Any, int] = {}
    last = min(first + count, replay.count(seat))
    scenes = [_scene(replay.scene(number, seat), pieces) for number in range(first, last)]
    legal = [[list(answer.legal) for answer in frame.answers] for frame in replay.frames(seat, last)[first:last]]
    return {"first": first, "scenes": scenes, "legal": legal, "pieces": [plain(piece) for piece in pieces]}


def _scene(scene: Scene, pieces: dict[Any, int]) -> list[Any]:
    """Return a scene as its heading, its facts, and the numbers of the zones in its middle and of its places."""
    return [
        scene.heading,
        [plain(fact) for fact in scene.facts],
        [pieces.setdefault(zone, len(pieces)) for zone in scene.middle],
        [pieces.setdefault(place, len(pieces)) for place in scene.places],
    ]


def plain(value: Any) -> Any:
    """Return a part of a scene as JSON values, without what is empty."""
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, str | int):
        return value
    told = {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return {name: each for name, each in told.items() if each or name == "seat"}


def _frame(frame: Frame) -> dict[str, Any]:
    told = {
        "events": list(frame.events),
        "asked": list(frame.asked),
        "answers": [_answer(answer) for answer in frame.answers],
        "faults": [_fault(fault) for fault in frame.faults],
        "marks": list(frame.marks),
    }
    return {name: value for name, value in told.items() if value}


def _answer(answer: FrameAnswer) -> dict[str, Any]:
    told: dict[str, Any] = {"seat": answer.seat, "move": answer.move}
    if answer.ply is not None:
        told["ply"] = answer.ply
    if answer.default:
        told["default"] = True
    if answer.spent is not None:
        told["micros"] = round(answer.spent.micros, 3)  # one digit would be rounded a second time to be read, up
        if answer.spent.bank is not None:
            told["bank"] = round(answer.spent.bank)
    if answer.notes:
        told["notes"] = list(answer.notes)
    if answer.said:
        told["said"] = answer.said
    return told


def _fault(fault: FaultRow) -> dict[str, Any]:
    """Return a fault. Its number of an answer is that of the frame, and says too much to a seat."""
    return {"seat": fault.seat, "kind": fault.kind, "sentence": fault.sentence, "forfeit": fault.forfeit}
