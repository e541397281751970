"""Process failures as items of an archive, and back."""

from arena.results.archive.errors import ArchiveError
from arena.values.failure_rows import ProcessFailureRow
from referee.v1.archive_pb2 import ArchivedProcessFailure
from referee.v1.work_pb2 import ProcessFailure

LATEST_US = 253_402_300_799_000_000
"""The end of the year 9999, the largest time that can be stored."""

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


def check_failure(message: ArchivedProcessFailure, bots: int, matches: int, name: str) -> None:
    """Check that an item can be stored.

    bots, matches: of its tournament.
    name: of the file.

    Raises ArchiveError.
    """
    asked = [*message.matches, *([message.guilty] if message.HasField("guilty") else [])]
    if (
        message.entrant >= bots
        or any(number >= matches for number in asked)
        or message.kind not in ProcessFailure.Kind.values()
        or message.kind == ProcessFailure.KIND_UNSPECIFIED
        or message.time_us > LATEST_US
        or max(message.phase, message.player) >= 1 << 31
        or max(message.exit_code, message.signal) > 255
    ):
        raise ArchiveError(f"{name}: a process failure of phase {message.phase} does not fit the tournament")


def unpack_failure(message: ArchivedProcessFailure) -> ProcessFailureRow:
    """Return the failure of an item that was checked."""
    return ProcessFailureRow(
        phase=message.phase,
        player=message.player,
        entrant=message.entrant,
        time_us=message.time_us,
        kind=ProcessFailure.Kind.Name(message.kind).removeprefix(_PREFIX).lower(),
        sentence=message.sentence,
        exit_code=message.exit_code if message.HasField("exit_code") else None,
        signal=message.signal if message.HasField("signal") else None,
        matches=tuple(message.matches),
        guilty=message.guilty if message.HasField("guilty") else None,
        output=message.output,
        truncated=message.truncated,
    )
