"""Hand-ins as values: what an owner sent, how far its check is, and what became of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from arena.store.people.submissions import PackRow
from arena.values.errors import ArenaError, TooOften

RECEIVED, BUILDING, CHECKING = "received", "building", "checking"
ACCEPTED, REFUSED, FAILED, CANCELLED = "accepted", "refused", "failed", "cancelled"
"""The states of a hand-in. Failed: its check failed through no fault of the bot. Cancelled: its owner took it back."""

UNDER_WAY = (BUILDING, CHECKING)
UNFINISHED = (RECEIVED, *UNDER_WAY)

BUSY = "busy"
"""The outcome of an attempt that found the server too busy: the hand-in waits for another one, or fails."""


class TooManyHandIns(TooOften):
    """An owner, or all together, have too many unfinished hand-ins, or an owner too many of a day."""


class RequestReused(ArenaError):
    """A request has the key of an earlier one and is another one."""


class RequestKey(NamedTuple):
    """How a request that is sent again is recognised."""

    key: str
    """The value of its header `Idempotency-Key`."""
    digest: str
    """The SHA-256 of what it says, in hex."""


class HandInStep(NamedTuple):
    """One finished step of a check."""

    title: str
    """What was done."""
    verdict: str
    """The result in a word: `"passed"`, `"warned"`, `"failed"` or `"skipped"`."""
    sentence: str
    """The result in a sentence."""


@dataclass(frozen=True, slots=True)
class HandInRow:
    """One hand-in.

    created, started, ended: times in UTC, ISO 8601; None for what has not happened yet.
    """

    id: int
    owner: str
    """The name of the account whose bot it is."""
    name: str
    """The name of the bot."""
    games: tuple[str, ...]
    """The games that it must play; empty: those that its manifest names, as long as that is unread."""
    league: int | None
    """The id of the league that it is to enter; None for none."""
    file: str
    """The name of the file as sent."""
    state: str
    """One of the states at the top of this module, such as `RECEIVED`."""
    attempt: int
    """The number of the last claim; 0 before the first."""
    died: int
    """How many attempts ended with the process of the check."""
    abandoned: int
    """How many attempts ended with their worker."""
    busy: int
    """How many attempts found the server too busy to tell how fast the bot is."""
    steps: tuple[HandInStep, ...]
    """The finished steps of the present attempt."""
    sentence: str
    """The result in words, to follow the name; empty while the hand-in is unfinished."""
    version: int | None
    """The version of the submission that it became; None if it was not accepted. An unfinished one with a version was
    accepted, and is checked again.
    """
    created: str
    started: str | None
    ended: str | None
    duration_ms: int | None
    """How long the attempt that finished it took, in milliseconds; None if none has."""
    worker: str | None = None
    """The process that checks it, as `arena.store.engine.worker_name` names it; None if none does."""
    sent_by: str | None = None
    """The name of the account that sent it for the team that owns it; None: the owner sent it."""
    rejudged: str | None = None
    """When an organiser last had it checked again, in UTC, ISO 8601; None if none has."""
    practice_only: bool = False
    """Whether its version is to practise, and to enter neither leagues nor tournaments."""

    @property
    def sender(self) -> str:
        """The name of the account that sent it."""
        return self.sent_by or self.owner

    @property
    def is_rechecked(self) -> bool:
        """Whether it was accepted, and is checked again."""
        return self.version is not None and not self.is_finished

    @property
    def is_waiting(self) -> bool:
        """Whether no worker has it."""
        return self.state == RECEIVED

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
    """A hand-in that a worker has claimed."""

    claim: Claim
    row: HandInRow
    content: bytes
    """The content of the file as sent; empty where it was accepted before."""
    phases: Mapping[str, bytes] = field(default_factory=dict)
    """What earlier attempts of its check have played, packed, by its keys (`arena.bots.kept_phases`)."""


@dataclass(frozen=True, slots=True)
class NewVersion:
    """What is stored of an accepted hand-in.

    source, content: the packs as submitted and as played.
    manifest, report: the manifest and the report of the check, as JSON values.
    """

    source: PackRow
    content: PackRow
    manifest: dict[str, Any]
    report: dict[str, Any]


@dataclass(frozen=True, slots=True)
class HandInEnd:
    """The end of an attempt."""

    duration_ms: int
    """How long the attempt took, in milliseconds."""
    report: dict[str, Any] | None = None
    """The report of the check, with its findings, as JSON values; None if there is none."""


class QueuePlace(NamedTuple):
    """Where an unfinished hand-in is in the queue."""

    place: int
    """Its place in the queue, from 1; 0 while it is checked."""
    seconds: float | None
    """The seconds until it is finished, as far as earlier hand-ins tell; None if there are none."""
