"""The replay player of one match. The page itself holds nothing of what happened: that is asked for."""

from arena.store.rows import StoredMatch
from arena.viewer.html import tag
from arena.viewer.player import player
from arena.viewer.static import SCRIPTS
from arena.web.pages.layout import page, tournament_link


def show(match: StoredMatch) -> str:
    """Return the page."""
    played_in, row = match.tournament, match.row
    where = ("of ", tournament_link(played_in.id), ", ") if played_in.id is not None else ()
    options = "".join(f", {name}={value}" for name, value in sorted(played_in.options.items()))
    return page(
        f"Match {match.id}: {played_in.game}",
        tag(
            "main",
            {"id": "content"},
            tag(
                "div",
                {"class": "head"},
                tag("h1", {}, f"Match {match.id}: {played_in.game}"),
                tag("span", {"class": "soft"}, where, f"deal {row.deal}, rotation {row.rotation}{options}"),
            ),
            tag(
                "div",
                {"id": "replay", "data-base": f"/matches/{match.id}"},
                player(match.players, [None, *range(len(match.players))]),
            ),
        ),
        here="/matches",
        styles=("player.css",),
        scripts=[name for name in SCRIPTS if name != "theme.js"],
    )
