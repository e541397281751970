"""Routes to sign in and out, to submit bots, and to follow their checks."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from arena.checking.findings import Finding, file_names
from arena.store.accounts import ORGANISER, AccountRow
from arena.submissions.errors import BadName
from arena.submissions.names import owner
from arena.visitors import visitor_key
from arena.web.access import access_of
from arena.web.errors import PageNotFound
from arena.web.pages import sign_in, submit
from arena.web.rate_limit import RateLimit
from arena.web.request_body import body, form
from arena.web.sessions import COOKIE, Sessions, set_session_cookie
from arena.web.submission_queue import QueuedSubmission, SubmissionQueue

UPLOAD = 8 * 1024 * 1024
"""The largest upload in bytes."""


class SubmissionRoutes:
    """The handlers. sessions: who is signed in. submissions: the queue of submitted bots."""

    def __init__(self, sessions: Sessions, submissions: SubmissionQueue) -> None:
        self._sessions = sessions
        self._submissions = submissions
        self._wrong_tokens = RateLimit(10, 300)
        self._uploads = RateLimit(20, 3600)

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        return [
            ("/sign-in", self.ask, "GET"),
            ("/sign-in", self.sign_in, "POST"),
            ("/sign-out", self.sign_out, "POST"),
            ("/submit", self.page, "GET"),
            ("/submit", self.take, "POST"),
            ("/submissions/{key}", self.status, "GET"),
            ("/submissions/{key}/questions/{number:number}", self.question, "GET"),
            ("/submissions/{key}/logs/{number:number}", self.log, "GET"),
        ]

    def ask(self, request: Request) -> Response:
        """Return the page to sign in."""
        return HTMLResponse(sign_in.show(access_of(request).account))

    async def sign_in(self, request: Request) -> Response:
        """Start a session for the owner of a token."""
        token = (await form(request)).get("token", "")
        session = await run_sync(self._sessions.sign_in, token)
        if session is None:
            # Only wrong tokens are limited, so others behind the same address lock nobody out.
            if not self._wrong_tokens.allows(visitor_key(request.client.host) if request.client else ""):
                raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, "too many wrong tokens: try again in five minutes")
            return HTMLResponse(sign_in.show(None, "the token is unknown or was revoked"), HTTPStatus.FORBIDDEN)
        secret, account = session
        answer = RedirectResponse("/" if account.role == ORGANISER else "/submit", HTTPStatus.SEE_OTHER)
        set_session_cookie(answer, secret, secure=request.url.scheme == "https")
        return answer

    async def sign_out(self, request: Request) -> Response:
        """End the session."""
        self._sessions.sign_out(request.cookies.get(COOKIE, ""))
        answer = RedirectResponse("/", HTTPStatus.SEE_OTHER)
        answer.delete_cookie(COOKIE)
        return answer

    def page(self, request: Request) -> Response:
        """Return the page to submit a bot."""
        return HTMLResponse(submit.show(_signed_in(request), UPLOAD))

    async def take(self, request: Request) -> Response:
        """Accept a bot: the body is the file; the names of the bot and the file are query parameters."""
        account = _signed_in(request)
        name, file = (request.query_params.get(field, "") for field in ("name", "file"))
        if account.role != ORGANISER and owner(name) != account.name:
            raise BadName(f"the name must begin with {account.name}/, not {name[:80]!r}")
        if not self._uploads.allows(account.name):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, "too many submissions within an hour: try again later")
        content = await body(request, UPLOAD)
        key = await run_sync(self._submissions.add, name, file, content, account.name)
        return JSONResponse({"key": key})

    def status(self, request: Request) -> Response:
        """Return the state of a submission, to its author and to organisers."""
        return JSONResponse(self._submission(request).to_json(), headers={"cache-control": "no-store"})

    def question(self, request: Request) -> Response:
        """Return the file of a question at which the bot failed its check."""
        name, finding = self._finding(request)
        return _download(finding.question.to_text(), f"{name}.json", "application/json")

    def log(self, request: Request) -> Response:
        """Return the log of the match in which the bot failed its check."""
        name, finding = self._finding(request)
        if finding.match is None:
            raise PageNotFound("this question belongs to no match")
        return _download(finding.log, f"{name}.txt", "text/plain; charset=utf-8")

    def _submission(self, request: Request) -> QueuedSubmission:
        """Return the submission that a request names. Raises HTTPException if it is somebody else's."""
        account = _signed_in(request)
        submission = self._submissions.find(request.path_params["key"])
        if account.role != ORGANISER and submission.by != account.name:
            raise HTTPException(HTTPStatus.FORBIDDEN, "this submission belongs to somebody else")
        return submission

    def _finding(self, request: Request) -> tuple[str, Finding]:
        """Return a finding of a submission's check, with the name of its files. Raises PageNotFound."""
        findings = self._submission(request).findings
        number = request.path_params["number"]
        if not 1 <= number <= len(findings):
            raise PageNotFound("the check found nothing of this number")
        return file_names(findings)[number - 1], findings[number - 1]


def _download(text: str, name: str, media_type: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(text, media_type=media_type, headers=headers)


def _signed_in(request: Request) -> AccountRow:
    account = access_of(request).account
    if account is None:
        raise HTTPException(HTTPStatus.FORBIDDEN, "you are not signed in: sign in at /sign-in")
    return account
