"""The pages of webhooks: the list with a form, a new one with its secret, one with its deliveries."""

from collections.abc import Collection, Sequence

from arena.replay.html import Element, tag
from arena.server.pages.layout import content, page, sheet, table
from arena_webhooks.addresses import LONGEST_URL
from arena_webhooks.kinds import KINDS, WORDS
from arena_webhooks.rows import DeliveryRow, WebhookRow

STYLES = ("site.css", "play.css")


def list_all(rows: Sequence[WebhookRow], url: str = "", kinds: Collection[str] = KINDS, error: str = "") -> str:
    """Return the list of an account's webhooks, and the form to add one.

    url, kinds: what the form is filled in with.
    error: what is wrong with the form that was sent; empty for none.
    """
    cells = [
        (
            tag("a", {"href": f"/webhooks/{row.id}"}, str(row.id)),
            tag("span", {"class": "url"}, row.url),
            ", ".join(row.kinds),
            _state(row),
        )
        for row in rows
    ]
    listing = sheet(table(("number", "URL", "events", "state"), cells, (0,), (2,))) if cells else None
    body = content("Webhooks", listing, sheet(_form(url, kinds, error)), _account_link())
    return page("Webhooks", body, here="/sign-in", styles=STYLES)


def added(row: WebhookRow, secret: str) -> str:
    """Return the page with the secret of a new webhook."""
    body = sheet(
        tag("p", {}, f"Webhook {row.id} is added: {row.url}. This is its secret:"),
        tag("p", {}, tag("code", {"class": "secret"}, secret)),
        tag("p", {}, "Keep it: it is not shown again. Your server checks with it that what it gets comes from here."),
        tag("p", {}, tag("a", {"href": f"/webhooks/{row.id}"}, "send a test")),
    )
    return page("New webhook", content("New webhook", body), here="/sign-in", styles=STYLES)


def show(row: WebhookRow, deliveries: Sequence[DeliveryRow]) -> str:
    """Return the page of a webhook.

    deliveries: the newest first.
    """
    title = f"Webhook {row.id}"
    facts = sheet(
        tag("p", {"class": "url"}, row.url),
        tag("p", {}, "is told that ", "; ".join(WORDS[kind] for kind in row.kinds), "."),
        tag("p", {"class": "refused"}, f"Switched off at {_time(row.disabled)}: {row.reason}.")
        if row.disabled
        else None,
        tag("p", {"class": "soft"}, f"Nothing has arrived since {_time(row.failing_since)}.")
        if row.failing_since and not row.disabled
        else None,
        _buttons(row),
    )
    link = tag("p", {}, tag("a", {"href": "/webhooks"}, "all webhooks"))
    body = content(title, facts, sheet(tag("h2", {}, "Deliveries"), _deliveries(deliveries)), link)
    return page(title, body, here="/sign-in", styles=STYLES)


def _form(url: str, kinds: Collection[str], error: str) -> Element:
    boxes = [
        tag("label", {}, tag("input", {"type": "checkbox", "name": kind, "checked": kind in kinds}), f" {WORDS[kind]}")
        for kind in KINDS
    ]
    example = "https://example.org/arena"
    address: dict[str, str | int | float | bool | None] = {
        "name": "url",
        "type": "url",
        "required": True,
        "maxlength": LONGEST_URL,
        "placeholder": example,
        "value": url,
    }
    return tag(
        "form",
        {"method": "post", "action": "/webhooks", "class": "sign-in"},
        tag(
            "p", {}, "A webhook is an address of yours to which this server sends a message when one of these happens:"
        ),
        tag("fieldset", {"class": "events-wanted"}, tag("legend", {}, "events"), boxes),
        tag("p", {"class": "refused", "role": "alert"}, error) if error else None,
        tag("label", {}, "URL ", tag("input", address)),
        tag("button", {"class": "main"}, "add a webhook"),
    )


def _buttons(row: WebhookRow) -> Element:
    first = ("enable", "switch it on") if row.disabled else ("test", "send a test")
    forms = [
        tag("form", {"method": "post", "action": f"/webhooks/{row.id}/{name}"}, tag("button", {}, words))
        for name, words in (first, ("remove", "remove it"))
    ]
    return tag("div", {"class": "choices"}, forms)


def _deliveries(rows: Sequence[DeliveryRow]) -> Element:
    if not rows:
        return tag("p", {"class": "soft"}, "Nothing was sent yet.")
    headers = ("event", "of (UTC)", "state", "attempts", "last attempt (UTC)", "status", "error", "next attempt (UTC)")
    cells = [
        (
            tag("span", {"title": row.message}, row.kind),
            _time(row.created),
            row.state,
            str(row.attempt),
            _time(row.tried),
            "" if row.status is None else str(row.status),
            row.error,
            _time(row.due),
        )
        for row in rows
    ]
    return table(headers, cells, (3, 5), (1, 3, 7))


def _state(row: WebhookRow) -> str:
    if row.disabled:
        return f"switched off: {row.reason}"
    return f"fails since {_time(row.failing_since)}" if row.failing_since else "on"


def _time(moment: str | None) -> str:
    return "" if moment is None else moment[:19].replace("T", " ")


def _account_link() -> Element:
    return tag("p", {}, tag("a", {"href": "/sign-in"}, "your account"))
