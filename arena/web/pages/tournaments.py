"""The home page: what goes on in leagues, and the list of all tournaments."""

from arena.store import Store
from arena.viewer.html import tag
from arena.web.access import Access
from arena.web.live_pages import PageParts
from arena.web.pages.layout import content, count, page, sheet, table
from arena.web.pages.league_parts import live_page
from arena.web.pages.leagues import home


def show(store: Store, access: Access, leagues: PageParts) -> str:
    """Return the home page: leagues, and all tournaments, newest first.

    access: on an empty site, organisers see a hint. leagues: what is shown of them; nothing where there are none.
    """
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
    body = sheet(table(headers, rows, (0, 3, 4), (2, 3, 5), sortable=True) if rows else empty)
    if not leagues.elements:
        return page("Tournaments", content("Tournaments", body), here="/", styles=("site.css",), scripts=("sort.js",))
    listed = (tag("h2", {}, "Tournaments"), body) if rows else None
    return live_page("Home", "Home", leagues, "/leagues/events", home(leagues), listed, here="/")
