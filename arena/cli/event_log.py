"""The events of a tournament as lines of JSON, for programs (`--events`). docs/tournaments.md lists them."""

import errno
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from arena.values.errors import ArenaError
from arena.values.texts import json_text
from referee.engine.registry import in_units

if TYPE_CHECKING:
    from arena.values.failure_rows import ProcessFailureRow
    from arena.values.rows import MatchRow, TournamentRow


_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""Errors that may pass: the disk is full, or reports an error."""

MOST_BYTES = 64 * 1024 * 1024
"""The most bytes of events that wait in memory for room on the disk."""


class EventsError(ArenaError):
    """Events that cannot be written."""


def check_events(where: str | None) -> None:
    """Raise EventsError if a file of events cannot be written, before anything is stored that they would tell of."""
    if where not in (None, "-"):
        _open(where).close()


def _open(where: str) -> BinaryIO:
    """Open a file for appending, and make its folders. Raises EventsError."""
    try:
        Path(where).parent.mkdir(parents=True, exist_ok=True)
        return open(where, "ab", buffering=0)
    except OSError as error:
        raise EventsError(f"cannot write events to {where}: {error.strerror}") from None


class EventLog:
    """An `arena.run.runner.Watcher` that writes events; a context manager.

    While the disk is full, events wait in memory: the tournament continues, and no line is torn.
    """

    def __init__(self, where: str, tournament: "TournamentRow", names: Sequence[str]) -> None:
        """Open the file for appending, make its folders.

        names: the names of the field, which may grow.

        Raises EventsError.
        """
        self._where = where
        self._tournament = tournament
        self._names = names
        self._waiting = bytearray()
        self._file = _open(where) if where != "-" else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            with suppress(OSError, EventsError):  # the error was reported when the events were written
                self._flush()
            with suppress(OSError):
                self._file.close()

    def begin(self, played: int) -> None:
        """Write the start of the run.

        played: the number of matches that are stored already.
        """
        frame = self._tournament
        self._write(
            "tournament_began",
            game=frame.game,
            options=frame.options,
            field=list(self._names),
            matches=frame.matches,
            stored=played,
            seed_hash=frame.secret_hash,
            definition_hash=frame.definition_hash,
        )

    def stored(self, rows: Sequence["MatchRow"]) -> None:
        """Write the matches that have been stored."""
        for row in rows:
            self._write("match_ended", flush=False, **self._match(row))
        self._flush()

    def failed(self, rows: Sequence["ProcessFailureRow"]) -> None:
        """Write the processes that failed."""
        first = self._tournament.first_match
        for row in rows:
            self._write(
                "process_failed",
                bot=self._names[row.entrant],
                failed=row.time,
                kind=row.kind,
                sentence=row.sentence,
                exit_code=row.exit_code,
                signal=row.signal,
                matches=[first + number for number in row.matches],
                guilty=None if row.guilty is None else first + row.guilty,
            )

    def say(self, line: str) -> None:
        """Write a message for people."""
        self._write("message", text=line)

    def recount(self, stored: int) -> None:
        """Write nothing: the tournament's log says which matches are void."""

    def stands(self, how: str) -> None:
        """Write how the tournament stands: its stage, or the state of a test that may end it."""
        self._write("standing", text=how)

    def end(self, state: str, result: dict[str, Any]) -> None:
        """Write the end of the run.

        state: "finished", "ended early", "paused" or "stopped".
        result: as --json prints it.
        """
        fields = {name: result[name] for name in result if name != "tournament"}
        self._write("tournament_ended", flush=False, state=state, **fields)
        self._flush(last=True)

    def _match(self, row: "MatchRow") -> dict[str, Any]:
        game = self._tournament.game
        return {
            "match": self._tournament.first_match + row.number,
            "round": row.round,
            "table": row.table,
            "deal": row.deal,
            "rotation": row.rotation,
            "players": [self._names[seat.entrant] for seat in row.seats],
            "scores": [in_units(game, seat.score) for seat in row.seats],
            "ranks": [seat.rank for seat in row.seats],
            "forfeits": [number for number, seat in enumerate(row.seats) if seat.forfeit],
            "faults": [{"seat": fault.seat, "kind": fault.kind, "sentence": fault.sentence} for fault in row.faults],
            "duration_ms": row.duration_ms,
            "standstill_ms": row.standstill_ms,
        }

    def _write(self, event: str, *, flush: bool = True, **fields: Any) -> None:
        time = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = {"event": event, "time": time, "tournament": self._tournament.id, **fields}
        text = json_text(line) + "\n"
        if self._file is None:
            self._print(text, flush)
            return
        self._waiting += text.encode()
        if flush:
            self._flush()

    def _flush(self, *, last: bool = False) -> None:
        """Write the waiting events.

        last: whether no more events will come.

        Raises EventsError for an error that will not pass.
        """
        if self._file is None:
            self._print("", True)
            return
        try:
            while self._waiting:
                del self._waiting[: self._file.write(self._waiting)]
        except OSError as error:
            if last or error.errno not in _NO_ROOM or len(self._waiting) > MOST_BYTES:
                raise self._error(error) from None

    def _print(self, text: str, flush: bool) -> None:
        try:
            sys.stdout.write(text)
            if flush:
                sys.stdout.flush()
        except OSError as error:
            raise self._error(error) from None

    def _error(self, error: OSError) -> EventsError:
        return EventsError(f"cannot write events to {self._where} any more: {error.strerror}")
