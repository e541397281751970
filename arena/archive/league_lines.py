"""The lines of the archive of a league: JSON objects, the kind of each under `kind`, the rest under that.

    league, season, entry, decision               in this order; the decisions are its log
    snapshot                                      before the first batch that was drawn from it
    batch, attempt, tournament, match             for each batch, of which the last two are items of an archive

The code of bots, the machines that played and, unless asked for, notes are not in it.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from typing import Any, Literal, TypeVar

from arena.archive.errors import ArchiveError
from arena.archive.files import MAX_SENTENCE
from arena.archive.json_types import misfit
from arena.store.league_rows import BatchKind, EntryState, Outcome
from arena.texts import json_text
from referee.wire import clean

FORMAT = 1
"""The version of these lines."""


@dataclass(frozen=True, slots=True)
class LeagueLine:
    """A league up to the end of a season.

    definition: canonical JSON, whose hash was published. log_entries, log_hash: how many decisions follow, and the
    digest of the last, in hex; 0 and empty in older files.
    """

    format: int
    name: str
    game: str
    definition: str
    definition_hash: str
    created: str
    season: int
    log_entries: int = 0
    log_hash: str = ""


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """An ended season, as in `arena.store.league_rows`. secret: in hex. final, standings: JSON; None without one."""

    number: int
    first_day: str
    days: int
    secret: str
    commitment: str
    entropy: str
    ended: str
    frozen: str | None
    final: str | None
    standings: str | None


@dataclass(frozen=True, slots=True)
class EntryLine:
    """An entry. bot, version: its submission. content: SHA-256 of the files that play, in hex."""

    number: int
    name: str
    bot: str
    version: int
    content: str
    owner: str
    is_anchor: bool
    state: EntryState
    reason: str
    entered: str
    placed: str | None


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """An entry of the log. details: JSON."""

    number: int
    created: str
    who: str
    kind: str
    details: str
    reason: str
    digest: str


@dataclass(frozen=True, slots=True)
class SnapshotLine:
    """Ratings from which batches were drawn, as `arena.league.plan.matchmaking.snapshot` writes them."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class BatchLine:
    """A batch that is over, as in `arena.store.league_rows`."""

    number: int
    season: int
    day: int
    kind: BatchKind
    snapshot: int
    entries: tuple[int, ...]
    state: Literal["stored", "void"]
    attempt: int
    failed: int
    created: str
    ended: str
    seconds: float | None
    result: int | None
    part: int | None


@dataclass(frozen=True, slots=True)
class AttemptLine:
    """An attempt to play the batch of the last line before it."""

    attempt: int
    began: str
    ended: str | None
    outcome: Outcome | None
    reason: str


Line = LeagueLine | SeasonLine | EntryLine | DecisionLine | SnapshotLine | BatchLine | AttemptLine

KINDS: dict[str, type[Line]] = {
    "league": LeagueLine,
    "season": SeasonLine,
    "entry": EntryLine,
    "decision": DecisionLine,
    "snapshot": SnapshotLine,
    "batch": BatchLine,
    "attempt": AttemptLine,
}

_Kind = TypeVar("_Kind", bound=Line)


def line_text(line: Line) -> bytes:
    """Return a line as it stands in a file."""
    kind = next(kind for kind, of_kind in KINDS.items() if isinstance(line, of_kind))
    return json_text({"kind": kind, kind: asdict(line)}).encode() + b"\n"


def parse_line(values: Mapping[str, Any], kind: type[_Kind], where: str) -> _Kind:
    """Return the line of JSON values. where: it stands, for errors. Raises ArchiveError if they are of another kind."""
    known = values.get(values["kind"])
    needed = {each.name for each in fields(kind) if each.default is MISSING}
    newer = {each.name for each in fields(kind)} - needed
    wrong = misfit(known, kind)
    if isinstance(known, dict) and (odd := (known.keys() - newer) ^ needed):
        wrong = f"it has {', '.join(sorted(odd))} too much or too little"
    if wrong or not isinstance(known, dict):
        raise ArchiveError(f"{where}: no {values['kind']} of a league: {clean(wrong, MAX_SENTENCE)}")
    line: Callable[..., _Kind] = kind
    return line(**{key: tuple(value) if isinstance(value, list) else value for key, value in known.items()})
