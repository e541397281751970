"""The page of a hand-in, which shows its check step by step, and the list of hand-ins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from arena.league.results.hand_in_entries import HandInEntries
from arena.store.hand_in_rows import (
    ACCEPTED,
    BUILDING,
    CHECKING,
    RECEIVED,
    HandInRow,
    HandInStep,
    QueuePlace,
)
from arena.store.league_rows import EntryState
from arena.viewer.html import Child, Element, tag
from arena.web.pages.layout import content, page, sheet, table, wide
from arena.web.pages.league_parts import league_link, league_path

COLUMNS = ("no.", "step", "result", "reason")

SENTENCES = {
    RECEIVED: "is received and waits for its check",
    BUILDING: "is being unpacked and built",
    CHECKING: "is being checked",
}
"""What is said of a hand-in that is not finished, after its name."""

ENTRY_WORDS: dict[EntryState, str] = {
    "placing": "it is being placed",
    "standing": "it has its place",
    "retired": "it is retired",
    "suspended": "it is suspended",
}
"""What is said of its entry in a league."""

RELOAD = 5
"""Seconds after which a browser without JavaScript loads the page of a hand-in again, as long as it is checked."""

ROUNDING = 5
"""Expected times are multiples of this many seconds."""


@dataclass(frozen=True, slots=True)
class HandInState:
    """What the page shows. place: in the queue, if it is not finished. report: of its check, if it has one."""

    row: HandInRow
    place: QueuePlace | None
    report: dict[str, Any] | None
    entries: HandInEntries

    @property
    def is_over(self) -> bool:
        """Whether nothing more is expected: it is finished, and in the leagues that are played."""
        return self.row.is_finished and not self.entries.awaited


def show(state: HandInState) -> str:
    """Return the page of a hand-in."""
    row = state.row
    title = f"Hand-in {row.id}"
    cancel = tag(
        "form",
        {"id": "cancel", "method": "post", "action": f"/hand-ins/{row.id}/cancel"},
        tag("button", {}, "cancel this hand-in"),
    )
    body = content(
        title,
        tag("div", {"id": "hand-in", "class": "hand-in", "data-hand-in": row.id}, progress(state)),
        None if row.is_finished else cancel,
        tag("p", {}, tag("a", {"href": "/hand-ins"}, "all hand-ins"), " · ", tag("a", {"href": "/submit"}, "submit")),
    )
    scripts = () if state.is_over else ("dom.js", "hand-in.js")
    reload = None if state.is_over else RELOAD
    return page(title, body, here="/submit", styles=("site.css", "play.css"), scripts=scripts, reload=reload)


def progress(state: HandInState) -> Element:
    """Return the part of the page that changes while a hand-in is checked."""
    row = state.row
    verdict = "accepted" if row.state == ACCEPTED else "refused" if row.is_finished else None
    words: list[Child] = [f"{row.name} {row.sentence or SENTENCES[row.state]}"]
    if row.state == ACCEPTED:
        words += [" · ", tag("a", {"href": f"/bots/{quote(row.name)}"}, "open its page")]
    waiting = None if state.place is None else tag("p", {"id": "queue"}, _queue_words(state.place))
    return sheet(
        tag("h2", {"id": "verdict", "class": verdict, "aria-live": "polite"}, words),
        waiting,
        _leagues(state.entries),
        tag("p", {"class": "soft"}, _facts(row)),
        _steps(row.steps) if row.steps else None,
        _findings(row.id, state.report) if state.report else None,
        _output(state.report) if state.report else None,
    )


def list_all(rows: Sequence[HandInRow], *, with_owners: bool) -> str:
    """Return the list of hand-ins. with_owners: whether they are of several owners."""
    headers = ("number", "bot", *(("handed in by",) if with_owners else ()), "handed in (UTC)", "state", "result")
    cells = [
        (
            tag("a", {"href": f"/hand-ins/{row.id}"}, str(row.id)),
            row.name,
            *((row.owner,) if with_owners else ()),
            _moment(row.created),
            row.state,
            row.sentence.splitlines()[0] if row.sentence else "",
        )
        for row in rows
    ]
    empty = tag("p", {"class": "soft"}, "Nothing was handed in yet.")
    listing = table(headers, cells, (0,), (2, 3, 5) if with_owners else (2, 4)) if cells else empty
    link = tag("p", {}, tag("a", {"href": "/submit"}, "submit a bot"))
    return page("Hand-ins", content("Hand-ins", sheet(listing), link), here="/submit", styles=("site.css", "play.css"))


def _queue_words(place: QueuePlace) -> str:
    """Say where a hand-in is in the queue, and how long it will take."""
    seconds = None if place.seconds is None else max(ROUNDING, -int(-place.seconds // ROUNDING) * ROUNDING)
    if seconds is None:
        about = "nobody knows yet how long a check takes"
    else:
        about = f"about {seconds} s" if seconds < 120 else f"about {round(seconds / 60)} minutes"
        about += " until it is checked"
    return f"Place {place.place} in the queue, {about}." if place.place else f"{about[0].upper()}{about[1:]}."


def _leagues(entries: HandInEntries) -> Element | None:
    """Return where it plays: a line for each league."""
    lines: list[Child] = []
    for entry in entries.entries:
        path = f"{league_path(entry.league)}/entries/{entry.number}"
        words = ENTRY_WORDS[entry.state]
        lines.append(tag("li", {}, "League ", league_link(entry.league), ": ", tag("a", {"href": path}, words), "."))
    for league in entries.awaited:
        lines.append(tag("li", {}, "League ", league_link(league), ": it enters within seconds."))
    return tag("ul", {"id": "leagues"}, lines) if lines else None


def _facts(row: HandInRow) -> str:
    facts = [f"{row.file}, handed in by {row.owner} at {_moment(row.created)} UTC"]
    if row.duration_ms is not None:
        facts.append(f"checked in {row.duration_ms / 1000:.1f} s")
    if interrupted := row.died + row.abandoned:
        facts.append(f"interrupted {interrupted} time{'s' * (interrupted != 1)}")
    return "; ".join(facts)


def _steps(steps: Sequence[HandInStep]) -> Element:
    rows = [
        tag(
            "tr",
            {"class": step.verdict},
            tag("td", {"class": "number"}, str(number)),
            [tag("td", {}, text) for text in step],
        )
        for number, step in enumerate(steps, 1)
    ]
    head = tag("tr", {}, [tag("th", {"scope": "col"}, word) for word in COLUMNS])
    return wide(
        "steps of the check",
        tag("table", {}, tag("thead", {}, head), tag("tbody", {"id": "steps", "class": "steps"}, rows)),
    )


def _findings(id: int, report: dict[str, Any]) -> Element | None:
    if not report["found"]:
        return None
    items = [
        tag(
            "li",
            {},
            f"{found['step']}: {found['sentence']} ",
            tag("a", {"href": f"/hand-ins/{id}/questions/{number}", "download": ""}, "question"),
            " · " if found["log"] is not None else None,
            tag("a", {"href": f"/hand-ins/{id}/logs/{number}", "download": ""}, "log of the match")
            if found["log"] is not None
            else None,
        )
        for number, found in enumerate(report["found"], 1)
    ]
    advice = (
        "Ask your bot the question again with ",
        tag("code", {}, "arena ask ./mybot FILE"),
        ", or in a test with ",
        tag("code", {}, "arena.sdk.ask"),
        ".",
    )
    return tag(
        "div",
        {"id": "found", "class": "found"},
        tag("h3", {}, "Where it went wrong"),
        tag("p", {"class": "soft"}, advice),
        tag("ul", {"id": "findings"}, items),
    )


def _output(report: dict[str, Any]) -> Element | None:
    text = "\n".join(report["output"])
    if not text:
        return None
    return tag("pre", {"id": "output", "tabindex": 0, "role": "group", "aria-label": "output of the bot"}, text)


def _moment(created: str) -> str:
    return created[:16].replace("T", " ")
