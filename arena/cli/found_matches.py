"""Keep what a check found: its matches in the database, its questions in files."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.output import print_progress
from arena.values.texts import shell_line

if TYPE_CHECKING:
    from arena.bots.findings import Finding


def keep_matches(findings: "Sequence[Finding]", db: str) -> list[int | None]:
    """Store the matches of findings and return their ids; None for a finding without a match.

    A database that cannot be used is reported on stderr, as the check itself has its result.
    """
    if not any(finding.match for finding in findings):
        return [None] * len(findings)
    from arena.run.single_match import keep
    from arena.store import StoreError, open_store

    try:
        with open_store(db, create=True) as store:
            return [
                None if finding.match is None else keep(store, finding.match, print_progress).id for finding in findings
            ]
    except StoreError as error:
        print_progress(f"what the check found is not kept: {error}")
        return [None] * len(findings)


def finding_lines(findings: "Sequence[Finding]", ids: Sequence[int | None], bot: str) -> Iterator[str]:
    """Yield what was found and how to look at it.

    ids: the ids of the matches; None for those that are not kept.
    bot: the bot, as the user named it.
    """
    for finding, id in zip(findings, ids, strict=True):
        if id is None:
            continue
        yield f"match {id}, answer {finding.ply} ({finding.step}): {finding.sentence}"
        yield f"    arena replay {id} --text"
        yield f"    arena match --from {id} --move {finding.ply} {shell_line(bot)}"


def write_findings(findings: "Sequence[Finding]", folder: Path, prefix: str = "") -> None:
    """Write the question and the log of each finding to a folder. Raises BadParameter."""
    from arena.bots.findings import file_names

    try:
        for finding, name in zip(findings, file_names(findings), strict=True):
            folder.mkdir(parents=True, exist_ok=True)
            file = folder / f"{prefix}{name}.json"
            file.write_text(finding.question.to_text(), "utf-8")
            if finding.log:
                file.with_suffix(".txt").write_text(finding.log, "utf-8")
            print_progress(f"wrote {file}: ask it with `arena ask BOT {shell_line(file)}`")
    except OSError as error:
        raise click.BadParameter(f"{folder} cannot be written: {error.strerror}", param_hint="--questions") from None
