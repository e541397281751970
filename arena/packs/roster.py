"""The submitted bots of a database, by the names used in tournaments: club/owl, club/owl@3."""

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from arena.packs.errors import SubmissionError
from arena.packs.manifest import Manifest
from arena.packs.names import split_version

if TYPE_CHECKING:
    from arena.store.people.submissions import SubmissionRow


class Roster:
    """The submitted and remote bots of a database, as read at one moment.

    remotes: the names of the remote bots that have a token.
    """

    def __init__(self, where: str = "", rows: "Sequence[SubmissionRow]" = (), remotes: Collection[str] = ()) -> None:
        """Create a roster of `rows`, whose files are in the database at `where`; empty by default.

        remotes: the names of the remote bots that have a token there.
        """
        self.remotes = tuple(remotes)
        self._where = where
        self._rows = list(rows)

    @property
    def names(self) -> list[str]:
        """The names of all bots that are not retired."""
        return list(dict.fromkeys(row.name for row in self._rows if row.retired is None))

    def playing(self, game: str) -> list[str]:
        """Return the bots whose newest version plays a game."""
        newest = {row.name: row for row in self._rows if row.retired is None}
        return [name for name, row in newest.items() if Manifest.from_json(row.manifest).plays(game)]

    def find(self, text: str) -> "SubmissionRow | None":
        """Return the version that a name means, by default the newest; None if nothing of that name was submitted.

        Raises SubmissionError if there is no such version, or it is retired.
        """
        split = split_version(text)
        versions = [row for row in self._rows if split is not None and row.name == split[0]]
        if split is None or not versions:
            return None
        name, number = split
        if number is None:
            active = [row for row in versions if row.retired is None]
            if not active:
                raise SubmissionError(f"{name} is retired: `arena bots retire --back {name}` lets it play again")
            return active[-1]
        match = next((row for row in versions if row.version == number), None)
        if match is None:
            raise SubmissionError(f"{name} has the versions 1 to {versions[-1].version}, not {number}")
        if match.retired is not None:
            raise SubmissionError(f"{text} is retired: `arena bots retire --back {text}` lets it play again")
        return match

    def version(self, title: str) -> "SubmissionRow | None":
        """Return the version with that title (club/owl@3), retired or not; None if there is none."""
        return next((row for row in self._rows if row.title == title), None)

    def near(self, text: str) -> list[str]:
        """Return the most similar name, if there is one, for a hint."""
        return get_close_matches(text, self.names, n=1)

    def folder(self, row: "SubmissionRow") -> Path:
        """Return the read-only folder with the files of a version. Raises PackError, StoreError."""
        from arena.packs.cache import cached_folder
        from arena.store import open_store  # slow to import, and needed only for submitted bots

        def archive() -> bytes:
            with open_store(self._where) as store:
                return store.submissions.archive(row.content)

        return cached_folder(row.content, archive)


def open_roster(where: str) -> Roster:
    """Return the roster of the database at `where`; empty if there is no database. Raises StoreError."""
    from arena.store import NoDatabase, open_store

    try:
        with open_store(where) as store:
            return Roster(where, store.submissions.all(), [row.name for row in store.tokens.all()])
    except NoDatabase:
        return Roster()
