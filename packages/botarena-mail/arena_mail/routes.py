"""Routes to choose mail, to confirm an address, and to end all mail by a link, with their pages."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena.language.languages import LANGUAGES
from arena.server.access import PRIVATE, signed_in, visitor_of
from arena.server.errors import PageNotFound
from arena.server.limits.rate_limit import RateLimit
from arena.server.requests.request_body import form
from arena_mail.addresses import LONGEST_ADDRESS
from arena_mail.kinds import KINDS
from arena_mail.messages import CONFIRM, SETTINGS, UNSUBSCRIBE
from arena_mail.rows import MailRefused
from arena_mail.store import Mails
from arena_mail.templates import TEMPLATES

NEWEST = 20
"""Mails on the page."""


class MailRoutes:
    """The handlers."""

    def __init__(self, mails: Mails) -> None:
        self._mails = mails
        self._confirmations = RateLimit(5, 24 * 3600)
        self._tests = RateLimit(5, 3600)
        self._wrong = RateLimit(20, 300)

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        return [
            (SETTINGS, self.show, "GET"),
            (SETTINGS, self.choose, "POST"),
            (f"{SETTINGS}/address", self.set_address, "POST"),
            (f"{SETTINGS}/test", self.test, "POST"),
            (f"{SETTINGS}/again", self.send_again, "POST"),
            (CONFIRM + "{secret}", self.ask_to_confirm, "GET"),
            (CONFIRM + "{secret}", self.confirm, "POST"),
            (UNSUBSCRIBE + "{secret}", self.ask_to_unsubscribe, "GET"),
            (UNSUBSCRIBE + "{secret}", self.unsubscribe, "POST"),
        ]

    def show(self, request: Request) -> Response:
        """Return the page on which whoever is signed in chooses what mail they get."""
        return self._page(signed_in(request).name)

    async def choose(self, request: Request) -> Response:
        """Store what mail somebody wants."""
        account, fields = signed_in(request).name, await form(request)
        language = fields.get("language", "")
        kinds = tuple(kind for kind in KINDS if kind in fields)
        await run_sync(self._mails.choose, account, kinds, language if language in LANGUAGES else "")
        return RedirectResponse(SETTINGS, HTTPStatus.SEE_OTHER)

    async def set_address(self, request: Request) -> Response:
        """Send a mail to an address, by which it becomes that of the account; remove the address if it is empty."""
        account = signed_in(request).name
        address = (await form(request)).get("address", "").strip()
        if not address:
            await run_sync(self._mails.remove_address, account)
            return RedirectResponse(SETTINGS, HTTPStatus.SEE_OTHER)
        if not self._confirmations.allows(account):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, "too many addresses within a day: try again tomorrow")
        try:
            if address != (await run_sync(self._mails.owner, account)).address:
                await run_sync(self._mails.ask_to_confirm, account, address)
        except MailRefused as error:
            return await run_sync(self._page, account, address, str(error))
        return RedirectResponse(SETTINGS, HTTPStatus.SEE_OTHER)

    async def test(self, request: Request) -> Response:
        """Have a test sent to the address of the account."""
        account = signed_in(request).name
        await form(request)
        if not self._tests.allows(account):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, "too many tests within an hour: try again later")
        await run_sync(self._mails.add_test, account)
        return RedirectResponse(SETTINGS, HTTPStatus.SEE_OTHER)

    async def send_again(self, request: Request) -> Response:
        """Send mail again to an address that the mail server has refused."""
        account = signed_in(request).name
        await form(request)
        await run_sync(self._mails.readmit, account)
        return RedirectResponse(SETTINGS, HTTPStatus.SEE_OTHER)

    def ask_to_confirm(self, request: Request) -> Response:
        """Return the page of a link that confirms an address: programs that look at links change nothing."""
        found = self._mails.find_confirmation(request.path_params["secret"])
        if found is None:
            raise self._not_found(
                request, "this address was confirmed already, or the link is too old: ask for another"
            )
        return _html("confirm.html", account=found[0], mail_address=found[1], is_done=False)

    async def confirm(self, request: Request) -> Response:
        """Give an account the address that its owner confirms."""
        secret = request.path_params["secret"]
        found = await run_sync(self._mails.find_confirmation, secret)
        account = await run_sync(self._mails.confirm, secret)
        if found is None or account is None:
            raise self._not_found(
                request, "this address was confirmed already, or the link is too old: ask for another"
            )
        return _html("confirm.html", account=account, mail_address=found[1], is_done=True)

    def ask_to_unsubscribe(self, request: Request) -> Response:
        """Return the page of a link that ends all mail."""
        return _html("unsubscribe.html", account=self._account(request), is_done=False)

    async def unsubscribe(self, request: Request) -> Response:
        """End all mail to an account, as a reader or its mail program asks for (RFC 8058)."""
        account = await run_sync(self._account, request)
        await run_sync(self._mails.choose, account, ())
        return _html("unsubscribe.html", account=account, is_done=True)

    def _account(self, request: Request) -> str:
        """Return the account whose mail a link ends. Raises PageNotFound."""
        account = self._mails.account_of_secret(request.path_params["secret"])
        if account is None:
            raise self._not_found(request, "there is no such account any more, and it gets no mail")
        return account

    def _not_found(self, request: Request, sentence: str) -> Exception:
        if not self._wrong.allows(visitor_of(request)):
            return HTTPException(HTTPStatus.TOO_MANY_REQUESTS, "too many wrong links: try again in five minutes")
        return PageNotFound(sentence)

    def _page(self, account: str, address: str = "", error: str = "") -> Response:
        owner = self._mails.owner(account)
        page = TEMPLATES.page(
            "mail.html",
            translated=True,
            owner=owner,
            pending=self._mails.pending_address(account),
            entered=address or owner.address,
            error=error,
            longest=LONGEST_ADDRESS,
            mails=self._mails.newest(account, NEWEST),
        )
        return HTMLResponse(page, HTTPStatus.UNPROCESSABLE_ENTITY if error else HTTPStatus.OK, PRIVATE)


def _html(name: str, **values: Any) -> Response:
    return HTMLResponse(TEMPLATES.page(name, translated=True, **values), headers=PRIVATE)
