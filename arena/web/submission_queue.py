"""Bots that are handed in on the pages: built, checked and taken one after the other, while their authors watch."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock, Thread
from typing import Any

from arena.checking.acceptance import AcceptanceCheck
from arena.checking.check import CheckSettings
from arena.checking.intake import IntakeResult, check_name_is_free, submit
from arena.errors import ArenaError
from arena.store import Store
from arena.store.errors import NoSuchRow
from arena.submissions.build import BuildTerms
from arena.submissions.candidate import read_candidate
from arena.submissions.roster import Roster
from arena.submissions.upload import unpack_upload
from arena.tournament.run.hosting import Hosting
from referee.engine.errors import EngineError
from referee.sandbox import choose

KEPT = 200
"""Submissions that are still told of."""

WAITING = 10
"""Submissions that wait for their check at the most."""


class Full(ArenaError):
    """Too many submissions wait."""


@dataclass(slots=True)
class HandIn:
    """A submission on its way.

    by: whose. said: what happened so far. verdict, trouble: what came of it, once it is over.
    """

    name: str
    by: str
    said: list[str] = field(default_factory=list)
    verdict: IntakeResult | None = None
    trouble: str = ""
    over: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values; of a report all that the author is told."""
        report = self.verdict.report if self.verdict else None
        return {
            "name": self.name,
            "over": self.over,
            "said": self.said[-20:],
            "accepted": self.verdict is not None and self.verdict.row is not None,
            "sentence": self.trouble or (f"{self.name} {self.verdict.sentence}" if self.verdict else ""),
            "report": report.to_json() if report else None,
        }


class Inbox:
    """All of them; safe to be asked from several threads."""

    def __init__(self, store: Store, hosting: Hosting, terms: BuildTerms) -> None:
        self._store = store
        self._hosting = hosting
        self._terms = terms
        self._known: dict[str, HandIn] = {}
        self._lock = Lock()
        self._turn = Lock()
        self._threads: list[Thread] = []

    def take(self, name: str, file: str, content: bytes, by: str) -> str:
        """Take what was sent, check it when its turn comes, and return the key under which it is told of.

        Raises BadName, or Full.
        """
        hand_in = HandIn(check_name_is_free(name), by)
        key = token_urlsafe(16)
        with self._lock:
            if sum(not each.over for each in self._known.values()) >= WAITING:
                raise Full(f"{WAITING} submissions wait for their check: try again later")
            for old in [old for old, each in self._known.items() if each.over][:-KEPT]:
                del self._known[old]
            self._known[key] = hand_in
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            thread = Thread(target=self._check, args=(hand_in, file, content), name=f"check of {name}", daemon=True)
            self._threads.append(thread)
        thread.start()
        return key

    def find(self, key: str) -> HandIn:
        """Return a submission by its key. Raises NoSuchRow where there is none."""
        try:
            return self._known[key]
        except KeyError:
            raise NoSuchRow("there is no such submission on its way") from None

    def close(self) -> None:
        """Wait for the checks that are under way."""
        for thread in self._threads:
            thread.join()

    def _check(self, hand_in: HandIn, file: str, content: bytes) -> None:
        say: Callable[[str], None] = hand_in.said.append
        try:
            with self._turn, _room() as folder:
                say("unpacking")
                path = unpack_upload(file, content, folder, choose(self._hosting.sandbox))
                roster = Roster(self._store.where, self._store.submissions.all())
                examine = AcceptanceCheck(CheckSettings((), hosting=self._hosting), say, None, roster)
                hand_in.verdict = submit(self._store, read_candidate(path), hand_in.name, self._terms, examine)
        except (ArenaError, EngineError) as error:
            hand_in.trouble = str(error).replace(str(Path(tempfile.gettempdir())), "")
        except Exception:
            hand_in.trouble = "the check failed for a reason of the server's own: tell the organiser"
            raise
        finally:
            hand_in.over = True


@contextmanager
def _room() -> Iterator[Path]:
    """Make an empty folder, and take it away."""
    with tempfile.TemporaryDirectory(prefix="arena-upload-") as folder:
        yield Path(folder)
