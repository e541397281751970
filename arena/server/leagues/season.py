"""A season of a league: how far it is, and its final table."""

from arena.league.results.season_report import SeasonReport
from arena.league.results.season_table import SeasonPlace
from arena.league.store.league_rows import EntryRow
from arena.ratings.elo_text import elo_text
from arena.replay.html import Child, tag
from arena.server.leagues.league_parts import entry_link, league_path, listing, moment, trail
from arena.server.pages.layout import content, count, page, sheet

HEADERS = ("rank", "bot", "author", "final Elo", "± 95 %", "points", "deals", "season Elo")

NOTE = (
    "The finalists, the best entry of each of the best authors, met at all tables equally often. They are ranked by "
    "the joint fit of these matches alone, with their mean as 0; the others by their ratings when the season was "
    "frozen. Points: 1 for each that a bot was placed above, a half for each tie."
)


def show(report: SeasonReport) -> str:
    """Return the page."""
    season, name = report.season, report.league.name
    ended = ("ended ", moment(season.ended), " UTC") if season.ended is not None else report.sentence or "goes on"
    title = f"Season {season.number} of {name}"
    body = content(
        f"Season {season.number}",
        trail(name, f"season {season.number}"),
        tag("p", {"class": "soft"}, f"from {season.first_day} · ", ended),
        sheet(
            listing(
                HEADERS,
                [_row(name, *each) for each in report.places],
                _empty(report),
                numbers=(0, 3, 4, 5, 6, 7),
                spare=(2, 6, 7),
                sortable=True,
            ),
            tag("p", {"class": "soft"}, NOTE) if report.places else None,
        ),
        tag("p", {}, tag("a", {"href": f"{league_path(name)}/batches"}, "batches and secrets")),
    )
    return page(title, body, here="/leagues", styles=("site.css", "league.css"), scripts=("sort.js",))


def _row(league: str, place: SeasonPlace, entry: EntryRow) -> tuple[Child, ...]:
    score = place.final
    left = (" ", tag("span", {"class": "soft"}, "left the final")) if place.has_left else None
    return (
        "-" if place.rank is None else place.rank,
        (entry_link(league, entry), left),
        entry.owner,
        "-" if score is None else elo_text(score.elo, score.bound),
        "-" if score is None or score.ci95 is None else f"{score.ci95:.0f}",
        "-" if score is None else f"{score.points:g} of {score.comparisons}",
        count(place.deals if score is None else score.deals),
        f"{place.elo:+d}",
    )


def _empty(report: SeasonReport) -> str:
    return "It ended without a final." if report.season.ended is not None else "The final table comes with its end."
