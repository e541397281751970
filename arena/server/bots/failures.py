"""Process failures, newest first: their own page, and a section of the pages of bots and tournaments."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from arena.replay.html import Element
from arena.run.failure_report import MATCHES_IN_CELL, ended_by, last_line, time_text
from arena.server.access import Access
from arena.server.requests.parameters import parse_number
from arena.server.templates import TEMPLATES
from arena.store import Store
from arena.values.failure_rows import ListedProcessFailure, ProcessFailureRow

AT_ONCE = 50
"""Failures on one page."""

NEWEST = 10
"""Failures on the page of a bot or a tournament."""

_newest = TEMPLATES.macro("bots/failure_list.html", "newest", english=True)


class _Failure(NamedTuple):
    """A failure as it is listed, without what the visitor may not see."""

    row: ProcessFailureRow
    bot: str
    tournament: int | None
    batch: tuple[str, int] | None
    time: str
    ended: str
    """How the process ended on its own; empty if nobody knows."""
    guilty: int | None
    """The id of the guilty match."""
    matches: Sequence[int]
    """The ids of the first matches with an open question."""
    more: int
    """How many further ones there are."""
    output: str
    """What the process printed last; empty for nothing."""
    last_line: str


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
    listed = store.process_failures.listed(tournament=tournament, bots=bots, before=before, limit=AT_ONCE + 1)
    has_more = len(listed) > AT_ONCE
    listed = listed[:AT_ONCE]
    older = {name: query[name] for name in ("tournament", "bot") if query.get(name)}
    older["before"] = str(listed[-1].row.time_us) if listed else ""
    return TEMPLATES.page(
        "bots/failures.html",
        failures=_failures(listed, access),
        withholds=_withholds(listed, access),
        bot=bot,
        tournament=tournament,
        older=f"/failures?{urlencode(older)}" if has_more else None,
    )


def newest(
    store: Store,
    access: Access,
    *,
    tournament: int | None = None,
    bot: str | None = None,
    practice: int | None = None,
) -> Element | None:
    """Return the newest failures of a tournament or a bot as a section of its page; None if there are none.

    practice: only those of the practice league of that id; None: those of no such league.
    """
    bots = None if bot is None else [bot]
    listed = store.process_failures.listed(tournament=tournament, bots=bots, limit=NEWEST, practice=practice)
    if not listed:
        return None
    total = len(listed)
    if total == NEWEST:
        total = store.process_failures.count(tournament=tournament, bots=bots, practice=practice)
    filters: dict[str, object] = {} if bot is None else {"bot": bot}
    if tournament is not None:
        filters["tournament"] = tournament
    return _newest(
        _failures(listed, access),
        tournament is None,
        bot is None,
        _withholds(listed, access),
        total,
        f"/failures?{urlencode(filters)}",
    )


def _withholds(listed: Sequence[ListedProcessFailure], access: Access) -> bool:
    return not access.organiser and not all(failure.finished for failure in listed)


def _failures(listed: Sequence[ListedProcessFailure], access: Access) -> list[_Failure]:
    return [_failure(access.failure(failure)) for failure in listed]


def _failure(listed: ListedProcessFailure) -> _Failure:
    row, ended = listed.row, ended_by(listed.row)
    output = row.output.strip("\n")
    return _Failure(
        row,
        listed.bot,
        listed.tournament,
        listed.batch,
        time_text(row),
        "" if ended == "-" else ended,
        listed.guilty_id,
        listed.match_ids[:MATCHES_IN_CELL],
        max(len(listed.match_ids) - MATCHES_IN_CELL, 0),
        output if output.strip() else "",
        last_line(row),
    )
