"""Process failures, newest first: their own page, and a section of the pages of bots and tournaments."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from arena.replay.html import Child, Element, tag
from arena.run.failure_report import MATCHES_IN_CELL, ended_by, last_line, time_text
from arena.server.access import Access
from arena.server.leagues.league_parts import batch_link, league_link
from arena.server.pages.layout import bot_link, content, count, page, sheet, tournament_link
from arena.server.requests.parameters import parse_number
from arena.store import Store
from arena.values.failure_rows import ListedProcessFailure, ProcessFailureRow

AT_ONCE = 50
"""Failures on one page."""

NEWEST = 10
"""Failures on the page of a bot or a tournament."""

EXPLANATION = (
    "A process fails if it ends, hangs, exceeds its memory limit or breaks the protocol while it has matches to play, "
    "or, for a remote bot, if its connection is lost. If only one match had an open question, that match is guilty."
)

WITHHELD = (
    "The matches concerned are shown when the tournament is over; owners then also see the output of their own bots."
)


def show(store: Store, access: Access, query: Mapping[str, str]) -> str:
    """Return the page.

    query: the parameters of the URL: tournament and bot filter; before, a time in µs, selects older failures.

    Raises NoSuchRow if the tournament does not exist.
    """
    tournament, before = parse_number(query.get("tournament", "")), parse_number(query.get("before", ""))
    if tournament is not None:
        store.tournament(tournament)
    bot = query.get("bot", "")
    bots = [bot] if bot else None
    listed_failures = store.process_failures.listed(tournament=tournament, bots=bots, before=before, limit=AT_ONCE + 1)
    more = len(listed_failures) > AT_ONCE
    listed_failures = listed_failures[:AT_ONCE]
    filter_words: list[Child] = []
    if bot:
        filter_words += [" of ", bot_link(bot)]
    if tournament is not None:
        filter_words += [" in ", tournament_link(tournament)]
    older = {name: query[name] for name in ("tournament", "bot") if query.get(name)}
    older["before"] = str(listed_failures[-1].row.time_us) if listed_failures else ""
    return page(
        "Process failures",
        content(
            ("Process failures", filter_words),
            tag("p", {"class": "soft"}, EXPLANATION),
            sheet(
                listing(listed_failures, access)
                if listed_failures
                else tag("p", {"class": "soft"}, "No process has failed.")
            ),
            _withheld(listed_failures, access),
            tag("p", {}, tag("a", {"href": f"/failures?{urlencode(older)}", "rel": "next"}, "older failures"))
            if more
            else None,
        ),
        styles=("site.css",),
    )


def newest(store: Store, access: Access, *, tournament: int | None = None, bot: str | None = None) -> Element | None:
    """Return the newest failures of a tournament or a bot as a section of its page; None if there are none."""
    bots = None if bot is None else [bot]
    listed_failures = store.process_failures.listed(tournament=tournament, bots=bots, limit=NEWEST)
    if not listed_failures:
        return None
    total = len(listed_failures)
    if total == NEWEST:
        total = store.process_failures.count(tournament=tournament, bots=bots)
    filters: dict[str, object] = {} if bot is None else {"bot": bot}
    if tournament is not None:
        filters["tournament"] = tournament
    return sheet(
        tag("h2", {}, "Process failures"),
        listing(listed_failures, access, tournaments=tournament is None, bots=bot is None),
        _withheld(listed_failures, access),
        tag("p", {}, tag("a", {"href": f"/failures?{urlencode(filters)}"}, f"all {count(total)} failures"))
        if total > NEWEST
        else None,
        id="failures",
    )


def listing(
    listed_failures: Sequence[ListedProcessFailure], access: Access, *, tournaments: bool = True, bots: bool = True
) -> Element:
    """Return a list of failures, without what the visitor may not see.

    tournaments, bots: whether entries name their tournament and their bot.
    """
    return tag(
        "ol", {"class": "failures"}, [_entry(access.failure(listed), tournaments, bots) for listed in listed_failures]
    )


def _withheld(listed_failures: Sequence[ListedProcessFailure], access: Access) -> Element | None:
    if access.organiser or all(listed.finished for listed in listed_failures):
        return None
    return tag("p", {"class": "soft"}, WITHHELD)


def _entry(listed: ListedProcessFailure, tournaments: bool, bots: bool) -> Element:
    row = listed.row
    where: Child = "a single match" if listed.tournament is None else tournament_link(listed.tournament)
    if listed.batch is not None:
        league, number = listed.batch
        where = (batch_link(league, number, f"batch {number}"), " of ", league_link(league))
    ended = ended_by(row)
    return tag(
        "li",
        {},
        tag(
            "p",
            {"class": "headline"},
            tag("time", {"datetime": row.time}, f"{time_text(row)} UTC"),
            tag("span", {}, bot_link(listed.bot)) if bots else None,
            tag("span", {}, where) if tournaments else None,
            tag("span", {}, tag("strong", {}, row.kind), "" if ended == "-" else f", {ended}"),
            _matches(listed),
        ),
        tag("p", {"class": "soft"}, row.sentence),
        _printed(row),
    )


def _matches(listed: ListedProcessFailure) -> Element | None:
    ids = listed.match_ids
    if listed.guilty_id is not None:
        return tag("span", {}, "guilty: match ", _match(listed.guilty_id))
    if not ids:
        return None
    links: list[Child] = []
    for id in ids[:MATCHES_IN_CELL]:
        links += [", " if links else "", _match(id)]
    more = f" and {len(ids) - MATCHES_IN_CELL} more" if len(ids) > MATCHES_IN_CELL else None
    return tag("span", {}, "open questions in match " if len(ids) == 1 else "open questions in matches ", links, more)


def _match(id: int) -> Element:
    return tag("a", {"href": f"/matches/{id}"}, str(id))


def _printed(row: ProcessFailureRow) -> Element | None:
    words = row.output.strip("\n")
    if not words.strip():
        return None
    if "\n" not in words:
        return tag("p", {}, "last output: ", tag("code", {}, words))
    return tag(
        "details",
        {},
        tag("summary", {}, "last output: ", tag("code", {}, last_line(row))),
        tag("pre", {}, "…\n" if row.truncated else None, words),
    )
