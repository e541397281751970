"""The page of an entry of a league: its versions, its Elo over time, whom it beats, and where it fails."""

from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from arena.hooks.plugins import plugins
from arena.league.challenges import challenges_of
from arena.league.grants import unmet_needs
from arena.league.results.board import BoardRow, versions_of
from arena.league.results.flags import CAUTION, sentence
from arena.league.results.rating_history import points_of
from arena.league.store.batches import Batches
from arena.league.store.league_rows import EntryRow
from arena.ratings.elo_text import elo_text
from arena.replay.html import Child, Element, tag
from arena.server.access import Access
from arena.server.bots import failures
from arena.server.bots.bot import share
from arena.server.errors import PageNotFound
from arena.server.leagues import entry_actions
from arena.server.leagues.cache import CachedLeague, EntryComparison, LeagueView
from arena.server.leagues.league_parts import (
    BAR_WIDTH,
    batch_link,
    change,
    entry_link,
    league_path,
    listing,
    live_page,
    moment,
    part,
    percent,
    scale_of,
    trail,
)
from arena.server.leagues.rating_chart import RatingLine, rating_chart
from arena.server.live.page_parts import PageParts
from arena.server.matches.match_list import listing as match_listing
from arena.server.pages.layout import bot_link, count, ordinal
from arena.server.tournaments.ranking import elo_bar
from arena.store import Store

BATCHES = 10
"""Batches in which the worst matches are looked for, and that are listed."""

WORST = 5

ADVICE = {
    "retired": "It keeps its rating and is not scheduled any more.",
    "suspended": (
        "It is not scheduled any more. Its process failures, below, say what happened, with its output if you are "
        "signed in as its owner. Mend the bot and hand it in again: the new version takes its place."
    ),
}
"""What is said to the owner of an entry that is not active."""


def show(store: Store, view: LeagueView, row: BoardRow, parts: PageParts, access: Access) -> str:
    """Return the page.

    parts: as `entry_parts` returns them.
    """
    league, entry = view.league.name, row.entry
    sections: list[Child] = [element for id, element in parts.elements.items() if id != "state"]
    sections.insert(2, entry_actions.show(view, row, access))
    return live_page(
        f"{entry.name} in {league}",
        entry.name,
        parts,
        f"{league_path(league)}/entries/{entry.number}/events",
        sections,
        failures.newest(store, access, bot=entry.name),
        above=(trail(league, f"entry {entry.number}"), parts.elements["state"]),
    )


def find_row(view: LeagueView, number: int) -> BoardRow:
    """Return an entry on the board. Raises PageNotFound if the league has none of that number."""
    if number not in view.rows:
        raise PageNotFound(f"the league {view.league.name} has no entry {number}: see its board")
    return view.rows[number]


def entry_parts(store: Store, cached: CachedLeague, number: int) -> PageParts:
    """Return the parts of the page."""
    view = cached.view()
    row = view.rows[number]
    versions = versions_of(row.entry, [each.entry for each in view.board.rows])
    compared = cached.comparison([each.number for each in versions], number)
    played = cached.played.newest(number)[:BATCHES]
    worst = Batches(store).worst_matches([(batch, batch.entries.index(number)) for batch in played], WORST)
    challenges = challenges_of(store, cached.id, number)
    newest = f"{len(played)} batches" if len(played) > 1 else "batch"
    name = view.league.name
    query = {"league": name, "bot": row.entry.name}
    sections = (
        part("figures", "Now", _figures(view, row)),
        part("versions", "Versions", _versions(view, versions, compared)),
        part("history", "Elo over time", _history(cached, row.entry, versions)),
        part("opponents", "Opponents", _opponents(view, row, compared)),
        part(
            "worst",
            "Worst matches",
            tag(
                "p",
                {"class": "soft"},
                f"The lowest scores of its newest {newest}.",
            ),
            match_listing(worst),
            tag("p", {}, tag("a", {"href": f"/matches?{urlencode(query)}"}, "all its matches in this league")),
        )
        if worst
        else None,
        part("batches", "Newest batches", _batches(name, cached, number, challenges)),
    )
    ids = ("figures", "versions", "history", "opponents", "worst", "batches")
    elements = {id: section for id, section in zip(ids, sections, strict=True) if section is not None}
    return PageParts({"state": _state(store, view, row), **elements})


def _state(store: Store, view: LeagueView, row: BoardRow) -> Element:
    entry = row.entry
    words = {
        "placing": f"is being placed: {count(row.deals)} deals so far. It gets its place once its interval is narrow.",
        "standing": f"is {ordinal(row.rank)} of {sum(each.rank is not None for each in view.board.rows)}."
        if row.rank is not None
        else "has its place and waits for its first match.",
        "retired": f"is retired: {entry.reason or 'by its owner'}.",
        "suspended": f"is suspended: {entry.reason or 'by the organiser'}.",
    }[entry.state]
    whose = "one of the reference bots, whose mean is 0" if entry.is_anchor else f"by {entry.owner or 'nobody'}"
    waiting = [batch for batch in view.queue if entry.number in batch.entries]
    coming: list[Child] = []
    for batch in waiting[:3]:
        verb = "plays in" if batch.state == "leased" else "waits for"
        coming += [
            "; " if coming else "",
            f"{verb} ",
            batch_link(view.league.name, batch.number, f"batch {batch.number}"),
        ]
    return tag(
        "div",
        {"id": "state", "class": f"verdict {entry.state}"},
        tag("strong", {}, f"{entry.name} {words} "),
        ADVICE.get(entry.state),
        tag("span", {"class": "soft"}, f" Entry {entry.number}, {whose}, entered ", moment(entry.entered), " UTC"),
        ("; ", coming) if coming else None,
        ".",
        _grants(store, row.entry),
        _audit(view, row),
    )


def _grants(store: Store, entry: EntryRow) -> Child:
    """Return what the organiser grants an entry, and what its bot.toml asks for beyond that."""
    sentences = []
    if entry.grants.words:
        versions = "this version and later ones" if entry.grants.later else "this version alone"
        granted = ", ".join(entry.grants.words)
        sentences.append(f"The organiser grants it {granted}, beyond what every bot has: {versions}.")
    if entry.is_active and (asked := ", ".join(unmet_needs(store, entry))):
        sentences.append(
            f"Its bot.toml asks for {asked} (needs), which the organiser of the league has not granted: it plays "
            "without."
        )
    return tag("p", {"id": "grants"}, " ".join(sentences)) if sentences else None


def _audit(view: LeagueView, row: BoardRow) -> Child:
    """Return what the audit says of an entry."""
    if not row.flags:
        return None
    name = view.league.name
    items: list[Child] = []
    for flag in row.flags:
        query = {"league": name, "bot": row.entry.name}
        query |= {"fault": "any"} if flag.other is None else {"against": view.board.names[flag.other]}
        link = tag("a", {"href": f"/matches?{urlencode(query)}"}, "its matches")
        items.append(tag("li", {}, f"Audit: it {sentence(flag, view.board.names)} (", link, ")."))
    is_suspicious = any(flag.other is not None for flag in row.flags)
    return (
        tag("ul", {"id": "audit"}, items),
        tag("span", {"class": "soft"}, CAUTION) if is_suspicious else None,
    )


def _figures(view: LeagueView, row: BoardRow) -> Element:
    query = urlencode({"league": view.league.name, "bot": row.entry.name})
    faults = ", ".join(f"{kind} {number}" for kind, number in sorted((row.faults or {}).items()))

    def figures() -> Iterator[tuple[str, Child]]:
        interval = "" if row.ci95 is None else f" ± {row.ci95:.0f}"
        yield "rank", "-" if row.rank is None else str(row.rank)
        yield "Elo ± 95 %", f"{elo_text(row.elo, row.bound)}{interval}"
        yield "since yesterday", change(row.change, "#history")
        yield "since last version", change(row.version_change, "#versions")
        yield "matches", tag("a", {"href": f"/matches?{query}"}, count(row.matches))
        yield "deals", count(row.deals)
        yield "time per decision", f"{row.charged_us / row.decisions / 1000:.2f} ms" if row.decisions else "-"
        yield "time per deal", f"{row.charged_us / row.deals / 1000:.1f} ms" if row.decisions else "-"
        yield "faults", tag("a", {"href": f"/matches?{query}&fault=any"}, faults) if faults else "none"
        yield "bot", bot_link(row.entry.submission[0])
        if row.matches:
            links = plugins().hook.arena_bot_link(event=league_path(view.league.name), number=row.entry.number)
            for path, text in links:
                yield "report", tag("a", {"href": path}, text)

    return tag("dl", {"class": "figures"}, [tag("div", {}, tag("dt", {}, k), tag("dd", {}, v)) for k, v in figures()])


def _versions(view: LeagueView, versions: Sequence[EntryRow], compared: EntryComparison) -> Child:
    scale = scale_of([view.rows[entry.number] for entry in versions])
    before = {later: (earlier, later) for earlier, later in compared.los}
    lines: list[tuple[Child, ...]] = []
    sentences = []
    for entry in reversed(versions):
        row = view.rows[entry.number]
        pair = before.get(entry.number)
        los = compared.los[pair] if pair is not None else None
        if pair is not None and los is not None:
            later, earlier = entry.submission[1], view.rows[pair[0]].entry.submission[1]
            stronger, weaker, sure = (later, earlier, los) if los >= 0.5 else (earlier, later, 1 - los)
            sentences.append(f"v{stronger} is stronger than v{weaker} with {percent(sure)}.")
        lines.append(
            (
                entry_link(view.league.name, entry),
                entry.state,
                moment(entry.entered),
                elo_text(row.elo, row.bound),
                None if row.elo is None else elo_bar(row.elo, row.ci95, *scale, BAR_WIDTH),
                "-" if row.ci95 is None else f"{row.ci95:.0f}",
                count(row.matches),
                "-" if los is None else percent(los),
            )
        )
    headers = ("version", "state", "entered (UTC)", "Elo", "interval", "± 95 %", "matches", "stronger than before")
    return (
        tag("p", {"id": "compared"}, " ".join(sentences)) if sentences else None,
        tag("div", {"class": "versions"}, listing(headers, lines, "", numbers=(3, 5, 6, 7), spare=(2, 5, 6, 7))),
        tag(
            "p",
            {"class": "soft"},
            "Stronger than before: the probability that a version is better than the one before it, from the joint fit "
            "of all matches of the league.",
        )
        if len(versions) > 1
        else None,
    )


def _history(cached: CachedLeague, entry: EntryRow, versions: Sequence[EntryRow]) -> Element:
    moments = cached.history.moments()
    ordered = [entry, *(each for each in reversed(versions) if each.number != entry.number)][:4]
    return rating_chart(
        [
            RatingLine(each.name, points_of(moments, each.number), each.number == entry.number)
            for each in ordered
        ]
    )  # fmt: skip


def _opponents(view: LeagueView, row: BoardRow, compared: EntryComparison) -> Child:
    name = view.league.name
    met = sorted(compared.meetings, key=lambda each: (-each.points / each.comparisons, each.other))
    lines = []
    for each in met:
        other = view.rows[each.other]
        query = urlencode({"league": name, "bot": row.entry.name, "against": other.entry.name})
        lines.append(
            (
                entry_link(name, other.entry, state=True),
                elo_text(other.elo, other.bound),
                share(each.points / each.comparisons),
                f"{each.points:,.1f}",
                tag("a", {"href": f"/matches?{query}"}, count(each.comparisons)),
                count(each.deals),
            )
        )
    headers = ("against", "Elo", "points in %", "points", "comparisons", "deals")
    return (
        tag(
            "p",
            {"class": "soft"},
            "Of all stored batches, those that it beats first. A comparison is a match in which both played: a point "
            "for the higher place, half a point for a tie. Matches of one deal have the same cards or dice.",
        ),
        listing(headers, lines, "It has met nobody yet.", numbers=(1, 2, 3, 4, 5), spare=(1, 3, 4), sortable=True),
    )


def _batches(league: str, cached: CachedLeague, number: int, challenges: Sequence[int]) -> Element:
    lines = [
        (batch_link(league, batch.number), batch.kind, count(len(batch.entries)), count(batch.matches),
         moment(batch.ended))
        for batch in cached.played.newest(number)[:BATCHES]
    ]  # fmt: skip
    headers = ("batch", "kind", "entries", "matches", "stored (UTC)")
    links: list[Child] = []
    for each in challenges[:BATCHES]:
        links += [" · " if links else "Its newest challenges, which are not rated: ", batch_link(league, each)]
    table = listing(headers, lines, "It has played no batch yet.", numbers=(0, 2, 3), spare=(2,))
    return tag("div", {}, table, tag("p", {"id": "challenges"}, links) if links else None)
