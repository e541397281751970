"""Lists of matches, with filters."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from arena.league.store.leagues import Leagues
from arena.replay.html import Child, Element, tag
from arena.server.leagues.league_parts import batch_link, league_link
from arena.server.pages.layout import bot_link, content, ordinal, page, sheet, table, tournament_link
from arena.server.requests.parameters import parse_number
from arena.server.tournaments.ranking_cache import RankingCache
from arena.store import Store
from arena.store.engine.errors import SearchTooLong
from arena.store.engine.time_limit import SEARCH_SECONDS
from arena.values.rows import FAULT_KINDS, ListedMatch
from referee.engine.registry import in_units

AT_ONCE = 50
"""Matches on one page."""

MOST_LISTED = 500
"""Names of bots in a list; where there are more, a name is typed."""

HEADERS = ("match", "tournament or batch", "game", "deal", "players by seat: rank, score", "faults")

WORST = "worst"
"""The order with the lowest scores of the chosen bot first."""


def show(store: Store, rankings: RankingCache, query: Mapping[str, str]) -> str:
    """Return the page.

    query: the filters in the URL: tournament, bot, seat, against, fault, order, before, league, batch and table of it.
    """
    parsed = ((name, parse_number(query.get(name, ""))) for name in ("tournament", "seat", "before", "batch", "table"))
    numbers = {name: value for name, value in parsed if value is not None}
    texts = {name: query[name] for name in ("bot", "against", "league") if query.get(name)}
    fault = query["fault"] if query.get("fault") in ("any", *FAULT_KINDS) else None
    worst = query.get("order") == WORST and "bot" in texts
    apart = rankings.apart(texts["bot"], texts["against"]) if {"bot", "against"} <= texts.keys() else ()
    empty = "No matches found."
    try:
        matches = store.matches(
            **numbers,  # type: ignore[arg-type]
            **texts,  # type: ignore[arg-type]
            fault=fault,
            worst=worst,
            limit=AT_ONCE + 1,
            excluded=apart,
            seconds=SEARCH_SECONDS,
        )
    except SearchTooLong as error:
        matches, empty = [], f"Not found: {error}."
    has_more = len(matches) > AT_ONCE
    matches = matches[:AT_ONCE]
    older = {name: value for name, value in query.items() if value} | {"before": str(matches[-1].id) if matches else ""}
    return page(
        "Matches",
        content(
            "Matches",
            _filters(store, query),
            sheet(listing(matches) if matches else tag("p", {"class": "soft"}, empty)),
            tag("p", {}, tag("a", {"href": f"/matches?{urlencode(older)}", "rel": "next"}, "older matches"))
            if has_more and not worst
            else None,
        ),
        here="/matches",
        styles=("site.css",),
        scripts=("sort.js",),
    )


def listing(matches: Sequence[ListedMatch]) -> Element:
    """Return a table of matches."""
    return table(HEADERS, map(_row, matches), (0, 3), (1, 3), sortable=True)


def _where(match: ListedMatch) -> Child:
    """Return the tournament or the batch of a match as a link."""
    if match.batch is not None:
        league, number = match.batch
        return (batch_link(league, number, f"batch {number}"), " of ", league_link(league))
    return "-" if match.tournament is None else tournament_link(match.tournament)


def _row(match: ListedMatch) -> tuple[Child, ...]:
    return (
        tag("a", {"href": f"/matches/{match.id}"}, str(match.id)),
        _where(match),
        match.game,
        match.deal,
        tag(
            "ol",
            {"class": "players", "start": 0},
            [
                tag("li", {"class": "first" if rank == 1 else None}, bot_link(name),
                    tag("span", {"class": "soft"}, f" {ordinal(rank)}, {in_units(match.game, score):g}"))
                for name, rank, score in zip(match.players, match.ranks, match.scores, strict=True)
            ],
        ),
        _faults(match),
    )  # fmt: skip


def _faults(match: ListedMatch) -> Child:
    """Return the faults of a match, to be sorted by how many there are."""
    number = sum(sum(kinds.values()) for kinds in match.faults)
    return tag("span", {"data-sort": number}, match.faults_text()) if number else "-"


def _filters(store: Store, query: Mapping[str, str]) -> Element:
    names = store.names()
    kinds = ["", "any", *FAULT_KINDS]

    def labelled(label: str, field: Element) -> Element:
        return tag("label", {}, label, " ", field)

    def select(name: str, label: str, values: Sequence[str], none: str) -> Element:
        options = [
            tag("option", {"value": value, "selected": value == query.get(name, "")}, value or none) for value in values
        ]
        return labelled(label, tag("select", {"name": name}, options))

    def bot(name: str, label: str) -> Element:
        if len(names) <= MOST_LISTED:
            return select(name, label, ["", *names], "any")
        value = query.get(name, "")
        attributes = {"name": name, "value": value, "placeholder": "any", "size": "20", "autocapitalize": "off"}
        return labelled(label, tag("input", attributes))

    tournaments = ["", *(str(row.id) for row in reversed(store.tournaments()))]
    leagues = [row.name for row in reversed(Leagues(store).all())]
    seats = ["", *map(str, range(30))]
    return tag(
        "form",
        {"class": "filters sheet", "method": "get", "action": "/matches"},
        select("tournament", "tournament", tournaments, "all"),
        select("league", "league", ["", *leagues], "all") if leagues else None,
        [
            tag("input", {"type": "hidden", "name": name, "value": query[name]})
            for name in ("batch", "table")
            if query.get(name)
        ],
        bot("bot", "bot"),
        select("seat", "in seat", seats, "any"),
        bot("against", "against"),
        select("fault", "fault", kinds, "with or without"),
        select("order", "order", ["", WORST], "newest"),
        tag("button", {"class": "main"}, "show"),
    )
