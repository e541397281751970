"""Handing in a bot."""

from arena.store.accounts import ORGANISER, AccountRow
from arena.viewer.html import tag
from arena.web.pages.layout import content, page, sheet, wide

COLUMNS = ("", "step", "verdict", "why")


def show(account: AccountRow, most: int) -> str:
    """Return the page. account: who hands in. most: bytes of a file."""
    usual = "" if account.role == ORGANISER else f"{account.name}/"
    told = tag(
        "p",
        {},
        "Send a Python file, or a folder with a ",
        tag("code", {}, "bot.toml"),
        f" as .zip or .tar.gz: {most // 1024 // 1024} MiB at the most. It is built and checked, confined as in any "
        "tournament; then it plays under its name. The same name again makes the next version.",
    )
    form = tag(
        "form",
        {"id": "submit", "class": "sign-in", "data-most": most},
        told,
        tag("label", {}, "name ", tag("input", {"id": "name", "value": usual, "required": True, "maxlength": 65})),
        tag("label", {}, "file ", tag("input", {"id": "file", "type": "file", "required": True})),
        tag("button", {"class": "main", "id": "send"}, "hand in"),
    )
    result = tag(
        "section",
        {"class": "sheet", "id": "result", "hidden": True},
        tag("h2", {"id": "verdict", "aria-live": "polite"}),
        tag("ol", {"id": "said", "class": "said"}),
        wide(
            "steps of the check",
            tag(
                "table",
                {},
                tag("thead", {}, tag("tr", {}, [tag("th", {"scope": "col"}, word) for word in COLUMNS])),
                tag("tbody", {"id": "steps", "class": "steps"}),
            ),
        ),
        tag(
            "pre",
            {"id": "output", "tabindex": 0, "role": "group", "aria-label": "what the bot printed", "hidden": True},
        ),
    )
    body = content("Hand in a bot", sheet(form), result)
    styles, scripts = ("site.css", "play.css"), ("dom.js", "submit.js")
    return page("Submit", body, here="/submit", styles=styles, scripts=scripts)
