"""Operations on webhooks: those of one's own account. One of somebody else is not found."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from arena.server.api.authentication import TokenAuthentication, too_many, unauthorised
from arena.server.api.negotiation import encoded
from arena.server.api.operations import JSON, PREFIX, Call, Operation, PageQuery
from arena.server.api.paging import next_link
from arena.server.limits.rate_limit import RateLimit
from arena.store import NoSuchRow
from arena.store.people.account_tokens import READ, SUBMIT
from arena_webhooks.addresses import AddressRules
from arena_webhooks.registration import add_webhook
from arena_webhooks.rows import WebhookRow
from arena_webhooks.store import Webhooks
from arena_webhooks.values import (
    EVENTS,
    AddedWebhook,
    DeliveryList,
    DeliveryValue,
    NewWebhookBody,
    WebhookList,
    WebhookRemoved,
    WebhookValue,
    delivery_value,
    webhook_value,
)

ADDED = (20, 3600.0)
"""So many webhooks are added for an account within so many seconds."""

NO_WEBHOOK = f"you have no webhook {{webhook}}: {PREFIX}/webhooks lists yours"


WEBHOOK_HEADERS = {
    "webhook-id": "The id of the event, the same whenever it is sent.",
    "webhook-timestamp": "Seconds since 1970, of this attempt.",
    "webhook-signature": "v1, a comma, and in base64 the HMAC-SHA256 over ID.TIMESTAMP.BODY (Standard Webhooks).",
}
"""Those of what is sent."""


def sections(schemas: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the section of the OpenAPI document that says what is sent.

    schemas: references to them, by class.
    """
    return {"webhooks": {kind: {"post": _webhook(kind, schemas[event])} for kind, event in EVENTS.items()}}


def _webhook(kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the description of what is sent to webhooks for events of a kind."""
    return {
        "operationId": kind,
        "summary": f"What a webhook is sent for {kind}.",
        "parameters": [
            {"name": name, "in": "header", "required": True, "description": words, "schema": {"type": "string"}}
            for name, words in WEBHOOK_HEADERS.items()
        ],
        "requestBody": {"required": True, "content": {JSON: {"schema": schema}}},
        "responses": {"2XX": {"description": "It has arrived. After any other answer it is sent again."}},
    }


class WebhookOperations:
    """The handlers.

    rules: which URLs webhooks may have here.
    """

    def __init__(self, webhooks: Webhooks, tokens: TokenAuthentication, rules: AddressRules) -> None:
        self._webhooks = webhooks
        self._tokens = tokens
        self._rules = rules
        self._added = RateLimit(*ADDED)

    def operations(self) -> list[Operation]:
        """Return the declarations."""
        one, scopes = "/webhooks/{webhook:number}", (READ, SUBMIT)
        return [
            Operation("listWebhooks", "GET", "/webhooks", "List your webhooks.", self.all, WebhookList, scopes=scopes),
            Operation(
                "addWebhook",
                "POST",
                "/webhooks",
                "Add a webhook: a URL that is told what happens to your bots.",
                self.add,
                AddedWebhook,
                status=HTTPStatus.CREATED,
                scopes=(SUBMIT,),
                body=NewWebhookBody,
            ),
            Operation("getWebhook", "GET", one, "Show a webhook.", self.show, WebhookValue, NO_WEBHOOK, scopes=scopes),
            Operation(
                "listDeliveries",
                "GET",
                f"{one}/deliveries",
                "List the last deliveries of a webhook.",
                self.deliveries,
                DeliveryList,
                NO_WEBHOOK,
                query=PageQuery,
                scopes=scopes,
            ),
            Operation(
                "testWebhook",
                "POST",
                f"{one}/test",
                "Send a webhook a test.",
                self.test,
                DeliveryValue,
                NO_WEBHOOK,
                scopes=(SUBMIT,),
            ),
            Operation(
                "enableWebhook",
                "POST",
                f"{one}/enable",
                "Switch a webhook on again.",
                self.enable,
                WebhookValue,
                NO_WEBHOOK,
                scopes=(SUBMIT,),
            ),
            Operation(
                "removeWebhook",
                "POST",
                f"{one}/remove",
                "Remove a webhook.",
                self.remove,
                WebhookRemoved,
                NO_WEBHOOK,
                scopes=(SUBMIT,),
            ),
        ]

    def all(self, call: Call) -> WebhookList:
        """Return all webhooks of the account."""
        return WebhookList(list(map(webhook_value, self._webhooks.all(call.account.name))))

    def add(self, call: Call) -> Response:
        """Add a webhook and return its secret, once."""
        assert call.identity is not None
        self._rules.check(call.body.url)
        name = call.account.name
        if not self._added.allows(name):
            raise too_many("too many webhooks within an hour: try again later", self._added.seconds_left(name))
        self._check_token(call, "no webhook was added")
        row, secret = add_webhook(self._webhooks, name, call.body.url, call.body.events, call.identity.token)
        response = encoded(call.request, AddedWebhook(webhook_value(row), secret), HTTPStatus.CREATED)
        response.headers["location"] = f"{PREFIX}/webhooks/{row.id}"
        return response

    def show(self, call: Call) -> WebhookValue:
        """Return a webhook."""
        return webhook_value(self._find(call))

    def deliveries(self, call: Call) -> DeliveryList:
        """Return a part of the deliveries."""
        limit, row = call.query.limit, self._find(call)
        rows = self._webhooks.deliveries(row.id, limit + 1, before=call.query.before)
        following = next_link(call, rows[limit - 1].id) if len(rows) > limit else None
        return DeliveryList(list(map(delivery_value, rows[:limit])), following)

    def test(self, call: Call) -> DeliveryValue:
        """Have a test sent, and return its delivery, which waits."""
        row = self._find(call)
        number = self._webhooks.add_test(row.id)
        return next(delivery_value(delivery) for delivery in self._webhooks.deliveries(row.id, 1, before=number + 1))

    def enable(self, call: Call) -> WebhookValue:
        """Switch a webhook on."""
        assert call.identity is not None
        row = self._find(call)
        self._check_token(call, f"webhook {row.id} was not switched on")
        return webhook_value(self._webhooks.enable(row.id, call.identity.token))

    def remove(self, call: Call) -> WebhookRemoved:
        """Remove a webhook."""
        row = self._find(call)
        self._webhooks.remove(row.id)
        return WebhookRemoved(row.id)

    def _check_token(self, call: Call, consequence: str) -> None:
        assert call.identity is not None
        if not self._tokens.is_valid(call.request, call.identity):
            raise unauthorised(f"the token was revoked or has expired meanwhile: {consequence}")

    def _find(self, call: Call) -> WebhookRow:
        row = self._webhooks.find(call.path["webhook"])
        if row.account != call.account.name:
            raise NoSuchRow("it belongs to somebody else")
        return row
