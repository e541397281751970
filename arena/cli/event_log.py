"""What happens in a tournament, as lines of JSON for other programs (`--events`). docs/tournaments.md lists them."""

import errno
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from arena.errors import ArenaError
from arena.texts import json_text
from referee.engine.registry import in_units

if TYPE_CHECKING:
    from arena.store.failure_rows import ProcessFailureRow
    from arena.store.rows import MatchRow, Tournament


_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""What may pass: the disk is full, or reports an error."""

MOST_BYTES = 64 * 1024 * 1024
"""How many bytes of events wait in memory for room on the disk."""


class EventsError(ArenaError):
    """The file of events cannot be written."""


class EventLog:
    """A `arena.tournament.run.runner.Watcher` that writes; a context manager.

    Where the disk is full, events wait in memory: the tournament ends neither at once nor with a torn line.
    """

    def __init__(self, where: str, tournament: "Tournament", names: Sequence[str]) -> None:
        """Open the file, at its end where it is there already. names: of the field, which may grow.

        Raises EventsError where that is not possible.
        """
        self._where = where
        self._tournament = tournament
        self._names = names
        self._waiting = bytearray()
        self._file: BinaryIO | None = None
        try:
            if where != "-":
                self._file = open(where, "ab", buffering=0)  # noqa: SIM115
        except OSError as error:
            raise EventsError(f"the events cannot be written to {where}: {error.strerror}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            with suppress(OSError, EventsError):  # what could not be written was told when it was to be
                self._flush()
            with suppress(OSError):
                self._file.close()

    def begin(self, played: int) -> None:
        """Tell what is going to be played. played: the matches that are stored already."""
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
        """Tell the matches that have been stored."""
        for row in rows:
            self._write("match_ended", flush=False, **self._match(row))
        self._flush()

    def failed(self, rows: Sequence["ProcessFailureRow"]) -> None:
        """Tell which processes failed."""
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
        """Tell what people should read."""
        self._write("message", text=line)

    def stands(self, how: str) -> None:
        """Tell how a test or ranking that may end the tournament stands."""
        self._write("standing", text=how)

    def end(self, state: str, result: dict[str, Any]) -> None:
        """Tell how it ended. state: "finished", "ended early", "paused" or "stopped". result: as --json prints it."""
        told = {name: result[name] for name in result if name != "tournament"}
        self._write("tournament_ended", flush=False, state=state, **told)
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
        """Write what waits; last: no more will come. Raises EventsError where that fails for good."""
        if self._file is None:
            self._print("", True)
            return
        try:
            while self._waiting:
                del self._waiting[: self._file.write(self._waiting)]
        except OSError as error:
            if last or error.errno not in _NO_ROOM or len(self._waiting) > MOST_BYTES:
                raise self._lost(error) from None

    def _print(self, text: str, flush: bool) -> None:
        try:
            sys.stdout.write(text)
            if flush:
                sys.stdout.flush()
        except OSError as error:
            raise self._lost(error) from None

    def _lost(self, error: OSError) -> EventsError:
        return EventsError(f"the events cannot be written to {self._where} any more: {error.strerror}")
