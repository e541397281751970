"""The list of all tournaments."""

from arena.store import Store
from arena.viewer.html import tag
from arena.web.access import Access
from arena.web.pages.layout import content, count, page, sheet, table


def show(store: Store, access: Access) -> str:
    """Return the list of all tournaments, newest first. access: on an empty site, organisers see a hint."""
    rows = [
        (
            tag("a", {"href": f"/tournaments/{row.id}"}, str(row.id)),
            row.game,
            ", ".join(f"{name}={value}" for name, value in sorted(row.options.items())) or "-",
            len(row.entrants),
            f"{count(store.count(row.id))} of {count(row.matches)}",
            row.created[:16].replace("T", " "),
            "finished" if row.finished else "unfinished",
        )
        for row in reversed(store.tournaments())
    ]
    headers = ("number", "game", "options", "bots", "matches", "began (UTC)", "state")
    hint = (" Run one with ", tag("code", {}, "arena tourney"), ".") if access.organiser else None
    empty = tag("p", {"class": "soft"}, "There are no tournaments yet.", hint)
    body = sheet(table(headers, rows, (0, 3, 4), (2, 3, 5)) if rows else empty)
    return page("Tournaments", content("Tournaments", body), here="/", styles=("site.css",))
