"""The lines of the archive of a league: JSON objects, the kind of each under `kind`, the rest under that.

    league, season, entry, decision               in this order; the decisions are its log
    snapshot                                      before the first batch that was drawn from it
    batch, attempt, tournament, match             for each batch, of which the last two are items of an archive
    end                                           an item of an archive too; it counts the lines before it

The code of bots, the machines that played and, unless asked for, notes are not in it.
"""

from datetime import date, datetime
from typing import Any, Literal, TypeVar

from msgspec import Struct

from arena.league.store.league_rows import BatchKind, EntryState, Outcome
from arena.results.archive.errors import ArchiveError
from arena.results.archive.files import Format
from referee.v1.archive_pb2 import ArchiveItem

VERSION = 1
"""The version of these lines."""


class LeagueLine(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
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
    published_log_hash: str = ""
    """The digest as it was written, if the names of closed accounts are replaced in the log; empty otherwise."""


class SeasonLine(Struct, frozen=True, forbid_unknown_fields=True):
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


class EntryLine(Struct, frozen=True, forbid_unknown_fields=True):
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


class DecisionLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A decision in the log of the league."""

    number: int
    created: str
    who: str
    kind: str
    details: str
    """What was decided, as JSON."""
    reason: str
    digest: str


class SnapshotLine(Struct, frozen=True, forbid_unknown_fields=True):
    """Ratings from which batches were drawn, as `arena.league.plan.matchmaking.snapshot` writes them."""

    number: int
    text: str


class BatchLine(Struct, frozen=True, forbid_unknown_fields=True):
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


class AttemptLine(Struct, frozen=True, forbid_unknown_fields=True):
    """An attempt to play the batch of the last line before it."""

    attempt: int
    began: str
    ended: str | None
    outcome: Outcome | None
    reason: str


Line = LeagueLine | SeasonLine | EntryLine | DecisionLine | SnapshotLine | BatchLine | AttemptLine

_Kind = TypeVar("_Kind", bound=Struct)


def of_row(kind: type[_Kind], row: object, **others: Any) -> _Kind:
    """Return a row as a line of that kind: its values by their names.

    others: the values that the row has not, or not as lines say them.
    """
    return kind(**{name: others[name] if name in others else getattr(row, name) for name in kind.__struct_fields__})


_TIMES = ("created", "ended", "entered", "placed", "began", "frozen")


def _check(line: Line, where: str) -> None:
    """Raise ArchiveError where a time is none, or a batch has a part that it cannot have."""
    try:
        for name in _TIMES:
            if (text := getattr(line, name, None)) is not None and datetime.fromisoformat(text).tzinfo is None:
                raise ValueError
        if isinstance(line, SeasonLine):
            date.fromisoformat(line.first_day)
    except ValueError:
        raise ArchiveError(f"{where}: a time is not in ISO 8601 with its zone") from None
    if isinstance(line, BatchLine) and ((line.kind == "final") != (line.part is not None) or (line.part or 0) < 0):
        raise ArchiveError(f"{where}: a batch of kind {line.kind} has no part {line.part}")


LEAGUE = Format(
    "a league",
    {
        "league": LeagueLine,
        "season": SeasonLine,
        "entry": EntryLine,
        "decision": DecisionLine,
        "snapshot": SnapshotLine,
        "batch": BatchLine,
        "attempt": AttemptLine,
        "tournament": ArchiveItem,
        "match": ArchiveItem,
        "end": ArchiveItem,
    },
    _check,
)
"""The lines of a league."""
