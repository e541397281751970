"""The queue of bots that authors submit on the pages: each is unpacked, built, checked and stored in turn."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock, Thread
from typing import Any

from arena.checking.acceptance import AcceptanceCheck
from arena.checking.bot_check import CheckSettings
from arena.checking.findings import Finding
from arena.checking.intake import IntakeResult, check_name_is_free, submit
from arena.errors import ArenaError
from arena.store import Store
from arena.submissions.build import BuildTerms
from arena.submissions.candidate import read_candidate
from arena.submissions.roster import Roster
from arena.submissions.upload import unpack_upload
from arena.tournament.run.hosting import Hosting
from arena.web.errors import PageNotFound
from referee.engine.errors import EngineError
from referee.sandbox import choose

KEPT = 200
"""The number of finished submissions that stay available."""

WAITING = 10
"""The largest number of unfinished submissions."""


class QueueFull(ArenaError):
    """Too many submissions are waiting."""


@dataclass(slots=True)
class QueuedSubmission:
    """A submission in the queue.

    by: the account. progress: lines for its author. verdict: its result. error: why there is none. over: whether it is
    finished.
    """

    name: str
    by: str
    progress: list[str] = field(default_factory=list)
    verdict: IntakeResult | None = None
    error: str = ""
    over: bool = False

    @property
    def findings(self) -> list[Finding]:
        """The questions at which the check found something."""
        return self.verdict.report.found if self.verdict and self.verdict.report else []

    def to_json(self) -> dict[str, Any]:
        """Return the submission as JSON values, with the report for its author."""
        report = self.verdict.report if self.verdict else None
        return {
            "name": self.name,
            "over": self.over,
            "progress": self.progress[-20:],
            "accepted": self.verdict is not None and self.verdict.row is not None,
            "sentence": self.error or (f"{self.name} {self.verdict.sentence}" if self.verdict else ""),
            "report": report.to_json() if report else None,
            "found": [
                {"step": finding.step, "sentence": finding.sentence, "has_log": finding.match is not None}
                for finding in self.findings
            ],
        }


class SubmissionQueue:
    """All submissions by key; thread-safe."""

    def __init__(self, store: Store, hosting: Hosting, terms: BuildTerms) -> None:
        self._store = store
        self._hosting = hosting
        self._terms = terms
        self._known: dict[str, QueuedSubmission] = {}
        self._lock = Lock()
        self._turn = Lock()
        self._threads: list[Thread] = []

    def add(self, name: str, file: str, content: bytes, by: str) -> str:
        """Queue an uploaded file for its check and return its key.

        Raises BadName, or QueueFull.
        """
        submission = QueuedSubmission(check_name_is_free(name), by)
        key = token_urlsafe(16)
        with self._lock:
            if sum(not queued.over for queued in self._known.values()) >= WAITING:
                raise QueueFull(f"{WAITING} submissions are waiting for their check: try again later")
            for old in [old for old, queued in self._known.items() if queued.over][:-KEPT]:
                del self._known[old]
            self._known[key] = submission
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            thread = Thread(target=self._check, args=(submission, file, content), name=f"check of {name}", daemon=True)
            self._threads.append(thread)
        thread.start()
        return key

    def find(self, key: str) -> QueuedSubmission:
        """Return a submission by its key. Raises PageNotFound if there is none."""
        try:
            return self._known[key]
        except KeyError:
            raise PageNotFound("there is no such submission") from None

    def close(self) -> None:
        """Wait for the checks in progress."""
        for thread in self._threads:
            thread.join()

    def _check(self, submission: QueuedSubmission, file: str, content: bytes) -> None:
        report: Callable[[str], None] = submission.progress.append
        try:
            with self._turn, _temporary_folder() as folder:
                report("unpacking")
                path = unpack_upload(file, content, folder, choose(self._hosting.sandbox))
                roster = Roster(self._store.where, self._store.submissions.all())
                check = AcceptanceCheck(CheckSettings((), hosting=self._hosting), report, None, roster)
                submission.verdict = submit(self._store, read_candidate(path), submission.name, self._terms, check)
        except (ArenaError, EngineError) as error:
            submission.error = str(error).replace(str(Path(tempfile.gettempdir())), "")
        except Exception:
            submission.error = "the check failed through an error of the server, not of the bot: tell the organiser"
            raise
        finally:
            submission.over = True


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    """Create a temporary folder and remove it afterwards."""
    with tempfile.TemporaryDirectory(prefix="arena-upload-") as folder:
        yield Path(folder)
