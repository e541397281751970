"""A round as one animated SVG file: a picture after the other, again and again, without scripts.

A place that stays as it is through several steps is held once. Where nothing is animated, the first table is shown.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.language.messages import gettext as _
from arena.replay.picture.canvas import attributes
from arena.replay.picture.picture import bar, document, perspective_of, table_box, title_of, where_of
from arena.replay.picture.table import Banner, TableDrawer, has_few
from arena.replay.picture.words import Words
from arena.replay.replay import Replay
from arena.replay.rounds import Round, rounds
from arena.replay.scene import Scene
from arena.replay.story import story_of
from arena.values.errors import ArenaError

MOST_BYTES = 300_000
"""Of a file. A round that would take more is shown with fewer steps."""
MOST_STEPS = 600
SECONDS, LAST_SECONDS = 0.9, 3.0
"""How long a step is shown, and the last one."""


class NoSuchRound(ArenaError):
    """The match has no round of this number."""


class _Step(NamedTuple):
    move: int
    asked: tuple[int, ...]
    scene: Scene
    is_question: bool


def animation(replay: Replay, number: int, seat: int | None = None) -> str:
    """Return a round as animated SVG, in the language of the current request.

    number: of the round, deal or set in the match, from 1.
    seat: whose knowledge is shown; None, or one that the match does not have: everything.

    Raises NoSuchRound.
    """
    seat = perspective_of(replay, seat)
    played = rounds(replay, seat)
    if not 1 <= number <= len(played):
        known = f"it has the rounds 1 to {len(played)}" if played else "its game has no rounds"
        raise NoSuchRound(f"match {replay.match.id} has no round {number}: {known}")
    steps = list(_steps(replay, seat, played, number))
    questions = [step for step in steps if step.is_question]
    for chosen in (steps, questions, *(questions[::stride] for stride in (2, 4, 8, 16, 32, 64))):
        if len(chosen) <= MOST_STEPS:
            drawn = _drawn(
                replay, seat, chosen if chosen[-1] is steps[-1] else [*chosen, steps[-1]], played[number - 1]
            )
            if len(drawn.encode()) <= MOST_BYTES:
                return drawn
    return _drawn(replay, seat, steps[:1], played[number - 1])


def _steps(replay: Replay, seat: int | None, played: Sequence[Round], number: int) -> Iterator[_Step]:
    """Yield the tables of a round, those after events among them, until the next round begins."""
    first = played[number - 1].frame
    end = played[number].frame if number < len(played) else replay.count(seat)
    frames = replay.frames(seat)
    for move in range(first, max(end, first + 1)):
        for event in replay.event_frames(move, seat):
            is_question = event.end == len(frames[move].events)
            yield _Step(move, frames[move].asked if is_question else (), event.scene, is_question)


def _drawn(replay: Replay, seat: int | None, steps: Sequence[_Step], played: Round) -> str:
    words = Words(replay.match)
    has_board = any(step.scene.board is not None for step in steps)
    drawer = TableDrawer(replay.match.players, table_box(), seat or 0, words, has_board=has_board)
    few = all(has_few(step.scene) for step in steps)
    is_open = all(not step.scene.middle for step in steps)
    last = replay.count(seat) - 1
    title = f"{title_of(replay)}, {words.of(played.name)}"
    slots: list[list[str]] = [[] for _place in range(replay.seats + 2)]
    for step in steps:
        slots[-2].append(drawer.middle(step.scene, _banner(replay, seat, step, last), is_open=is_open))
        slots[-1].append(bar(title_of(replay), where_of(step.move, last, seat)))
        for place in step.scene.places:
            asked, seen = place.seat in step.asked, place.seat == seat
            slots[place.seat].append(drawer.place(place, asked=asked, seen=seen, few=few))
    starts = [SECONDS * place for place in range(len(steps))]
    seconds = starts[-1] + LAST_SECONDS
    parts = [part for slot in slots for part in _animated(slot, [start / seconds for start in starts], seconds)]
    return document(parts, drawer.faces.definitions(), f"{title}, {_('move {0} of {1}', steps[0].move, last)}")


def _banner(replay: Replay, seat: int | None, step: _Step, last: int) -> Banner | None:
    if step.move < last or not step.is_question:
        return None
    story = story_of(replay, seat)
    return Banner(story.title, story.by, story.since)


def _animated(shown: Sequence[str], starts: Sequence[float], seconds: float) -> Iterator[str]:
    """Yield each different look of a part of the table once, visible while it is shown.

    starts: when each step begins, as parts of the whole.
    """
    for look in dict.fromkeys(shown):
        if all(other == look for other in shown):
            yield look
            continue
        turns = [
            place for place, other in enumerate(shown) if not place or (other == look) != (shown[place - 1] == look)
        ]
        values = ";".join("visible" if shown[place] == look else "hidden" for place in turns)
        timing = attributes(
            {
                "attributeName": "visibility",
                "values": values,
                "keyTimes": ";".join(f"{starts[place]:.5g}" for place in turns),
                "calcMode": "discrete",
                "dur": f"{seconds:g}s",
                "repeatCount": "indefinite",
            }
        )
        first = attributes({"visibility": None if shown[0] == look else "hidden"})
        yield f"<g{first}>{look}<animate{timing}/></g>"
