"""The table at a frame as one SVG file, in the size that previews of links have."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.language.messages import gettext as _
from arena.replay.picture import sheets
from arena.replay.picture.canvas import FONT, Canvas
from arena.replay.picture.geometry import Box
from arena.replay.picture.table import Banner, TableDrawer, has_few
from arena.replay.picture.words import Words, clean, fitted, width
from arena.replay.replay import Replay
from arena.replay.story import story_of

WIDTH, HEIGHT = 1200, 630
"""The size of previews that all services show whole."""
BAR = 46
"""The height of the line with the names of match and moment."""
EDGE = 8


class Moment(NamedTuple):
    """What of a match is shown."""

    move: int = 0
    """The number of a frame; numbers beyond the last frame mean the last one."""
    event: int | None = None
    """The number of an event before it, from 0; None, or one too large: the frame itself."""
    seat: int | None = None
    """Whose knowledge is shown; None: everything."""


def picture(replay: Replay, moment: Moment) -> str:
    """Return the table at a moment as SVG, in the language of the current request."""
    seat = perspective_of(replay, moment.seat)
    last = replay.count(seat) - 1
    move = min(moment.move, last)
    frame = replay.frames(seat, move + 1)[move]
    steps = replay.event_frames(move, seat)
    step = len(steps) - 1 if moment.event is None else min(moment.event, len(steps) - 1)
    is_whole = step == len(steps) - 1
    banner = None
    if move == last and is_whole:
        story = story_of(replay, seat)
        banner = Banner(story.title, story.by, story.since)
    words = Words(replay.match)
    scene = steps[step].scene
    drawer = TableDrawer(replay.match.players, table_box(), seat or 0, words, has_board=scene.board is not None)
    few, is_open = has_few(scene), not scene.middle
    asked = frame.asked if is_whole else ()
    parts = [
        *(drawer.place(place, asked=place.seat in asked, seen=place.seat == seat, few=few) for place in scene.places),
        drawer.middle(scene, banner, is_open=is_open),
    ]
    return document(
        [bar(title_of(replay), where_of(move, last, seat)), *parts],
        drawer.faces.definitions(),
        f"{title_of(replay)}, {_('move {0} of {1}', move, last)}",
    )


def table_box() -> Box:
    """Return where the table is in a picture."""
    return Box(EDGE, BAR, WIDTH - 2 * EDGE, HEIGHT - BAR - EDGE)


def title_of(replay: Replay) -> str:
    """Return what a match is called."""
    return _("Match {0}: {1}", replay.match.id, replay.match.event.game)


def perspective_of(replay: Replay, seat: int | None) -> int | None:
    """Return whose knowledge is shown: that of a seat if the match has it, or all."""
    return seat if seat is not None and seat < replay.seats else None


def where_of(move: int, last: int, seat: int | None) -> str:
    """Return the words of a moment: its number, and whose knowledge is shown."""
    where = _("move {0} of {1}", move, last)
    return where if seat is None else f"{_('seen by')} {_('seat {0}', seat)} · {where}"


def bar(title: str, where: str) -> str:
    """Return the line above a table."""
    canvas, colours = Canvas(), sheets.colours()
    canvas.shape("rect", width=WIDTH, height=BAR - 4, fill=colours["felt-edge"])
    canvas.text(EDGE + 6, 29, "arena", 22, colours["turn"], font_weight="700")
    room = WIDTH - 110 - width(where, 19) - 30
    canvas.text(98, 29, fitted(clean(title), 21, room, bold=True), 21, colours["felt-ink"], font_weight="600")
    canvas.text(WIDTH - EDGE - 6, 29, where, 19, colours["felt-soft"], text_anchor="end")
    return str(canvas)


def document(parts: Sequence[str], definitions: str, title: str) -> str:
    """Return a file.

    parts: its markup.
    definitions: the drawings that this uses.
    title: what the picture is called.
    """
    canvas = Canvas()
    for part in parts:
        canvas.add(part)
    ground = Canvas()
    ground.shape("rect", width=WIDTH, height=HEIGHT, fill=sheets.colours()["felt"])
    named = Canvas()
    named.title(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" font-family="{FONT}">{named}<defs>{definitions}</defs>{ground}{canvas}</svg>\n'
    )
