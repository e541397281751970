"""A match as the live page of a league shows it: drawn and packed once for all who watch.

It has what everybody may see of a match: no notes, no output, no times. Its texts are messages, as those who watch it
read different languages.
"""

import json
from base64 import b64encode
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zlib import compress

from arena.language.message import parts
from arena.league.run.live_matches import LiveMatch
from arena.record.played_rules import rules
from arena.replay.html import Element
from arena.replay.json_values import table_values
from arena.replay.replay import Replay
from arena.server.templates import TEMPLATES
from arena.values.rows import BatchEventRow, StoredMatch
from referee.engine.registry import in_units

MOST_FRAMES = 200
"""Of a long match the last so many are shown."""

LIVE_FRAMES = 24
"""The newest frames of a match under way that are sent; a page that has shown earlier ones goes on from there."""

USUAL_SECONDS = 50.0
"""In which a match is shown, if that is neither too slow nor too quick to follow."""

SLOWEST, QUICKEST = 1.0, 4.0
"""Events a second."""

RESULT_SECONDS = 6.0
"""For which the result is shown, before the next match."""


_frames = TEMPLATES.macro("watch/parts.html", "frames")
not_shown_element = TEMPLATES.macro("watch/parts.html", "not_shown")
"""Return the element that tells the scripts how many matches are under way that are not shown yet."""


@dataclass(frozen=True, slots=True)
class ShownTable:
    """What a table of the page shows."""

    key: str
    """Names the match; frames of the same match under way have the same."""
    title: tuple[str, ...]
    """The names of the bots, by seat."""
    batch: int
    ended: str | None
    """When its batch was stored, in UTC; None while the match is under way."""
    match: int | None
    """The id of the match; None while it is not stored."""
    seconds: float
    """How long it takes to show it."""
    packed: str
    """Its frames as JSON, compressed, in base64."""


def frames_element(place: int, table: ShownTable | None) -> Element:
    """Return the element that hands the scripts of the page what a table shows.

    place: of the table on the page, from 0.
    table: None: nothing.
    """
    ended = None if table is None or table.ended is None else datetime.fromisoformat(table.ended).timestamp() * 1000
    return _frames(place, table, None if ended is None else round(ended))


def stored_table(match: StoredMatch, ended: str | None) -> ShownTable:
    """Return a stored match.

    match: without what visitors may not see.
    ended: when its batch was stored, in UTC.

    Raises UnknownGame, OptionError or RecordError if the installed rules cannot replay it.
    """
    replay = Replay(match)
    first = max(0, replay.count() - MOST_FRAMES)
    values = _values(replay, first)
    steps = sum(1 + len(events) for events in values["tables"]["between"])
    values["rate"] = rate = min(max(steps / USUAL_SECONDS, SLOWEST), QUICKEST)
    values["result"] = _result(match)
    return _shown(match, f"match {match.id}", values, ended, match.id, steps / rate + RESULT_SECONDS)


def live_table(event: BatchEventRow, live: LiveMatch) -> ShownTable:
    """Return a match under way: its newest frames, and its result once it is over.

    event: its batch.

    Raises as `stored_table`.
    """
    match = StoredMatch(0, event, live.row)
    replay = Replay(match)
    values = _values(replay, max(0, replay.count() - LIVE_FRAMES))
    values["live"] = True
    if live.is_over:
        values["result"] = _result(match)
    return _shown(match, "live {} {} {}".format(*live.key), values, None, None, 0.0)


def _result(match: StoredMatch) -> list[tuple[int, int | float]]:
    """Return rank and score, by seat."""
    return [(seat.rank, in_units(match.event.game, seat.score)) for seat in match.row.seats]


def _values(replay: Replay, first: int) -> dict[str, Any]:
    tables = table_values(replay, None, first, replay.count() - first, parts)
    del tables["legal"], tables["sections"]
    frames = replay.frames()
    return {
        "players": replay.match.players,
        "unit": rules(replay.match).game.unit,
        "deal": replay.match.row.deal,
        "rotation": replay.match.row.rotation,
        "count": len(frames),
        "asked": [list(frame.asked) for frame in frames[first:]],
        "tables": tables,
    }


def _shown(
    match: StoredMatch, key: str, values: dict[str, Any], ended: str | None, id: int | None, seconds: float
) -> ShownTable:
    assert isinstance(match.event, BatchEventRow)
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    packed = b64encode(compress(text.encode(), 6)).decode()
    return ShownTable(key, tuple(match.players), match.event.batch, ended, id, seconds, packed)
