"""The rules of a game as a page."""

from arena.language.languages import LANGUAGE
from arena.language.messages import gettext as _
from arena.viewer.html import tag
from arena.viewer.rule_pages import article
from arena.web.pages.layout import content, page, sheet
from referee.engine.game import Game


def rules(game: Game) -> str:
    """Return the page. Raises NoPage if the game comes without one."""
    title, text = article(game, LANGUAGE.get())
    return page(
        _("rules of {0}", game.name),
        content(title, tag("p", {"class": "soft"}, _(game.title)), sheet(text)),
        styles=("site.css", "rules.css"),
        language=LANGUAGE.get(),
    )
