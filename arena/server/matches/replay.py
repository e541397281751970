"""The replay player of a match. The page holds nothing of the match: its scripts load it."""

from collections.abc import Sequence

from arena.hooks.specifications import MatchPart
from arena.language.languages import LANGUAGE
from arena.language.messages import gettext as _
from arena.language.page_words import script_name
from arena.record.played_rules import rules
from arena.replay.html import Child, Element, tag
from arena.replay.replay_page import head, player
from arena.replay.rules_drawer import rules_drawer
from arena.replay.static import SCRIPTS
from arena.server.files import address, art_address
from arena.server.leagues.league_parts import batch_link, league_link
from arena.server.matches.deal import other_matches
from arena.server.pages.layout import page, tournament_link
from arena.values.rows import BatchEventRow, ListedMatch, StoredMatch

UNSEEN = {"anew": "redealt", "same": "unchanged"}
"""What happens to the cards and dice that a seat could not know when a match is continued."""


def event_link(match: StoredMatch) -> tuple[Child, ...]:
    """Return the tournament or batch of a match as links, followed by a comma; nothing for a single match."""
    if match.tournament_id is not None:
        return (tournament_link(match.tournament_id, _("tournament {0}", match.tournament_id)), ", ")
    if isinstance(event := match.event, BatchEventRow):
        batch = batch_link(event.league, event.batch, _("batch {0}", event.batch))
        return (_("league"), " ", league_link(event.league), ", ", batch, ", ")
    return ()


def show(
    match: StoredMatch,
    listed: Sequence[ListedMatch] = (),
    *,
    playable: bool = False,
    parts: Sequence[MatchPart] = (),
) -> str:
    """Return the page.

    listed: the matches of its deal.
    playable: whether it has the form to continue the match by hand.
    parts: what packages add.
    """
    event, row = match.event, match.row
    options = "".join(f", {name}={value}" for name, value in sorted(event.options.items()))
    return page(
        _("Match {0}: {1}", match.id, event.game),
        tag(
            "main",
            {"id": "content"},
            tag(
                "div",
                {
                    "id": "replay",
                    "data-base": f"/matches/{match.id}",
                    "data-game": event.game,
                    "data-art": art_address(event.game),
                    **{name: value for part in parts for name, value in part.attributes.items()},
                },
                head(
                    _("Match {0}: {1}", match.id, event.game),
                    [*event_link(match), _("deal {0}, rotation {1}", row.deal, row.rotation) + options],
                    match.players,
                    [None, *range(len(match.players))],
                    [tool for part in parts for tool in part.tools],
                    save_menu(),
                    other_matches(match, listed),
                    _continue(match.id) if playable else None,
                    standstill_ms=row.standstill_ms,
                ),
                player(match.players, rules_drawer(*rules(match))),
            ),
        ),
        here="/matches",
        kind="replay",
        language=LANGUAGE.get(),
        styles=("player.css", "items.css", "rules.css"),
        first_scripts=["preload.js"],
        scripts=[
            *player_scripts(),
            *(["continue.js"] if playable else []),
            *(name for part in parts for name in part.scripts),
        ],
    )


def player_scripts() -> list[str]:
    """Return the scripts of the player, with the words of the language of the page."""
    rest = [name for name in SCRIPTS if name not in ("theme.js", "words.js")]
    return ["words.js", *script_name(LANGUAGE.get()), *rest]


def save_menu(*, has_questions: bool = True) -> Element:
    """Return the choice to save the shown position.

    has_questions: whether its question can be saved, too.
    """
    forms = ["scenario", *(["question"] if has_questions else []), "png", "svg"]
    words = {
        "scenario": _("scenario file"),
        "question": _("question file"),
        "png": _("picture (PNG)"),
        "svg": _("picture (SVG)"),
    }
    options = [tag("option", {"value": form}, words[form]) for form in forms]
    button = tag(
        "button", {"type": "button", "id": "save", "data-script": address("save.js")}, _("save this position as")
    )
    select = tag("select", {"id": "save-form", "aria-label": _("form")}, options)
    return tag("div", {"class": "actions"}, tag("div", {"class": "of"}, button, select))


def _continue(match: int) -> Element:
    return tag(
        "form",
        {"id": "continue", "method": "post", "action": f"/matches/{match}/continue"},
        tag("input", {"type": "hidden", "name": "frame", "value": 0}),
        tag("input", {"type": "hidden", "name": "seat", "value": ""}),
        tag(
            "label",
            {},
            _("hidden cards and dice"),
            " ",
            tag("select", {"name": "unseen"}, [tag("option", {"value": how}, _(told)) for how, told in UNSEEN.items()]),
        ),
        tag("button", {"title": _("play on by hand from this moment, against the same bots")},
            _("continue from here")),
    )  # fmt: skip
