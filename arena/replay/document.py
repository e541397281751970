"""A replay as one HTML file, which opens without a server and loads nothing from elsewhere."""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from gzip import compress
from hashlib import sha256
from typing import Any

from arena.language.message import parts
from arena.record.match_verification import check_match
from arena.record.played_rules import rules
from arena.replay import static
from arena.replay.html import Element, document, drawing, raw, tag
from arena.replay.json_values import FRAMES_PER_PART, replay_values, table_values
from arena.replay.known_values import Known
from arena.replay.readable import match_codes
from arena.replay.renderer import art, table_scripts
from arena.replay.replay import Replay
from arena.replay.replay_page import head, player, theme_button
from arena.replay.rules_drawer import rules_drawer

PACKED = {"type": "application/octet-stream", "id": "replay-data", "data-packed": "gzip"}
"""The attributes of the element with the packed data, which scripts unpack."""


def page(replay: Replay, perspectives: Sequence[int | None], known: Known | None = None) -> str:
    """Return the page.

    perspectives: the seats whose knowledge it contains; None stands for the whole match.
    known: for those perspectives of which packages know more.
    """
    match = replay.match
    style = "\n".join(map(static.text, static.STYLES))
    names = (*static.FIRST, *table_scripts(match.event.game), *static.PLAYER)
    scripts = [static.text(name) for name in names]
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {' '.join(map(_hash, scripts))}; "
        "base-uri 'none'; form-action 'none'"
    )
    title = f"match {match.id}: {match.event.game}"
    return document(
        (
            tag("title", {}, title),
            tag("meta", {"http-equiv": "Content-Security-Policy", "content": policy}),
            raw("style", {}, style),
        ),
        (
            tag(
                "main",
                {
                    "id": "replay",
                    "data-perspectives": json.dumps(
                        ["all" if perspective is None else perspective for perspective in perspectives]
                    ),
                    "data-codes": match_codes(match),
                },
                _head(replay, perspectives),
                player(match.players, rules_drawer(*rules(match), linked=False)),
            ),
            [drawing(static.text(name)) for name in art(match.event.game)],
            raw("script", PACKED, packed_data(replay, perspectives, known)),
            [raw("script", {}, script) for script in scripts],
        ),
        kind="replay",
    )


def _head(replay: Replay, perspectives: Sequence[int | None]) -> Element:
    match = replay.match
    where = f" of tournament {match.tournament_id}" if match.tournament_id else ""
    return head(
        f"Match {match.id}{where}: {match.event.game}",
        [f"deal {match.row.deal}, rotation {match.row.rotation}"],
        match.players,
        perspectives,
        theme_button(),
        standstill_ms=match.row.standstill_ms,
    )


def packed_data(replay: Replay, perspectives: Sequence[int | None], known: Known | None = None) -> str:
    """Return the text of the element with what a page holds of a replay, packed: its tables are much alike.

    perspectives, known: as in `page`.
    """
    values = replay_data(replay, perspectives, known)
    data = json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()
    return b64encode(compress(data, 9, mtime=0)).decode()


def replay_data(replay: Replay, perspectives: Sequence[int | None], known: Known | None = None) -> dict[str, Any]:
    """Return all that a page holds of a replay, as JSON values; perspectives and known as in `page`."""
    known = known or {}
    verdict = check_match(replay.match)
    return {
        "perspectives": {
            "all" if perspective is None else str(perspective): _perspective(
                replay, perspective, len(perspectives) > 1, known.get(perspective, {})
            )
            for perspective in perspectives
        },
        "outputs": {
            str(seat): {"text": output.text}
            for seat, output in replay.match.outputs.items()
            if None in perspectives or seat in perspectives
        },
        "verdict": {"wrong": verdict.wrong, "remarks": verdict.remarks},
    }


def _perspective(replay: Replay, perspective: int | None, several: bool, known: Mapping[str, Any]) -> dict[str, Any]:
    frames = replay.frames(perspective)
    values: dict[str, Any] = {
        "replay": replay_values(replay, perspective, write=parts, known=known),
        "tables": [
            table_values(replay, perspective, first, write=parts) for first in range(0, len(frames), FRAMES_PER_PART)
        ],
    }
    # Positions tell how often others were asked: a file for one seat has none.
    return values | {"positions": [frame.position for frame in frames]} if several else values


def _hash(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
