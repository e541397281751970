"""The pages of the tournament and of its bots, and the list of its matches; made of the parts that are served."""

from collections.abc import Iterator, Sequence

from arena.results.control import describe, is_automatic
from arena.results.stage_names import StageNames
from arena.server.access import VISITOR
from arena.server.bots import failures
from arena.server.bots.answer_time_chart import histogram
from arena.server.bots.answer_times import sample
from arena.server.bots.bot import within
from arena.server.matches.match_list import listing
from arena.server.tournaments.ranking import ranking_table
from arena.server.tournaments.ranking_cache import CachedRanking
from arena.server.tournaments.tournament import computed
from arena.store import Store
from arena.values.rows import ListedMatch, TournamentRow
from arena_site.frame import CARD, SiteFrame
from arena_site.plan import AT_ONCE, SitePlan, list_page
from arena_site.selection import Highlight


def overview(
    frame: SiteFrame,
    store: Store,
    tournament: TournamentRow,
    ranked: CachedRanking,
    plan: SitePlan,
    highlights: Sequence[Highlight],
) -> str:
    """Return the first page: the card, facts, ranking, highlights, crosstable, meetings, decisions and failures."""
    summary, table, *crossed = computed(tournament, ranked, has_reports=False)
    written = set(plan.matches)
    return frame.page(
        "overview.html",
        "index.html",
        title=frame.name,
        state=_state(tournament, ranked, len(plan.matches)),
        summary=summary,
        ranking=table,
        highlights=[highlight for highlight in highlights if highlight.match in written],
        crossed=crossed,
        decisions=list(_decisions(store, tournament)),
        failures=failures.newest(store, VISITOR, tournament=tournament.id),
        card=f"{CARD}svg" if frame.picture else None,
    )


def _state(tournament: TournamentRow, ranked: CachedRanking, replays: int) -> str:
    if tournament.finished is None:
        return (
            f"Unfinished: {ranked.count:,} of {tournament.matches:,} matches. "
            "Replays are shown once it is over: its deals are still in play."
        )
    over = tournament.finished[:16].replace("T", " ")
    return f"{ranked.count:,} matches, finished {over} UTC; {replays:,} of them can be replayed here."


def _decisions(store: Store, tournament: TournamentRow) -> Iterator[tuple[str, str, str]]:
    """Yield what the organiser decided; who it was is nobody else's business."""
    for entry in store.decisions(tournament.id):
        if not is_automatic(entry):
            what = describe(entry, tournament.names, tournament.first_match)
            yield entry.created[:16].replace("T", " "), what, entry.reason or "-"


def bot_page(
    frame: SiteFrame,
    store: Store,
    tournament: TournamentRow,
    ranked: CachedRanking,
    plan: SitePlan,
    name: str,
    listed: Sequence[ListedMatch],
    stages: StageNames,
) -> str:
    """Return the page of a bot.

    listed: the matches with a replay, the newest first.
    stages: the names of the stages of tournaments.
    """
    times = sample(store, VISITOR, [tournament], name)
    rows = [row for row in ranked.standings.table.rows if row.bot == name]
    mine = [match for match in listed if name in match.players][:AT_ONCE]
    return frame.page(
        "bot.html",
        plan.bots[name],
        title=name,
        rankings=[
            (
                f"{row.rank} of {len(ranked.standings.table.rows)}",
                ranking_table(ranked.standings.table, [row], ranked.standings.conduct),
            )
            for row in rows
        ],
        results=within(tournament, ranked, name) if name in ranked.met.bots else None,
        times=histogram(times) if times else None,
        matches=listing(mine, stages) if mine else None,
        failures=failures.newest(store, VISITOR, tournament=tournament.id, bot=name),
    )


def matches_page(
    frame: SiteFrame,
    plan: SitePlan,
    number: int,
    listed: Sequence[ListedMatch],
    unreadable: int,
    stages: StageNames,
) -> str:
    """Return a page of the list of matches.

    number: from 1.
    unreadable: matches whose replay cannot be made.
    stages: the names of the stages of tournaments.
    """
    return frame.page(
        "matches.html",
        list_page(number),
        title="Matches" if number == 1 else f"Matches, page {number}",
        matches=listing(listed, stages) if listed else None,
        number=number,
        pages=plan.list_pages,
        newer=_file(number - 1) if number > 1 else None,
        older=_file(number + 1) if number < plan.list_pages else None,
        unreadable=unreadable,
    )


def _file(number: int) -> str:
    """Return the file of a page of the list, seen from another one."""
    return list_page(number).removeprefix("matches/")
