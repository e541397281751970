"""The submitted bots of a database, as they are named in tournaments: club/owl, club/owl@3."""

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from arena.submissions.errors import SubmissionError
from arena.submissions.manifest import Manifest
from arena.submissions.names import split_version

if TYPE_CHECKING:
    from arena.store.submissions import SubmissionRow


class Roster:
    """What a database knows of submitted and remote bots at one moment.

    remotes: the names of the remote bots that have a token.
    """

    def __init__(self, where: str = "", rows: "Sequence[SubmissionRow]" = (), remotes: Collection[str] = ()) -> None:
        """Make a roster of `rows`, whose files are in the database at `where`; an empty one by default.

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
        """Return the version that a name means, the newest where it names none; None for what was never submitted.

        Raises SubmissionError where there is no such version, or it is retired.
        """
        split = split_version(text)
        versions = [row for row in self._rows if split is not None and row.name == split[0]]
        if split is None or not versions:
            return None
        name, wanted = split
        if wanted is None:
            alive = [row for row in versions if row.retired is None]
            if not alive:
                raise SubmissionError(f"{name} is retired: `arena bots retire --back {name}` lets it play again")
            return alive[-1]
        found = next((row for row in versions if row.version == wanted), None)
        if found is None:
            raise SubmissionError(f"{name} has the versions 1 to {versions[-1].version}, not {wanted}")
        if found.retired is not None:
            raise SubmissionError(f"{text} is retired: `arena bots retire --back {text}` lets it play again")
        return found

    def version(self, title: str) -> "SubmissionRow | None":
        """Return the version of that name and number (club/owl@3), retired or not; None where there is none."""
        return next((row for row in self._rows if row.title == title), None)

    def near(self, text: str) -> list[str]:
        """Return names that somebody may have meant."""
        return get_close_matches(text, self.names, n=1)

    def folder(self, row: "SubmissionRow") -> Path:
        """Return the read-only folder with the files of a version. Raises PackError, StoreError."""
        from arena.store import open_store  # slow to import, and not needed where nobody has submitted anything
        from arena.submissions.cache import cached_folder

        def archive() -> bytes:
            with open_store(self._where) as store:
                return store.submissions.archive(row.content)

        return cached_folder(row.content, archive)


def open_roster(where: str) -> Roster:
    """Return the roster of the database at `where`; an empty one where there is no database. Raises StoreError."""
    from arena.store import NoDatabase, open_store

    try:
        with open_store(where) as store:
            return Roster(where, store.submissions.all(), [row.name for row in store.tokens.all()])
    except NoDatabase:
        return Roster()
