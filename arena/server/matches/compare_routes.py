"""Routes to see the matches of one deal side by side."""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.server.access import access_of
from arena.server.matches import compare
from arena.server.requests.parameters import parse_number
from arena.store import Store
from arena.values.rows import ListedMatch, StoredMatch

MOST_LISTED = 64
"""The largest number of matches of a deal that are listed; only tables that share their deals have so many."""


def matches_of_deal(store: Store, match: StoredMatch) -> list[ListedMatch]:
    """Return the matches that were played from the deal of a match, itself included, those of its table first.

    match: as the visitor may see it: whoever may see one match of an event may see the others.
    """
    return store.matches_of_deal(match, MOST_LISTED)


class CompareRoutes:
    """The handlers.

    store: the open database.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def routes(self) -> list[tuple[str, Callable[[Request], Any]]]:
        """Return the routes as path and handler."""
        return [("/matches/{id:number}/compare", self.page)]

    def page(self, request: Request) -> Response:
        """Return a match beside others of its deal: those that the query names, or the next one."""
        match = access_of(request).match(self._store, request.path_params["id"])
        listed = matches_of_deal(self._store, match)
        others = [other for other in listed if other.id != match.id]
        chosen = _chosen(request.query_params.getlist("with"), others) or others[:1]
        if not chosen:
            raise HTTPException(HTTPStatus.NOT_FOUND, f"match {match.id} is the only match of its deal")
        own = next(other for other in listed if other.id == match.id)
        return HTMLResponse(compare.show(match, [own, *chosen], others))


def _chosen(texts: Sequence[str], others: Sequence[ListedMatch]) -> list[ListedMatch]:
    """Return the matches that a query names, in its order. Raises HTTPException for one of another deal."""
    by_id = {other.id: other for other in others}
    names = [name for text in texts for name in text.split(",")]
    chosen: dict[int, ListedMatch] = {}
    for name in names:
        number = parse_number(name)
        if number is None or number not in by_id:
            raise HTTPException(HTTPStatus.BAD_REQUEST, f"{name[:20]} is no other match of this deal")
        chosen[number] = by_id[number]
    if len(chosen) >= compare.MOST:
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"at most {compare.MOST} matches stand side by side")
    return list(chosen.values())
