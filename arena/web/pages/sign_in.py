"""The page to sign in and out."""

from arena.store.accounts import AccountRow
from arena.viewer.html import Element, tag
from arena.web.pages.layout import content, page, sheet


def show(account: AccountRow | None, error: str = "") -> str:
    """Return the page. account: who is signed in, if anybody. error: why signing in failed."""
    body = content("Sign in", sheet(_sign_out_form(account) if account else _sign_in_form(error)))
    return page("Sign in", body, here="/sign-in", styles=("site.css", "play.css"))


def _sign_in_form(error: str) -> Element:
    return tag(
        "form",
        {"method": "post", "action": "/sign-in", "class": "sign-in"},
        tag("p", {}, "Enter the token that the organiser gave you."),
        tag("p", {"class": "fault", "role": "alert"}, error) if error else None,
        tag("label", {}, "token ", tag("input", {"name": "token", "type": "password", "required": True})),
        tag("button", {"class": "main"}, "sign in"),
    )


def _sign_out_form(account: AccountRow) -> Element:
    return tag(
        "form",
        {"method": "post", "action": "/sign-out", "class": "sign-in"},
        tag("p", {}, "You are signed in as ", tag("b", {}, account.name), f", {account.role}."),
        tag("p", {}, tag("a", {"href": "/hand-ins"}, "hand-ins"), " · ", tag("a", {"href": "/webhooks"}, "webhooks")),
        tag("button", {}, "sign out"),
    )
