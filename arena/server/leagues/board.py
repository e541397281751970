"""The board of a league: its entries by Elo, what is played now, and the latest upsets."""

from collections.abc import Mapping
from urllib.parse import urlencode

from arena.hooks.specifications import Preview
from arena.language.messages import gettext as _
from arena.language.messages import translate
from arena.league.results.answer_time import answer_seconds
from arena.league.results.board import BoardRow
from arena.league.results.upsets import Upset
from arena.league.store.league_rows import BatchRow, EntryRow
from arena.replay.html import Element
from arena.server.leagues.announcements import newest_part
from arena.server.leagues.board_table import board_row, has_grants
from arena.server.leagues.cache import LeagueView
from arena.server.leagues.dates import dates_part, own_deadline
from arena.server.leagues.groups import GroupChoice
from arena.server.leagues.hidden import hidden_note
from arena.server.leagues.league_parts import duration, league_path, scale_of
from arena.server.live.page_parts import PageParts
from arena.server.templates import TEMPLATES
from arena.store import Store
from arena.values.display_names import NO_NAMES

STATES = ("", "all", "placing", "standing", "retired", "suspended")
"""The filter by state."""

PLAYING, NEWEST = 3, 6
"""Batches and entries that are listed beside the board."""

NAMED = 3
"""The most names of losers in an upset."""

LONG_ANSWERS = 5
"""How many times as long as a batch takes of a core its slowest bot takes for its answers, where that is told instead:
what bots are charged has waits in it."""

_PARTS = "leagues/board_parts.html"


def show(
    view: LeagueView,
    parts: PageParts,
    query: Mapping[str, str],
    names: Mapping[str, str],
    owner: str | None = None,
    problem: str = "",
    choice: GroupChoice | None = None,
    *,
    has_live_page: bool = False,
    organiser: bool = False,
    preview: Preview | None = None,
) -> str:
    """Return the page.

    parts: as `board_parts` returns them.
    query: the filters in the URL: q, a part of the name or the author; state.
    names: the display names of accounts that the visitor sees.
    owner: whoever is signed in; their rows are marked.
    problem: why the league cannot be played, for organisers; empty where it can.
    choice: the group that is shown; None: all.
    has_live_page: whether its tables can be watched.
    organiser: whether the visitor may announce something and change the dates.
    preview: what other sites show beside a link to it; None: nothing.
    """
    choice = choice or GroupChoice((), "", view.board)
    name = view.league.name
    text, state = query.get("q", "")[:80].lower(), query.get("state", "") if query.get("state") in STATES else ""
    scale, with_grants = scale_of(view.active), has_grants(view)
    return TEMPLATES.page(
        "leagues/board.html",
        translated=True,
        league=name,
        preview=preview,
        problem=problem,
        practice=view.league.owner,
        has_live_page=has_live_page,
        organiser=organiser,
        text=text,
        state=state,
        states=_state_words(),
        rows=[
            board_row(view, row, scale, names, owner, with_grants=with_grants, in_group=bool(choice.chosen))
            for row in choice.board.rows
            if _is_meant(row, text, state, names)
        ],
        owner=owner,
        with_grants=with_grants,
        past=view.past,
        divisions=view.definition.divisions,
        own_deadline=own_deadline(view.dates, owner),
        parts=parts,
        groups=choice.names,
        group=choice.chosen,
        events=f"{league_path(name)}/events" + (f"?{urlencode({'group': choice.chosen})}" if choice.chosen else ""),
    )


def board_parts(view: LeagueView, names: Mapping[str, str] = NO_NAMES, choice: GroupChoice | None = None) -> PageParts:
    """Return the parts of the page that change: a row for each active entry, and what is beside the board.

    names: the display names of accounts that the visitor sees.
    choice: the group that is shown; None: all.
    """
    in_group = choice is not None and bool(choice.chosen)
    shown = view.board if choice is None else choice.board
    name, repeats, scale, with_grants = view.league.name, view.board.repeats, scale_of(view.active), has_grants(view)
    rows = {
        f"entry-{row.entry.number}": board_row(view, row, scale, names, with_grants=with_grants, in_group=in_group)
        for row in shown.rows
        if row.entry.is_active
    }
    others = {
        "facts": facts(view),
        "hidden-since": hidden_note(view),
        "dates": dates_part(view.dates),
        "announcement": newest_part(name, view.announcements),
        "repeats": TEMPLATES.macro(_PARTS, "repeats")(repeats.notes if repeats is not None else ()),
        "scale": TEMPLATES.macro(_PARTS, "scale")(scale),
        "playing": _playing(view),
        "upsets": TEMPLATES.macro(_PARTS, "upsets")(upsets_of(view)),
        "newest": TEMPLATES.macro(_PARTS, "newest")(name, newest_entries(view, NEWEST)),
    }
    return PageParts({**others, **rows}, tuple(rows))


def facts(view: LeagueView) -> Element:
    """Return what a league is, in a line."""
    return TEMPLATES.macro("leagues/parts.html", "facts")(facts_text(view))


def facts_text(view: LeagueView) -> str:
    """Say what a league is."""
    plan, board = view.definition, view.board
    options = "".join(f", {name}={value}" for name, value in sorted(plan.options.items()))
    authors = {row.entry.owner for row in view.active if row.entry.owner}
    bots = sum(not row.entry.is_anchor for row in view.active)
    anchors = sum(row.entry.is_anchor for row in view.board.rows)
    words = {"open": [], "paused": [_("paused: nothing new is played")], "closed": [_("closed: it has ended")]}[
        view.league.state
    ]
    if view.season.season.phase in ("frozen", "final"):
        words.append(translate(view.season.sentence))
    if board.hidden is not None:
        words.append(_("new results are hidden until the season ends"))
    if view.unplayable:
        words.append(_("nothing is played, as {0}", view.unplayable))
    words.append(_("{0} at tables of {1}", plan.game, plan.seats) + options)
    bots_words = _("1 bot") if bots == 1 else _("{0} bots", f"{bots:,}")
    if view.league.owner is None:
        by = _("1 author") if len(authors) == 1 else _("{0} authors", f"{len(authors):,}")
        words.append(_("{0} by {1}", bots_words, by))
    else:
        words.append(bots_words)
    batches = _("1 batch") if board.results == 1 else _("{0} batches", f"{board.results:,}")
    words.append(_("{0} matches in {1}", f"{board.matches:,}", batches))
    words.append(_("0 is the mean of {0} reference bots", anchors))
    return " · ".join(words)


def played_now(view: LeagueView) -> list[tuple[BatchRow, list[EntryRow]]]:
    """Return the batches that are played now, each with its entries."""
    leased = [row for row in view.queue if row.state == "leased"]
    return [(row, [view.rows[number].entry for number in row.entries]) for row in leased]


def _playing(view: LeagueView) -> Element:
    """Return what is played now, and how much waits."""
    leased = played_now(view)
    waiting = len(view.queue) - len(leased)
    words = _("1 batch waits") if waiting == 1 else _("{0} batches wait", f"{waiting:,}")
    words = words if waiting else _("nothing waits")
    more = ", " + _("{0} more are played", len(leased) - PLAYING) if len(leased) > PLAYING else ""
    return TEMPLATES.macro(_PARTS, "playing")(view.league.name, leased[:PLAYING], f"{words}{more}")


def upsets_of(view: LeagueView, most: int | None = None) -> list[tuple[int, str, str, int, int]]:
    """Return the latest upsets by the bot that won.

    Of each: the match, the bot's name, what happened, once in how many times that is expected, and how many more
    upsets the bot had.
    """
    return [
        (
            group.first.match,
            view.rows[group.first.winner].entry.name,
            upset_words(view, group.first),
            round(1 / group.first.chance),
            group.more,
        )
        for group in view.upsets[:most]
    ]


def upset_words(view: LeagueView, upset: Upset) -> str:
    """Say who won against whom."""
    names = [view.rows[entry].entry.name for entry in upset.losers]
    return _("{0} beats {1}", view.rows[upset.winner].entry.name, _enumerated(names))


def newest_entries(view: LeagueView, most: int) -> list[EntryRow]:
    """Return the entries that were handed in last, at most `most` of them."""
    bots = [row.entry for row in view.board.rows if not row.entry.is_anchor]
    return sorted(bots, key=lambda entry: -entry.number)[:most]


def expected(store: Store, view: LeagueView, row: BatchRow) -> str:
    """Say how long a batch takes: of a core or, where that is much longer, for the answers of its slowest bot."""
    seconds, answers = row.matches * (view.match_seconds or 0.0), answer_seconds(store, row)
    if answers > LONG_ANSWERS * seconds and answers >= 1:
        return _("about {0} for the answers of its slowest bot", duration(answers))
    return _("about {0} of a core", duration(seconds)) if seconds else "-"


def _is_meant(row: BoardRow, text: str, state: str, names: Mapping[str, str]) -> bool:
    entry = row.entry
    if text and not any(text in name.lower() for name in (entry.name, entry.owner, names.get(entry.owner, ""))):
        return False
    return state == "all" or (entry.state == state if state else entry.is_active)


def _enumerated(names: list[str]) -> str:
    """Return names in a row; of many the first and how many more there are."""
    if len(names) > NAMED:
        names = [*names[: NAMED - 1], _("{0} others", len(names) - NAMED + 1)]
    return names[0] if len(names) == 1 else _("{0} and {1}", ", ".join(names[:-1]), names[-1])


def _state_words() -> dict[str, str]:
    """Return what the filter by state shows, by its value."""
    return {
        "": _("active"),
        "all": _("all"),
        "placing": _("placing"),
        "standing": _("standing"),
        "retired": _("retired"),
        "suspended": _("suspended"),
    }
