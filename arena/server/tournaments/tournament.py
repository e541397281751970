"""The page of a tournament: progress, ranking, crosstable, meetings, failures and newest matches."""

from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from arena.hooks.plugins import plugins
from arena.ratings.crosstable import Crosstable
from arena.replay.html import Child, Element, tag
from arena.server.access import Access
from arena.server.bots import failures
from arena.server.matches.match_list import listing
from arena.server.pages.layout import bot_link, content, count, page, sheet, wide
from arena.server.tournaments.downloads import has_parquet
from arena.server.tournaments.meeting_matrices import meetings
from arena.server.tournaments.ranking import Links, ranking
from arena.server.tournaments.ranking_cache import CachedRanking
from arena.store import Store
from arena.values.rows import TournamentRow

MOST = 60
"""The largest crosstable that is drawn; it shows the best bots."""


def show(store: Store, tournament: TournamentRow, ranked: CachedRanking, access: Access) -> str:
    """Return the page of a tournament."""
    newest = store.matches(tournament=tournament.id, limit=10)
    over = tournament.finished is not None
    summary, table, *crossed = computed(tournament, ranked)
    title = f"Tournament {tournament.id}: {tournament.game}"
    return page(
        title,
        content(
            title,
            summary,
            _progress(tournament, ranked.count),
            sheet(tag("h2", {}, "Ranking"), table),
            _downloads(tournament.id),
            *crossed,
            failures.newest(store, access, tournament=tournament.id),
            sheet(
                tag("h2", {}, "Newest matches"),
                tag("div", {"id": "newest"}, listing(newest)),
                tag(
                    "p",
                    {},
                    tag("a", {"href": f"/matches?tournament={tournament.id}"}, "all matches of this tournament"),
                ),
            ),
        ),
        here="/",
        styles=("site.css",),
        scripts=("sort.js",) if over else ("sort.js", "dom.js", "live.js"),
    )


def computed(tournament: TournamentRow, ranked: CachedRanking, *, has_reports: bool = True) -> list[Element]:
    """Return the parts of the page that change with the matches: the facts, ranking, crosstable and meetings.

    has_reports: whether the ranking has links to the reports on the bots.
    """
    facts = [tag("p", {"class": "soft"}, line) for line in _facts(tournament, ranked)]
    return [
        tag("div", {"class": "summary", "id": "summary"}, facts),
        ranking(ranked.standings.table, ranked.standings.conduct, _reports(tournament) if has_reports else {}),
        sheet(tag("h2", {}, "Crosstable"), crosstable(ranked.met, tournament.id), id="crosstable"),
        sheet(tag("h2", {}, "Meetings"), meetings(tournament, ranked.together, ranked.met.bots), id="meetings"),
    ]


def _reports(tournament: TournamentRow) -> dict[str, Links]:
    """Return the links to reports of packages on the bots; none before the matches may be seen."""
    if tournament.finished is None:
        return {}
    links = plugins().hook.arena_bot_link
    reports = {
        name: links(event=f"/tournaments/{tournament.id}", number=place) for place, name in enumerate(tournament.names)
    }
    return {name: found for name, found in reports.items() if found}


def _facts(tournament: TournamentRow, ranked: CachedRanking) -> Iterator[str]:
    plan = tournament.definition
    options = ", ".join(f"{name}={value}" for name, value in sorted(tournament.options.items()))
    yield (
        f"{len(tournament.entrants)} bots at tables of {plan.seats or '?'}, "
        f"{count(ranked.standings.decisions)} decisions, began {tournament.created[:16].replace('T', ' ')} UTC"
        + (f"; options {options}" if options else "")
    )
    yield f"seed hash {tournament.secret_hash}"
    if source := plan.entropy:
        yield f"entropy {'pending' if tournament.entropy is None else tournament.entropy} ({source})"
    if ranked.standings.verdict is not None:
        yield f"ended early: {ranked.standings.verdict.sentence}"
    if (estimate := ranked.standings.estimate) is not None:
        one, other = tournament.names[:2]
        yield f"corrected for the stopping of the test, {one} against {other}: {estimate}"
    if tournament.seed is not None:
        yield f"development seed {tournament.seed}: the deals are predictable, so the ranking is no evidence"
    if in_process := [bot.name for bot in plan.field if bot.in_process]:
        yield f"in-process bots, unconfined in the program that began the tournament: {', '.join(in_process)}"
    for entrant in tournament.entrants:
        if entrant.withdrawn is not None:
            yield f"{entrant.name} was withdrawn: {entrant.withdrawn}"


def _progress(tournament: TournamentRow, stored: int) -> Element:
    state = "finished" if tournament.finished else "unfinished"
    return tag(
        "p",
        {"class": "progress"},
        tag(
            "progress", {"id": "progress", "max": max(1, tournament.matches), "value": stored, "aria-label": "matches"}
        ),
        tag(
            "span",
            {"id": "live", "data-tournament": tournament.id, "data-game": tournament.game, "role": "status"},
            f"{count(stored)} of {count(tournament.matches)} matches, {state}",
        ),
    )


def _downloads(number: int) -> Element:
    files = [("ranking.tex", "ranking as LaTeX"), ("matches.csv", "matches as CSV")]
    if has_parquet():
        files.append(("matches.parquet", "matches as Parquet"))
    links = [tag("a", {"href": f"/tournaments/{number}/{file}", "download": True}, words) for file, words in files]
    return tag(
        "p", {"class": "soft"}, "Download: ", [[" · ", link] if place else link for place, link in enumerate(links)]
    )


def crosstable(met: Crosstable, tournament: int) -> Element:
    """Return the crosstable as a heat map: the percentage of points that the row's bot won against the column's.

    Each cell is a link to the matches of the two.
    """
    bots = met.bots[:MOST]
    corner = tag("th", {"scope": "col"}, "points in % against")
    head = tag("tr", {}, corner, [tag("th", {"scope": "col", "title": name}, _place(n)) for n, name in enumerate(bots)])
    body = [
        tag(
            "tr",
            {},
            tag("th", {"scope": "row"}, f"{_place(row)} ", bot_link(name)),
            list(_cells(met, bots, row, tournament)),
        )
        for row, name in enumerate(bots)
    ]
    more: Child = (
        tag("p", {"class": "soft"}, f"The best {MOST} of {len(met.bots)} bots.") if len(met.bots) > MOST else None
    )
    heat = tag("table", {"class": "heat", "data-sortable": True}, tag("thead", {}, head), tag("tbody", {}, body))
    return tag("div", {}, wide("table: points by opponent", heat), more)


def _place(number: int) -> str:
    return str(number + 1)


def _cells(met: Crosstable, bots: Sequence[str], row: int, tournament: int) -> Iterator[Element]:
    for column, other in enumerate(bots):
        meetings = float(met.meetings[row, column])
        if row == column or not meetings:
            yield tag("td", {"class": "none"}, "·")
            continue
        share = float(met.points[row, column]) / meetings
        words = f"{met.bots[row]} against {other}: {met.points[row, column]:g} of {meetings:g}"
        address = f"/matches?{urlencode({'tournament': tournament, 'bot': bots[row], 'against': other})}"
        link = tag("a", {"href": address, "aria-label": f"{share * 100:.0f} %, {words}"}, f"{share * 100:.0f}")
        yield tag("td", {"class": f"heat-{round(share * 10)}", "title": words}, link)
