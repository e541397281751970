"""Matches of one deal side by side: the same cards in the hands of others. The scripts load what is shown."""

from collections.abc import Container, Sequence
from typing import NamedTuple

from arena.language.languages import LANGUAGE
from arena.language.messages import gettext as _
from arena.language.page_words import script_name
from arena.replay.keys import COMPARED
from arena.replay.readable import match_codes
from arena.replay.renderer import table_scripts
from arena.replay.replay_page import key_help, transport
from arena.replay.static import COMPARING
from arena.server.files import art_address
from arena.server.matches.deal import DealMatch, deal_match
from arena.server.matches.replay import batch_of
from arena.server.templates import TEMPLATES
from arena.values.rows import ListedMatch, StoredMatch

MOST = 4
"""The largest number of matches that stand side by side."""


_shown_round = TEMPLATES.macro("matches/parts.html", "shown_round")
_beside_tools = TEMPLATES.macro("matches/parts.html", "beside_tools")


class Side(NamedTuple):
    """One of the replays that stand side by side."""

    base: str
    """The path of the page of the replay."""
    name: str
    """What the replay is called on the page."""


def show(match: StoredMatch, sides: Sequence[ListedMatch], others: Sequence[ListedMatch]) -> str:
    """Return the page.

    sides: the matches that are shown, `match` first.
    others: the matches that it can be compared with.
    """
    return compared(
        match,
        [Side(f"/matches/{side.id}", _("match {0}", side.id)) for side in sides],
        [deal_match(other) for other in others],
        {side.id for side in sides},
    )


def compared(
    match: StoredMatch,
    sides: Sequence[Side],
    others: Sequence[DealMatch] = (),
    shown: Container[int] = (),
    *,
    remark: str | None = None,
) -> str:
    """Return the page of some replays of the deal of a match.

    others: the matches that can be chosen.
    shown: the ids of those that are shown.
    remark: what is said of what is shown; None for the choice of others.
    """
    game = match.event.game
    return TEMPLATES.page(
        "matches/compare.html",
        translated=True,
        game=game,
        art=art_address(game),
        codes=match_codes(match),
        deal=match.row.deal,
        tournament=match.tournament_id,
        batch=batch_of(match),
        seats=range(len(match.row.seats)),
        sides=sides,
        match=match.id,
        others=others,
        shown=shown,
        most=MOST,
        remark=remark,
        transport=transport(_shown_round(), _beside_tools(), events=False),
        key_help=key_help(COMPARED),
        scripts=["words.js", *script_name(LANGUAGE.get()), *table_scripts(game), *COMPARING, "compare.js"],
    )
