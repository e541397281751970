"""Hand-ins as values: what an owner sent, how far its check is, and what became of it."""

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

from arena.errors import ArenaError, TooOften
from arena.store.errors import StoreError
from arena.store.submissions import PackRow
from arena.texts import printable

RECEIVED, BUILDING, CHECKING = "received", "building", "checking"
ACCEPTED, REFUSED, FAILED, CANCELLED = "accepted", "refused", "failed", "cancelled"
"""The states of a hand-in. Failed: its check failed through no fault of the bot. Cancelled: its owner took it back."""

UNDER_WAY = (BUILDING, CHECKING)
UNFINISHED = (RECEIVED, *UNDER_WAY)


class TooManyHandIns(TooOften):
    """An owner, or all together, have too many unfinished hand-ins, or an owner too many of a day."""


class RequestReused(ArenaError):
    """A request has the key of an earlier one and is another one."""


class RequestKey(NamedTuple):
    """By what a request that is sent again is recognised. key: its Idempotency-Key. digest: its SHA-256, in hex."""

    key: str
    digest: str


class HandInStep(NamedTuple):
    """One finished step. title: what was done. verdict: passed, warned, failed or skipped. sentence: the result."""

    title: str
    verdict: str
    sentence: str


@dataclass(frozen=True, slots=True)
class HandInRow:
    """One hand-in.

    owner: the account that sent it. name: of the bot. games: what it must play; none: what its manifest names, until
    that is read. league: that it is to enter. file: the name of the file as sent. state: see above. attempt: the number
    of the last claim. died: how many attempts ended with the process of the check; abandoned: how many ended with their
    worker. steps: those of the present attempt. sentence: the result, to follow the name; empty while it is unfinished.
    version: of the submission, if accepted. created, started, ended: UTC, ISO 8601. duration_ms: of the attempt that
    finished it.
    """

    id: int
    owner: str
    name: str
    games: tuple[str, ...]
    league: int | None
    file: str
    state: str
    attempt: int
    died: int
    abandoned: int
    steps: tuple[HandInStep, ...]
    sentence: str
    version: int | None
    created: str
    started: str | None
    ended: str | None
    duration_ms: int | None

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state not in UNFINISHED


class Claim(NamedTuple):
    """The right of one attempt to check a hand-in; the store ignores what an older attempt says."""

    hand_in: int
    attempt: int


@dataclass(frozen=True, slots=True)
class ClaimedHandIn:
    """A hand-in that a worker has claimed. content: the file as sent."""

    claim: Claim
    row: HandInRow
    content: bytes


@dataclass(frozen=True, slots=True)
class NewVersion:
    """What is stored of an accepted hand-in. source, content: its packs. manifest, report: JSON values."""

    source: PackRow
    content: PackRow
    manifest: dict[str, Any]
    report: dict[str, Any]


@dataclass(frozen=True, slots=True)
class HandInEnd:
    """The end of an attempt. duration_ms: of it. report: of the check, with its findings, as JSON values, if any."""

    duration_ms: int
    report: dict[str, Any] | None = None


class QueuePlace(NamedTuple):
    """Where an unfinished hand-in is.

    place: in the queue, from 1; 0 while it is checked. seconds: until it is finished, as far as earlier ones tell; None
    if there are none.
    """

    place: int
    seconds: float | None


def hand_in_row(row: Any) -> HandInRow:
    """Return a row of the table, with the version of its submission, as a value. Raises StoreError if it is damaged."""
    try:
        games = tuple(json.loads(row.games))
        steps = tuple(HandInStep(*map(printable, json.loads(line))) for line in row.steps.splitlines())
    except (ValueError, TypeError) as error:
        raise StoreError(f"the hand-in {row.id} is damaged ({error}): restore the database from a copy") from None
    return HandInRow(
        id=row.id,
        owner=row.owner,
        name=printable(row.name),
        games=games,
        league=row.league,
        file=printable(row.file),
        state=row.state,
        attempt=row.attempt,
        died=row.died,
        abandoned=row.abandoned,
        steps=steps,
        sentence=printable(row.sentence),
        version=row.version,
        created=row.created,
        started=row.started,
        ended=row.ended,
        duration_ms=row.duration_ms,
    )
