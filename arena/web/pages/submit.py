"""The page to submit a bot."""

from arena.store.accounts import ORGANISER, AccountRow
from arena.viewer.html import tag
from arena.web.pages.layout import content, page, sheet


def show(account: AccountRow, max_bytes: int) -> str:
    """Return the page. account: who submits. max_bytes: the largest file that is accepted."""
    usual = "" if account.role == ORGANISER else f"{account.name}/"
    introduction = tag(
        "p",
        {},
        "Send a Python file, or a folder with a ",
        tag("code", {}, "bot.toml"),
        f" as .zip or .tar.gz: {max_bytes // 1024 // 1024} MiB at most. The bot is built and checked in the sandbox of "
        "a tournament. Submit under the same name again to add a version.",
    )
    form = tag(
        "form",
        {"id": "submit", "class": "sign-in", "data-max-bytes": max_bytes},
        introduction,
        tag("label", {}, "name ", tag("input", {"id": "name", "value": usual, "required": True, "maxlength": 65})),
        tag("label", {}, "file ", tag("input", {"id": "file", "type": "file", "required": True})),
        tag("button", {"class": "main", "id": "send"}, "submit"),
        tag("p", {"id": "error", "class": "refused", "role": "alert"}),
        tag("noscript", {}, "This form needs JavaScript."),
    )
    link = tag("p", {}, tag("a", {"href": "/hand-ins"}, "your hand-ins" if usual else "all hand-ins"))
    body = content("Submit a bot", sheet(form), link)
    styles, scripts = ("site.css", "play.css"), ("dom.js", "submit.js")
    return page("Submit", body, here="/submit", styles=styles, scripts=scripts)
