"""A season of a league: how far it is, and its final table."""

from arena.league.results.season_report import SeasonReport
from arena.server.templates import TEMPLATES


def show(report: SeasonReport) -> str:
    """Return the page."""
    return TEMPLATES.page(
        "leagues/season.html",
        league=report.league.name,
        season=report.season,
        state=report.sentence or "goes on",
        places=report.places,
    )
