"""Downloads of a tournament: its matches as CSV and Parquet, its ranking as LaTeX."""

from collections.abc import AsyncGenerator, Hashable, Iterator
from contextlib import aclosing
from http import HTTPStatus
from importlib.util import find_spec

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from arena.ratings.ranking_output import ranking_text
from arena.results.archive.result_tables import results_csv, results_parquet
from arena.server.access import access_of
from arena.server.limits.open_counter import ALL, OpenCounter
from arena.server.tournaments.ranking_cache import RankingCache
from arena.store import Store
from arena.values.visitors import visitor_key

WRITTEN = 4
"""The largest number of tables of which a part is written at the same moment: each keeps a thread busy."""

DOWNLOADS, VISITOR_DOWNLOADS = 64, 8
"""The largest number of tables that are sent at the same time, in all and to one visitor: each has a part in memory."""

_CSV = "text/csv; charset=utf-8"
_PARQUET = "application/vnd.apache.parquet"
_LATEX = "application/x-tex; charset=utf-8"


def has_parquet() -> bool:
    """Tell whether Parquet can be written here."""
    return find_spec("pyarrow") is not None


class Downloads:
    """The request handlers. Tables are written while they are sent, so that a large one takes little memory."""

    def __init__(self, store: Store, rankings: RankingCache) -> None:
        self._store = store
        self._rankings = rankings
        self._open = OpenCounter()
        self._threads = trio.CapacityLimiter(WRITTEN)

    def csv(self, request: Request) -> Response:
        """Return the matches of a tournament as CSV."""
        return self._table(request, "csv", _CSV)

    def parquet(self, request: Request) -> Response:
        """Return the matches of a tournament as Parquet."""
        if not has_parquet():
            raise HTTPException(HTTPStatus.NOT_FOUND, "this server cannot write Parquet: download the CSV file")
        return self._table(request, "parquet", _PARQUET)

    def latex(self, request: Request) -> Response:
        """Return the ranking of a tournament as a table in LaTeX."""
        row = self._store.tournament(request.path_params["number"])
        standings = self._rankings.of(row).standings
        text = ranking_text(standings.table, standings.conduct, "latex") + "\n"
        return Response(text, media_type=_LATEX, headers=_saved_as(f"tournament-{row.id}-ranking.tex"))

    def _table(self, request: Request, form: str, media_type: str) -> Response:
        row = self._store.tournament(request.path_params["number"])
        # The seed of a deal that is still in play would tell its cards.
        seeds = access_of(request).organiser or row.finished is not None
        make_table = results_parquet if form == "parquet" else results_csv
        parts = make_table(self._store, row.id, seeds=seeds)
        headers = _saved_as(f"tournament-{row.id}-matches.{form}")
        if form == "parquet":
            headers["content-encoding"] = "identity"  # it is compressed already
        return _Download(parts, media_type, headers, self._open, self._threads)


class _Download(StreamingResponse):
    """A file that is written while it is sent, if not too many others are.

    Each part is written when it is wanted, so that slow readers keep no thread busy.
    """

    def __init__(
        self,
        parts: Iterator[bytes],
        media_type: str,
        headers: dict[str, str],
        downloads: OpenCounter,
        threads: trio.CapacityLimiter,
    ) -> None:
        self._parts = _written(parts, threads)
        super().__init__(self._parts, media_type=media_type, headers=headers)
        self._downloads = downloads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        visitor = visitor_key(client[0] if client else "")
        limits: dict[Hashable, int] = {ALL: DOWNLOADS, ("visitor", visitor): VISITOR_DOWNLOADS}
        sentence = "too many downloads at the moment: try again later"
        async with aclosing(self._parts):
            with self._downloads.admit(limits, HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, sentence)):
                await super().__call__(scope, receive, send)


async def _written(parts: Iterator[bytes], threads: trio.CapacityLimiter) -> AsyncGenerator[bytes, None]:
    while (part := await trio.to_thread.run_sync(next, parts, None, limiter=threads)) is not None:
        yield part


def _saved_as(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
