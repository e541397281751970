"""Files of games that are written while a tournament is played: `--matches-to games.pgn`, `--live-to live.pgn`.

A game is added as soon as it is stored, in the order in which games end. It has a tag of its own, `GameId`, by which a
resumed tournament knows what the file has: what a kill left out is added, what it left torn or what was made void is
taken out, and no game stands twice. Games of others in the file stay.
"""

import os
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Self

from arena.values.rows import MatchRow, StoredMatch
from botarena_chess.pgn import GAME_ID, event_name, match_pgn

if TYPE_CHECKING:
    from arena.results.stored_tournament import StoredTournament
    from arena.values.failure_rows import ProcessFailureRow

SHOWN = 8
"""Games that a live file has at most: those that are over first, of which the oldest go first."""

_START = b"[Event "
_END = re.compile(rb"(1-0|0-1|1/2-1/2|\*)\s*\Z")


class _Games:
    """The games of a tournament as PGN; ignores what else a watcher is told.

    path: the file. say: prints a line for people.
    """

    def __init__(self, path: Path, tournament: "StoredTournament", say: Callable[[str], None]) -> None:
        self._path = path
        self._tournament = tournament
        self._say = say
        self._has_failed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing: no file is open."""

    def failed(self, rows: Sequence["ProcessFailureRow"]) -> None:
        """Ignore processes that failed."""

    def say(self, line: str) -> None:
        """Ignore what people read."""

    def stands(self, how: str) -> None:
        """Ignore how the tournament stands."""

    def _pgn(self, row: MatchRow, *, is_over: bool = True) -> bytes:
        if any(seat.entrant >= len(self._tournament.row.entrants) for seat in row.seats):
            self._tournament = self._tournament.reload()
        event = self._tournament.row
        match = StoredMatch(event.first_match + row.number, event, row)
        return f"{match_pgn(match, game_id=self._id(row.number), is_over=is_over)}\n".encode()

    def _id(self, number: int) -> str:
        return f"{self._tournament.row.secret_hash[:12]}-{number}"

    def _fail(self, error: OSError) -> None:
        """Say once that the file cannot be written: the tournament goes on."""
        if not self._has_failed:
            self._has_failed = True
            self._say(
                f"{self._path} cannot be written: {error.strerror}; the tournament goes on, and all its games are "
                f"written by: botarena-chess pgn --tourney {self._tournament.row.id} --to FILE"
            )

    def _replace(self, games: Iterator[bytes]) -> None:
        """Write a new file in the place of the one that there is. Raises OSError."""
        draft = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            with draft.open("wb") as file:
                file.writelines(games)
            draft.replace(self._path)
        finally:
            draft.unlink(missing_ok=True)


class PgnFile(_Games):
    """Adds games to a file as they are stored (`arena.run.runner.Watcher`)."""

    def __enter__(self) -> Self:
        self._complete()
        return self

    def stored(self, rows: Sequence[MatchRow]) -> None:
        """Add games."""
        self._append(map(self._pgn, rows))

    def recount(self, stored: int) -> None:
        """Take out games that were made void."""
        self._complete()

    def _append(self, games: Iterator[bytes]) -> None:
        try:
            with self._path.open("ab") as file:
                file.writelines(games)
        except OSError as error:
            self._fail(error)

    def _complete(self) -> None:
        """Have the file hold each stored game once."""
        store, first = self._tournament.store, self._tournament.row.first_match
        played = store.played(self._tournament.row.id)
        try:
            held, is_clean = self._held(played)
            if not is_clean:
                self._replace(self._kept(played))
        except OSError as error:
            return self._fail(error)
        self._append(self._pgn(store.match(first + number).row) for number in sorted(played - held))

    def _held(self, played: set[int]) -> tuple[set[int], bool]:
        """Return the numbers of the games that the file has, and whether nothing in it is to be taken out."""
        held, count = set[int](), 0
        for game in _games(self._path):
            count += 1
            number = self._number(game)
            if number is None or (number in played and number not in held and _END.search(game)):
                count -= 1
                if number is not None:
                    held.add(number)
        return held, not count

    def _kept(self, played: set[int]) -> Iterator[bytes]:
        """Yield what stays of the file."""
        held = set[int]()
        for game in _games(self._path):
            number = self._number(game)
            if number is None:
                yield game
            elif number in played and number not in held and _END.search(game):
                held.add(number)
                yield game

    def _number(self, game: bytes) -> int | None:
        """Return the number of a game of this tournament; None for another one, -1 for one that is torn at its head."""
        prefix = f'[{GAME_ID} "{self._id(0)[:-1]}'.encode()
        at = game.find(prefix)
        if at < 0:
            begins = f'[Event "{event_name(self._tournament.row.id)}"]'.encode()
            return -1 if game.startswith(begins) and not _END.search(game) else None
        digits = game[at + len(prefix) :].partition(b'"')
        return int(digits[0]) if digits[1] and digits[0].isdigit() else -1


class LivePgn(_Games):
    """Keeps a file with the games under way, and with the last ones that are over, for broadcasts."""

    def __init__(self, path: Path, tournament: "StoredTournament", say: Callable[[str], None]) -> None:
        super().__init__(path, tournament, say)
        self._under_way: dict[int, bytes] = {}
        self._over = deque[bytes](maxlen=SHOWN)
        self._lock = Lock()

    def under_way(self, rows: Sequence[MatchRow]) -> None:
        """Write how far games are."""
        with self._lock:
            for row in rows:
                self._under_way[row.number] = self._pgn(row, is_over=False)
            self._write()

    def stored(self, rows: Sequence[MatchRow]) -> None:
        """Write how games have ended that were under way."""
        with self._lock:
            over = [row for row in rows if self._under_way.pop(row.number, None) is not None]
            self._over.extend(map(self._pgn, over))
            if over:
                self._write()

    def recount(self, stored: int) -> None:
        """Forget the games under way: they are played again."""
        with self._lock:
            self._under_way.clear()
            self._write()

    def _write(self) -> None:
        try:
            self._replace(iter([*self._over, *self._under_way.values()][-SHOWN:]))
        except OSError as error:
            self._fail(error)


def _games(path: Path) -> Iterator[bytes]:
    """Yield the parts of a file that begin with the first tag of a game. Raises OSError."""
    part: list[bytes] = []
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return
    with file:
        for line in file:
            if line.startswith(_START) and part:
                yield b"".join(part)
                part = []
            part.append(line)
    if part:
        yield b"".join(part)
