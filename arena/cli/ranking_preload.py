"""Imports what a ranking needs while matches are still played: numpy and scipy take a third of a second."""

from collections.abc import Sequence
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.values.failure_rows import ProcessFailureRow
    from arena.values.rows import MatchRow


class RankingPreload:
    """An `arena.run.runner.Watcher` that imports from the first stored matches on.

    Before that, referees and bots start, and nothing may delay them.
    """

    def __init__(self) -> None:
        self._thread: Thread | None = None

    def stored(self, rows: Sequence["MatchRow"]) -> None:
        """Begin to import, once."""
        if self._thread is None:
            self._thread = Thread(target=_import, name="import of the ranking")
            self._thread.start()

    def failed(self, rows: Sequence["ProcessFailureRow"]) -> None:
        """Ignore processes that failed."""

    def say(self, line: str) -> None:
        """Ignore what people should read."""

    def recount(self, stored: int) -> None:
        """Ignore void matches."""

    def stands(self, how: str) -> None:
        """Ignore how a test stands."""

    def wait(self) -> None:
        """Wait until what was begun is imported, so that no other thread imports a part of it at the same time."""
        if self._thread is not None:
            self._thread.join()


def _import() -> None:
    import scipy.special  # noqa: F401
    import tabulate  # noqa: F401

    import arena.ratings.ranking_output
    import arena.results.standings
    import arena.results.summary  # noqa: F401
