"""The replay player of a match. The page holds nothing of the match: its scripts load it."""

from collections.abc import Sequence

from arena.hooks.specifications import MatchPart, Preview
from arena.language.languages import LANGUAGE
from arena.language.message import Message
from arena.language.messages import gettext as _
from arena.language.page_words import script_name
from arena.record.played_rules import rules
from arena.replay.html import fragment
from arena.replay.readable import match_codes
from arena.replay.renderer import table_scripts
from arena.replay.replay_page import head, player
from arena.replay.rules_drawer import rules_drawer
from arena.replay.static import PLAYER
from arena.server.files import art_address
from arena.server.matches.deal import other_matches
from arena.server.templates import TEMPLATES
from arena.values.rows import BatchEventRow, ListedMatch, StoredMatch

UNSEEN = {"anew": "redealt", "same": "unchanged"}
"""What happens to the cards and dice that a seat could not know when a match is continued."""


_details = TEMPLATES.macro("matches/parts.html", "details")
_continue_form = TEMPLATES.macro("matches/parts.html", "continue_form")
save_menu = TEMPLATES.macro("matches/parts.html", "save_menu")
"""Return the choice to save the shown position. Its parameter: whether its question can be saved, too."""


def batch_of(match: StoredMatch) -> tuple[str, int] | None:
    """Return league and number of the batch of a match; None for other matches."""
    event = match.event
    return (event.league, event.batch) if isinstance(event, BatchEventRow) else None


def show(
    match: StoredMatch,
    listed: Sequence[ListedMatch] = (),
    *,
    stage: Message | None = None,
    playable: bool = False,
    parts: Sequence[MatchPart] = (),
    preview: Preview | None = None,
) -> str:
    """Return the page.

    listed: the matches of its deal.
    stage: what the stage of its tournament is called; None where that has none.
    playable: whether it has the form to continue the match by hand.
    parts: what packages add.
    preview: what other sites show beside a link to it; None: nothing.
    """
    event, row = match.event, match.row
    options = "".join(f", {name}={value}" for name, value in sorted(event.options.items()))
    title = _("Match {0}: {1}", match.id, event.game)
    return TEMPLATES.page(
        "matches/replay.html",
        translated=True,
        title=title,
        preview=preview,
        base=f"/matches/{match.id}",
        game=event.game,
        art=art_address(event.game),
        codes=match_codes(match),
        sheet=f"/matches/{match.id}/sheet",
        attributes={name: value for part in parts for name, value in part.attributes.items()},
        head=head(
            title,
            [_details(match.tournament_id, batch_of(match), stage, row.deal, row.rotation, options)],
            match.players,
            [None, *range(len(match.players))],
            [tool for part in parts for tool in part.tools],
            save_menu(),
            other_matches(match, listed),
            _continue_form(match.id, UNSEEN) if playable else None,
            standstill_ms=row.standstill_ms,
        ),
        player=fragment(player(match.players, rules_drawer(*rules(match)))),
        first_scripts=["preload.js"],
        scripts=[
            *player_scripts(event.game),
            *(["continue.js"] if playable else []),
            *(name for part in parts for name in part.scripts),
        ],
    )


def player_scripts(game: str) -> list[str]:
    """Return the scripts of the player of a game, with the words of the language of the page."""
    return ["words.js", *script_name(LANGUAGE.get()), *table_scripts(game), *PLAYER]
