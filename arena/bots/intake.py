"""Build, pack, check and store a submission. Nothing is kept of a refused one."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from arena.bots.report import Report
from arena.packs.build import BuildTerms, build, check_program_built
from arena.packs.cache import remove_folder
from arena.packs.candidate import Candidate
from arena.packs.errors import BadName
from arena.packs.manifest import Manifest, check_games
from arena.packs.names import check_name
from arena.packs.pack import Pack, pack_folder
from arena.packs.package_install import Package, install
from arena.plan.field import entrant_from_manifest, samples
from arena.store import Store
from arena.store.people.submissions import PackRow, SubmissionRow
from arena.values.definition import Entrant
from referee.engine import registry
from referee.paths import temporary_folder
from referee.sandbox.environment import PACKAGES

AcceptanceTest = Callable[[Entrant], Report]
"""A check that a bot must pass to be accepted; returns its report."""


@dataclass(frozen=True, slots=True)
class IntakeResult:
    """The result of a submission."""

    row: SubmissionRow | None
    """The new version, or the version with the same content; None if the bot is refused."""
    is_new: bool
    """Whether `row` is a new version."""
    report: Report | None
    """The report of the check; None if none was needed."""

    @property
    def sentence(self) -> str:
        """The result in words, to follow the bot's name."""
        if self.row is None:
            return f"is refused: {self.report.why}" if self.report is not None else "is refused"
        if self.is_new:
            alone = ", for practice alone" if self.row.practice_only else ""
            return f"is accepted as version {self.row.version}{alone}: {self.row.title}, {self.row.content[:16]}"
        retired = ", which is retired" if self.row.retired is not None else ""
        return f"is unchanged since version {self.row.version}{retired}: {self.row.title}"


def check_name_is_free(name: str) -> str:
    """Return `name` unless a sample bot has it. Raises BadName."""
    if check_name(name) in samples(None):
        raise BadName(f"{name} is a sample bot: choose another name, such as my-{name}")
    return name


@dataclass(frozen=True, slots=True)
class CheckedCandidate:
    """A candidate that was built and checked, and is not stored yet.

    manifest, source, content: what is to be stored of it.
    """

    manifest: Manifest
    source: PackRow | None = None
    content: PackRow | None = None
    report: Report | None = None
    """The report of the check; None where `same` is known."""
    same: SubmissionRow | None = None
    """The newest version, if it was made of the same files; nothing but its manifest is known then. None otherwise."""


def submit(
    store: Store,
    candidate: Candidate,
    name: str,
    terms: BuildTerms,
    examine: AcceptanceTest,
    *,
    practice_only: bool = False,
) -> IntakeResult:
    """Accept a candidate as the next version of a bot, or refuse it.

    name: of the bot.
    terms: limits of the build step.
    examine: the test that it must pass.
    practice_only: whether it is to practise, and to enter neither leagues nor tournaments.

    Raises BadName, ManifestError, PackError or BuildError if the candidate cannot be checked.
    """
    received = store.submissions.now()
    newest = next(reversed(store.submissions.versions(check_name_is_free(name))), None)
    checked = check_candidate(candidate, name, newest, terms, examine)
    return keep(store, name, checked, received, practice_only=practice_only)


def check_candidate(
    candidate: Candidate, name: str, newest: SubmissionRow | None, terms: BuildTerms, examine: AcceptanceTest
) -> CheckedCandidate:
    """Build and check a candidate, without a database.

    newest: the newest version of the bot; None for a new bot. The others: as for `submit`, and so is what it raises.
    """
    check_name_is_free(name)
    check_games(candidate.manifest, [*registry.names(), *filter(registry.is_listed, candidate.manifest.games)])
    if newest is not None and is_same(newest, candidate):
        return CheckedCandidate(candidate.manifest, same=newest)
    with built(candidate, terms) as bot:
        report = examine(entrant_from_manifest(candidate.manifest, bot.folder, name))
        content = bot.content
    add_packages(report, bot.packages)
    add_needs(report, candidate.manifest.needs)
    manifest = candidate.manifest
    if not manifest.games:  # then the games in its hello count as if they were in its bot.toml
        manifest = replace(manifest, games=report.claims)
    return CheckedCandidate(manifest, _row(candidate.source), _row(content), report)


def add_packages(report: Report, packages: Sequence[Package]) -> None:
    """Add the step of a report that names the packages which a bot depends on, if any."""
    if packages:
        report.add("dependencies", "passed", ", ".join(map(str, packages)))


def add_needs(report: Report, needs: Sequence[str]) -> None:
    """Add the step of a report that says what a bot asks organisers to grant, if anything."""
    if needs:
        asked = ", ".join(needs)
        report.add(
            "grants", "passed", f"it asks for {asked}, which only the organiser of a tournament or league can grant"
        )


def keep(
    store: Store,
    name: str,
    checked: CheckedCandidate,
    received: str | None = None,
    *,
    practice_only: bool = False,
) -> IntakeResult:
    """Store a candidate as the next version of a bot if it passed its check, and return the result.

    received, practice_only: as in `SubmissionRow`; received None: now. What equals a version that was for practice
        alone, and is not for that, lets that version enter leagues.
    """
    report = checked.report
    if checked.same is not None:
        if checked.same.practice_only and not practice_only and checked.same.retired is None:
            store.submissions.let_enter(name, checked.same.version)
            entered = store.submissions.version(name, checked.same.version)
            return IntakeResult(entered, is_new=False, report=None)
        return IntakeResult(checked.same, is_new=False, report=None)
    if report is None or checked.source is None or checked.content is None or not report.passed:
        return IntakeResult(None, is_new=False, report=report)
    manifest, result = checked.manifest.to_json(), report.to_json()
    row = store.submissions.add(
        name, checked.source, checked.content, manifest, result, received, practice_only=practice_only
    )
    return IntakeResult(row, is_new=True, report=report)


def is_same(row: SubmissionRow, candidate: Candidate) -> bool:
    """Tell whether a version was made from the same files and manifest."""
    known = Manifest.from_json(row.manifest)
    if not candidate.manifest.games:
        known = replace(known, games=())
    return row.source == candidate.source.sha256 and known == candidate.manifest


@dataclass(frozen=True, slots=True)
class BuiltBot:
    """A bot as it plays."""

    folder: Path
    """The folder where it is unpacked, read-only."""
    content: Pack
    """Its files as they play."""
    packages: tuple[Package, ...] = ()
    """The packages that it depends on."""


@contextmanager
def built(candidate: Candidate, terms: BuildTerms) -> Iterator[BuiltBot]:
    """Unpack a candidate, fetch what it depends on, run its build step, and yield the result.

    terms: limits of the build step.

    Raises ManifestError, BuildError, PackError.
    """
    manifest, content = candidate.manifest, candidate.source
    dependencies = candidate.dependencies
    packages: list[Package] = []
    with _room() as room:
        folder, workshop = room / "bot", room / "build"
        workshop.mkdir()
        if dependencies is not None or manifest.build:
            content.write(workshop, writable=True)
        if dependencies is not None:
            packages = install(dependencies, workshop, terms)
        if manifest.build:
            printed = build(manifest, workshop, terms)
        if manifest.build or (workshop / PACKAGES).is_dir():
            keep = (*manifest.keep, PACKAGES) if manifest.keep else ()
            content = pack_folder(workshop, ignore=manifest.ignore, keep=keep)
        if manifest.build:
            check_program_built(manifest, content, printed)
        folder.mkdir()
        content.write(folder, writable=False)
        yield BuiltBot(folder, content, tuple(packages))


@contextmanager
def unpacked(pack: Pack) -> Iterator[Path]:
    """Unpack the files of a version as it plays, and yield the folder."""
    with _room() as room:
        folder = room / "bot"
        folder.mkdir()
        pack.write(folder, writable=False)
        yield folder


@contextmanager
def _room() -> Iterator[Path]:
    """Make a folder in which bots can be unpacked, and remove it with the block."""
    room = temporary_folder("arena-submit-")
    room.chmod(0o711)
    try:
        yield room
    finally:
        with suppress(OSError):  # what cannot be removed stays in /tmp
            remove_folder(room)


def _row(pack: Pack) -> PackRow:
    return PackRow(pack.sha256, pack.to_bytes(), len(pack.files), pack.size)
