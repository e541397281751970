"""`arena submit --from`: submit a folder of bots and report each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.found_matches import write_findings
from arena.cli.output import echo, print_progress
from arena.cli.submission import Submission, submission_values
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena_classroom.batch_intake import BatchEntry
    from arena_classroom.class_folder import ClassFolder
    from arena_classroom.similarity import NearCopy

FOLDERS = "folders"
"""What --owners takes if folders are named after owners."""

_IGNORED_SHOWN = 20
"""Ignored files that are printed."""


@dataclass(frozen=True, slots=True)
class FolderOptions:
    """How a folder is submitted, as the options of the package say."""

    source: Path
    owner: str | None
    owners: str | None
    deadline: datetime | None
    jobs: int | None
    reports: Path | None
    """The folder into which reports are written; None: none are."""


def submit_given(options: Mapping[str, Any], submission: Submission) -> bool | None:
    """Submit the folder that options name, and return whether all were accepted; None if a bot is named instead.

    options: the values of the options of packages, by name.

    Raises UsageError where they contradict each other.
    """
    path, source = submission.path, options["source"]
    owner, owners, deadline = options["owner"], options["owners"], options["deadline"]
    if (path is None) == (source is None):
        raise click.UsageError("name the PATH of a bot, or a folder of bots with --from")
    if source is None:
        names = ("owner", "owners", "deadline", "jobs", "reports")
        if given := [f"--{name}" for name in names if options[name] is not None]:
            raise click.UsageError(f"{' and '.join(given)} {'needs' if len(given) == 1 else 'need'} --from")
        return None
    if submission.name is not None:
        raise click.UsageError("--name needs a PATH: with --from each bot is named after its folder or file")
    if owner is not None and owners is not None:
        raise click.UsageError("--owner and --owners exclude each other: give all bots one owner, or each its own")
    folder = FolderOptions(source, owner, owners, deadline, options["jobs"], options["reports"])
    return submit_folder(folder, submission)


def submit_folder(options: FolderOptions, submission: Submission) -> bool:
    """Submit every bot in a folder, print a line for each, and return whether all were accepted."""
    from arena.store import open_store
    from arena_classroom.batch_intake import BatchIntake, BatchSettings
    from referee.sandbox.cpu_supply import usable_cores

    found, check = _read(options), submission.check
    with open_store(submission.db, create=True) as store:
        make_check, jobs = check.make_check(store, submission.db), options.jobs or usable_cores()
        settings = BatchSettings(check.terms, make_check, jobs, options.deadline, submission.include)
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
            if not submission.as_json:
                echo(f"{entry.name} {entry.sentence.splitlines()[0]}")
        copies = intake.near_copies()
    if submission.as_json:
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


def _read(options: FolderOptions) -> "ClassFolder":
    from arena_classroom.class_folder import read_folder, read_listed, read_owner_folders
    from arena_classroom.owners_file import read_owners

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
