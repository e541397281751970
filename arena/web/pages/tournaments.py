"""The list of all tournaments."""

from arena.store import Store
from arena.viewer.html import tag
from arena.web.pages.layout import content, count, page, sheet, table


def show(store: Store) -> str:
    """Return the page."""
    found = store.tournaments()
    rows = [
        (
            tag("a", {"href": f"/tournaments/{each.id}"}, str(each.id)),
            each.game,
            ", ".join(f"{name}={value}" for name, value in sorted(each.options.items())) or "-",
            len(each.entrants),
            f"{count(store.count(each.id or 0))} of {count(each.matches)}",
            each.created[:16].replace("T", " "),
            "finished" if each.finished else "unfinished",
        )
        for each in reversed(found)
    ]
    headers = ("number", "game", "options", "bots", "matches", "began (UTC)", "state")
    none = tag("p", {"class": "soft"}, "There is no tournament yet: run one with ", tag("code", {}, "arena tourney"))
    body = sheet(table(headers, rows, (0, 3, 4), (2, 3, 5)) if rows else none)
    return page("Tournaments", content("Tournaments", body), here="/", styles=("site.css",))
