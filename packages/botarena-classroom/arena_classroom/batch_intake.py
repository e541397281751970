"""Submit every bot of a folder, for instance those of a class."""

import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from arena.bots.intake import (
    AcceptanceTest,
    CheckedCandidate,
    IntakeResult,
    check_candidate,
    check_name_is_free,
    is_same,
    keep,
)
from arena.packs.build import BuildTerms
from arena.packs.candidate import Candidate, read_candidate
from arena.packs.errors import BuildTooSlow, PackError, SubmissionError
from arena.packs.pack import Pack
from arena.packs.upload import MOST_BYTES, unpack_upload
from arena.store import Store
from arena.store.people.closed_names import OwnerClosed
from arena.store.people.submissions import SubmissionRow
from arena.values.errors import ArenaError
from arena.values.tournament_errors import RefereeError
from arena.values.versioned_names import owner
from arena_classroom.check_pool import CheckPool
from arena_classroom.class_folder import HandIn, is_archive, is_desktop_file, locate_bot
from arena_classroom.similarity import NearCopy, SourcePrint, near_copies, source_print
from referee.engine.clean_text import clean
from referee.engine.errors import EngineError


@dataclass(frozen=True, slots=True)
class BatchEntry:
    """The result of one bot of the folder."""

    name: str
    """The name as submitted, or the path in the folder if there is no valid bot name."""
    verdict: IntakeResult | None
    """The result of the submission; None if the bot could not be checked."""
    sentence: str
    """The result in words, to follow the name."""
    is_named: bool = True
    """Whether `name` is that of a bot, and not a path."""
    source: SourcePrint | None = None
    """What is compared of the bot; None if it was not read."""
    packed: str = ""
    """How big its pack is and what was left out, in words; empty if it was not read."""

    @property
    def accepted(self) -> bool:
        """Whether the bot is in the database now."""
        return self.verdict is not None and self.verdict.row is not None


@dataclass(frozen=True, slots=True)
class CheckTask:
    """A hand-in to be checked."""

    hand_in: HandIn
    newest: SubmissionRow | None
    """The newest version of the bot of that name; None for a new bot."""
    late: str
    """Why it is too late, in words; empty if it is not."""


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """What a check found."""

    checked: CheckedCandidate | None
    source: SourcePrint | None
    problem: str = ""
    """Why there is no checked candidate, in words; empty if there is one."""
    is_slow: bool = False
    """Whether a time limit may be the reason of a failure."""
    packed: str = ""
    """How big its pack is and what was left out, as in `BatchEntry`."""


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """How a folder is submitted."""

    terms: BuildTerms
    """The limits of build steps."""
    make_check: Callable[[], AcceptanceTest]
    """Returns the test that each bot must pass; it is called in each process."""
    jobs: int = 1
    """How many bots are checked at the same time."""
    deadline: datetime | None = None
    """The time after which what is handed in is refused; None for no deadline."""
    include: tuple[str, ...] = ()
    """The paths in any bot's folder that are packed whatever they look like."""


class BatchIntake:
    """Submits the hand-ins of a folder.

    entries: the results so far, in the order of the hand-ins.
    """

    def __init__(self, store: Store, settings: BatchSettings, say: Callable[[str], None]) -> None:
        """Prepare the submission.

        say: called with what happens meanwhile.
        """
        self._store = store
        self._settings = settings
        self._say = say
        self.entries: list[BatchEntry] = []

    def submit(self, hand_ins: Sequence[HandIn]) -> Iterator[BatchEntry]:
        """Check hand-ins side by side, store those that pass, and yield the results in their order.

        Each bot is stored as soon as it has passed, whatever those before it do.
        """
        now = datetime.now().astimezone()
        results: dict[int, BatchEntry] = {}
        places = []
        for place, hand_in in enumerate(hand_ins):
            if problem := hand_in.problem or self._owner_problem(hand_in):
                results[place] = _refused(hand_in, problem)
            else:
                places.append(place)
        yield from self._yield_finished(results)
        tasks = [self._task(hand_ins[place], now) for place in places]
        for index, outcome in self._outcomes(tasks):
            results[places[index]] = self._keep(tasks[index].hand_in, outcome)
            yield from self._yield_finished(results)

    def near_copies(self) -> list[NearCopy]:
        """Return the near-copies among the bots so far, and of stored bots of other owners."""
        bots = {entry.name: entry.source for entry in self.entries if entry.source is not None}
        new = list(bots)
        for row in self._store.submissions.newest():
            if row.name not in bots:
                try:
                    bots[row.name] = source_print(Pack.from_bytes(self._store.submissions.archive(row.source)))
                except ArenaError as error:
                    self._say(f"{row.title} is not compared: {error}")
        return near_copies(bots, {name: owner(name) for name in bots}, new)

    def _yield_finished(self, results: dict[int, BatchEntry]) -> Iterator[BatchEntry]:
        while (entry := results.pop(len(self.entries), None)) is not None:
            self.entries.append(entry)
            yield entry

    def _owner_problem(self, hand_in: HandIn) -> str:
        """Return why nobody can store a bot of this owner; empty if that is possible."""
        try:
            self._store.submissions.refuse_closed_owner(hand_in.name)
        except OwnerClosed as error:
            return str(error)
        return ""

    def _task(self, hand_in: HandIn, now: datetime) -> CheckTask:
        newest = next(reversed(self._store.submissions.versions(hand_in.name)), None)
        return CheckTask(hand_in, newest, _lateness(hand_in, self._settings.deadline, now))

    def _outcomes(self, tasks: Sequence[CheckTask]) -> Iterator[tuple[int, CheckOutcome]]:
        """Yield the place and the outcome of each task.

        What others beside it may have made too slow, or have ended, is checked once more, alone and on all cores.
        """
        work = _Check(self._settings.terms, self._settings.make_check, self._settings.include)
        jobs = min(self._settings.jobs, len(tasks))
        if jobs < 2:
            yield from enumerate(map(work, tasks))
            return
        again: list[int] = []
        for place, outcome in CheckPool(jobs, work).run(tasks):
            if outcome is None or outcome.is_slow:
                again.append(place)
            else:
                yield place, outcome
        for place in sorted(again):
            name = tasks[place].hand_in.name
            self._say(f"checking {name} once more, alone: other checks may have made it too slow")
            [(_, outcome)] = CheckPool(1, work).run([tasks[place]])
            ended = CheckOutcome(None, None, "its check ended before its time, perhaps for want of memory: try again")
            yield place, outcome or ended

    def _keep(self, hand_in: HandIn, outcome: CheckOutcome) -> BatchEntry:
        return replace(self._entry(hand_in, outcome), packed=outcome.packed)

    def _entry(self, hand_in: HandIn, outcome: CheckOutcome) -> BatchEntry:
        if outcome.checked is None:
            return replace(_refused(hand_in, outcome.problem), source=outcome.source)
        try:
            verdict = keep(self._store, hand_in.name, outcome.checked)
        except OwnerClosed as error:  # closed while the bot was checked
            return replace(_refused(hand_in, str(error)), source=outcome.source)
        return BatchEntry(hand_in.name, verdict, verdict.sentence, source=outcome.source)


class _Check:
    """Checks hand-ins in whichever process it is sent to."""

    def __init__(self, terms: BuildTerms, make_check: Callable[[], AcceptanceTest], include: tuple[str, ...]) -> None:
        self._terms = terms
        self._make_check = make_check
        self._include = include

    def __call__(self, task: CheckTask) -> CheckOutcome:
        source, packed = None, ""
        try:
            check_name_is_free(task.hand_in.name)
            with _opened(task.hand_in.path, self._include) as candidate:
                source, packed = source_print(candidate.source), candidate.packed
                if task.late and not (task.newest is not None and is_same(task.newest, candidate)):
                    return CheckOutcome(None, source, task.late, packed=packed)
                name, examine = task.hand_in.name, self._make_check()
                checked = check_candidate(candidate, name, task.newest, self._terms, examine)
        except OSError as error:
            where = f": {error.filename}" if error.filename else ""
            return CheckOutcome(None, source, f"it cannot be checked ({error.strerror}{where})", packed=packed)
        except (ArenaError, EngineError) as error:
            is_slow = isinstance(error, BuildTooSlow | RefereeError)
            return CheckOutcome(None, source, str(error), is_slow, packed)
        except Exception as error:  # a mistake of ours must not cost the others their check
            what = f"{type(error).__name__}: {error}"[:200]
            return CheckOutcome(None, source, f"arena failed to check it ({what}): please report this", packed=packed)
        report = checked.report
        is_slow = report is not None and not report.passed and report.is_slow
        return CheckOutcome(checked, source, is_slow=is_slow, packed=packed)


@contextmanager
def _opened(path: Path, include: Collection[str]) -> Iterator[Candidate]:
    """Read the bot at a path, which may be an archive. Raises ManifestError, PackError.

    An archive holds what its author chose to put there, whatever it looks like.
    """
    if not is_archive(path) or path.is_symlink():
        candidate = read_candidate(path, include)
        candidate.refuse_unexpected(include)
        yield candidate
        return
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise PackError(f"{path.name} is larger than {MOST_BYTES >> 20} MiB: submit the folder itself")
    with tempfile.TemporaryDirectory(prefix="arena-hand-in-") as folder:
        unpacked = unpack_upload(path.name, content, Path(folder), ignore=is_desktop_file)
        try:
            candidate = read_candidate(locate_bot(unpacked) if unpacked.is_dir() else unpacked, include)
        except SubmissionError as error:  # the folder is gone when the message is read
            raise type(error)(str(error).replace(f"{folder}/", "")) from None
        yield candidate


def _refused(hand_in: HandIn, problem: str) -> BatchEntry:
    name = hand_in.name or clean(hand_in.label, 64)
    return BatchEntry(name, None, f"is refused: {problem}", is_named=bool(hand_in.name))


def _lateness(hand_in: HandIn, deadline: datetime | None, now: datetime) -> str:
    """Return why a hand-in is too late; empty if it is not.

    now: the time that counts for a hand-in without one of its own.
    """
    moment = hand_in.handed_in or now
    if deadline is None or moment <= deadline:
        return ""
    when = f"it was handed in at {_shown(moment)}" if hand_in.handed_in else f"it is submitted at {_shown(moment)}"
    return f"{when}, after the deadline ({_shown(deadline)})"


def _shown(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M:%S %z")
