"""The page of a match: the replay page that is served, with the replay inside instead of behind it.

The replay is packed, as its perspectives are much alike; the browser unpacks it. Pages that are opened from a folder
may load scripts, but no data, so it cannot be a file of its own, and the drawings come as a script.
"""

import json

from arena.record.played_rules import rules
from arena.replay import static
from arena.replay.document import packed_data
from arena.replay.html import fragment
from arena.replay.renderer import art, table_scripts
from arena.replay.replay import Replay
from arena.replay.replay_page import head, player
from arena.replay.rules_drawer import rules_drawer
from arena.replay.static import PLAYER
from arena.values.rows import StoredMatch
from arena_site.frame import SiteFrame
from arena_site.plan import SitePlan
from arena_site.templates import TEMPLATES

_details = TEMPLATES.macro("parts.html", "details")


def match_page(frame: SiteFrame, plan: SitePlan, match: StoredMatch) -> str:
    """Return the page of a match, seen by everybody and by each seat.

    Raises EngineError if its record does not fit the installed rules.
    """
    replay = Replay(match)
    perspectives = [None, *range(replay.seats)]
    title = f"Match {match.id}: {match.event.game}"
    names = ["all" if perspective is None else perspective for perspective in perspectives]
    return frame.page(
        "replay.html",
        plan.match_page(match.id),
        title=title,
        perspectives=json.dumps(names),
        head=head(
            title,
            [_details(plan.tournament, match.row.deal, match.row.rotation)],
            match.players,
            perspectives,
            standstill_ms=match.row.standstill_ms,
        ),
        player=fragment(player(match.players, rules_drawer(*rules(match), linked=False))),
        packed=packed_data(replay, perspectives),
        scripts=["words.js", *table_scripts(match.event.game), *PLAYER],
        drawings=plan.art,
    )


def art_script(game: str) -> str | None:
    """Return a script that adds the drawings of a game to a page; None if it has none."""
    sheets = "".join(static.text(name) for name in art(game))
    return f'"use strict";\ndocument.body.insertAdjacentHTML("beforeend", {json.dumps(sheets)});\n' if sheets else None
