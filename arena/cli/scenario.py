"""`arena scenario`: run scenario files and check their expectations."""

from collections.abc import Iterator
from pathlib import Path

import click

from arena.cli.options import PathType, json_option
from arena.cli.output import echo
from arena.values.near_path import did_you_mean_path
from arena.values.texts import json_text
from referee.engine.scenario import ScenarioVerdict, judge

WORDS = ("ok", "failed", "wrong")
"""The verdicts; their places are the exit codes."""


@click.command("scenario")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, type=PathType(path_type=Path))
@click.option("--quiet", "-q", is_flag=True, help="Print neither the logs nor the files that are ok.")
@json_option
def command(paths: tuple[Path, ...], quiet: bool, as_json: bool) -> None:
    """Run scenario files and check their expectations.

    A scenario is a match in TOML: the cards, the moves, and what must hold after them. A folder stands for all
    *.toml files below it. Prints the log and the verdict of each scenario; invalid files are reported on stderr.

    Exit code 0: all as expected, 1: an expectation fails, 2: a file is invalid or missing.
    """
    verdicts: list[tuple[Path, ScenarioVerdict]] = []
    for file in _files(paths):
        verdicts.append((file, _verdict(file)))
        if not as_json:
            _print(*verdicts[-1], quiet)
    counts = {word: sum(verdict.word == word for _, verdict in verdicts) for word in WORDS}
    if as_json:
        echo(
            json_text({"scenarios": [_object(file, verdict, quiet) for file, verdict in verdicts], **counts}, indent=2)
        )
    elif len(verdicts) > 1:
        echo(f"{len(verdicts)} scenarios: " + ", ".join(f"{counts[word]} {word}" for word in WORDS))
    raise SystemExit(max(WORDS.index(verdict.word) for _, verdict in verdicts))


def _files(paths: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the files that are named, and those below the folders that are."""
    for path in paths:
        yield from (sorted(path.rglob("*.toml")) or [path]) if path.is_dir() else [path]


def _verdict(file: Path) -> ScenarioVerdict:
    """Return the verdict on one file; a file that cannot be read is wrong."""
    if file.is_dir():
        return ScenarioVerdict("", wrong="no *.toml file in this folder")
    try:
        return judge(file.read_bytes().decode())
    except FileNotFoundError:
        return ScenarioVerdict("", wrong=f"there is no such file{did_you_mean_path(file)}")
    except UnicodeDecodeError as error:
        return ScenarioVerdict("", wrong=f"not UTF-8 text (byte {error.start})")
    except OSError as error:
        return ScenarioVerdict("", wrong=f"cannot be read: {error.strerror}")


def _print(file: Path, verdict: ScenarioVerdict, quiet: bool) -> None:
    if not quiet:
        for line in verdict.log:
            echo(line)
    if verdict.wrong:
        echo(f"{file}: {verdict.wrong}", err=True)
    elif verdict.differences or not quiet:
        echo(f"{file}: {verdict.word}" + (f": {verdict.shows}" if verdict.shows else ""))
        for difference in verdict.differences:
            echo(f"    {difference}")
    if not quiet and (verdict.log or not verdict.wrong):
        echo()


def _object(file: Path, verdict: ScenarioVerdict, quiet: bool) -> dict[str, object]:
    """Return a verdict for `--json`; the log is left out where `quiet`."""
    result: dict[str, object] = {
        "file": str(file),
        "verdict": verdict.word,
        "shows": verdict.shows,
        "wrong": verdict.wrong,
        "differences": verdict.differences,
    }
    return result if quiet else {**result, "log": verdict.log}
