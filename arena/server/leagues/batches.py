"""The batches of a league: the queue with what is played now, and those that were played."""

from collections.abc import Iterator, Sequence
from typing import Any

from arena.language.messages import gettext as _
from arena.league.results.publication import published_secret
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchRow
from arena.league.store.league_runs import BatchProgress, LeagueRuns
from arena.league.store.leagues import Leagues
from arena.server.leagues.board import expected, facts
from arena.server.leagues.cache import LeagueView
from arena.server.leagues.hidden import hidden_note
from arena.server.leagues.league_parts import duration, league_path
from arena.server.live.page_parts import PageParts
from arena.server.templates import TEMPLATES
from arena.store import Store
from arena.store.engine.worker_name import host_and_process

AT_ONCE = 50
"""Batches on a page."""

_PARTS = "leagues/batches_parts.html"


def show(view: LeagueView, parts: PageParts) -> str:
    """Return the page.

    parts: as `batches_parts` returns them.
    """
    name = view.league.name
    events = f"{league_path(name)}/batches/events"
    return TEMPLATES.page("leagues/batches.html", translated=True, league=name, parts=parts, events=events)


def show_older(store: Store, view: LeagueView, before: int) -> str:
    """Return a page of older batches.

    before: only batches with lower numbers are listed.
    """
    name, rows = view.league.name, _over(store, view, before)
    return TEMPLATES.page(
        "leagues/older_batches.html",
        translated=True,
        league=name,
        before=before,
        rows=_timed(rows),
        older=_older(name, rows),
    )


def batches_parts(store: Store, view: LeagueView) -> PageParts:
    """Return the parts of the page that lists the newest batches."""
    name, rows, seasons = view.league.name, _over(store, view, None), Leagues(store).seasons(view.league.id)
    published = [(season, published_secret(store, view.league.id, season)) for season in seasons]
    return PageParts(
        {
            "facts": facts(view),
            "hidden-since": hidden_note(view),
            "queue": TEMPLATES.macro(_PARTS, "queue")(name, list(_queue(store, view))),
            "secrets": TEMPLATES.macro(_PARTS, "secrets")(published),
            "stored": TEMPLATES.macro(_PARTS, "stored")(name, _timed(rows), _older(name, rows)),
        }
    )


def runner_words(runner: str) -> str:
    """Return a runner as people know it: its host and process.

    runner: a name as `arena.store.engine.worker_name` makes it.
    """
    host, process = host_and_process(runner)
    return _("{0}, process {1}", host, process) if process else host or "-"


def progress_words(progress: BatchProgress | None, matches: int) -> str:
    """Say how far a batch is that is played, with a semicolon before it; empty where nothing is known.

    matches: how many it has.
    """
    if progress is None:
        return ""
    counts = f"{progress.played:,}", f"{matches:,}"
    if progress.expected is None:
        return _("; {0} of {1} matches have ended", *counts)
    return _("; {0} of {1} matches have ended, expected to end at {2} UTC", *counts, progress.expected[11:16])


def _over(store: Store, view: LeagueView, before: int | None) -> list[BatchRow]:
    rows = Batches(store).of(view.league.id, limit=AT_ONCE + len(view.queue), before=before)
    return [row for row in rows if row.state in ("stored", "void")][:AT_ONCE]


def _queue(store: Store, view: LeagueView) -> Iterator[tuple[Any, ...]]:
    """Yield what is said of each batch that is not played."""
    ahead, reports = 0.0, LeagueRuns(store).progress(view.league.id)
    for row in view.queue:
        progress = _("waiting, about {0} of a core before it", duration(ahead)) if ahead else _("waiting")
        since = more = ""
        if row.state == "leased":
            since = Batches(store).attempts(row.league, row.number)[-1].began
            far = progress_words(reports.get(row.number), row.matches)
            progress, more = "", _(", attempt {0}, by {1}", row.attempt, runner_words(row.runner)) + far
        elif row.attempt:
            more = _(", after attempts without a result: {0}", row.attempt)
        ahead += row.matches * (view.match_seconds or 0.0)
        entries = [view.rows[number].entry for number in row.entries]
        yield row, entries, expected(store, view, row), progress, since, more


def _timed(rows: Sequence[BatchRow]) -> list[tuple[BatchRow, str]]:
    """Return batches, each with the time that it took."""
    return [(row, "-" if row.seconds is None else duration(row.seconds)) for row in rows]


def _older(league: str, rows: Sequence[BatchRow]) -> str | None:
    """Return the address of older batches than those of a page."""
    return f"{league_path(league)}/batches?before={rows[-1].number}" if len(rows) == AT_ONCE else None
