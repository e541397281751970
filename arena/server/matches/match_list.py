"""Lists of matches, with filters."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from arena.language.languages import ENGLISH, LANGUAGE, speaking
from arena.language.message import Message
from arena.league.store.leagues import Leagues
from arena.replay.html import Element
from arena.results.stage_names import StageNames
from arena.server.access import Access
from arena.server.pages.numbers import rank_words
from arena.server.requests.parameters import parse_number
from arena.server.templates import TEMPLATES
from arena.server.tournaments.ranking_cache import RankingCache
from arena.store import NoSuchRow, Store
from arena.store.engine.errors import SearchTooLong
from arena.store.engine.time_limit import SEARCH_SECONDS
from arena.values.given_time import shown_time
from arena.values.rows import FAULT_KINDS, ListedMatch
from referee.engine.registry import in_units

AT_ONCE = 50
"""Matches on one page."""

MOST_LISTED = 500
"""Names of bots in a list; where there are more, a name is typed."""

WORST = "worst"
"""The order with the lowest scores of the chosen bot first."""

SEATS = 30
"""Seats that can be chosen."""

_match_list = TEMPLATES.macro("matches/match_list.html", "match_list")


class _Match(NamedTuple):
    """A line of a list."""

    row: ListedMatch
    players: Sequence[tuple[str, str, bool]]
    """Who held each seat, with rank and score, and whether they are first."""
    faults: int
    """How many there are."""
    faulty: Sequence[tuple[int, str, str]]
    """Each seat with faults, who held it, and its faults in words."""
    stage: Message | None
    """What the stage of its tournament is called; None where that has none."""


def show(store: Store, rankings: RankingCache, query: Mapping[str, str], access: Access) -> str:
    """Return the page.

    query: the filters in the URL: game, tournament, bot, seat, against, fault, order, before, league, batch and table
        of it.
    """
    parsed = ((name, parse_number(query.get(name, ""))) for name in ("tournament", "seat", "before", "batch", "table"))
    numbers = {name: value for name, value in parsed if value is not None}
    texts = {name: query[name] for name in ("game", "bot", "against", "league") if query.get(name)}
    fault = query["fault"] if query.get("fault") in ("any", *FAULT_KINDS) else None
    worst = query.get("order") == WORST and "bot" in texts
    apart = rankings.apart(texts["bot"], texts["against"]) if {"bot", "against"} <= texts.keys() else ()
    practice = "league" in texts and _is_own_practice(store, access, texts["league"])
    hidden = _hidden_words(store, texts.get("league"), practice=practice)
    empty = "No matches are shown." if hidden else "No matches found."
    try:
        matches = store.matches(
            **numbers,  # type: ignore[arg-type]
            **texts,  # type: ignore[arg-type]
            fault=fault,
            worst=worst,
            limit=AT_ONCE + 1,
            excluded=apart,
            seconds=SEARCH_SECONDS,
            practice=practice,
        )
    except SearchTooLong as error:
        matches, empty = [], f"Not found: {error}."
    has_more = len(matches) > AT_ONCE
    matches = matches[:AT_ONCE]
    older = {name: value for name, value in query.items() if value} | {"before": str(matches[-1].id) if matches else ""}
    names = store.names()
    with speaking(ENGLISH):
        listed = [_match(match, rankings.stages) for match in matches]
    return TEMPLATES.page(
        "matches/list.html",
        matches=listed,
        empty=empty,
        hidden=hidden,
        older=f"/matches?{urlencode(older)}" if has_more and not worst else None,
        query=query,
        games=store.games(),
        tournaments=[str(row.id) for row in reversed(store.tournaments())],
        leagues=[*([texts["league"]] if practice else ()), *(row.name for row in reversed(Leagues(store).all()))],
        names=names if len(names) <= MOST_LISTED else None,
        seats=[str(seat) for seat in range(SEATS)],
        kinds=("any", *FAULT_KINDS),
        worst=WORST,
    )


def _is_own_practice(store: Store, access: Access, name: str) -> bool:
    """Return whether a league is a practice league that the visitor may see."""
    try:
        return access.league(store, name).owner is not None
    except NoSuchRow:
        return False


def _hidden_words(store: Store, name: str | None, *, practice: bool) -> str:
    """Say that matches of a league are hidden from whoever asks; empty where none are, or there is no such league."""
    if name is None or not store.is_for_visitors:
        return ""
    with store.snapshot():
        try:
            league = Leagues(store).named(name, practice=practice)
        except NoSuchRow:
            return ""
        hidden, dates = Leagues(store).hiding(league.id), Leagues(store).dates(league.id)
    if hidden is None:
        return ""
    ends = f" ({shown_time(dates.ends, dates.zone)})" if dates.ends else ""
    return (
        f"New results of {name} are hidden since {shown_time(hidden.since, dates.zone)} until its season ends{ends}: "
        "only matches from before are listed."
    )


def listing(matches: Sequence[ListedMatch], stages: StageNames | None = None, *, translated: bool = False) -> Element:
    """Return a table of matches.

    stages: the names of the stages of tournaments; None where all matches are of leagues.
    translated: whether it is for a page in the language of the request; others are in English.
    """
    with speaking(LANGUAGE.get() if translated else ENGLISH):
        return _match_list([_match(match, stages) for match in matches])


def _match(match: ListedMatch, stages: StageNames | None) -> _Match:
    players = [
        (name, f"{rank_words(rank)}, {in_units(match.game, score):g}", rank == 1)
        for name, rank, score in zip(match.players, match.ranks, match.scores, strict=True)
    ]
    faults = sum(sum(kinds.values()) for kinds in match.faults)
    faulty = [
        (seat, match.players[seat], ", ".join(f"{kind} {count}" for kind, count in kinds.items()))
        for seat, kinds in enumerate(match.faults)
        if kinds
    ]
    return _Match(match, players, faults, faulty, stages.of(match.tournament, match.deal) if stages else None)
