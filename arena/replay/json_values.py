"""A replay as JSON values: all its frames, and its drawn tables in parts.

The values for a seat contain no answer numbers, no times, notes or faults of other seats, and no view but its own.
Empty values are left out. docs/viewer.md lists every field.

What is text for people is written by `write`: in English, or for pages as messages, which are translated where they are
read (`arena.language.message`).
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, TypeAlias

from arena.record.answer_clock import clock_limits
from arena.record.played_rules import rules
from arena.replay.costly_moves import costly_moves, story_with_chances
from arena.replay.event_frames import EventFrame
from arena.replay.event_table import Spot
from arena.replay.frames import Frame, FrameAnswer
from arena.replay.replay import Replay
from arena.replay.rounds import rounds
from arena.replay.scene import Scene
from arena.values.rows import FaultRow
from referee.engine.registry import in_units

NOTHING: Mapping[str, Any] = {}

FRAMES_PER_PART = 32
"""The number of frames whose tables are sent together."""

Write: TypeAlias = Callable[[str], Any]
"""Returns a text as JSON values: `str` or `parts` of arena.language.message."""


def replay_values(
    replay: Replay,
    seat: int | None = None,
    first: int = 0,
    count: int | None = None,
    write: Write = str,
    known: Mapping[str, Any] = NOTHING,
    *,
    has_numbers: bool = True,
) -> dict[str, Any]:
    """Return a match and its frames as a seat knew them, or all frames; without the tables.

    first, count: the range of frames to return; by default all.
    known: what packages know of the match from this perspective (`arena.replay.known_values`), which is added.
    has_numbers: whether answers have their numbers, where all frames are shown.
    """
    match, last = replay.match, None if count is None else first + count
    event, row = match.event, match.row
    clocks = [clock_limits(match, place) for place in range(len(row.seats))]
    is_whole = first == 0 and (last is None or last >= replay.count(seat))
    return {
        "match": match.id,
        "tournament": match.tournament_id,
        "game": event.game,
        "options": event.options,
        "unit": rules(match).game.unit,
        "seat": seat,
        "players": match.players,
        "teams": list(rules(match).game.teams(rules(match).options, replay.seats)),
        "clock": {"move": event.definition.time.move_time_ms * 1000, "bank": event.definition.time.bank_ms * 1000},
        "clocks": [{"move": clock.move, "bank": clock.bank} for clock in clocks],
        "remark": replay.remark or None,
        "result": [
            {"rank": result.rank, "score": in_units(event.game, result.score), "forfeit": result.forfeit}
            for result in row.seats
        ],
        "part": FRAMES_PER_PART,
        "first": first,
        "count": replay.count(seat),
        "scores": [
            [number, [in_units(event.game, score) for score in scores]]
            for number, scores in replay.scores(seat, first, last)
        ],
        "frames": [_frame(frame, write, has_numbers) for frame in replay.frames(seat, last)[first:last]],
        "story": story_values(replay, seat, write, known.get("chances")) if is_whole else None,
        **known,
    }


def story_values(
    replay: Replay, seat: int | None, write: Write = str, chances: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the story of a match as a seat knew it, or the whole story.

    chances: the chances to win of the same perspective; None where they are not known.
    """
    story = story_with_chances(replay, seat, chances)
    return {
        "winners": list(story.winners),
        "title": write(story.title),
        "by": write(story.by),
        "since": write(story.since),
        "moments": [
            {
                "move": moment.frame,
                "event": moment.event,
                "where": write(moment.where),
                "text": write(moment.text),
                "decisive": moment.decisive,
                "note": write(moment.note),
            }
            for moment in story.moments
        ],
        "costly": [
            {
                "move": costly.frame,
                "seat": costly.seat,
                "played": write(costly.move),
                "better": write(costly.better),
                "chance": costly.chance,
                "better_chance": costly.better_chance,
                "cost": costly.cost,
                "error": costly.error,
                "text": write(costly.sentence),
            }
            for costly in costly_moves(replay, chances)
        ],
        "undecided": write(story.undecided),
        "label": write(story.label),
        "line": [[frame, list(values)] for frame, values in story.line] if story.has_line else [],
    }


def opening_values(
    replay: Replay, seat: int | None, move: int, write: Write = str, known: Mapping[str, Any] = NOTHING
) -> dict[str, Any]:
    """Return what a page needs to show one frame: the frames around it, and the tables of its part.

    move: the number of the frame; numbers beyond the last frame mean the last one.
    known: as in `replay_values`.
    """
    move = min(move, replay.count(seat) - 1)
    part = move - move % FRAMES_PER_PART
    values = replay_values(replay, seat, max(0, part - FRAMES_PER_PART), 3 * FRAMES_PER_PART, write, known)
    return values | {"tables": table_values(replay, seat, part, write=write)}


def table_values(
    replay: Replay, seat: int | None, first: int, count: int = FRAMES_PER_PART, write: Write = str
) -> dict[str, Any]:
    """Return the tables of some frames, those of the events before each, and the legal moves.

    Places, zones and items that move are listed once, in `pieces`; scenes and movements refer to them by index.
    """
    pieces: dict[Any, int] = {}
    last = min(first + count, replay.count(seat))
    frames = [replay.event_frames(number, seat) for number in range(first, last)]
    values = {
        "first": first,
        "scenes": [_scene(question.scene, pieces, write) for *_, question in frames],
        "between": [
            [[event.end, _scene(event.scene, pieces, write), _movements(event, pieces, write)] for event in events]
            for *events, _ in frames
        ],
        "moved": [_movements(question, pieces, write) for *_, question in frames],
        "sections": [replay.section(number, seat) for number in range(first, last)],
        "legal": [
            [list(map(write, answer.legal)) for answer in frame.answers]
            for frame in replay.frames(seat, last)[first:last]
        ],
    }
    return values | {"pieces": [json_value(piece, write) for piece in pieces]}


def _scene(scene: Scene, pieces: dict[Any, int], write: Write) -> list[Any]:
    """Return the heading and facts of a scene, and the indices of middle zones, places and board."""
    return [
        write(scene.heading),
        [json_value(fact, write) for fact in scene.facts],
        [pieces.setdefault(zone, len(pieces)) for zone in scene.middle],
        [pieces.setdefault(place, len(pieces)) for place in scene.places],
        *([pieces.setdefault(scene.board, len(pieces))] if scene.board else []),
    ]


def _movements(frame: EventFrame, pieces: dict[Any, int], write: Write) -> list[Any]:
    """Return for each item that moved its index, the seat and label that it came from, and those where it is now."""
    return [
        [pieces.setdefault(moved.item, len(pieces)), *_spot(moved.source, write), *_spot(moved.target, write)]
        for moved in frame.moved
    ]


def _spot(spot: Spot, write: Write) -> list[Any]:
    seat, label = spot
    return [seat, write(label)]


def table_value(frame: EventFrame, write: Write = str) -> dict[str, Any]:
    """Return the table of one event frame by itself, with what moved."""
    return {
        "end": frame.end,
        "scene": {"heading": "", "facts": [], "middle": [], **json_value(frame.scene, write)},
        "moved": [
            {
                "item": json_value(moved.item, write),
                "from": _spot(moved.source, write),
                "to": _spot(moved.target, write),
            }
            for moved in frame.moved
        ],
    }


def round_values(replay: Replay, seat: int | None, write: Write = str) -> list[dict[str, Any]]:
    """Return the rounds of a match as a seat knew them, or all: name, first frame, what each seat won or lost."""
    game = replay.match.event.game
    return [
        {
            "name": write(played.name),
            "frame": played.frame,
            "gains": None if played.gains is None else [in_units(game, gain) for gain in played.gains],
        }
        for played in rounds(replay, seat)
    ]


def json_value(value: Any, write: Write = str) -> Any:
    """Return a part of a scene as JSON values, without empty ones."""
    if isinstance(value, str):
        return write(value) if value else value
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, tuple):
        return [json_value(item, write) for item in value]
    values = {name: json_value(getattr(value, name), write) for name in _field_names(value.__class__)}
    return {name: content for name, content in values.items() if content or name == "seat"}


@cache
def _field_names(kind: Any) -> list[str]:
    return [field.name for field in fields(kind)]


def _frame(frame: Frame, write: Write, has_numbers: bool) -> dict[str, Any]:
    values = {
        "events": list(map(write, frame.events)),
        "asked": list(frame.asked),
        "answers": [_answer(answer, write, has_numbers) for answer in frame.answers],
        "faults": [_fault(fault) for fault in frame.faults],
        "marks": list(frame.marks),
    }
    return {name: value for name, value in values.items() if value}


def _answer(answer: FrameAnswer, write: Write, has_numbers: bool) -> dict[str, Any]:
    values: dict[str, Any] = {"seat": answer.seat, "move": write(answer.move)}
    if answer.ply is not None and has_numbers:
        values["ply"] = answer.ply
    if answer.default:
        values["default"] = True
    if answer.spent is not None:
        values["micros"] = round(answer.spent.micros, 3)  # readers round it again: avoid rounding up twice
        if answer.spent.bank is not None:
            values["bank"] = round(answer.spent.bank)
    if answer.notes:
        values["notes"] = list(map(write, answer.notes))
    if answer.said:
        values["said"] = answer.said
    return values


def _fault(fault: FaultRow) -> dict[str, Any]:
    """Return a fault, without its answer number, which would tell a seat how often others were asked."""
    return {"seat": fault.seat, "kind": fault.kind, "sentence": fault.sentence, "forfeit": fault.forfeit}
