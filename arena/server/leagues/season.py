"""A season of a league: how far it is, and its final table."""

from collections.abc import Mapping

from arena.language.messages import gettext as _
from arena.language.messages import translate
from arena.league.results.season_report import SeasonReport
from arena.server.templates import TEMPLATES


def show(report: SeasonReport, names: Mapping[str, str]) -> str:
    """Return the page.

    names: the display names of accounts that the visitor sees.
    """
    return TEMPLATES.page(
        "leagues/season.html",
        translated=True,
        league=report.league.name,
        season=report.season,
        state=translate(report.sentence) if report.sentence else _("goes on"),
        places=report.places,
        names=names,
    )
