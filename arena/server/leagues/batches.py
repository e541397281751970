"""The batches of a league: the queue with what is played now, and those that were played."""

from collections.abc import Sequence

from arena.league.results.publication import published_secret
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchRow
from arena.league.store.leagues import Leagues
from arena.replay.html import Child, Element, tag
from arena.server.leagues.board import expected, facts
from arena.server.leagues.cache import LeagueView
from arena.server.leagues.league_parts import (
    batch_link,
    batch_state,
    duration,
    entry_links,
    league_path,
    listing,
    live_page,
    moment,
    part,
    trail,
)
from arena.server.live.page_parts import PageParts
from arena.server.pages.layout import content, count, page, sheet
from arena.store import Store
from arena.store.engine.worker_name import host_and_process

AT_ONCE = 50
"""Batches on a page."""


def show(view: LeagueView, parts: PageParts) -> str:
    """Return the page.

    parts: as `batches_parts` returns them.
    """
    name = view.league.name
    return live_page(
        f"Batches of {name}",
        "Queue and batches",
        parts,
        f"{league_path(name)}/batches/events",
        [parts.elements[id] for id in ("queue", "secrets", "stored")],
        above=(trail(name, "batches"), parts.elements["facts"]),
    )


def show_older(store: Store, view: LeagueView, before: int) -> str:
    """Return a page of older batches.

    before: only batches with lower numbers are listed.
    """
    name = view.league.name
    rows = _over(store, view, before)
    older = f"{league_path(name)}/batches?before={rows[-1].number}" if len(rows) == AT_ONCE else None
    body = content(
        f"Batches before {before}",
        trail(name, tag("a", {"href": f"{league_path(name)}/batches"}, "batches"), f"before {before}"),
        sheet(_table(name, rows)),
        tag("p", {}, tag("a", {"href": older, "rel": "next"}, "older batches")) if older else None,
    )
    return page(f"Batches of {name}", body, here="/leagues", styles=("site.css", "league.css"))


def batches_parts(store: Store, view: LeagueView) -> PageParts:
    """Return the parts of the page that lists the newest batches."""
    return PageParts(
        {
            "facts": facts(view),
            "queue": part("queue", "Queue", _queue(store, view)),
            "secrets": part("secrets", "Secrets", *_secrets(store, view)),
            "stored": _played(store, view),
        }
    )


def runner_words(runner: str) -> str:
    """Return a runner as people know it: its host and process.

    runner: a name as `arena.store.engine.worker_name` makes it.
    """
    host, process = host_and_process(runner)
    return f"{host}, process {process}" if process else host or "-"


def _over(store: Store, view: LeagueView, before: int | None) -> list[BatchRow]:
    rows = Batches(store).of(view.league.id, limit=AT_ONCE + len(view.queue), before=before)
    return [row for row in rows if row.state in ("stored", "void")][:AT_ONCE]


def _queue(store: Store, view: LeagueView) -> Child:
    name = view.league.name
    lines: list[tuple[Child, ...]] = []
    ahead = 0.0
    for row in view.queue:
        seconds = None if view.match_seconds is None else row.matches * view.match_seconds
        progress: Child = "waiting" if not ahead else f"waiting, about {duration(ahead)} of a core before it"
        if row.state == "leased":
            attempt = Batches(store).attempts(row.league, row.number)[-1]
            who = f" UTC, attempt {row.attempt}, by {runner_words(row.runner)}"
            progress = ("playing since ", moment(attempt.began), who)
        elif row.attempt:
            times = "an attempt" if row.attempt == 1 else f"{row.attempt} attempts"
            progress = (progress, f", after {times} without a result")
        ahead += seconds or 0.0
        entries = [view.rows[number].entry for number in row.entries]
        lines.append(
            (batch_link(name, row.number), row.kind, entry_links(name, entries), count(row.matches),
             expected(view, row.matches), progress)
        )  # fmt: skip
    headers = ("batch", "kind", "entries", "matches", "takes", "progress")
    return listing(headers, lines, "Nothing waits and nothing is played.", numbers=(0, 3), spare=(2, 4))


def _played(store: Store, view: LeagueView) -> Element:
    name, rows = view.league.name, _over(store, view, None)
    address = f"{league_path(name)}/batches?before={rows[-1].number}" if len(rows) == AT_ONCE else None
    older = tag("p", {}, tag("a", {"href": address, "rel": "next"}, "older batches")) if address else None
    return part("stored", "Played", _table(name, rows), older)


def _table(league: str, rows: Sequence[BatchRow]) -> Element:
    lines = (
        (batch_link(league, row.number), row.kind, count(len(row.entries)), count(row.matches),
         "-" if row.seconds is None else duration(row.seconds), count(row.attempt), batch_state(row),
         moment(row.ended) if row.ended else "-")
        for row in rows
    )  # fmt: skip
    headers = ("batch", "kind", "entries", "matches", "core time", "attempts", "state", "ended (UTC)")
    return listing(headers, lines, "None yet.", numbers=(0, 2, 3, 4, 5), spare=(2, 3, 4, 5))


def _secrets(store: Store, view: LeagueView) -> list[Element]:
    """Say which secrets are public, from which every draw and deal of their days follows."""
    found = []
    for season in Leagues(store).seasons(view.league.id):
        words = f"Season {season.number}, from {season.first_day}: commitment "
        found.append(tag("p", {"class": "digest"}, words, tag("code", {}, season.commitment)))
        if season.entropy:
            found.append(tag("p", {"class": "digest"}, "Its entropy: ", tag("code", {}, season.entropy)))
        published = published_secret(store, view.league.id, season)
        if published is not None:
            found.append(
                tag("p", {"class": "digest"}, f"Secret of its day {published.day + 1}: ",
                    tag("code", {}, published.secret))
            )  # fmt: skip
    note = (
        "The secret of a day is public once the day is over and its batches are played. Hashed with SHA-256 it gives "
        "that of the day before, and in the end the commitment."
    )
    return [*found, tag("p", {"class": "soft"}, note)]
