"""Closed standard streams and outputs that cannot be written, and databases that would be gone."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from arena.cli import COMMANDS, main
from arena.store import open_store

ARENA = f"'{sys.executable}' -m arena"
TOURNEY = f"{ARENA} tourney --game cambio --rounds 1 --bots random,cautious --seed 1 --jobs 1"


def shell(command: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def stored(folder: Path) -> int:
    """Return how many matches the database in a folder has."""
    with open_store(folder / "arena.db") as store:
        return len(store.matches())


@pytest.mark.processes
@pytest.mark.parametrize("closed", ["0<&-", ">&-", "2>&-", "0<&- >&- 2>&-"])
def test_a_tournament_is_played_whichever_streams_are_closed(tmp_path: Path, closed: str) -> None:
    done = shell(f"{TOURNEY} {closed}", tmp_path)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert stored(tmp_path) == 2


@pytest.mark.processes
@pytest.mark.parametrize("buffer", ["", "1"])
@pytest.mark.parametrize(
    "words",
    [
        pytest.param("games", marks=pytest.mark.promise),
        *("games cambio", "--help", "games --help", "--version", "games --json"),
    ],
)
def test_an_output_that_cannot_be_written_is_one_sentence(tmp_path: Path, words: str, buffer: str) -> None:
    done = shell(f"PYTHONUNBUFFERED={buffer} {ARENA} {words} > /dev/full", tmp_path)
    assert done.stderr == "Error: standard output cannot be written: No space left on device\n"
    assert done.returncode == 2


def test_a_full_disk_behind_the_output_is_not_taken_for_a_damaged_database(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole database would be checked."""
    checked: list[object] = []
    monkeypatch.setattr("arena.cli.describe_damage", checked.append)
    with open("/dev/full", "w") as full, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", full)
        with pytest.raises(SystemExit) as ended:
            main(["games"], prog_name="arena")
    assert (ended.value.code, checked) == (2, [])
    assert capsys.readouterr().err == "Error: standard output cannot be written: No space left on device\n"


@pytest.mark.processes
def test_what_was_played_is_stored_though_nothing_can_be_told(tmp_path: Path) -> None:
    done = shell(f"{TOURNEY} > /dev/full 2>&1", tmp_path)
    assert done.returncode == 2
    assert stored(tmp_path) == 2


WITH_DB = [
    name
    for name in COMMANDS
    if (found := main.get_command(click.Context(main), name)) and any("--db" in option.opts for option in found.params)
]


@pytest.mark.parametrize(
    "db", ["", " ", ":memory:", "sqlite://", "sqlite:///", "sqlite:///:memory:", "file::memory:?uri=true"]
)
def test_databases_that_would_be_gone_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, db: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(WITH_DB) > 5
    for name in WITH_DB:
        done = CliRunner().invoke(main, [name, "--db", db])
        assert done.exit_code == 2
        if "Missing" not in done.stderr:
            assert "name a file or the URL of a database" in done.stderr, name
    done = CliRunner().invoke(main, ["accounts", "create", "zoe", "--db", db])
    assert (done.exit_code, done.stdout) == (2, "")
    assert list(tmp_path.iterdir()) == []
