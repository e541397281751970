"""The page of an entry of a league: its versions, its Elo over time, whom it beats, and where it fails."""

from collections.abc import Mapping, Sequence
from typing import Any

from arena.hooks.plugins import plugins
from arena.hooks.specifications import Preview
from arena.language.languages import ENGLISH, speaking
from arena.language.messages import gettext as _
from arena.language.messages import translate
from arena.league.challenges import challenges_of
from arena.league.grants import unmet_needs
from arena.league.results.board import BoardRow, versions_of
from arena.league.results.comparisons import Meetings
from arena.league.results.flags import CAUTION, sentence
from arena.league.results.rating_history import RatingPoint, points_of
from arena.league.store.batches import Batches
from arena.league.store.league_rows import EntryRow
from arena.replay.html import Element
from arena.server.access import Access
from arena.server.bots import failures
from arena.server.errors import PageNotFound
from arena.server.leagues import divisions, entry_actions
from arena.server.leagues.cache import CachedLeague, EntryComparison, LeagueView
from arena.server.leagues.hidden import hidden_note
from arena.server.leagues.league_parts import league_path, percent, scale_of
from arena.server.leagues.rating_chart import RatingLine, rating_chart
from arena.server.live.page_parts import PageParts
from arena.server.matches.match_list import listing
from arena.server.pages.numbers import rank_words
from arena.server.templates import TEMPLATES
from arena.store import Store
from arena.values.display_names import NO_NAMES

BATCHES = 10
"""Batches in which the worst matches are looked for, and that are listed."""

WORST = 5

_PARTS = "leagues/entry_parts.html"


def show(
    store: Store, view: LeagueView, row: BoardRow, parts: PageParts, access: Access, preview: Preview | None
) -> str:
    """Return the page.

    parts: as `entry_parts` returns them.
    preview: what other sites show beside a link to it; None: nothing.
    """
    league, entry = view.league.name, row.entry
    practice = None if view.league.owner is None else view.league.id
    with speaking(ENGLISH):  # what referees and bots wrote
        failed = failures.newest(store, access, bot=entry.name, practice=practice)
    return TEMPLATES.page(
        "leagues/entry.html",
        translated=True,
        league=league,
        preview=preview,
        entry=entry,
        actions=entry_actions.show(view, row, access),
        failures=failed,
        parts=parts,
        events=f"{league_path(league)}/entries/{entry.number}/events",
    )


def find_row(view: LeagueView, number: int) -> BoardRow:
    """Return an entry on the board. Raises PageNotFound if the league has none of that number."""
    if number not in view.rows:
        raise PageNotFound(f"the league {view.league.name} has no entry {number}: see its board")
    return view.rows[number]


def entry_parts(store: Store, cached: CachedLeague, number: int, names: Mapping[str, str] = NO_NAMES) -> PageParts:
    """Return the parts of the page.

    names: the display names of accounts that the visitor sees.
    """
    view = cached.view()
    row = view.rows[number]
    versions = versions_of(row.entry, [rated.entry for rated in view.board.rows])
    compared = cached.comparison([version.number for version in versions], number)
    played = cached.played.newest(number)[:BATCHES]
    worst = Batches(store).worst_matches([(batch, batch.entries.index(number)) for batch in played], WORST)
    challenges = challenges_of(store, cached.id, number)[:BATCHES]
    name = view.league.name

    def part(macro: str, *values: Any) -> Element:
        return TEMPLATES.macro(_PARTS, macro)(*values)

    ordered = [row.entry, *(version for version in reversed(versions) if version.number != number)][:4]
    moments = cached.history.moments()
    lines = [
        RatingLine(version.name, points_of(moments, version.number), version.number == number) for version in ordered
    ]
    return PageParts(
        {
            "hidden-since": hidden_note(view),
            "state": _state(store, view, row, names),
            "figures": _figures(view, row),
            "versions": _versions(view, versions, compared),
            "history": part("history", rating_chart(lines), _newest_first(lines)),
            "opponents": part("opponents", name, row.entry.name, _opponents(view, compared)),
            **(
                {"worst": part("worst", name, row.entry.name, listing(worst, translated=True), len(played))}
                if worst
                else {}
            ),
            "batches": part("batches", name, played, challenges),
        }
    )


def _state(store: Store, view: LeagueView, row: BoardRow, names: Mapping[str, str]) -> Element:
    entry = row.entry
    place = divisions.place_words(store, view, entry)
    waiting = [batch for batch in view.queue if entry.number in batch.entries][:3]
    audit = []
    for flag in row.flags:
        more = {"fault": "any"} if flag.other is None else {"against": view.board.names[flag.other]}
        query = {"league": view.league.name, "bot": entry.name} | more
        audit.append((translate(sentence(flag, view.board.names)), query))
    return TEMPLATES.macro(_PARTS, "state")(
        view.league.name,
        entry,
        f"{_state_sentence(view, row)} {place}".strip(),
        _advice(entry),
        names,
        [(batch.number, batch.state == "leased") for batch in waiting],
        _grants(store, entry),
        audit,
        _(CAUTION) if any(flag.other is not None for flag in row.flags) else "",
    )


def _state_sentence(view: LeagueView, row: BoardRow) -> str:
    """Say how far an entry is."""
    name, reason = row.entry.name, row.entry.reason
    match row.entry.state:
        case "placing":
            deals = f"{row.deals:,}"
            return _(
                "{0} is being placed: {1} deals so far. It gets its place once its interval is narrow.", name, deals
            )
        case "retired":
            return _("{0} is retired: {1}.", name, reason or _("by its owner"))
        case "suspended":
            return _("{0} is suspended: {1}.", name, reason or _("by the organiser"))
    if row.rank is None:
        return _("{0} has its place and waits for its first match.", name)
    return _("{0} is {1} of {2}.", name, rank_words(row.rank), sum(rated.rank is not None for rated in view.board.rows))


def _advice(entry: EntryRow) -> str:
    """Return what is said to the owner of an entry that is not active; empty for others."""
    if entry.state == "retired":
        return _("It keeps its rating and is not scheduled any more.")
    if entry.state == "suspended":
        return _(
            "It is not scheduled any more. Its process failures, below, say what happened, with its output if you are "
            "signed in as its owner. Mend the bot and hand it in again: the new version takes its place."
        )
    return ""


def _grants(store: Store, entry: EntryRow) -> list[str]:
    """Say what the organiser grants an entry, and what its bot.toml asks for beyond that."""
    sentences = []
    if entry.grants.words:
        versions = _("this version and later ones") if entry.grants.later else _("this version alone")
        granted = ", ".join(entry.grants.words)
        sentences.append(_("The organiser grants it {0}, beyond what every bot has: {1}.", granted, versions))
    if entry.is_active and (asked := ", ".join(unmet_needs(store, entry))):
        sentences.append(
            _(
                "Its bot.toml asks for {0} (needs), which the organiser of the league has not granted: it plays "
                "without.",
                asked,
            )
        )
    return sentences


def _figures(view: LeagueView, row: BoardRow) -> Element:
    day, version = (None if value is None else round(value) for value in (row.change, row.version_change))
    faults = ", ".join(f"{kind} {number}" for kind, number in sorted((row.faults or {}).items()))
    hook = plugins().hook.arena_bot_link
    links = (
        hook(event=league_path(view.league.name), number=row.entry.number, is_first=row.rank == 1)
        if row.matches
        else []
    )
    return TEMPLATES.macro(_PARTS, "figures")(view.league.name, row, day, version, faults, links)


def _versions(view: LeagueView, versions: Sequence[EntryRow], compared: EntryComparison) -> Element:
    before = {later: (earlier, later) for earlier, later in compared.los}
    rows, sentences = [], []
    for entry in reversed(versions):
        pair = before.get(entry.number)
        los = compared.los[pair] if pair is not None else None
        if pair is not None and los is not None:
            later, earlier = entry.submission[1], view.rows[pair[0]].entry.submission[1]
            stronger, weaker, sure = (later, earlier, los) if los >= 0.5 else (earlier, later, 1 - los)
            sentences.append(_("v{0} is stronger than v{1} with {2}.", stronger, weaker, percent(sure)))
        rows.append((view.rows[entry.number], "-" if los is None else percent(los)))
    scale = scale_of([row for row, _ in rows])
    return TEMPLATES.macro(_PARTS, "versions")(view.league.name, sentences, rows, scale)


def _newest_first(lines: Sequence[RatingLine]) -> list[RatingPoint]:
    """Return the points of the entry; where it has none, of all that are drawn."""
    main = [line for line in lines if line.is_main and line.points] or lines
    return [point for line in main for point in reversed(line.points)]


def _opponents(view: LeagueView, compared: EntryComparison) -> list[tuple[BoardRow, Meetings, float]]:
    """Return each entry that it met, with the share of points; those that it beats first."""
    met = [(view.rows[meeting.other], meeting, meeting.points / meeting.comparisons) for meeting in compared.meetings]
    return sorted(met, key=lambda opponent: (-opponent[2], opponent[1].other))
