"""A folder of submissions, such as a class hands in: one after the other, each with a verdict of its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.checking.intake import Examination, Verdict, take
from arena.store import Store
from arena.submissions.build import BuildTerms
from arena.submissions.candidate import read_candidate
from arena.submissions.errors import BadName, PackError, SubmissionError
from arena.submissions.names import name_for
from arena.submissions.pack import JUNK
from referee.wire import clean


@dataclass(frozen=True, slots=True)
class HandIn:
    """One of them. name: as submitted, or of its file where it cannot be named so. verdict: None where it came to none.

    sentence: what became of it, to be read after its name.
    """

    name: str
    verdict: Verdict | None
    sentence: str

    @property
    def accepted(self) -> bool:
        """Whether it is in the database now."""
        return self.verdict is not None and self.verdict.row is not None

    @property
    def file(self) -> str:
        """A name for its report."""
        return self.name.replace("/", "-").lstrip(".") or "nameless"


def collect(store: Store, folder: Path, owner: str | None, terms: BuildTerms, examine: Examination) -> Iterator[HandIn]:
    """Submit whatever lies in a folder, by name, and yield what became of each. owner: of all of them.

    Raises PackError where there is no such folder, or nothing in it.
    """
    if not folder.is_dir():
        raise PackError(f"{folder} is no folder: name one that holds a folder or a file for each bot")
    entries = sorted(each for each in folder.iterdir() if each.name not in JUNK and not each.name.startswith("."))
    if not entries:
        raise PackError(f"there is nothing in {folder}: it must hold a folder or a file for each bot")
    names: dict[str, str] = {}
    for entry in entries:
        name = clean(entry.name.replace("/", "-"), 64)
        try:
            stem = name_for(entry)
            name = f"{owner}/{stem}" if owner else stem
            if name in names:
                raise BadName(f"would be the same as {names[name]}: rename one of them")
            names[name] = clean(entry.name, 64)
            verdict = take(store, read_candidate(entry), name, terms, examine)
        except SubmissionError as error:
            yield HandIn(name, None, f"is refused: {error}")
        else:
            yield HandIn(name, verdict, verdict.sentence)
