"""The page to submit a bot."""

from collections.abc import Sequence

from arena.league.results.hand_in_notices import LeagueNotice
from arena.store.accounts import ORGANISER, AccountRow
from arena.viewer.html import tag
from arena.web.pages.layout import content, page, sheet


def show(
    account: AccountRow, max_bytes: int, notices: Sequence[LeagueNotice], name: str | None = None, error: str = ""
) -> str:
    """Return the page.

    account: who submits. max_bytes: the largest file that is accepted. notices: what to know of leagues. name: under
    which a bot was sent; None: the usual one. error: why it was not accepted.
    """
    usual = "" if account.role == ORGANISER else f"{account.name}/"
    filled: dict[str, str | int] = {
        "id": "name",
        "name": "name",
        "value": usual if name is None else name,
        "required": True,
        "maxlength": 65,
    }
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
        {
            "id": "submit",
            "class": "sign-in",
            "method": "post",
            "action": "/submit",
            "enctype": "multipart/form-data",
            "data-max-bytes": max_bytes,
        },
        introduction,
        *(tag("p", {"class": "notice"}, f"{notice.sentence[:1].upper()}{notice.sentence[1:]}.") for notice in notices),
        tag("label", {}, "name ", tag("input", filled)),
        tag("label", {}, "file ", tag("input", {"id": "file", "name": "file", "type": "file", "required": True})),
        tag("button", {"class": "main", "id": "send"}, "submit"),
        tag("p", {"id": "error", "class": "refused", "role": "alert"}, error),
    )
    link = tag("p", {}, tag("a", {"href": "/hand-ins"}, "your hand-ins" if usual else "all hand-ins"))
    body = content("Submit a bot", sheet(form), link)
    styles, scripts = ("site.css", "play.css"), ("dom.js", "submit.js")
    return page("Submit", body, here="/submit", styles=styles, scripts=scripts)
