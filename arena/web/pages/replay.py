"""The replay player of a match. The page holds nothing of the match: its scripts load it."""

from arena.language.languages import LANGUAGE
from arena.language.messages import gettext as _
from arena.language.page_words import script_name
from arena.replay.played_rules import rules
from arena.store.rows import BatchEventRow, StoredMatch
from arena.viewer.html import Child, Element, tag
from arena.viewer.replay_page import head, player
from arena.viewer.rules_drawer import rules_drawer
from arena.viewer.static import SCRIPTS
from arena.web.files import art_address
from arena.web.pages.layout import page, tournament_link
from arena.web.pages.league_parts import batch_link, league_link

UNSEEN = {"anew": "redealt", "same": "unchanged"}
"""What happens to the cards and dice that a seat could not know when a match is continued."""


def show(match: StoredMatch, *, playable: bool = False) -> str:
    """Return the page. playable: whether it has the form to continue the match by hand."""
    event, row = match.event, match.row
    where: tuple[Child, ...] = ()
    if match.tournament_id is not None:
        where = ("of ", tournament_link(match.tournament_id), ", ")
    elif isinstance(event, BatchEventRow):
        where = (
            batch_link(event.league, event.batch, f"batch {event.batch}"),
            " of league ",
            league_link(event.league),
            ", ",
        )
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
                },
                head(
                    _("Match {0}: {1}", match.id, event.game),
                    [*where, _("deal {0}, rotation {1}", row.deal, row.rotation) + options],
                    match.players,
                    [None, *range(len(match.players))],
                    _continue(match.id) if playable else None,
                ),
                player(match.players, rules_drawer(*rules(match))),
            ),
        ),
        here="/matches",
        language=LANGUAGE.get(),
        styles=("player.css", "items.css", "rules.css"),
        scripts=[
            "words.js",
            *script_name(LANGUAGE.get()),
            *(name for name in SCRIPTS if name not in ("theme.js", "words.js")),
            *(["continue.js"] if playable else []),
        ],
    )


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
