"""The check of one hand-in, in a process of its own, which knows no database.

It sends its steps through a pipe as they are finished, then the outcome. Whatever ends the process (a bot that takes
all memory, a fault in a C library) ends this check only, and the pages keep their interpreter to themselves.
"""

import os
import signal
import sys
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from arena.bots.acceptance import AcceptanceCheck
from arena.bots.bot_check import CheckSettings
from arena.bots.check_processes import end_with_parent, take_interrupts
from arena.bots.findings import file_names
from arena.bots.hand_in_limits import LeagueLimits, most_generous
from arena.bots.hand_in_rows import ACCEPTED, BUSY, FAILED, REFUSED, HandInStep, NewVersion
from arena.bots.intake import IntakeResult, check_candidate, unpacked
from arena.bots.kept_phases import KeptPhases
from arena.bots.machine_check import run_control
from arena.bots.match_budget import MATCH_SECONDS, granted_seconds
from arena.bots.report import CheckStep, Report
from arena.packs.build import BuildTerms
from arena.packs.candidate import read_candidate
from arena.packs.errors import BuildTooSlow
from arena.packs.manifest import Manifest
from arena.packs.pack import Pack, pack_folder
from arena.packs.upload import unpack_upload
from arena.plan.field import entrant_from_manifest
from arena.run.hosting import Hosting
from arena.store.people.submissions import SubmissionRow
from arena.values.definition import Entrant, TimeControl
from arena.values.errors import ArenaError
from arena.values.server_log import LogFormat, configure, report_bug
from arena.values.texts import printable
from arena.values.thinking import thinking_problem
from arena.values.tournament_errors import HostingError, MachineBusy, RefereeError
from referee.engine.errors import EngineError
from referee.engine.registry import game as game_named
from referee.engine.registry import names
from referee.sandbox import SandboxError

OUR_FAULT = "could not be checked through an error of the server, not of the bot: tell the organiser"
"""The sentence about a hand-in whose check failed for a reason that nobody has foreseen."""


@dataclass(frozen=True, slots=True)
class HandInTask:
    """A hand-in that is to be checked.

    file, content: the name and the content of the file as sent; of an accepted version the archive of its files.
    """

    name: str
    """The name of the bot."""
    file: str
    content: bytes
    games: tuple[str, ...]
    """The games that the bot must play; empty: those that its manifest names."""
    newest: SubmissionRow | None
    """The newest version of the bot of that name; None for a new bot."""
    terms: BuildTerms
    """The limits of its build."""
    hosting: Hosting
    """How the bot is run."""
    cores: tuple[int, ...]
    """The cores on which it is checked; empty: all."""
    log: LogFormat | None = None
    """The format of the server's log; None if there is no log."""
    limits: TimeControl = field(default_factory=TimeControl)
    """How long the bot may take to start and to get ready, unless a league grants more."""
    granted: tuple[LeagueLimits, ...] = ()
    """What leagues grant their entries."""
    accepted: SubmissionRow | None = None
    """The version that is checked again; None for what was not accepted yet."""
    phases: Mapping[str, bytes] = field(default_factory=dict)
    """What earlier attempts have played, as `KeptPhases` takes it."""


@dataclass(frozen=True, slots=True)
class CheckBegins:
    """The bot is built, and its check begins."""

    games: tuple[str, ...]
    """The games that its manifest names; empty: any."""
    granted: float = 0.0
    """How much longer than usual its check may take, in seconds."""


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A phase of the check is over that is kept for later attempts."""

    key: str
    packed: bytes


@dataclass(frozen=True, slots=True)
class HandInOutcome:
    """The outcome of the check of a hand-in."""

    state: str
    """The state that follows: `"accepted"`, `"refused"` or `"failed"`; `"busy"` where it is to be tried again."""
    sentence: str = ""
    """The result in words, to follow the name; empty for a new version, whose number is not known yet. Where
    it is to be tried again: why."""
    report: dict[str, Any] | None = None
    """The report of the check, with the findings, as JSON values; None if there is none."""
    version: NewVersion | None = None
    """What to store of a new version; None if there is none."""
    same: SubmissionRow | None = None
    """The version that the hand-in equals; None if it equals none."""


def run_check(pipe: "Connection[Any, Any]", task: HandInTask) -> None:
    """Check a hand-in in the main thread of a new process, and send steps, states and the outcome through a pipe."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if task.log is not None:
        configure(task.log)
    try:
        take_interrupts()
        end_with_parent()
        os.sched_setaffinity(0, task.cores)
        with pipe:
            pipe.send(_Check(pipe, task).outcome())
    except (KeyboardInterrupt, BrokenPipeError):
        pass  # the server stops, or the hand-in was cancelled
    except Exception as error:
        report_bug(error)
        sys.exit(1)


class _Check:
    def __init__(self, pipe: "Connection[Any, Any]", task: HandInTask) -> None:
        self._pipe = pipe
        self._task = task

    def outcome(self) -> HandInOutcome:
        try:
            with tempfile.TemporaryDirectory(prefix="arena-upload-") as folder:
                return self._check(Path(folder))
        except MachineBusy as error:
            return HandInOutcome(BUSY, printable(str(error)))
        except (RefereeError, HostingError, SandboxError) as error:
            return HandInOutcome(FAILED, f"could not be checked: {printable(str(error))}")
        except (ArenaError, EngineError) as error:
            return HandInOutcome(REFUSED, f"is refused: {printable(str(error).replace(tempfile.gettempdir(), ''))}")
        except BrokenPipeError:
            raise
        except Exception as error:  # a mistake of ours must not be tried again for ever
            report_bug(error)
            return HandInOutcome(FAILED, OUR_FAULT)

    def _check(self, folder: Path) -> HandInOutcome:
        task = self._task
        if task.accepted is not None:
            return self._check_again(task.accepted)
        path = unpack_upload(task.file, task.content, folder, task.hosting.confinement())
        candidate = read_candidate(path)
        files = len(candidate.source.files)
        self._say("unpacks", "passed", f"{files} file{'s' * (files != 1)}, {candidate.source.size:,} bytes")
        settings = self._settings(candidate.manifest.games)

        def examine(bot: Entrant) -> Report:
            if candidate.manifest.build:
                self._say("builds", "passed", " ".join(candidate.manifest.build))
            return self._examine(bot, settings, candidate.manifest.games)

        try:
            checked = check_candidate(candidate, task.name, task.newest, task.terms, examine)
        except BuildTooSlow:
            run_control(settings.time, task.hosting)
            raise
        if checked.same is not None:
            sentence = IntakeResult(checked.same, is_new=False, report=None).sentence
            return HandInOutcome(ACCEPTED, sentence, same=checked.same)
        report = checked.report
        assert report is not None
        assert checked.source is not None
        assert checked.content is not None
        values = report.to_json()
        if not report.passed:
            sentence = IntakeResult(None, is_new=False, report=report).sentence
            return HandInOutcome(REFUSED, sentence, values | {"found": _findings(report)})
        version = NewVersion(checked.source, checked.content, checked.manifest.to_json(), values)
        return HandInOutcome(ACCEPTED, report=values | {"found": _findings(report)}, version=version)

    def _check_again(self, version: SubmissionRow) -> HandInOutcome:
        """Check an accepted version as it plays: it is not built again."""
        manifest, pack = Manifest.from_json(version.manifest), Pack.from_bytes(self._task.content)
        files = len(pack.files)
        self._say("unpacks", "passed", f"{files} file{'s' * (files != 1)} of version {version.version}, as it plays")
        with unpacked(pack) as folder:
            bot = entrant_from_manifest(manifest, folder, self._task.name)
            report = self._examine(bot, self._settings(manifest.games), manifest.games)
        values = report.to_json() | {"found": _findings(report)}
        if report.passed:
            return HandInOutcome(ACCEPTED, report=values, same=version)
        return HandInOutcome(REFUSED, IntakeResult(None, is_new=False, report=report).sentence, values)

    def _settings(self, games: tuple[str, ...]) -> CheckSettings:
        """Return the settings of the check of a bot whose manifest names some games."""
        task = self._task
        games = task.games or games
        time = most_generous(task.limits, task.granted, games)
        granted = granted_seconds([game_named(name) for name in games or names()], time)
        return CheckSettings(
            tuple(map(game_named, task.games)),
            time,
            hosting=task.hosting,
            seconds=MATCH_SECONDS + granted,
            is_limited=True,
        )

    def _examine(self, bot: Entrant, settings: CheckSettings, games: tuple[str, ...]) -> Report:
        """Check a bot that is built, and return the report.

        games: that its manifest names.
        """
        beyond = settings.seconds - MATCH_SECONDS
        beyond += (settings.time.start_time_ms + settings.time.ready_time_ms) / 1000  # of the conversation before
        self._pipe.send(CheckBegins(games, beyond))
        settings = replace(settings, kept=KeptPhases(self._task.phases, self._keep_phase, partial(self._identify, bot)))
        report = AcceptanceCheck(settings, _ignore, on_step=self._tell_step)(bot)
        warn_of_slowness(report, self._task.granted)
        return report

    def _keep_phase(self, key: str, packed: bytes) -> None:
        self._pipe.send(PlayedPhase(key, packed))

    def _identify(self, bot: Entrant) -> str:
        """Return what tells a bot, as it is built, and how it is run, from others."""
        command = [part.replace(bot.folder, "") for part in bot.command]
        limits = bot.memory_bytes, bot.matches_at_once, bot.start_time_ms
        return f"{command} {limits} {pack_folder(Path(bot.folder)).sha256} {self._task.hosting.sandbox}"

    def _tell_step(self, step: CheckStep) -> None:
        self._say(step.title, step.verdict, step.sentence)

    def _say(self, title: str, verdict: str, sentence: str) -> None:
        self._pipe.send(HandInStep(title, verdict, sentence))


def warn_of_slowness(report: Report, leagues: Collection[LeagueLimits]) -> None:
    """Add a step for each league that the bot does not enter, as it takes too long for its answers."""
    for limits in leagues:
        if problem := thinking_problem(report.charged_us.get(limits.game, 0), limits.thinking):
            report.add(f"enters {limits.league}", "warned", f"{problem}: the league does not enter it")


def _findings(report: Report) -> list[dict[str, Any]]:
    """Return the findings of a report with their files; `log` is None where a finding belongs to no match."""
    return [
        {
            "step": finding.step,
            "sentence": finding.sentence,
            "name": name,
            "question": finding.question.to_text(),
            "log": None if finding.match is None else finding.log,
        }
        for finding, name in zip(report.found, file_names(report.found), strict=True)
    ]


def _ignore(line: str) -> None:
    """Ignore what the referee prints: the owner sees the steps."""
