"""Titles, descriptions and pictures of pages, which other sites show beside a link (https://ogp.me)."""

from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request

from arena.hooks.specifications import Preview
from arena.language.languages import ENGLISH, LANGUAGE
from arena.language.messages import gettext as _
from arena.league.results.board import BoardRow
from arena.replay.picture.picture import HEIGHT, WIDTH, Moment
from arena.replay.picture.words import clean
from arena.server.leagues.cache import LeagueView
from arena.server.pages.numbers import rank_words
from arena.server.requests.proxies import site_address
from arena.server.tournaments.ranking_cache import CachedRanking
from arena.values.rows import StoredMatch, TournamentRow
from arena_share.cards import Card, board_card, entry_card, tournament_card
from arena_share.pictures import KINDS
from arena_share.png import draws_png
from referee.engine.registry import in_units

MOST_LETTERS = 300
"""Of a description; services show fewer."""
MOST_DIGITS = 9


def preview(request: Request, about: tuple[Any, ...]) -> Preview | None:
    """Return the preview of a page; None where it has none.

    about: what it shows, as the hook `arena_preview` has it.
    """
    match about:
        case (StoredMatch() as match,):
            return match_preview(request, match)
        case (TournamentRow() as row, CachedRanking() as ranked):
            return card_preview(request, tournament_card(row, ranked))
        case (LeagueView() as view,):
            return card_preview(request, board_card(view))
        case (LeagueView() as view, BoardRow() as row):
            return card_preview(request, entry_card(view, row))
    return None


def moment_of(request: Request) -> Moment:
    """Return the moment of a match that an address names; what is no number is left out, as on the page.

    Events are numbered from 1 in addresses.
    """

    def number(name: str) -> int | None:
        text = request.query_params.get(name, "")
        return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None

    event = number("event")
    return Moment(number("move") or 0, None if not event else event - 1, number("seat"))


def match_preview(request: Request, match: StoredMatch) -> Preview:
    """Return the preview of the page of a match at the moment that the address names.

    Without a moment the picture is that of the end.
    """
    moment = moment_of(request)
    is_named = "move" in request.query_params
    game = match.event.game
    title = _("Match {0}: {1}", match.id, game)
    if is_named:
        title = f"{title}, {_('move {0}', moment.move)}"
    ranked = sorted(zip(match.row.seats, match.players, strict=True), key=lambda held: held[0].rank)
    results = [f"{clean(name)}: {rank_words(row.rank)}, {in_units(game, row.score):g}" for row, name in ranked]
    query = _query(moment, is_named)
    end = urlencode({"move": "9" * MOST_DIGITS} | ({} if LANGUAGE.get() == ENGLISH else {"lang": LANGUAGE.get()}))
    path = f"{site_address(request)}/matches/{match.id}"
    kind = "png" if draws_png() else "svg"
    return Preview(
        title=title,
        description=" · ".join(results)[:MOST_LETTERS],
        url=f"{path}?{query}" if query else path,
        image=f"{path}/picture.{kind}?{query if is_named else end}",
        image_kind=KINDS[kind],
        width=WIDTH,
        height=HEIGHT,
    )


def card_preview(request: Request, card: Card) -> Preview:
    """Return the preview of the page of a ranking, whose picture is beside the page."""
    language = "" if LANGUAGE.get() == ENGLISH else f"?lang={LANGUAGE.get()}"
    url = f"{site_address(request)}{quote(request.url.path)}"
    kind = "png" if draws_png() else "svg"
    return Preview(
        title=card.title,
        description=clean(card.words)[:MOST_LETTERS] or card.note,
        url=f"{url}{language}",
        image=f"{url}/picture.{kind}{language}",
        image_kind=KINDS[kind],
        width=WIDTH,
        height=HEIGHT,
    )


def _query(moment: Moment, is_named: bool) -> str:
    values: dict[str, int | str] = {}
    if is_named:
        values["move"] = moment.move
        if moment.event is not None:
            values["event"] = moment.event + 1
        if moment.seat is not None:
            values["seat"] = moment.seat
    if LANGUAGE.get() != ENGLISH:
        values["lang"] = LANGUAGE.get()
    return urlencode(values)
