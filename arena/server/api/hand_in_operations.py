"""Operations on hand-ins: those of one's own.

Organisers see everybody's with a token that reads or manages; to hand in or cancel for others it must manage.

A hand-in of somebody else is not found, as if there were none of its number.
"""

from functools import partial
from http import HTTPStatus
from typing import Annotated

from anyio.to_thread import run_sync
from msgspec import Meta, Struct
from starlette.exceptions import HTTPException
from starlette.responses import Response

from arena.bots.hand_in_rows import HandInRow
from arena.bots.hand_in_worker import HandInWorker
from arena.bots.hand_ins import HandIns
from arena.bots.intake import check_name_is_free
from arena.packs.errors import BadName
from arena.server.api.authentication import TokenAuthentication, too_many
from arena.server.api.event_feeds import Feeds
from arena.server.api.hand_in_values import (
    HandInFinding,
    HandInList,
    HandInReport,
    HandInValue,
    hand_in_value,
    hand_in_values,
)
from arena.server.api.negotiation import encoded
from arena.server.api.operations import PREFIX, Call, Operation, PageQuery, Text
from arena.server.api.paging import next_link
from arena.server.api.uploads import FORM, RAW, UploadSlots, read_upload
from arena.server.hand_ins.routes import UPLOAD
from arena.server.limits.rate_limit import RateLimit
from arena.store import NoSuchRow, Store
from arena.store.people.account_tokens import MANAGE, READ, SUBMIT
from arena.values.server_log import log_event
from arena.values.versioned_names import owner

UPLOADS = (60, 3600.0)
"""So many hand-ins of an account within so many seconds."""

NO_HAND_IN = f"you have no hand-in {{hand_in}}: {PREFIX}/hand-ins lists yours"


class UploadQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What is handed in, unless a form says so."""

    name: Annotated[Text, Meta(description="The name of the bot, such as club/owl.")] = ""
    file: Annotated[Text, Meta(description="The name of the file: its ending tells what it is.")] = ""


class HandInOperations:
    """The handlers.

    worker: checks hand-ins; None: nobody can hand in here.
    """

    def __init__(self, store: Store, tokens: TokenAuthentication, feeds: Feeds, worker: HandInWorker | None) -> None:
        self._store = store
        self._tokens = tokens
        self._feeds = feeds
        self._worker = worker
        self._uploads = RateLimit(*UPLOADS)
        self._slots = UploadSlots()

    def operations(self) -> list[Operation]:
        """Return the declarations."""
        one, scopes = "/hand-ins/{hand_in:number}", (READ, SUBMIT, MANAGE)
        return [
            Operation(
                "listHandIns",
                "GET",
                "/hand-ins",
                "List your hand-ins; organisers see everybody's.",
                self.all,
                HandInList,
                query=PageQuery,
                scopes=scopes,
            ),
            Operation(
                "handIn",
                "POST",
                "/hand-ins",
                "Hand in a bot: a Python file, or an archive of its folder.",
                self.receive,
                HandInValue,
                query=UploadQuery,
                status=HTTPStatus.ACCEPTED,
                scopes=(SUBMIT,),
                uploads=(*RAW, FORM),
                headers={"Idempotency-Key": "Repeating the request with the same key hands in nothing else."},
            ),
            Operation("getHandIn", "GET", one, "Show a hand-in.", self.show, HandInValue, NO_HAND_IN, scopes=scopes),
            Operation(
                "getHandInReport",
                "GET",
                f"{one}/report",
                "Show what a bot printed in its check, and the questions at which it failed.",
                self.report,
                HandInReport,
                NO_HAND_IN,
                scopes=scopes,
            ),
            Operation(
                "followHandIn",
                "GET",
                f"{one}/events",
                "Follow a hand-in until it is finished and in the leagues that are played.",
                self.follow,
                None,
                NO_HAND_IN,
                scopes=scopes,
                events={"hand-in": HandInValue},
            ),
            Operation(
                "cancelHandIn",
                "POST",
                f"{one}/cancel",
                "Cancel a hand-in that is not finished.",
                self.cancel,
                HandInValue,
                NO_HAND_IN,
                scopes=(SUBMIT, MANAGE),
            ),
        ]

    def all(self, call: Call) -> HandInList:
        """Return a part of the hand-ins."""
        limit, whose = call.query.limit, None if _sees_all(call) else call.account.name
        rows = HandIns(self._store).newest(whose, limit + 1, before=call.query.before)
        following = next_link(call, rows[limit - 1].id) if len(rows) > limit else None
        return HandInList(hand_in_values(self._store, rows[:limit], self._workers), following)

    async def receive(self, call: Call) -> Response:
        """Store a hand-in, then answer."""
        if self._worker is None or call.identity is None:
            raise HTTPException(HTTPStatus.FORBIDDEN, "nobody can hand in here: the server must run with --sign-in")
        account = call.account
        with self._slots.taken(account.name):
            if not self._uploads.allows(account.name):
                seconds = self._uploads.seconds_left(account.name)
                raise too_many("too many hand-ins within an hour: try again later", seconds)
            upload = await read_upload(call.request, call.query.name, call.query.file, UPLOAD)
        if not upload.bot or not upload.file:
            missing = "file" if upload.bot else "name"
            raise HTTPException(HTTPStatus.BAD_REQUEST, f"say the {missing}: ?name=club/owl&file=owl.zip")
        if not call.manages and owner(upload.bot) != account.name:
            raise BadName(f"the name must begin with {account.name}/, not {upload.bot[:80]!r}")
        check_name_is_free(upload.bot)
        await run_sync(self._tokens.check_is_valid, call.request, call.identity)
        receive = partial(
            HandIns(self._store).receive,
            request=upload.request_key(call.request),
            per_day=None if call.manages else self._worker.per_day,
        )
        number = await run_sync(receive, account.name, upload.bot, upload.file, upload.content)
        log_event("hand_in_received", f"hand-in {number} ({upload.bot})", hand_in=number, account=account.name)
        self._worker.notify()
        response = encoded(call.request, await run_sync(self._numbered, number), HTTPStatus.ACCEPTED)
        response.headers["location"] = f"{PREFIX}/hand-ins/{number}"
        return response

    def show(self, call: Call) -> HandInValue:
        """Return a hand-in."""
        return self._value(self._find(call))

    def report(self, call: Call) -> HandInReport:
        """Return the report of a check."""
        number = self._find(call).id
        report = HandIns(self._store).report(number) or {"output": [], "found": []}
        return HandInReport(number, report["output"], [HandInFinding(**found) for found in report["found"]])

    async def follow(self, call: Call) -> Response:
        """Return the progress of a hand-in as server-sent events."""
        row = await run_sync(self._find, call)
        return await self._feeds.hand_in(row.id)

    def cancel(self, call: Call) -> HandInValue:
        """Cancel a hand-in."""
        row = self._find(call)
        if not call.manages and row.owner != call.account.name:
            raise HTTPException(HTTPStatus.FORBIDDEN, f"hand-in {row.id} belongs to {row.owner}, not to you")
        if not HandIns(self._store).cancel(row.id):
            raise HTTPException(HTTPStatus.CONFLICT, f"hand-in {row.id} is finished: {row.name} {row.sentence}")
        return self.show(call)

    def _find(self, call: Call) -> HandInRow:
        row = HandIns(self._store).find(call.path["hand_in"])
        if not _sees_all(call) and row.owner != call.account.name:
            raise NoSuchRow("it belongs to somebody else")
        return row

    def _numbered(self, number: int) -> HandInValue:
        return self._value(HandIns(self._store).find(number))

    def _value(self, row: HandInRow) -> HandInValue:
        return hand_in_value(self._store, row, self._workers)

    @property
    def _workers(self) -> int:
        return self._worker.jobs if self._worker else 1


def _sees_all(call: Call) -> bool:
    """Return whether an organiser asks who sees what belongs to others."""
    return call.access.organiser or call.manages
