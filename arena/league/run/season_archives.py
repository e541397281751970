"""Writes the file of each season that has ended, from which anybody can verify it."""

import os
import subprocess
import sys
from collections.abc import Callable
from logging import INFO
from pathlib import Path
from typing import Literal

import trio

from arena.league.store.leagues import Leagues
from arena.store import Store, StoreError
from arena.values.server_log import Notice

PAUSE_SECONDS = 60.0
"""Between two looks for seasons that have ended."""

RETRY_SECONDS = 600.0
"""After a file could not be written, as on a full disk."""


class SeasonArchives:
    """Writes `LEAGUE-season-N.jsonl` into a folder, once for each season that has ended; no file is written again.

    `arena league export` writes it in a process of its own, as a large league takes minutes.
    """

    def __init__(self, store: Store, db: str, folder: Path, say: Callable[[str], None]) -> None:
        """Prepare to write into a folder.

        db: where the database is, as for `arena.store.open_store`.
        say: is told what people should read.
        """
        self._store = store
        self._db = db
        self._folder = folder
        self._say = say
        self._said: set[str] = set()

    async def keep(self) -> None:
        """Write what is missing, again and again."""
        while True:
            await trio.sleep(PAUSE_SECONDS if await self.write_missing() else RETRY_SECONDS)

    async def write_missing(self) -> bool:
        """Write the files that are missing; return whether none is now. Say once why one cannot be written."""
        try:
            missing = await trio.to_thread.run_sync(self._missing)
        except StoreError as error:
            return self._fail(f"the seasons that have ended cannot be read: {error}")
        except OSError as error:
            return self._fail(f"no season is archived, which is tried again: {self._folder}: {error.strerror}")
        is_whole = True
        for league, season, path in missing:
            name = f"season {season} of {league}"
            if reason := await self._export(league, season, path):
                is_whole = self._fail(f"{name} is not archived, which is tried again: {reason}")
            else:
                self._say(Notice(f"{name} is archived: {path}", "season_archived", level=INFO, league=league))
        return is_whole

    async def _export(self, league: str, season: int, path: Path) -> str:
        """Export a season; return why that failed, empty if it did not."""
        arguments = ["league", "export", league, str(path), "--season", str(season)]
        try:
            done = await trio.run_process(
                [sys.executable, "-m", "arena", *arguments],
                stdin=subprocess.DEVNULL,
                capture_stdout=True,
                capture_stderr=True,
                check=False,
                env={**os.environ, "ARENA_DB": self._db},  # not an argument: a URL may have a password
                start_new_session=True,  # Ctrl-C is for this process
            )
        except OSError as error:
            return f"no process can be started: {error.strerror}"
        if not done.returncode:
            return ""
        reason = done.stderr.decode(errors="replace").strip().rpartition("\n")[2].removeprefix("Error: ")
        return reason or f"the process that writes it ended with {done.returncode}"

    def _missing(self) -> list[tuple[str, int, Path]]:
        """Return leagues and seasons without a file, and where it is to be."""
        return [
            (league.name, season.number, path)
            for league in Leagues(self._store).all()
            for season in Leagues(self._store).seasons(league.id)
            if season.ended is not None
            and not (path := self._folder / f"{league.name}-season-{season.number}.jsonl").exists()
        ]

    def _fail(self, sentence: str) -> Literal[False]:
        if sentence not in self._said:
            self._said.add(sentence)
            self._say(Notice(sentence, "season_not_archived"))
        return False
