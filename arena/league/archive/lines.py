"""The lines of the archive of a league: JSON objects, the kind of each under `kind`, the rest under that.

    league, season, entry, decision               in this order; the decisions are its log
    snapshot                                      before the first batch that was drawn from it
    batch, attempt, tournament, match             for each batch, of which the last two are items of an archive
    end                                           an item of an archive too; it counts the lines before it

The code of bots, the machines that played and, unless asked for, notes are not in it.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from typing import Any, Literal, TypeVar

from arena.league.store.league_rows import BatchKind, EntryState, Outcome
from arena.results.archive.errors import ArchiveError
from arena.results.archive.files import MAX_SENTENCE
from arena.results.archive.json_types import misfit
from arena.values.texts import json_text
from referee.engine.clean_text import clean

FORMAT = 1
"""The version of these lines."""


@dataclass(frozen=True, slots=True)
class LeagueLine:
    """A league up to the end of a season."""

    format: int
    name: str
    game: str
    definition: str
    """The definition as canonical JSON, whose hash was published."""
    definition_hash: str
    created: str
    season: int
    log_entries: int
    """The number of decisions that follow."""
    log_hash: str
    """The digest of the last of these decisions, in hex."""


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """An ended season, as in `arena.league.store.league_rows`."""

    number: int
    first_day: str
    days: int
    secret: str
    """The secret in hex."""
    commitment: str
    entropy: str
    ended: str
    frozen: str | None
    final: str | None
    """The final as JSON; None without one."""
    standings: str | None
    """The final table as JSON; None without one."""


@dataclass(frozen=True, slots=True)
class EntryLine:
    """An entry of the league."""

    number: int
    name: str
    bot: str
    """The name of its submission."""
    version: int
    """The version of its submission."""
    content: str
    """The SHA-256 of the files that play, in hex."""
    owner: str
    is_anchor: bool
    state: EntryState
    reason: str
    entered: str
    placed: str | None


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """A decision in the log of the league."""

    number: int
    created: str
    who: str
    kind: str
    details: str
    """What was decided, as JSON."""
    reason: str
    digest: str


@dataclass(frozen=True, slots=True)
class SnapshotLine:
    """Ratings from which batches were drawn, as `arena.league.plan.matchmaking.snapshot` writes them."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class BatchLine:
    """A batch that is over, as in `arena.league.store.league_rows`."""

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
    experiments: bool = False
    """Whether its sums tell experiments apart; those that earlier versions of arena stored do not."""


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


def row_line(kind: type[Line], row: object, **others: Any) -> bytes:
    """Return a row as a line of that kind: its values by their names.

    others: the values that the row has not, or not as lines say them.
    """
    values: dict[str, Any] = {name: others[name] if name in others else getattr(row, name) for name in kind.__slots__}
    return line_text(kind(**values))


def parse_line(values: Mapping[str, Any], kind: type[_Kind], where: str) -> _Kind:
    """Return the line of JSON values.

    where: the place of the line, for errors.

    Raises ArchiveError if they are of another kind.
    """
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
