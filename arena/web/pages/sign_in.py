"""Signing in and out."""

from arena.store.accounts import AccountRow
from arena.viewer.html import Element, tag
from arena.web.pages.layout import content, page, sheet


def show(account: AccountRow | None, trouble: str = "") -> str:
    """Return the page. account: who is signed in. trouble: why it did not go."""
    body = content("Sign in", sheet(_out(account) if account else _in(trouble)))
    return page("Sign in", body, here="/sign-in", styles=("site.css", "play.css"))


def _in(trouble: str) -> Element:
    return tag(
        "form",
        {"method": "post", "action": "/sign-in", "class": "sign-in"},
        tag("p", {}, "The organiser makes a token for you with ", tag("code", {}, "arena accounts create"), "."),
        tag("p", {"class": "fault", "role": "alert"}, trouble) if trouble else None,
        tag("label", {}, "token ", tag("input", {"name": "token", "type": "password", "required": True})),
        tag("button", {"class": "main"}, "sign in"),
    )


def _out(account: AccountRow) -> Element:
    return tag(
        "form",
        {"method": "post", "action": "/sign-out", "class": "sign-in"},
        tag("p", {}, "You are signed in as ", tag("b", {}, account.name), f", {account.role}."),
        tag("button", {}, "sign out"),
    )
