"""The page of a batch of a league: what it was drawn from, its attempts, and the results of its tables."""

from collections.abc import Iterator
from urllib.parse import urlencode

from arena.league.plan.secret_chain import day_secret
from arena.league.results.batch_report import batch_grants, report_batch, void_reason
from arena.league.results.publication import published_secret
from arena.league.store.batch_results import TableResult
from arena.league.store.batches import Batches
from arena.league.store.league_rows import AttemptRow, BatchRow
from arena.league.store.leagues import Leagues
from arena.ratings.elo_text import elo_text
from arena.replay.html import Child, Element, tag
from arena.server.errors import PageNotFound
from arena.server.leagues.batches import runner_words
from arena.server.leagues.board import expected
from arena.server.leagues.cache import LeagueView
from arena.server.leagues.league_parts import (
    duration,
    entry_link,
    league_path,
    listing,
    live_page,
    moment,
    part,
    percent,
    trail,
)
from arena.server.live.page_parts import PageParts
from arena.server.pages.layout import count
from arena.store import Store
from referee.engine.registry import in_units

KINDS = {
    "placement": "It places newcomers among entries spread over the ranking.",
    "standing": "It was drawn where matches tell most about the order; one such batch in five is drawn at random.",
    "final": "It is a part of the final of the season, in which all tables of the finalists are played.",
    "trial": "One entry plays with reference bots alone, as a batch with it came to no result.",
    "challenge": "It was asked for, and is not rated.",
}

ATTEMPTS = 20
"""The most attempts that are listed: where a machine can start no bot for a night, there are hundreds."""


def show(view: LeagueView, row: BatchRow, parts: PageParts) -> str:
    """Return the page.

    parts: as `batch_parts` returns them.
    """
    name = view.league.name
    query = urlencode({"league": name, "batch": row.number})
    listed = tag("p", {}, tag("a", {"href": f"/matches?{query}"}, "all matches of this batch"))
    return live_page(
        f"Batch {row.number} of {name}",
        f"Batch {row.number}",
        parts,
        f"{league_path(name)}/batches/{row.number}/events",
        [element for id, element in parts.elements.items() if id != "state"],
        listed if row.state == "stored" else None,
        above=(
            trail(name, tag("a", {"href": f"{league_path(name)}/batches"}, "batches"), str(row.number)),
            parts.elements["state"],
        ),
    )


def stored_batch(store: Store, view: LeagueView, number: int) -> BatchRow:
    """Return a batch. Raises PageNotFound if the league has none of that number."""
    row = Batches(store).get(view.league.id, number)
    if row is None:
        raise PageNotFound(f"the league {view.league.name} has no batch {number}: see its list of batches")
    return row


def batch_parts(store: Store, view: LeagueView, number: int) -> PageParts:
    """Return the parts of the page."""
    row = stored_batch(store, view, number)
    attempts = Batches(store).attempts(row.league, number)
    tables = Batches(store).table_results(row) if row.state == "stored" else []
    compared = {"comparison": _comparison(store, view, number)} if row.kind == "challenge" else {}
    return PageParts(
        {
            "state": _state(store, view, row, attempts),
            **compared,
            "attempts": part("attempts", "Attempts", *_attempts(attempts)),
            "tables": part("tables", "Tables", _tables(view, row, tables)),
        }
    )


def _state(store: Store, view: LeagueView, row: BatchRow, attempts: list[AttemptRow]) -> Element:
    words = {
        "waiting": f"waits; it takes {expected(view, row.matches)}",
        "leased": f"is played by {runner_words(row.runner)}; it takes {expected(view, row.matches)}",
        "stored": f"is stored; it took {duration(row.seconds or 0)} of a core",
        "void": f"is void: {void_reason(row, attempts)}",
    }[row.state]
    address = f"{league_path(view.league.name)}/snapshots/{row.snapshot}"
    drawn = (" UTC from ", tag("a", {"href": address}, f"ratings {row.snapshot}"), *_secret(store, view, row))
    size = f"{len(row.entries)} entries and {count(row.matches)} matches"
    return tag(
        "div",
        {"id": "state", "class": "verdict"},
        tag("strong", {}, f"This {row.kind} batch of {size} {words}. "),
        f"{KINDS[row.kind]} ",
        [
            f"{view.rows[entry].entry.name} is granted {', '.join(words)}. "
            for entry, words in batch_grants(store, row).items()
        ],
        tag("span", {"class": "soft"}, "Drawn ", moment(row.created), drawn),
    )  # fmt: skip


def _secret(store: Store, view: LeagueView, row: BatchRow) -> Iterator[Child]:
    """Say from which secret a batch was drawn."""
    yield f", with the secret of day {row.day + 1} of season {row.season}"
    [season] = [each for each in Leagues(store).seasons(view.league.id) if each.number == row.season]
    published = published_secret(store, view.league.id, season)
    if published is None or published.day < row.day:
        yield ", which is public once the day is over and its batches are played."
    else:
        yield tag("span", {"class": "digest"}, ": ", tag("code", {}, day_secret(season, row.day).hex()))


def _comparison(store: Store, view: LeagueView, number: int) -> Element:
    """Return what a challenge tells: who is better, as far as its deals alone can say."""
    report = report_batch(store, view.league, number)
    if not report.ratings:
        words = "The bots are compared once all matches are stored."
        return part("comparison", "Who is better", tag("p", {"class": "soft"}, words))
    los, ranks = report.los or {}, {row.entry: place for place, row in enumerate(report.ratings, 1)}
    lines: list[tuple[Child, ...]] = [
        (
            str(ranks[row.entry]),
            entry_link(view.league.name, report.entries[row.entry]),
            elo_text(row.elo, row.bound),
            "-" if row.ci95 is None else f"{row.ci95:.0f}",
            count(row.deals),
            *("" if other is row else _chance(los.get((row.entry, other.entry))) for other in report.ratings),
        )
        for row in report.ratings
    ]
    headers = ("", "bot", "Elo", "± 95 %", "deals", *(f"beats {place}" for place in ranks.values()))
    numbers = (0, *range(2, len(headers)))
    note = "From these deals alone; the mean is 0 Elo. Beats: the probability of being better than the bot in that row."
    table = listing(headers, lines, "", numbers=numbers, spare=(4,))
    notes = (note, *(report.repeats.notes if report.repeats is not None else ()))
    return part("comparison", "Who is better", table, tag("p", {"class": "soft"}, " ".join(notes)))


def _chance(los: float | None) -> str:
    return "-" if los is None else percent(los)


def _attempts(attempts: list[AttemptRow]) -> Iterator[Child]:
    lines = (
        (count(each.attempt), runner_words(each.runner), moment(each.began), moment(each.ended) if each.ended else "-",
         each.outcome or "playing", each.reason or "-")
        for each in attempts[-ATTEMPTS:]
    )  # fmt: skip
    headers = ("attempt", "runner", "began (UTC)", "ended", "outcome", "reason")
    yield listing(headers, lines, "Nobody has begun to play it.", numbers=(0,), spare=(1, 3))
    if len(attempts) > ATTEMPTS:
        yield tag("p", {"class": "soft"}, f"The newest {ATTEMPTS} of {count(len(attempts))}.")


def _tables(view: LeagueView, row: BatchRow, results: list[TableResult]) -> Child:
    name, last = view.league.name, -1
    lines: list[tuple[Child, ...]] = []
    for each in results:
        query = urlencode({"league": name, "batch": row.number, "table": each.table})
        link = tag("a", {"href": f"/matches?{query}"}, f"table {each.table + 1}") if each.table != last else ""
        last = each.table
        entry = view.rows[row.entries[each.entrant]].entry
        lines.append(
            (
                link,
                entry_link(name, entry),
                count(each.matches),
                f"{100 * each.firsts / each.matches:.0f}",
                f"{in_units(view.league.game, each.score) / each.matches:.2f}",
                f"{each.ranks / each.matches:.2f}",
                f"{each.charged_us / each.decisions / 1000:.2f}" if each.decisions else "-",
            )
        )
    if row.state != "stored":
        words = "Matches are shown when all of them are stored." if row.state != "void" else "It has no matches."
        return tag("p", {"class": "soft"}, words)
    headers = ("matches of", "bot", "matches", "first in %", "mean score", "mean place", "ms per move")
    return listing(headers, lines, "It has no matches.", numbers=(2, 3, 4, 5, 6), spare=(2, 6))
