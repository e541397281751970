"""A candidate becomes a submission: built, packed, checked, stored; or refused, and nothing is kept of it."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from arena.checking.report import Report
from arena.store import Store
from arena.store.submissions import PackRow, SubmissionRow
from arena.submissions.build import BuildTerms, build, check_made
from arena.submissions.candidate import Candidate
from arena.submissions.errors import BadName
from arena.submissions.manifest import Manifest, check_games
from arena.submissions.names import check_name
from arena.submissions.pack import Pack, pack_folder
from arena.tournament.plan.definition import Entrant
from arena.tournament.plan.field import samples, with_manifest
from referee.engine import registry

Examination = Callable[[Entrant], Report]
"""What a bot must pass before it is accepted."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a candidate.

    row: the version that it is now, or was already; None where it was refused. fresh: it is a new version.
    report: of the check; None where there was no need for one.
    """

    row: SubmissionRow | None
    fresh: bool
    report: Report | None

    @property
    def sentence(self) -> str:
        """What is told of it, after the bot's name."""
        if self.row is None:
            return f"is refused: {self.report.why}" if self.report is not None else "is refused"
        if self.fresh:
            return f"is version {self.row.version} now: {self.row.title}, {self.row.content[:16]}"
        retired = ", which is retired" if self.row.retired is not None else ""
        return f"has the same content as version {self.row.version} already{retired}: {self.row.title}"


def check_free(name: str) -> str:
    """Return `name` where a submission may have it. Raises BadName."""
    if check_name(name) in samples(None):
        raise BadName(f"{name} is the name of a sample bot: choose another one, such as my-{name}")
    return name


def take(store: Store, candidate: Candidate, name: str, terms: BuildTerms, examine: Examination) -> Verdict:
    """Accept a candidate as the next version of a bot, or refuse it.

    Raises BadName, ManifestError, PackError or BuildError where it cannot even be checked.
    """
    check_free(name)
    check_games(candidate.manifest, registry.names())
    versions = store.submissions.versions(name)
    if versions and _same(versions[-1], candidate):
        return Verdict(versions[-1], fresh=False, report=None)
    with _made(candidate, terms) as (folder, content):
        report = examine(with_manifest(candidate.manifest, folder, name))
    if not report.passed:
        return Verdict(None, fresh=False, report=report)
    manifest = candidate.manifest
    if not manifest.games:  # what it says of itself is worth as much as what its bot.toml would say
        manifest = replace(manifest, games=report.claims)
    row = store.submissions.add(name, _row(candidate.source), _row(content), manifest.to_json(), report.to_json())
    return Verdict(row, fresh=True, report=report)


def _same(row: SubmissionRow, candidate: Candidate) -> bool:
    """Tell whether a candidate is what a version was made of."""
    known = Manifest.from_json(row.manifest)
    if not candidate.manifest.games:
        known = replace(known, games=())
    return row.source == candidate.source.sha256 and known == candidate.manifest


@contextmanager
def _made(candidate: Candidate, terms: BuildTerms) -> Iterator[tuple[Path, Pack]]:
    """Unpack a candidate, build it where it must be built, and yield its folder, read-only, and what is in it."""
    manifest, content = candidate.manifest, candidate.source
    room = Path(tempfile.mkdtemp(prefix="arena-submit-"))
    room.chmod(0o711)
    folder = room / "bot"
    try:
        if manifest.build:
            workshop = room / "build"
            workshop.mkdir()
            content.write(workshop, writable=True)
            printed = build(manifest, workshop, terms)
            content = pack_folder(workshop, ignore=manifest.ignore, keep=manifest.keep)
            check_made(manifest, content, printed)
        folder.mkdir()
        content.write(folder, writable=False)
        yield folder, content
    finally:
        for path in (folder, *folder.rglob("*")):
            if path.is_dir():
                path.chmod(0o755)
        shutil.rmtree(room, ignore_errors=True)


def _row(pack: Pack) -> PackRow:
    return PackRow(pack.sha256, pack.to_bytes(), len(pack.files), pack.size)
