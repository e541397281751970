"""Operations on webhooks: those of one's own account. One of somebody else is not found."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any

from msgspec import Meta

from arena.server.api.authentication import TokenAuthentication, too_many, unauthorised
from arena.server.api.operations import JSON, PREFIX, Call, Located, Number, PageQuery, operation
from arena.server.api.paging import next_link
from arena.server.limits.rate_limit import RateLimit
from arena.store import NoSuchRow
from arena.store.people.account_tokens import READ, SUBMIT
from arena_webhooks.addresses import AddressRules
from arena_webhooks.kinds import EVENTS
from arena_webhooks.registration import add_webhook
from arena_webhooks.rows import WebhookRow
from arena_webhooks.store import Webhooks
from arena_webhooks.values import (
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

SCOPES = (READ, SUBMIT)
"""With any of which a token may see webhooks."""

WebhookNumber = Annotated[Number, Meta(description="The number of a webhook.")]

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

    @operation("listWebhooks", "GET", "/webhooks", scopes=SCOPES)
    def all(self, call: Call) -> WebhookList:
        """List your webhooks."""
        return WebhookList(list(map(webhook_value, self._webhooks.all(call.account.owner))))

    @operation("addWebhook", "POST", "/webhooks", status=HTTPStatus.CREATED, scopes=(SUBMIT,))
    def add(self, call: Call, body: NewWebhookBody) -> Located[AddedWebhook]:
        """Add a webhook: a URL that is told what happens to your bots."""
        assert call.identity is not None
        self._rules.check(body.url)
        name = call.account.owner
        if not self._added.allows(name):
            raise too_many("too many webhooks within an hour: try again later", self._added.seconds_left(name))
        self._check_token(call, "no webhook was added")
        row, secret = add_webhook(self._webhooks, name, body.url, body.events, call.identity.token)
        return Located(AddedWebhook(webhook_value(row), secret), f"/webhooks/{row.id}")

    @operation("getWebhook", "GET", "/webhooks/{webhook}", NO_WEBHOOK, scopes=SCOPES)
    def show(self, call: Call, webhook: WebhookNumber) -> WebhookValue:
        """Show a webhook."""
        return webhook_value(self._find(call, webhook))

    @operation("listDeliveries", "GET", "/webhooks/{webhook}/deliveries", NO_WEBHOOK, scopes=SCOPES)
    def deliveries(self, call: Call, webhook: WebhookNumber, query: PageQuery) -> DeliveryList:
        """List the last deliveries of a webhook."""
        limit, row = query.limit, self._find(call, webhook)
        rows = self._webhooks.deliveries(row.id, limit + 1, before=query.before)
        following = next_link(call, rows[limit - 1].id) if len(rows) > limit else None
        return DeliveryList(list(map(delivery_value, rows[:limit])), following)

    @operation("testWebhook", "POST", "/webhooks/{webhook}/test", NO_WEBHOOK, scopes=(SUBMIT,))
    def test(self, call: Call, webhook: WebhookNumber) -> DeliveryValue:
        """Send a webhook a test."""
        row = self._find(call, webhook)
        number = self._webhooks.add_test(row.id)
        return next(delivery_value(delivery) for delivery in self._webhooks.deliveries(row.id, 1, before=number + 1))

    @operation("enableWebhook", "POST", "/webhooks/{webhook}/enable", NO_WEBHOOK, scopes=(SUBMIT,))
    def enable(self, call: Call, webhook: WebhookNumber) -> WebhookValue:
        """Switch a webhook on again."""
        assert call.identity is not None
        row = self._find(call, webhook)
        self._check_token(call, f"webhook {row.id} was not switched on")
        return webhook_value(self._webhooks.enable(row.id, call.identity.token))

    @operation("removeWebhook", "POST", "/webhooks/{webhook}/remove", NO_WEBHOOK, scopes=(SUBMIT,))
    def remove(self, call: Call, webhook: WebhookNumber) -> WebhookRemoved:
        """Remove a webhook."""
        row = self._find(call, webhook)
        self._webhooks.remove(row.id)
        return WebhookRemoved(row.id)

    def _check_token(self, call: Call, consequence: str) -> None:
        assert call.identity is not None
        if not self._tokens.is_valid(call.request, call.identity):
            raise unauthorised(f"the token was revoked or has expired meanwhile: {consequence}")

    def _find(self, call: Call, webhook: int) -> WebhookRow:
        row = self._webhooks.find(webhook)
        if row.account != call.account.owner:
            raise NoSuchRow("it belongs to somebody else")
        return row
