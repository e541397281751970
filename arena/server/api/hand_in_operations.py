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

from arena.bots.hand_in_places import HandInPlaces
from arena.bots.hand_in_rows import HandInRow
from arena.bots.hand_in_worker import HandInWorker
from arena.bots.hand_ins import HandIns
from arena.bots.intake import check_name_is_free
from arena.bots.rejudging import LONGEST_REASON, NOT_FOR_OWNERS, Rejudging
from arena.packs.errors import BadName
from arena.packs.upload import check_upload
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
from arena.server.api.operations import PREFIX, Call, Located, Number, PageQuery, Text, operation
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

SCOPES = (READ, SUBMIT, MANAGE)
"""With any of which a token may see hand-ins."""

HandInNumber = Annotated[Number, Meta(description="The number of a hand-in.")]

NO_HAND_IN = f"you have no hand-in {{hand_in}}: {PREFIX}/hand-ins lists yours"


class UploadQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What is handed in, unless a form says so."""

    name: Annotated[Text, Meta(description="The name of the bot, such as club/owl.")] = ""
    file: Annotated[Text, Meta(description="The name of the file: its ending tells what it is.")] = ""
    practice_only: Annotated[
        bool, Meta(description="Whether its version is to practise, and to enter neither leagues nor tournaments.")
    ] = False


class RejudgeReason(Struct, frozen=True, forbid_unknown_fields=True):
    """Why a hand-in is checked again, which its owner reads."""

    reason: Annotated[str, Meta(min_length=1, max_length=LONGEST_REASON)]


class HandInOperations:
    """The handlers.

    places: where hand-ins are in the queue.
    worker: checks hand-ins; None: nobody can hand in here.
    """

    def __init__(
        self,
        store: Store,
        tokens: TokenAuthentication,
        feeds: Feeds,
        places: HandInPlaces,
        worker: HandInWorker | None,
    ) -> None:
        self._store = store
        self._places = places
        self._tokens = tokens
        self._feeds = feeds
        self._worker = worker
        self._uploads = RateLimit(*UPLOADS)
        self._slots = UploadSlots()

    @operation("listHandIns", "GET", "/hand-ins", scopes=SCOPES)
    def all(self, call: Call, query: PageQuery) -> HandInList:
        """List your hand-ins; organisers see everybody's."""
        limit, whose = query.limit, None if _sees_all(call) else call.account.owner
        rows = HandIns(self._store).newest(whose, limit + 1, before=query.before)
        following = next_link(call, rows[limit - 1].id) if len(rows) > limit else None
        return HandInList(hand_in_values(self._store, rows[:limit], self._places), following)

    @operation(
        "handIn",
        "POST",
        "/hand-ins",
        status=HTTPStatus.ACCEPTED,
        scopes=(SUBMIT,),
        uploads=(*RAW, FORM),
        headers={"Idempotency-Key": "Repeating the request with the same key hands in nothing else."},
    )
    async def receive(self, call: Call, query: UploadQuery) -> Located[HandInValue]:
        """Hand in a bot: a Python file, or an archive of its folder."""
        if self._worker is None or call.identity is None:
            raise HTTPException(HTTPStatus.FORBIDDEN, "nobody can hand in here: the server must run with --sign-in")
        account = call.account
        with self._slots.taken(account.owner):
            if not self._uploads.allows(account.owner):
                seconds = self._uploads.seconds_left(account.owner)
                raise too_many("too many hand-ins within an hour: try again later", seconds)
            upload = await read_upload(call.request, query.name, query.file, UPLOAD, practice_only=query.practice_only)
        if not upload.bot or not upload.file:
            missing = "file" if upload.bot else "name"
            raise HTTPException(HTTPStatus.BAD_REQUEST, f"say the {missing}: ?name=club/owl&file=owl.zip")
        if not call.manages and owner(upload.bot) != account.owner:
            raise BadName(f"the name must begin with {account.owner}/, not {upload.bot[:80]!r}")
        check_name_is_free(upload.bot)
        await run_sync(self._tokens.check_is_valid, call.request, call.identity)
        await run_sync(check_upload, upload.file, upload.content)
        receive = partial(
            HandIns(self._store).receive,
            request=upload.request_key(call.request),
            per_day=None if call.manages else self._worker.per_day,
            space=self._worker.space,
            sent_by=account.name,
            practice_only=upload.practice_only,
        )
        number = await run_sync(receive, account.owner, upload.bot, upload.file, upload.content)
        log_event("hand_in_received", f"hand-in {number} ({upload.bot})", hand_in=number, account=account.name)
        self._worker.notify()
        return Located(await run_sync(self._numbered, number), f"/hand-ins/{number}")

    @operation("getHandIn", "GET", "/hand-ins/{hand_in}", NO_HAND_IN, scopes=SCOPES)
    def show(self, call: Call, hand_in: HandInNumber) -> HandInValue:
        """Show a hand-in."""
        return self._value(self._find(call, hand_in))

    @operation("getHandInReport", "GET", "/hand-ins/{hand_in}/report", NO_HAND_IN, scopes=SCOPES)
    def report(self, call: Call, hand_in: HandInNumber) -> HandInReport:
        """Show what a bot printed in its check, and the questions at which it failed."""
        number = self._find(call, hand_in).id
        report = HandIns(self._store).report(number) or {"output": [], "found": []}
        return HandInReport(number, report["output"], [HandInFinding(**found) for found in report["found"]])

    @operation(
        "followHandIn",
        "GET",
        "/hand-ins/{hand_in}/events",
        NO_HAND_IN,
        scopes=SCOPES,
        events={"hand-in": HandInValue},
    )
    async def follow(self, call: Call, hand_in: HandInNumber) -> Response:
        """Follow a hand-in until it is finished and in the leagues that are played."""
        row = await run_sync(self._find, call, hand_in)
        return await self._feeds.hand_in(row.id)

    @operation("cancelHandIn", "POST", "/hand-ins/{hand_in}/cancel", NO_HAND_IN, scopes=(SUBMIT, MANAGE))
    def cancel(self, call: Call, hand_in: HandInNumber) -> HandInValue:
        """Cancel a hand-in that is not finished."""
        row = self._find(call, hand_in)
        if not call.manages and row.owner != call.account.owner:
            raise HTTPException(HTTPStatus.FORBIDDEN, f"hand-in {row.id} belongs to {row.owner}, not to you")
        if row.is_rechecked and not call.manages:
            raise HTTPException(HTTPStatus.FORBIDDEN, NOT_FOR_OWNERS)
        if not HandIns(self._store).cancel(row.id):
            raise HTTPException(HTTPStatus.CONFLICT, f"hand-in {row.id} is finished: {row.name} {row.sentence}")
        self._places.forget()
        return self.show(call, hand_in)

    @operation("rejudgeHandIn", "POST", "/hand-ins/{hand_in}/rejudge", NO_HAND_IN, scopes=(MANAGE,))
    def rejudge(self, call: Call, hand_in: HandInNumber, body: RejudgeReason) -> HandInValue:
        """Check a hand-in again. Its owner reads the reason, which must be given.

        One that was accepted plays on meanwhile, and whatever the result is.
        """
        row = self._find(call, hand_in)
        rejudged = Rejudging(self._store).rejudge([row.id], call.account.name, body.reason)
        if why := rejudged.left.get(row.id):
            raise HTTPException(HTTPStatus.CONFLICT, f"hand-in {row.id} cannot be checked again: {why}")
        log_event("hand_in_rejudged", f"hand-in {row.id} ({row.name})", hand_in=row.id, account=call.account.name)
        self._places.forget()
        if self._worker is not None:
            self._worker.notify()
        return self.show(call, hand_in)

    def _find(self, call: Call, hand_in: int) -> HandInRow:
        row = HandIns(self._store).find(hand_in)
        if not _sees_all(call) and row.owner != call.account.owner:
            raise NoSuchRow("it belongs to somebody else")
        return row

    def _numbered(self, number: int) -> HandInValue:
        return self._value(HandIns(self._store).find(number))

    def _value(self, row: HandInRow) -> HandInValue:
        return hand_in_value(self._store, row, self._places)


def _sees_all(call: Call) -> bool:
    """Return whether an organiser asks who sees what belongs to others."""
    return call.access.organiser or call.manages
