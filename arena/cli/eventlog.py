"""What happens in a tournament, as lines of JSON for other programs (`--events`). docs/tournaments.md lists them."""

import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO

from arena.errors import ArenaError
from referee.engine.registry import in_units

if TYPE_CHECKING:
    from arena.store.rows import MatchRow, Tournament


class EventsError(ArenaError):
    """The file of events cannot be written."""


class EventLog:
    """A `arena.tournament.runner.Watcher` that writes; a context manager."""

    def __init__(self, where: str, tournament: "Tournament", names: Sequence[str]) -> None:
        """Open the file, at its end where it is there already. names: of the field, which may grow.

        Raises EventsError where that is not possible.
        """
        self._where = where
        self._tournament = tournament
        self._names = names
        try:
            self._file: TextIO = sys.stdout if where == "-" else open(where, "a", encoding="utf-8")  # noqa: SIM115
        except OSError as error:
            raise EventsError(f"the events cannot be written to {where}: {error.strerror}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not sys.stdout:
            with suppress(OSError):  # what could not be written was told when it was to be
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

    def say(self, line: str) -> None:
        """Tell what people should read."""
        self._write("message", text=line)

    def stands(self, how: str) -> None:
        """Tell how a test or ranking that may end the tournament stands."""
        self._write("standing", text=how)

    def end(self, state: str, result: dict[str, Any]) -> None:
        """Tell how it ended. state: "finished", "ended early", "paused" or "stopped". result: as --json prints it."""
        self._write("tournament_ended", state=state, **{name: result[name] for name in result if name != "tournament"})

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
        try:
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        except OSError as error:
            raise self._lost(error) from None
        if flush:
            self._flush()

    def _flush(self) -> None:
        try:
            self._file.flush()
        except OSError as error:
            raise self._lost(error) from None

    def _lost(self, error: OSError) -> EventsError:
        return EventsError(f"the events cannot be written to {self._where} any more: {error.strerror}")
