"""The list of all tournaments."""

from arena.store import Store
from arena.viewer.html import tag
from arena.web.access import Access
from arena.web.pages.layout import content, count, page, sheet, table


def show(store: Store, access: Access) -> str:
    """Return the list of all tournaments, newest first. access: organisers of an empty site see how to begin."""
    listed = store.tournaments()
    rows = [
        (
            tag("a", {"href": f"/tournaments/{each.id}"}, str(each.id)),
            each.game,
            ", ".join(f"{name}={value}" for name, value in sorted(each.options.items())) or "-",
            len(each.entrants),
            f"{count(store.count(each.id))} of {count(each.matches)}",
            each.created[:16].replace("T", " "),
            "finished" if each.finished else "unfinished",
        )
        for each in reversed(listed)
    ]
    headers = ("number", "game", "options", "bots", "matches", "began (UTC)", "state")
    hint = (" Run one with ", tag("code", {}, "arena tourney"), ".") if access.organiser else None
    none = tag("p", {"class": "soft"}, "There are no tournaments yet.", hint)
    body = sheet(table(headers, rows, (0, 3, 4), (2, 3, 5)) if rows else none)
    return page("Tournaments", content("Tournaments", body), here="/", styles=("site.css",))
