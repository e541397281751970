"""What the pages of a league share: links, times, intervals and lines of Elo."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import quote

from arena.league.results.board import BoardRow
from arena.league.results.rating_history import RatingPoint
from arena.league.store.league_rows import BatchRow, EntryRow
from arena.ratings.elo_text import elo_text
from arena.replay.html import Child, Element, tag
from arena.server.live.page_parts import PageParts
from arena.server.pages.layout import content, page, sheet, table

BAR_WIDTH = 130
"""Width of the drawing of an interval, in pixels."""

SPARK_WIDTH, SPARK_HEIGHT = 84, 20
"""Size of a line of Elo, in pixels."""

SPARK_RANGE = 30.0
"""The least range of Elo that a line shows, so that chance does not look like progress."""

SCALE_STEP = 50
"""Elo: the ends of a scale are multiples of it, so that they seldom change."""

RELOAD = 60
"""Seconds after which a browser without JavaScript loads a page again."""

STATE_WORDS = {
    "placing": "placing",
    "standing": "",
    "retired": "retired",
    "suspended": "suspended",
}


class Scale(NamedTuple):
    """The range of Elo of a column of bars."""

    low: float
    high: float


def scale_of(rows: Iterable[BoardRow]) -> Scale:
    """Return a scale for entries. A few that are far from all others are drawn at its edge."""
    ends = [
        (row.elo - (row.ci95 or 0), row.elo + (row.ci95 or 0)) for row in rows if row.elo is not None and not row.bound
    ]
    if not ends:
        return Scale(-SCALE_STEP, SCALE_STEP)
    middles = [(low + high) / 2 for low, high in ends]
    centre = median(middles)
    reach = max(4 * median(abs(middle - centre) for middle in middles), 100.0)
    low = max(min(low for low, _ in ends), centre - reach)
    high = min(max(high for _, high in ends), centre + reach)
    return Scale(SCALE_STEP * (min(low, 0) // SCALE_STEP), -SCALE_STEP * (-max(high, 0) // SCALE_STEP))


def league_path(league: str) -> str:
    """Return the path of the page of a league."""
    return f"/leagues/{quote(league, safe='')}"


def league_link(league: str) -> Element:
    """Return the name of a league as a link to its page."""
    return tag("a", {"href": league_path(league)}, league)


def batch_link(league: str, number: int, words: Child = None) -> Element:
    """Return the number of a batch as a link to its page."""
    return tag("a", {"href": f"{league_path(league)}/batches/{number}"}, number if words is None else words)


def entry_link(league: str, entry: EntryRow, *, state: bool = False) -> Element:
    """Return name and version of an entry, with a link to its page.

    state: whether to add its state, unless it is standing.
    """
    name, version = entry.submission
    copy = entry.name.partition("#")[2]  # of a sample bot that is entered several times
    kind = "reference" if entry.is_anchor else STATE_WORDS[entry.state] if state else ""
    return tag(
        "span",
        {"class": "entry"},
        tag("a", {"href": f"{league_path(league)}/entries/{entry.number}"}, name),
        tag("span", {"class": "version"}, f" v{version}{f' #{copy}' if copy else ''}"),
        (" ", tag("span", {"class": f"badge {entry.state}"}, kind)) if kind and state else None,
    )


def entry_links(league: str, entries: Iterable[EntryRow]) -> list[Child]:
    """Return links to several entries, in a row."""
    links: list[Child] = []
    for entry in entries:
        links += [" · " if links else "", entry_link(league, entry)]
    return links


def moment(when: str) -> Element:
    """Return a time in UTC to the minute, as day and hour."""
    at = datetime.fromisoformat(when)
    return tag("time", {"datetime": when}, f"{at:%b} {at.day}, {at:%H:%M}")


def change(value: float | None, address: str) -> Child:
    """Return a change of Elo, as a link to what it was made of."""
    if value is None:
        return tag("span", {"class": "soft"}, "-")
    rounded = round(value)
    kind = "up" if rounded > 0 else "down" if rounded < 0 else "soft"
    return tag("a", {"class": f"change {kind}", "href": address}, f"{rounded:+d}" if rounded else "0")


def sparkline(points: Sequence[RatingPoint]) -> Child:
    """Draw the Elo of an entry over time."""
    if len(points) < 2:
        return None
    times = [datetime.fromisoformat(point.when).timestamp() for point in points]
    elos = [point.elo for point in points]
    middle = (max(elos) + min(elos)) / 2
    reach = max(max(elos) - min(elos), SPARK_RANGE) / 2
    span = max(times[-1] - times[0], 1.0)

    def at(time: float, elo: float) -> str:
        x = 2 + (SPARK_WIDTH - 6) * (time - times[0]) / span
        return f"{x:.1f},{SPARK_HEIGHT / 2 - (SPARK_HEIGHT / 2 - 3) * (elo - middle) / reach:.1f}"

    path = [at(time, elo) for time, elo in zip(times, elos, strict=True)]
    x, y = path[-1].split(",")
    words = f"Elo from {elo_text(elos[0])} to {elo_text(elos[-1])} since {points[0].when[:16].replace('T', ' ')} UTC"
    return tag(
        "svg",
        {"class": "spark", "viewBox": f"0 0 {SPARK_WIDTH} {SPARK_HEIGHT}", "width": SPARK_WIDTH,
         "height": SPARK_HEIGHT, "role": "img", "aria-label": words},
        tag("polyline", {"points": " ".join(path)}),
        tag("circle", {"cx": x, "cy": y, "r": 2}),
    )  # fmt: skip


def duration(seconds: float) -> str:
    """Format a time that something takes, roughly."""
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def percent(share_: float) -> str:
    """Format a probability, which is never certain."""
    return f"{min(max(share_ * 100, 0.1), 99.9):.1f} %" if not 0.01 < share_ < 0.99 else f"{share_ * 100:.0f} %"


def batch_state(row: BatchRow) -> str:
    """Return the state of a batch in a word."""
    return {"waiting": "waiting", "leased": "playing", "stored": "stored", "void": "void"}[row.state]


def listing(headers: Sequence[Child], rows: Iterable[Iterable[Child]], empty: str, **columns: Any) -> Element:
    """Return a table or, if it has no rows, a sentence.

    columns: as `table` takes them.
    """
    lines = list(rows)
    return table(headers, lines, **columns) if lines else tag("p", {"class": "soft"}, empty)


def part(id: str, title: Child, *body: Child) -> Element:
    """Return a section of a page that is replaced as a whole when it changes."""
    return sheet(tag("h2", {}, title), body, id=id)


def live_page(
    title: str, heading: Child, parts: PageParts, events: str, *body: Child, here: str = "/leagues", above: Child = None
) -> str:
    """Return a page whose parts are kept up to date.

    events: the address of its events.
    above: what stands between the heading and `body`.
    """
    return page(
        title,
        tag(
            "div",
            {
                "id": "live-page",
                "data-events": events,
                "data-digest": parts.digest,
                "data-parts": " ".join(id for id in parts.elements if id not in parts.rows),
            },
            content(heading, above, body),
        ),
        here=here,
        styles=("site.css", "league.css"),
        scripts=("sort.js", "dom.js", "live-page.js"),
        reload=RELOAD,
    )


def trail(league: str, *further: Child) -> Element:
    """Return the links from the list of leagues down to a page."""
    return tag(
        "p",
        {"class": "trail soft"},
        tag("a", {"href": "/leagues"}, "leagues"),
        " › ",
        league_link(league),
        [(" › ", each) for each in further],
    )
