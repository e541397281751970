"""The page of an invitation, and that of the account which it made."""

from arena.store.invitations import InvitationRow
from arena.viewer.html import tag
from arena.web.pages.layout import content, page, sheet


def show(invitation: InvitationRow, error: str = "") -> str:
    """Return the page that makes the account. error: why it was not made."""
    given = tag("p", {}, "Your account is called ", tag("b", {}, invitation.name), ".")
    chosen = tag("label", {}, "name of your account ", tag("input", {"name": "name", "required": True}))
    form = tag(
        "form",
        {"method": "post", "class": "sign-in"},
        tag("p", {}, f"You are invited to this arena, as {invitation.role}."),
        tag("p", {"class": "fault", "role": "alert"}, error) if error else None,
        given if invitation.name else chosen,
        tag("button", {"class": "main"}, "make my account"),
    )
    return page("Invitation", content("Invitation", sheet(form)), styles=("site.css", "play.css"))


def made(name: str, token: str) -> str:
    """Return the page with the token of a new account."""
    body = sheet(
        tag("p", {}, "Your account ", tag("b", {}, name), " is made. This is its token:"),
        tag("p", {}, tag("code", {}, token)),
        tag("p", {}, "Keep it: it is not shown again. You ", tag("a", {"href": "/sign-in"}, "sign in"), " with it."),
    )
    return page("Your account", content("Your account", body), styles=("site.css", "play.css"))
