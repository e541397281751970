"""Announcements of a league, as its log has them: each text that was ever shown stays in it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from arena.values.rows import DecisionRow

ANNOUNCE = "announce"
"""The kind of a decision that writes an announcement, or gives it another text. details: announcement, text."""

RETRACT = "retract"
"""The kind of a decision that retracts an announcement. details: announcement."""

_LINK = re.compile(r"https?://[^\s<>\"'`]+")

_AFTER_LINK = ".,;:!?)]}»”’…"
"""Marks that end a sentence or a bracket, and no link."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement of a league."""

    number: int
    """Its number in the league, from 1."""
    who: str
    """The organiser who wrote it first."""
    texts: tuple[tuple[str, str], ...]
    """Its texts, each with the moment at which it was written, UTC, ISO 8601; the oldest first."""
    retracted: str | None = None
    """When it was retracted, UTC, ISO 8601; None if it was not."""

    @property
    def text(self) -> str:
        """Its newest text."""
        return self.texts[-1][1]

    @property
    def created(self) -> str:
        """When it was written first, UTC, ISO 8601."""
        return self.texts[0][0]

    @property
    def changed(self) -> str | None:
        """When its newest text was written, UTC, ISO 8601; None for the first."""
        return self.texts[-1][0] if len(self.texts) > 1 else None


def announcements_of(log: Iterable[DecisionRow]) -> list[Announcement]:
    """Return all announcements of a log, also those that were retracted; the newest first."""
    known: dict[int, Announcement] = {}
    for row in log:
        if row.kind not in (ANNOUNCE, RETRACT):
            continue
        number = row.details["announcement"]
        before = known.get(number)
        if row.kind == ANNOUNCE:
            texts = () if before is None else before.texts
            who = row.who if before is None else before.who
            known[number] = Announcement(number, who, (*texts, (row.created, row.details["text"])))
        elif before is not None:
            known[number] = Announcement(number, before.who, before.texts, row.created)
    return sorted(known.values(), key=lambda announcement: -announcement.number)


def parts_of(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text, each with whether it is a link: an address that begins with http:// or https://."""
    at = 0
    for match in _LINK.finditer(text):
        address = match[0].rstrip(_AFTER_LINK)
        if address.endswith("://"):
            continue
        if match.start() > at:
            yield text[at : match.start()], False
        yield address, True
        at = match.start() + len(address)
    if at < len(text):
        yield text[at:], False
