"""The progress of a hand-in, as its page shows it: its place in the queue, and its check step by step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.bots.hand_in_rows import (
    ACCEPTED,
    BUILDING,
    CHECKING,
    RECEIVED,
    HandInRow,
    QueuePlace,
)
from arena.bots.rejudging import LogEntry
from arena.league.store.league_rows import EntryState
from arena.replay.html import Element
from arena.server.hand_ins.entries import HandInEntries
from arena.server.templates import TEMPLATES

SENTENCES = {
    RECEIVED: "is received and waits for its check",
    BUILDING: "is being unpacked and built",
    CHECKING: "is being checked",
}
"""What is said of a hand-in that is not finished, after its name."""

RECHECKED = {
    RECEIVED: "plays as version {0}, and waits to be checked again",
    BUILDING: "plays as version {0}, and is being unpacked to be checked again",
    CHECKING: "plays as version {0}, and is being checked again",
}
"""What is said of one that was accepted, and is checked again."""

POSTPONED = "was not checked, as the server was too busy, and is tried again by itself"
"""What is said of a hand-in that waits for its next attempt."""

ENTRY_WORDS: dict[EntryState, str] = {
    "placing": "it is being placed",
    "standing": "it has its place",
    "retired": "it is retired",
    "suspended": "it is suspended",
}
"""What is said of its entry in a league."""

_progress = TEMPLATES.macro("hand_ins/progress.html", "progress", english=True)

ROUNDING = 5
"""Expected times are multiples of this many seconds."""


@dataclass(frozen=True, slots=True)
class HandInState:
    """What the page of a hand-in shows."""

    row: HandInRow
    place: QueuePlace | None
    """Its place in the queue; None if it is finished."""
    report: dict[str, Any] | None
    """The report of its check; None if it has none."""
    entries: HandInEntries
    log: Sequence[LogEntry] = ()
    """The decisions to check it again."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more is expected: it is finished, and in the leagues that are played."""
        return self.row.is_finished and not self.entries.awaited


def progress(state: HandInState) -> Element:
    """Return the part of the page that changes while a hand-in is checked."""
    row, entries = state.row, state.entries
    return _progress(
        row,
        row.sentence or _unfinished_words(row),
        "accepted" if row.state == ACCEPTED else "refused" if row.is_finished else None,
        None if state.place is None else _queue_words(state.place),
        [(entry.league, entry.number, ENTRY_WORDS[entry.state]) for entry in entries.entries],
        entries.awaited,
        entries.notice,
        _facts(row),
        state.report,
        state.log,
    )


def _unfinished_words(row: HandInRow) -> str:
    """Say what happens to a hand-in that is not finished, to follow its name."""
    if row.version is not None:
        return RECHECKED[row.state].format(row.version)
    return POSTPONED if row.state == RECEIVED and row.busy else SENTENCES[row.state]


def _queue_words(place: QueuePlace) -> str:
    """Say where a hand-in is in the queue, and how long it will take."""
    seconds = None if place.seconds is None else max(ROUNDING, -int(-place.seconds // ROUNDING) * ROUNDING)
    if seconds is None:
        about = "nobody knows yet how long a check takes"
    else:
        about = f"about {seconds} s" if seconds < 120 else f"about {round(seconds / 60)} minutes"
        about += " until it is checked"
    return f"Place {place.place} in the queue, {about}." if place.place else f"{about[0].upper()}{about[1:]}."


def _facts(row: HandInRow) -> str:
    sender = f"{row.sent_by} for {row.owner}" if row.sent_by else row.owner
    facts = [f"{row.file}, handed in by {sender} at {row.created[:16].replace('T', ' ')} UTC"]
    if row.duration_ms is not None:
        facts.append(f"checked in {row.duration_ms / 1000:.1f} s")
    if interrupted := row.died + row.abandoned:
        facts.append(f"interrupted {interrupted} time{'s' * (interrupted != 1)}")
    return "; ".join(facts)
