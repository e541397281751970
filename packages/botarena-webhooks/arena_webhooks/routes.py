"""Routes to add webhooks, and to see what was delivered to them."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena.server.access import PRIVATE, signed_in
from arena.server.errors import PageNotFound
from arena.server.limits.rate_limit import RateLimit
from arena.server.requests.request_body import form
from arena.store import NoSuchRow
from arena_webhooks import pages
from arena_webhooks.addresses import AddressRules
from arena_webhooks.kinds import KINDS
from arena_webhooks.registration import add_webhook
from arena_webhooks.rows import WebhookRefused, WebhookRow
from arena_webhooks.store import Webhooks

NEWEST = 50
"""Deliveries on the page of a webhook."""


class WebhookRoutes:
    """The handlers.

    rules: which URLs webhooks may have here.
    """

    def __init__(self, webhooks: Webhooks, rules: AddressRules) -> None:
        self._webhooks = webhooks
        self._rules = rules
        self._added = RateLimit(20, 3600)

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        one = "/webhooks/{number:number}"
        return [
            ("/webhooks", self.list_all, "GET"),
            ("/webhooks", self.add, "POST"),
            (one, self.show, "GET"),
            (f"{one}/test", self.test, "POST"),
            (f"{one}/enable", self.enable, "POST"),
            (f"{one}/remove", self.remove, "POST"),
        ]

    def list_all(self, request: Request) -> Response:
        """Return the webhooks of whoever is signed in, and the form to add one."""
        return HTMLResponse(pages.list_all(self._webhooks.all(signed_in(request).owner)))

    async def add(self, request: Request) -> Response:
        """Add a webhook, and show its secret."""
        account = signed_in(request)
        fields = await form(request)
        if not self._added.allows(account.owner):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, "too many webhooks within an hour: try again later")
        url, kinds = fields.get("url", "").strip(), [kind for kind in KINDS if kind in fields]
        try:
            self._rules.check(url)
            if not kinds:
                raise WebhookRefused("choose at least one event")
            row, secret = await run_sync(add_webhook, self._webhooks, account.owner, url, kinds)
        except WebhookRefused as error:
            known = await run_sync(self._webhooks.all, account.owner)
            page = pages.list_all(known, url, kinds, str(error))
            return HTMLResponse(page, HTTPStatus.UNPROCESSABLE_ENTITY, PRIVATE)
        return HTMLResponse(pages.added(row, secret), headers=PRIVATE)

    def show(self, request: Request) -> Response:
        """Return the page of a webhook."""
        row = self._find(request)
        return HTMLResponse(pages.show(row, self._webhooks.deliveries(row.id, NEWEST)))

    def test(self, request: Request) -> Response:
        """Have a test sent, and return to the page."""
        row = self._find(request)
        self._webhooks.add_test(row.id)
        return RedirectResponse(f"/webhooks/{row.id}", HTTPStatus.SEE_OTHER)

    def enable(self, request: Request) -> Response:
        """Switch a webhook on, and return to its page."""
        row = self._find(request)
        self._webhooks.enable(row.id)
        return RedirectResponse(f"/webhooks/{row.id}", HTTPStatus.SEE_OTHER)

    def remove(self, request: Request) -> Response:
        """Remove a webhook, and return to the list."""
        self._webhooks.remove(self._find(request).id)
        return RedirectResponse("/webhooks", HTTPStatus.SEE_OTHER)

    def _find(self, request: Request) -> WebhookRow:
        """Return the webhook that a request names. Raises PageNotFound, also if it is somebody else's."""
        account, number = signed_in(request), request.path_params["number"]
        try:
            row = self._webhooks.find(number)
        except NoSuchRow:
            row = None
        if row is None or row.account != account.owner:
            raise PageNotFound(f"you have no webhook {number}")
        return row
