"""Process failures as items of an archive, and back."""

from arena.archive.errors import ArchiveError
from arena.store.failure_rows import ProcessFailureRow
from referee.v1.archive_pb2 import ArchivedProcessFailure
from referee.v1.work_pb2 import ProcessFailure

LATEST_US = 253_402_300_799_000_000
"""The end of the year 9999, beyond which nothing reads a time."""

_PREFIX = "KIND_"


def pack_failure(row: ProcessFailureRow) -> ArchivedProcessFailure:
    """Return a failure as an item."""
    return ArchivedProcessFailure(
        phase=row.phase,
        player=row.player,
        entrant=row.entrant,
        time_us=row.time_us,
        kind=ProcessFailure.Kind.Value(f"{_PREFIX}{row.kind.upper()}"),
        sentence=row.sentence,
        exit_code=row.exit_code,
        signal=row.signal,
        matches=row.matches,
        guilty=row.guilty,
        output=row.output,
        truncated=row.truncated,
    )


def check_failure(told: ArchivedProcessFailure, bots: int, matches: int, name: str) -> None:
    """Check that an item can be stored. bots, matches: of its tournament. name: of the file.

    Raises ArchiveError.
    """
    asked = [*told.matches, *([told.guilty] if told.HasField("guilty") else [])]
    if (
        told.entrant >= bots
        or any(number >= matches for number in asked)
        or told.kind not in ProcessFailure.Kind.values()
        or told.kind == ProcessFailure.KIND_UNSPECIFIED
        or told.time_us > LATEST_US
        or max(told.phase, told.player) >= 1 << 31
        or max(told.exit_code, told.signal) > 255
    ):
        raise ArchiveError(f"{name}: a process failure of phase {told.phase} is none that this tournament can have had")


def unpack_failure(told: ArchivedProcessFailure) -> ProcessFailureRow:
    """Return the failure of an item that was checked."""
    return ProcessFailureRow(
        phase=told.phase,
        player=told.player,
        entrant=told.entrant,
        time_us=told.time_us,
        kind=ProcessFailure.Kind.Name(told.kind).removeprefix(_PREFIX).lower(),
        sentence=told.sentence,
        exit_code=told.exit_code if told.HasField("exit_code") else None,
        signal=told.signal if told.HasField("signal") else None,
        matches=tuple(told.matches),
        guilty=told.guilty if told.HasField("guilty") else None,
        output=told.output,
        truncated=told.truncated,
    )
