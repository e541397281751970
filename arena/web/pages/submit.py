"""The page to submit a bot."""

from arena.store.accounts import ORGANISER, AccountRow
from arena.viewer.html import tag
from arena.web.pages.layout import content, page, sheet, wide

COLUMNS = ("", "step", "result", "reason")


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
    )
    result = tag(
        "section",
        {"class": "sheet", "id": "result", "hidden": True},
        tag("h2", {"id": "verdict", "aria-live": "polite"}),
        tag("ol", {"id": "progress"}),
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
            "div",
            {"id": "found", "class": "found", "hidden": True},
            tag("h3", {}, "Where it went wrong"),
            tag(
                "p",
                {"class": "soft"},
                "Ask your bot the question again with ",
                tag("code", {}, "arena ask ./mybot FILE"),
                ", or in a test with ",
                tag("code", {}, "arena.sdk.ask"),
                ".",
            ),
            tag("ul", {"id": "findings"}),
        ),
        tag(
            "pre",
            {"id": "output", "tabindex": 0, "role": "group", "aria-label": "output of the bot", "hidden": True},
        ),
    )
    body = content("Submit a bot", sheet(form), result)
    styles, scripts = ("site.css", "play.css"), ("dom.js", "submit.js")
    return page("Submit", body, here="/submit", styles=styles, scripts=scripts)
