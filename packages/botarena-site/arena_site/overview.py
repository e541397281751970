"""The pages of the tournament and of its bots, and the list of its matches; made of the parts that are served."""

from collections.abc import Sequence

from arena.replay.html import Child, Element, tag
from arena.results.control import describe, is_automatic
from arena.server.access import VISITOR
from arena.server.bots import failures
from arena.server.bots.answer_time_chart import histogram
from arena.server.bots.answer_times import sample
from arena.server.bots.bot import within
from arena.server.matches.match_list import listing
from arena.server.pages.layout import content, count, sheet, table
from arena.server.tournaments.ranking import ranking_table
from arena.server.tournaments.ranking_cache import CachedRanking
from arena.server.tournaments.tournament import computed
from arena.store import Store
from arena.values.rows import ListedMatch, TournamentRow
from arena_site.frame import CARD_SVG, SiteFrame
from arena_site.plan import AT_ONCE, SitePlan, list_page
from arena_site.selection import Highlight

STYLES = ("site.css", "league.css")
SCRIPTS = ("dom.js", "sort.js")


def overview(
    frame: SiteFrame,
    store: Store,
    tournament: TournamentRow,
    ranked: CachedRanking,
    plan: SitePlan,
    highlights: Sequence[Highlight],
) -> str:
    """Return the first page: the card, facts, ranking, highlights, crosstable, meetings, decisions and failures."""
    summary, table_, *crossed = computed(tournament, ranked, has_reports=False)
    written = set(plan.matches)
    return frame.page(
        "index.html",
        frame.name,
        content(
            frame.name,
            tag("p", {"class": "soft"}, _state(tournament, ranked, len(plan.matches))),
            summary,
            sheet(tag("h2", {}, "Ranking"), table_, tag("p", {}, tag("a", {"href": "ranking.csv"}, "ranking as CSV"))),
            _highlights([highlight for highlight in highlights if highlight.match in written]),
            *crossed,
            _decisions(store, tournament),
            failures.newest(store, VISITOR, tournament=tournament.id),
            sheet(
                tag("h2", {}, "Preview"),
                tag("img", {"class": "card-preview", "src": CARD_SVG, "alt": frame.description, "width": 600,
                            "height": 315}),
            ),
        ),
        here=frame.overview,
        styles=STYLES,
        scripts=SCRIPTS,
    )  # fmt: skip


def _state(tournament: TournamentRow, ranked: CachedRanking, replays: int) -> str:
    if tournament.finished is None:
        return (
            f"Unfinished: {count(ranked.count)} of {count(tournament.matches)} matches. "
            "Replays are shown once it is over: its deals are still in play."
        )
    over = tournament.finished[:16].replace("T", " ")
    return f"{count(ranked.count)} matches, finished {over} UTC; {count(replays)} of them can be replayed here."


def _highlights(highlights: Sequence[Highlight]) -> Element | None:
    if not highlights:
        return None
    rows = [
        (tag("a", {"href": f"/matches/{highlight.match}"}, str(highlight.match)), highlight.reason)
        for highlight in highlights
    ]
    return sheet(tag("h2", {}, "Matches worth a look"), table(("match", "why"), rows, (0,)), id="highlights")


def _decisions(store: Store, tournament: TournamentRow) -> Element | None:
    """Return what the organiser decided; who it was is nobody else's business."""
    rows = [
        (entry.created[:16].replace("T", " "), describe(entry, tournament.names, tournament.first_match),
         entry.reason or "-")
        for entry in store.decisions(tournament.id)
        if not is_automatic(entry)
    ]  # fmt: skip
    return (
        sheet(tag("h2", {}, "Decisions"), table(("when (UTC)", "what", "why"), rows), id="decisions") if rows else None
    )


def bot_page(
    frame: SiteFrame,
    store: Store,
    tournament: TournamentRow,
    ranked: CachedRanking,
    plan: SitePlan,
    name: str,
    listed: Sequence[ListedMatch],
) -> str:
    """Return the page of a bot.

    listed: the matches with a replay, the newest first.
    """
    times = sample(store, VISITOR, [tournament], name)
    rows = [row for row in ranked.standings.table.rows if row.bot == name]
    mine = [match for match in listed if name in match.players][:AT_ONCE]
    return frame.page(
        plan.bots[name],
        name,
        content(
            name,
            [
                sheet(
                    tag("h2", {}, f"{row.rank} of {len(ranked.standings.table.rows)}"),
                    ranking_table(ranked.standings.table, [row], ranked.standings.conduct),
                )
                for row in rows
            ],
            tag("div", {"id": "opponents"}, within(tournament, ranked, name)) if name in ranked.met.bots else None,
            histogram(times) if times else None,
            sheet(tag("h2", {}, "Matches to replay"), listing(mine)) if mine else None,
            failures.newest(store, VISITOR, tournament=tournament.id, bot=name),
        ),
        styles=STYLES,
        scripts=SCRIPTS,
    )


def matches_page(frame: SiteFrame, plan: SitePlan, number: int, listed: Sequence[ListedMatch], unreadable: int) -> str:
    """Return a page of the list of matches.

    number: from 1.
    unreadable: matches whose replay cannot be made.
    """
    return frame.page(
        list_page(number),
        "Matches" if number == 1 else f"Matches, page {number}",
        content(
            "Matches",
            sheet(listing(listed) if listed else tag("p", {"class": "soft"}, "No match can be replayed here.")),
            _pager(number, plan.list_pages),
            tag(
                "p",
                {"class": "soft"},
                f"{count(unreadable)} matches are left out: their records do not fit the installed rules.",
            )
            if unreadable
            else None,
        ),
        here="/matches",
        styles=STYLES,
        scripts=SCRIPTS,
    )


def _pager(number: int, pages: int) -> Child:
    if pages == 1:
        return None

    def step(words: str, to: int, rel: str) -> Child:
        file = list_page(to).removeprefix("matches/")
        return (
            tag("a", {"href": file, "rel": rel}, words) if 1 <= to <= pages else tag("span", {"class": "soft"}, words)
        )

    return tag(
        "nav",
        {"class": "side-by-side", "aria-label": "pages of the list"},
        step("newer matches", number - 1, "prev"),
        tag("span", {}, f"page {number} of {count(pages)}"),
        step("older matches", number + 1, "next"),
    )
