"""`arena submit --from`: submit a folder of bots and report each."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.found_matches import write_findings
from arena.cli.output import echo, print_progress
from arena.submissions.build import BuildTerms
from arena.texts import json_text
from arena.tournament.plan.definition import TimeControl

if TYPE_CHECKING:
    from arena.checking.acceptance import AcceptanceCheck
    from arena.checking.batch_intake import BatchEntry
    from arena.checking.intake import IntakeResult
    from arena.checking.similarity import NearCopy
    from arena.store import Store
    from arena.submissions.class_folder import ClassFolder
    from arena.submissions.roster import Roster

FOLDERS = "folders"
"""What --owners takes if folders are named after owners."""

_IGNORED_SHOWN = 20
"""Ignored files that are printed."""


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What a bot must pass.

    games: that it must play; empty: all that it claims. must_beat: a bot, or None. terms: limits of its build. limits:
    how long it may take to start and to get ready.
    """

    games: tuple[str, ...]
    must_beat: str | None
    terms: BuildTerms
    limits: TimeControl

    def make_check(self, store: "Store", db: str) -> "Callable[[], AcceptanceCheck]":
        """Return what makes the check, in any process. Raises FieldError if the bot to beat is unknown."""
        from arena.submissions.roster import Roster

        roster = Roster(db, store.submissions.all() if self.must_beat is not None else [])
        make = partial(_acceptance_check, self.games, self.limits, self.must_beat, roster)
        make()  # what is wrong in the options is reported before anything is read
        return make


@dataclass(frozen=True, slots=True)
class FolderOptions:
    """How a folder is submitted, as the options of `arena submit` say.

    reports: the folder for reports. include: paths in any bot's folder that are packed whatever they look like.
    """

    source: Path
    owner: str | None
    owners: str | None
    deadline: datetime | None
    jobs: int | None
    reports: Path | None
    include: tuple[str, ...] = ()


def submit_folder(options: FolderOptions, db: str, check: CheckOptions, as_json: bool) -> bool:
    """Submit every bot in a folder, print a line for each, and return whether all were accepted."""
    from arena.checking.batch_intake import BatchIntake, BatchSettings
    from arena.store import open_store
    from referee.sandbox.cpu_supply import usable_cores

    found = _read(options)
    with open_store(db, create=True) as store:
        make_check, jobs = check.make_check(store, db), options.jobs or usable_cores()
        settings = BatchSettings(check.terms, make_check, jobs, options.deadline, options.include)
        if options.reports is not None:
            try:
                options.reports.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise _unwritable(options.reports, error) from None
        intake = BatchIntake(store, settings, print_progress)
        for entry in intake.submit(found.hand_ins):
            if options.reports is not None:
                try:
                    _write_report(options.reports, entry)
                except OSError as error:
                    raise _unwritable(options.reports, error) from None
            if entry.packed:
                print_progress(f"{entry.name}: {entry.packed}")
            if not as_json:
                echo(f"{entry.name} {entry.sentence.splitlines()[0]}")
        copies = intake.near_copies()
    if as_json:
        values = [submission_values(entry.name, entry.sentence, entry.verdict) for entry in intake.entries]
        pairs = [{"bots": pair.bots, "share": round(pair.share, 3), "same_files": pair.is_identical} for pair in copies]
        echo(
            json_text(
                {"submissions": values, "near_copies": pairs, "ignored": found.ignored, "not_handed_in": found.remarks}
            )
        )
    else:
        _print_end(intake.entries, copies, found)
    return all(entry.accepted for entry in intake.entries)


def submission_values(name: str, sentence: str, verdict: "IntakeResult | None") -> dict[str, Any]:
    """Return what --json prints of one bot."""
    row = verdict.row if verdict is not None else None
    report = verdict.report if verdict is not None else None
    return {
        "name": name,
        "accepted": row is not None,
        "version": row.version if row is not None else None,
        "new": verdict is not None and verdict.is_new,
        "sha256": row.content if row is not None else None,
        "sentence": sentence,
        "report": report.to_json() if report is not None else None,
    }


def _acceptance_check(
    games: Sequence[str], limits: TimeControl, must_beat: str | None, roster: "Roster"
) -> "AcceptanceCheck":
    from arena.checking.acceptance import AcceptanceCheck
    from arena.checking.bot_check import CheckSettings
    from referee.engine import registry

    rules = tuple(registry.game(game) for game in games)
    return AcceptanceCheck(CheckSettings(rules, limits), print_progress, must_beat, roster)


def _read(options: FolderOptions) -> "ClassFolder":
    from arena.submissions.class_folder import read_folder, read_listed, read_owner_folders
    from arena.submissions.owners_file import read_owners

    if options.owners is None:
        return read_folder(options.source, options.owner)
    if options.owners == FOLDERS:
        return read_owner_folders(options.source)
    return read_listed(options.source, read_owners(Path(options.owners)), Path(options.owners).name)


def _print_end(entries: "Sequence[BatchEntry]", copies: "Sequence[NearCopy]", found: "ClassFolder") -> None:
    """Print what concerns several bots, or none."""
    counts = Counter(
        "refused" if entry.verdict is None or entry.verdict.row is None
        else "accepted" if entry.verdict.is_new
        else "unchanged"
        for entry in entries
    )  # fmt: skip
    echo(f"{len(entries)} handed in: " + ", ".join(f"{count} {word}" for word, count in sorted(counts.items())))
    for pair in copies:
        echo(f"near-copies: {pair.sentence}")
    for remark in found.remarks:
        echo(remark)
    if found.ignored:
        more = f" and {len(found.ignored) - _IGNORED_SHOWN} more" if len(found.ignored) > _IGNORED_SHOWN else ""
        echo(f"ignored, as no bots: {', '.join(found.ignored[:_IGNORED_SHOWN])}{more}")


def _unwritable(reports: Path, error: OSError) -> click.BadParameter:
    return click.BadParameter(
        f"{reports} cannot be written ({error.strerror}); what was checked is stored", param_hint="--reports"
    )


def _write_report(reports: Path, entry: "BatchEntry") -> None:
    """Write the report and the findings of one bot: OWNER/NAME.txt, and without a name LABEL.refused.txt.

    A name of a bot has no dot, so no two entries have the same file.
    """
    file = reports / f"{entry.name.lstrip('.') or 'nameless'}{'' if entry.is_named else '.refused'}.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(_page(entry))
    if entry.verdict is not None and entry.verdict.report is not None:
        write_findings(entry.verdict.report.found, file.parent, f"{file.stem}-")


def _page(entry: "BatchEntry") -> str:
    """Return the report on one bot."""
    from arena.cli.check import lines

    page = [f"{entry.name} {entry.sentence}", *([entry.packed] if entry.packed else [])]
    if entry.verdict is not None and entry.verdict.report is not None:
        page += ["", *lines(entry.verdict.report)]
    return "\n".join(page) + "\n"
