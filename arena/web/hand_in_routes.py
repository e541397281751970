"""Routes to hand in bots, and to follow their checks."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from arena.checking.hand_in_worker import HandInWorker
from arena.checking.intake import check_name_is_free
from arena.store import NoSuchRow, Store
from arena.store.accounts import ORGANISER, AccountRow
from arena.store.hand_in_rows import HandInRow, TooManyHandIns
from arena.submissions.errors import BadName
from arena.submissions.names import owner
from arena.web.access import access_of
from arena.web.errors import PageNotFound
from arena.web.event_streams import EventStream, StreamCounter
from arena.web.live_hand_ins import LiveHandIns
from arena.web.pages import hand_ins, submit
from arena.web.rate_limit import RateLimit
from arena.web.request_body import body

UPLOAD = 8 * 1024 * 1024
"""The largest upload in bytes."""

NEWEST = 200
"""Hand-ins on the page that lists them."""


class HandInRoutes:
    """The handlers. worker: what checks the hand-ins. streams: counts open streams."""

    def __init__(self, store: Store, worker: HandInWorker, streams: StreamCounter) -> None:
        self._store = store
        self._worker = worker
        self._streams = streams
        self._live = LiveHandIns(store, worker.jobs)
        self._uploads = RateLimit(20, 3600)

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        return [
            ("/submit", self.ask, "GET"),
            ("/submit", self.receive, "POST"),
            ("/hand-ins", self.list_newest, "GET"),
            ("/hand-ins/{number:number}", self.show, "GET"),
            ("/hand-ins/{number:number}/events", self.follow, "GET"),
            ("/hand-ins/{number:number}/cancel", self.cancel, "POST"),
            ("/hand-ins/{number:number}/questions/{finding:number}", self.question, "GET"),
            ("/hand-ins/{number:number}/logs/{finding:number}", self.log, "GET"),
        ]

    def ask(self, request: Request) -> Response:
        """Return the page to submit a bot."""
        return HTMLResponse(submit.show(_signed_in(request), UPLOAD))

    async def receive(self, request: Request) -> Response:
        """Store a hand-in: the body is the file; the names of the bot and the file are query parameters."""
        account = _signed_in(request)
        name, file = (request.query_params.get(field, "") for field in ("name", "file"))
        if account.role != ORGANISER and owner(name) != account.name:
            raise BadName(f"the name must begin with {account.name}/, not {name[:80]!r}")
        check_name_is_free(name)
        if not self._uploads.allows(account.name):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, "too many submissions within an hour: try again later")
        content = await body(request, UPLOAD)
        if await run_sync(request.scope["sign_in"]) != account:
            raise HTTPException(HTTPStatus.FORBIDDEN, "you are no longer signed in: sign in at /sign-in")
        try:
            number = await run_sync(self._store.hand_ins.receive, account.name, name, file, content)
        except TooManyHandIns as error:
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, str(error)) from None
        self._worker.notify()
        address = f"/hand-ins/{number}"
        if "text/html" in request.headers.get("accept", ""):
            return RedirectResponse(address, HTTPStatus.SEE_OTHER)
        values = {"hand_in": number, "address": address}
        return JSONResponse(values, HTTPStatus.ACCEPTED, headers={"location": address})

    def list_newest(self, request: Request) -> Response:
        """Return the list of the account's hand-ins; organisers see everybody's."""
        account = _signed_in(request)
        organiser = account.role == ORGANISER
        rows = self._store.hand_ins.newest(None if organiser else account.name, NEWEST)
        return HTMLResponse(hand_ins.list_all(rows, with_owners=organiser))

    def show(self, request: Request) -> Response:
        """Return the page of a hand-in."""
        row = self._hand_in(request)
        return HTMLResponse(hand_ins.show(self._live.state(row)), headers={"cache-control": "no-store"})

    async def follow(self, request: Request) -> Response:
        """Return the progress of a hand-in as server-sent events."""
        row = await run_sync(self._hand_in, request)
        return EventStream(self._live.events(row.id), self._streams)

    def cancel(self, request: Request) -> Response:
        """Cancel a hand-in, unless it is finished, and return to its page."""
        row = self._hand_in(request)
        self._store.hand_ins.cancel(row.id)
        return RedirectResponse(f"/hand-ins/{row.id}", HTTPStatus.SEE_OTHER)

    def question(self, request: Request) -> Response:
        """Return the file of a question at which the bot failed its check."""
        found = self._finding(request)
        return _download(found["question"], f"{found['name']}.json", "application/json")

    def log(self, request: Request) -> Response:
        """Return the log of the match in which the bot failed its check."""
        found = self._finding(request)
        if found["log"] is None:
            raise PageNotFound("this question belongs to no match")
        return _download(found["log"], f"{found['name']}.txt", "text/plain; charset=utf-8")

    def _hand_in(self, request: Request) -> HandInRow:
        """Return the hand-in that a request names. Raises HTTPException if it is somebody else's."""
        account, number = _signed_in(request), request.path_params["number"]
        try:
            row = self._store.hand_ins.find(number)
        except NoSuchRow:
            raise PageNotFound(f"there is no hand-in {number}") from None
        if account.role != ORGANISER and row.owner != account.name:
            raise HTTPException(HTTPStatus.FORBIDDEN, "this hand-in belongs to somebody else")
        return row

    def _finding(self, request: Request) -> dict[str, Any]:
        """Return a finding of a hand-in's check. Raises PageNotFound."""
        report = self._store.hand_ins.report(self._hand_in(request).id)
        number = request.path_params["finding"]
        if report is None or not 1 <= number <= len(report["found"]):
            raise PageNotFound("the check found nothing of this number")
        return dict(report["found"][number - 1])


def _download(text: str, name: str, media_type: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(text, media_type=media_type, headers=headers)


def _signed_in(request: Request) -> AccountRow:
    account = access_of(request).account
    if account is None:
        raise HTTPException(HTTPStatus.FORBIDDEN, "you are not signed in: sign in at /sign-in")
    return account
