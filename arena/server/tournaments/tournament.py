"""The page of a tournament: progress, ranking, crosstable, meetings, failures and newest matches."""

from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from arena.hooks.plugins import plugins
from arena.hooks.specifications import Preview
from arena.language.languages import ENGLISH, LANGUAGE, speaking
from arena.language.message import Message
from arena.language.messages import gettext as _
from arena.language.messages import translate
from arena.language.page_words import script_name
from arena.plan.stage_names import LAST, by_exit
from arena.ratings.crosstable import Crosstable
from arena.replay.html import Element
from arena.results.standings import Standings
from arena.server.access import Access
from arena.server.bots import failures
from arena.server.matches.match_list import listing
from arena.server.templates import TEMPLATES
from arena.server.tournaments.downloads import has_parquet
from arena.server.tournaments.home import options_text
from arena.server.tournaments.meeting_matrices import MOST, left_out, meetings
from arena.server.tournaments.ranking import Links, ranking
from arena.server.tournaments.ranking_cache import CachedRanking, RankingCache
from arena.server.tournaments.telling_matches import TellingMatch
from arena.store import Store
from arena.values.rows import TournamentRow

_PARTS = "tournaments/computed.html"
_telling = TEMPLATES.macro("tournaments/telling.html", "telling")
_sought = TEMPLATES.macro("tournaments/telling.html", "sought")


def show(
    store: Store,
    tournament: TournamentRow,
    rankings: RankingCache,
    access: Access,
    preview: Preview | None,
    telling: Sequence[TellingMatch] | None = (),
) -> str:
    """Return the page of a tournament.

    preview: what other sites show beside a link to it; None: nothing.
    telling: its most telling matches; None while they are looked for.
    """
    ranked = rankings.of(tournament)
    with speaking(ENGLISH):  # what referees and bots wrote
        failed = failures.newest(store, access, tournament=tournament.id)
    downloads = [("ranking.tex", _("ranking as LaTeX")), ("matches.csv", _("matches as CSV"))]
    if has_parquet():
        downloads.append(("matches.parquet", _("matches as Parquet")))
    return TEMPLATES.page(
        "tournaments/tournament.html",
        translated=True,
        words=script_name(LANGUAGE.get()),
        tournament=tournament,
        preview=preview,
        stored=ranked.count,
        computed=computed(tournament, ranked),
        downloads=downloads,
        failures=failed,
        telling=_sought(tournament.id) if telling is None else telling_part(telling),
        seeks=telling is None,
        newest=listing(store.matches(tournament=tournament.id, limit=10), rankings.stages, translated=True),
    )


def telling_part(telling: Sequence[TellingMatch]) -> Element | None:
    """Return the most telling matches as a part of the page, in the language of the request; None if there are none."""
    return _telling(telling) if telling else None


def computed(tournament: TournamentRow, ranked: CachedRanking, *, has_reports: bool = True) -> list[Element]:
    """Return the parts of the page that change with the matches: the facts, ranking, crosstable and meetings.

    has_reports: whether the ranking has links to the reports on the bots.
    """
    return [
        TEMPLATES.macro(_PARTS, "summary")(list(_facts(tournament, ranked)), list(places(ranked.standings))),
        ranking(
            ranked.standings.table,
            ranked.standings.conduct,
            _reports(tournament, ranked.standings) if has_reports else {},
        ),
        crosstable(ranked.met, tournament.id),
        meetings(tournament, ranked.together, ranked.met.bots),
    ]


def places(standings: Standings) -> Iterator[tuple[str, Sequence[str], str]]:
    """Yield who came in where in a format with stages or rules for ties: the places, the bots, and how far they came.

    Before its end those who play no more, without their places.
    """
    exits, first = standings.exits, 1
    for bots in standings.placing or ():
        last = first + len(bots) - 1
        yield (
            f"{first}" if first == last else f"{first}-{last}",
            bots,
            _out_in(exits[bots[0]]) if bots[0] in exits else "",
        )
        first = last + 1
    if standings.placing is None:
        yield from (("", bots, _out_in(stage)) for stage, bots in by_exit(exits))


def _out_in(stage: Message) -> str:
    """Say how far a bot came that lost in a stage of a knockout."""
    name = translate(stage)
    return _("out in the {0}", name) if stage.id in LAST else _("out in {0}", name)


def _reports(tournament: TournamentRow, standings: Standings) -> dict[str, Links]:
    """Return the links to reports of packages on the bots; none before the matches may be seen."""
    if tournament.finished is None:
        return {}
    links = plugins().hook.arena_bot_link
    first = {row.bot for row in standings.table.rows if row.rank == 1}
    reports = {
        name: links(event=f"/tournaments/{tournament.id}", number=place, is_first=name in first)
        for place, name in enumerate(tournament.names)
    }
    return {name: found for name, found in reports.items() if found}


def _facts(tournament: TournamentRow, ranked: CachedRanking) -> Iterator[str]:
    plan = tournament.definition
    options = options_text(tournament)
    yield (
        _(
            "{0} bots at tables of {1}, {2} decisions, began {3} UTC",
            len(tournament.entrants),
            plan.seats or "?",
            f"{ranked.standings.decisions:,}",
            tournament.created[:16].replace("T", " "),
        )
        + (f"; {_('options {0}', options)}" if options else "")
    )
    if ranked.stage is not None and tournament.finished is None:
        yield f"{plan.schedule}: {translate(ranked.stage)}"
    yield _("seed hash {0}", tournament.secret_hash)
    if source := plan.entropy:
        yield _("entropy {0} ({1})", _("pending") if tournament.entropy is None else tournament.entropy, source)
    if ranked.standings.verdict is not None:
        yield _("ended early: {0}", ranked.standings.verdict.sentence)
    if (estimate := ranked.standings.estimate) is not None:
        one, other = tournament.names[:2]
        yield _("corrected for the stopping of the test, {0} against {1}: {2}", one, other, estimate)
    if tournament.seed is not None:
        yield _("development seed {0}: the deals are predictable, so the ranking is no evidence", tournament.seed)
    if in_process := [bot.name for bot in plan.field if bot.in_process]:
        names = ", ".join(in_process)
        yield _("in-process bots, unconfined in the program that began the tournament: {0}", names)
    for entrant in tournament.entrants:
        if entrant.withdrawn is not None:
            yield _("{0} was withdrawn: {1}", entrant.name, entrant.withdrawn)


def crosstable(met: Crosstable, tournament: int) -> Element:
    """Return the crosstable as a heat map: the percentage of points that the row's bot won against the column's.

    Each cell is a link to the matches of the two.
    """
    bots = met.bots[:MOST]
    rows = [list(_cells(met, bots, row, tournament)) for row in range(len(bots))]
    return TEMPLATES.macro(_PARTS, "crosstable")(bots, left_out(len(met.bots)), rows)


def _cells(
    met: Crosstable, bots: Sequence[str], row: int, tournament: int
) -> Iterator[tuple[str, int, str, str] | None]:
    """Yield of each cell the percentage, its shade, what it means and the address of the matches."""
    for column, other in enumerate(bots):
        meetings = float(met.meetings[row, column])
        if row == column or not meetings:
            yield None
            continue
        share = float(met.points[row, column]) / meetings
        points = f"{met.points[row, column]:g}"
        words = _("{0} against {1}: {2} of {3}", bots[row], other, points, f"{meetings:g}")
        address = f"/matches?{urlencode({'tournament': tournament, 'bot': bots[row], 'against': other})}"
        yield f"{share * 100:.0f}", round(share * 10), words, address
