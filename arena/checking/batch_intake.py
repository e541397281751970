"""Submit every bot of a folder, for instance those of a class."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.checking.intake import AcceptanceTest, IntakeResult, submit
from arena.store import Store
from arena.submissions.build import BuildTerms
from arena.submissions.candidate import read_candidate
from arena.submissions.errors import BadName, PackError, SubmissionError
from arena.submissions.names import name_for
from arena.submissions.pack import JUNK
from referee.wire import clean


@dataclass(frozen=True, slots=True)
class BatchEntry:
    """The result of one bot of the folder.

    name: as submitted, or the file's name if that is not a valid bot name. verdict: None if the bot could not be
    checked. sentence: the result in words, to follow the name.
    """

    name: str
    verdict: IntakeResult | None
    sentence: str

    @property
    def accepted(self) -> bool:
        """Whether the bot is in the database now."""
        return self.verdict is not None and self.verdict.row is not None

    @property
    def file(self) -> str:
        """The file name of the report."""
        return self.name.replace("/", "-").lstrip(".") or "nameless"


def submit_folder(
    store: Store, folder: Path, owner: str | None, terms: BuildTerms, examine: AcceptanceTest
) -> Iterator[BatchEntry]:
    """Submit each bot of a folder, in the order of the names, and yield the results.

    owner: of all the bots; None for none. terms: limits of build steps. examine: the test that each must pass.

    Raises PackError if the folder does not exist or is empty.
    """
    if not folder.is_dir():
        raise PackError(f"{folder} is not a folder: name a folder that holds one folder or file per bot")
    entries = sorted(path for path in folder.iterdir() if path.name not in JUNK and not path.name.startswith("."))
    if not entries:
        raise PackError(f"{folder} is empty: name a folder that holds one folder or file per bot")
    names: dict[str, str] = {}
    for entry in entries:
        name = clean(entry.name.replace("/", "-"), 64)
        try:
            stem = name_for(entry)
            name = f"{owner}/{stem}" if owner else stem
            if name in names:
                raise BadName(f"{names[name]} has the same name: rename one of them")
            names[name] = clean(entry.name, 64)
            verdict = submit(store, read_candidate(entry), name, terms, examine)
        except SubmissionError as error:
            yield BatchEntry(name, None, f"is refused: {error}")
        else:
            yield BatchEntry(name, verdict, verdict.sentence)
