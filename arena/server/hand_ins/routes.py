"""Routes to hand in bots, and to follow their checks."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from arena.bots.hand_in_rows import HandInRow, TooManyHandIns
from arena.bots.hand_in_worker import HandInWorker
from arena.bots.hand_ins import HandIns
from arena.bots.intake import check_name_is_free
from arena.bots.rejudging import FINISHED, NOT_FOR_OWNERS, Chosen, RejudgeError, Rejudging
from arena.league.results.hand_in_notices import league_notices
from arena.packs.errors import BadName, PackError
from arena.packs.upload import check_upload
from arena.server.access import PRIVATE, access_of, signed_in
from arena.server.api.authentication import too_many
from arena.server.api.negotiation import sent_type
from arena.server.api.uploads import FORM, Upload, UploadSlots, read_upload
from arena.server.errors import PageNotFound
from arena.server.hand_ins.live import LiveHandIns
from arena.server.hand_ins.progress import progress
from arena.server.limits.rate_limit import RateLimit
from arena.server.live.event_streams import EventStream, StreamCounter
from arena.server.requests.request_body import form, form_lists
from arena.server.templates import TEMPLATES
from arena.store import NoSuchRow, Store
from arena.store.people.accounts import ORGANISER, AccountRow
from arena.values.server_log import log_event
from arena.values.versioned_names import owner

UPLOAD = 8 * 1024 * 1024
"""The largest upload in bytes."""

NEWEST = 200
"""Hand-ins on the page that lists them."""


RELOAD = 5
"""Seconds after which a browser without JavaScript loads the page of a hand-in again, as long as it is checked."""


class HandInRoutes:
    """The handlers.

    worker: what checks the hand-ins.
    streams: counts open streams.
    """

    def __init__(self, store: Store, worker: HandInWorker, streams: StreamCounter) -> None:
        self._store = store
        self._worker = worker
        self._streams = streams
        self._live = LiveHandIns(store, worker.places)
        self._uploads = RateLimit(20, 3600)
        self._slots = UploadSlots()

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        return [
            ("/submit", self.ask, "GET"),
            ("/submit", self.receive, "POST"),
            ("/hand-ins", self.list_newest, "GET"),
            ("/hand-ins/{number:number}", self.show, "GET"),
            ("/hand-ins/{number:number}/events", self.follow, "GET"),
            ("/hand-ins/{number:number}/cancel", self.cancel, "POST"),
            ("/hand-ins/{number:number}/rejudge", self.rejudge, "POST"),
            ("/hand-ins/rejudge", self.rejudge_several, "POST"),
            ("/hand-ins/{number:number}/questions/{finding:number}", self.question, "GET"),
            ("/hand-ins/{number:number}/logs/{finding:number}", self.log, "GET"),
        ]

    def ask(self, request: Request) -> Response:
        """Return the page to submit a bot."""
        return HTMLResponse(self._form(signed_in(request)))

    async def receive(self, request: Request) -> Response:
        """Store a hand-in, sent as a form or as the file itself, with the names of the bot and the file as parameters.

        A form that is refused is returned with the reason.
        """
        account = signed_in(request)
        is_form = sent_type(request) == FORM
        name = request.query_params.get("name", "")
        try:
            if not is_form:  # before the file is read
                _check_name(account, name)
            with self._slots.taken(account.owner):
                if not self._uploads.allows(account.owner):
                    seconds = self._uploads.seconds_left(account.owner)
                    raise too_many("too many submissions within an hour: wait a while", seconds)
                query = request.query_params
                practice_only = query.get("practice_only") == "true"
                upload = await read_upload(request, name, query.get("file", ""), UPLOAD, practice_only=practice_only)
            name = upload.bot
            _check_name(account, name)
            number = await self._store_upload(request, account, upload)
        except (HTTPException, BadName, PackError) as error:
            if not is_form:
                raise
            status, reason, headers = HTTPStatus.UNPROCESSABLE_ENTITY.value, str(error), None
            if isinstance(error, HTTPException):
                status, reason, headers = error.status_code, error.detail, error.headers
            return HTMLResponse(await run_sync(self._form, account, name or None, reason), status, headers)
        log_event("hand_in_received", f"hand-in {number} ({name})", hand_in=number, account=account.name)
        self._worker.notify()
        address = f"/hand-ins/{number}"
        if "text/html" in request.headers.get("accept", ""):
            return RedirectResponse(address, HTTPStatus.SEE_OTHER)
        values = {"hand_in": number, "address": address}
        return JSONResponse(values, HTTPStatus.ACCEPTED, headers={"location": address})

    def _form(self, account: AccountRow, name: str | None = None, error: str = "") -> str:
        """Return the page to submit a bot. Organisers hand in bots of any owner.

        name: the name under which a bot was sent; None: the usual one.
        error: why it was not accepted.
        """
        everybody = account.role == ORGANISER
        owner = "" if everybody else account.owner
        return TEMPLATES.page(
            "hand_ins/submit.html",
            account=account,
            max_bytes=UPLOAD,
            notices=league_notices(self._store, [owner])[owner],
            name=(owner and f"{owner}/") if name is None else name,
            everybody=everybody,
            error=error,
        )

    async def _store_upload(self, request: Request, account: AccountRow, upload: Upload) -> int:
        """Store a hand-in that was sent; return its number.

        Raises HTTPException where the account may not, by now, and PackError if it can never be a bot.
        """
        if await run_sync(request.scope["sign_in"]) != account:
            raise HTTPException(HTTPStatus.FORBIDDEN, "you are no longer signed in: sign in at /sign-in")
        await run_sync(check_upload, upload.file, upload.content)
        try:
            per_day = None if account.role == ORGANISER else self._worker.per_day
            hand_ins = HandIns(self._store)
            receive = partial(
                hand_ins.receive,
                per_day=per_day,
                space=self._worker.space,
                sent_by=account.name,
                practice_only=upload.practice_only,
            )
            return await run_sync(receive, account.owner, upload.bot, upload.file, upload.content)
        except TooManyHandIns as error:
            headers = {"retry-after": str(error.retry_after)} if error.retry_after is not None else None
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, str(error), headers) from None

    def list_newest(self, request: Request) -> Response:
        """Return the list of the account's hand-ins; organisers see everybody's."""
        account = signed_in(request)
        organiser = account.role == ORGANISER
        rows = HandIns(self._store).newest(None if organiser else account.owner, NEWEST)
        chosen = {row.id for row in Rejudging(self._store).choose(Chosen(states=FINISHED))} if organiser else set()
        return HTMLResponse(
            TEMPLATES.page(
                "hand_ins/list.html",
                rows=rows,
                with_owners=organiser or any(row.sent_by for row in rows),
                names=access_of(request).display_names(self._store),
                can_be_rejudged=chosen,
            )
        )

    def show(self, request: Request) -> Response:
        """Return the page of a hand-in."""
        state = self._live.state(self._hand_in(request))
        organiser, rejudging = signed_in(request).role == ORGANISER, Rejudging(self._store)
        html = TEMPLATES.page(
            "hand_ins/hand_in.html",
            row=state.row,
            progress=progress(state),
            is_over=state.is_over,
            can_be_rejudged=organiser and state.row.state in FINISHED and not rejudging.why_not(state.row.id),
            can_be_cancelled=not state.row.is_finished and (organiser or not state.row.is_rechecked),
            reload=None if state.is_over else RELOAD,
        )
        return HTMLResponse(html, headers=PRIVATE)

    async def follow(self, request: Request) -> Response:
        """Return the progress of a hand-in as server-sent events."""
        row = await run_sync(self._hand_in, request)
        return EventStream(self._live.events(row.id), self._streams)

    def cancel(self, request: Request) -> Response:
        """Cancel a hand-in, unless it is finished, and return to its page.

        Raises HTTPException if an organiser has it checked again after it was accepted: that is not for its owner.
        """
        row = self._hand_in(request)
        if row.is_rechecked and signed_in(request).role != ORGANISER:
            raise HTTPException(HTTPStatus.FORBIDDEN, NOT_FOR_OWNERS)
        HandIns(self._store).cancel(row.id)
        self._worker.places.forget()
        return RedirectResponse(f"/hand-ins/{row.id}", HTTPStatus.SEE_OTHER)

    async def rejudge(self, request: Request) -> Response:
        """Check a hand-in again, and return to its page."""
        account = _organiser(request)
        reason = (await form(request)).get("reason", "")
        row = await run_sync(self._hand_in, request)
        await run_sync(self._rejudge, [row.id], account, reason)
        return RedirectResponse(f"/hand-ins/{row.id}", HTTPStatus.SEE_OTHER)

    async def rejudge_several(self, request: Request) -> Response:
        """Check the chosen hand-ins again, and return to the list."""
        account, fields = _organiser(request), await form_lists(request)
        numbers = fields.get("hand_in", [])
        if not numbers or not all(number.isascii() and number.isdecimal() and len(number) < 16 for number in numbers):
            raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, "choose the hand-ins that are to be checked again")
        await run_sync(self._rejudge, list(map(int, numbers)), account, fields.get("reason", [""])[0])
        return RedirectResponse("/hand-ins", HTTPStatus.SEE_OTHER)

    def _rejudge(self, numbers: list[int], account: AccountRow, reason: str) -> None:
        """Check hand-ins again. Raises HTTPException about those that cannot be, once the others are in the queue."""
        try:
            rejudged = Rejudging(self._store).rejudge(numbers, account.name, reason)
        except RejudgeError as error:
            raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from None
        for number in rejudged.taken:
            log_event("hand_in_rejudged", f"hand-in {number} is checked again", hand_in=number, account=account.name)
        self._worker.places.forget()
        self._worker.notify()
        if rejudged.left:
            reasons = "; ".join(f"hand-in {number}: {why}" for number, why in rejudged.left.items())
            others = f"; the other {len(rejudged.taken)} are" if rejudged.taken else ""
            raise HTTPException(HTTPStatus.CONFLICT, f"not checked again is {reasons}{others}")

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
        account, number = signed_in(request), request.path_params["number"]
        try:
            row = HandIns(self._store).find(number)
        except NoSuchRow:
            raise PageNotFound(f"there is no hand-in {number}") from None
        if account.role != ORGANISER and row.owner != account.owner:
            raise HTTPException(HTTPStatus.FORBIDDEN, "this hand-in belongs to somebody else")
        return row

    def _finding(self, request: Request) -> dict[str, Any]:
        """Return a finding of a hand-in's check. Raises PageNotFound."""
        report = HandIns(self._store).report(self._hand_in(request).id)
        number = request.path_params["finding"]
        if report is None or not 1 <= number <= len(report["found"]):
            raise PageNotFound("the check found nothing of this number")
        return dict(report["found"][number - 1])


def _organiser(request: Request) -> AccountRow:
    """Return the account of an organiser. Raises HTTPException if it is somebody else's."""
    account = signed_in(request)
    if account.role != ORGANISER:
        raise HTTPException(HTTPStatus.FORBIDDEN, "only organisers have hand-ins checked again")
    return account


def _download(text: str, name: str, media_type: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(text, media_type=media_type, headers=headers)


def _check_name(account: AccountRow, name: str) -> None:
    """Raise BadName unless an account may hand in a bot of this name."""
    if account.role != ORGANISER and owner(name) != account.owner:
        raise BadName(f"the name must begin with {account.owner}/, not {name[:80]!r}")
    check_name_is_free(name)
