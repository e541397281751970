"""A replay in a frame of another page: the table with its controls."""

from arena.language.messages import gettext as _
from arena.record.played_rules import rules
from arena.replay.html import fragment
from arena.replay.readable import match_codes
from arena.replay.replay_page import head, player
from arena.replay.rules_drawer import rules_drawer
from arena.server.files import art_address
from arena.server.matches.replay import player_scripts
from arena.values.rows import StoredMatch
from arena_share.templates import TEMPLATES

_full_link = TEMPLATES.macro("parts.html", "full_link")
frame_button = TEMPLATES.macro("parts.html", "frame_button")
"""Return the button that copies the code by which another page shows a match."""


def show(match: StoredMatch) -> str:
    """Return the page."""
    game, path = match.event.game, f"/matches/{match.id}"
    title = _("Match {0}: {1}", match.id, game)
    return TEMPLATES.page(
        "embed.html",
        translated=True,
        title=title,
        base=path,
        game=game,
        art=art_address(game),
        codes=match_codes(match),
        picture=f"{path}/picture.svg?move=999999999",
        head=head(_full_link(path, title), [], match.players, [None, *range(len(match.players))]),
        player=fragment(player(match.players, rules_drawer(*rules(match)))),
        scripts=player_scripts(game),
    )
