"""Completion by a shell: commands, games, bots, leagues and numbers, without the heavy libraries."""

import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import COMMANDS, main
from arena.cli.completion import SHELLS
from arena.hooks.commands import commands_below
from arena.store import open_store
from referee.engine import registry
from tests.test_imports import HEAVY

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a database with matches, a tournament, bots and a league."""
    db = tmp_path / "some arena.db"
    monkeypatch.setenv("ARENA_DB", str(db))
    with open_store(db, create=True):
        pass
    with closing(sqlite3.connect(db)) as connection, connection:
        add(connection, "events", id=1, game="cambio", first_match=1)
        add(connection, "events", id=2, game="scopa", first_match=2, tournament=7)
        add(connection, "matches", id=1, event_id=1)
        add(connection, "matches", id=2, event_id=2)
        add(connection, "submissions", name="ann/owl", version=1)
        add(connection, "submissions", name="ann/owl", version=2)
        add(connection, "submissions", name="ann/fox", version=1, retired="2026-01-01T00:00:00")
        add(connection, "leagues", name="class", game="cambio", state="open")
    return db


def add(connection: sqlite3.Connection, table: str, **values: str | int) -> None:
    """Add a row, in which what is not named is 0 or null."""
    columns = connection.execute(f"PRAGMA table_info({table})")
    needed = [name for _, name, _, is_needed, _, key in columns if is_needed and not key]
    row = dict.fromkeys(needed, 0) | values
    marks = ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", list(row.values()))


def offered(line: str, **environment: str) -> list[str]:
    """Return what bash is offered for the last word of a line, which may be empty."""
    words = shlex.split(line)
    place = len(words) if line.endswith(" ") else len(words) - 1
    values = {"_ARENA_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(place)} | environment
    done = CliRunner().invoke(main, env=values, prog_name="arena")
    return [item.partition(",")[2] for item in done.stdout.split("\n") if item]


def test_commands_and_games_are_offered() -> None:
    assert offered("arena ") == sorted({*COMMANDS, *commands_below("")})
    assert offered("arena tourney resu") == ["resume"]
    assert offered("arena rules ") == registry.names()
    assert offered("arena match --game per") == ["perudo"]
    assert "--rounds" in offered("arena tourney --ro")


def test_bots_are_those_of_the_game_or_files() -> None:
    assert offered("arena match --game perudo ") == ["random", "actuary", "searcher"]
    assert offered("arena tourney --bots random,coun") == ["random,counter"]
    assert offered("arena match ./ow") == ["./ow"], "the shell completes paths"


def test_what_is_stored_is_offered(stored: Path) -> None:
    assert offered("arena replay ") == ["2", "1"]
    assert offered("arena match show ") == ["2", "1"]
    assert offered("arena tourney show ") == ["7"]
    assert offered("arena tourney resume 2") == []
    assert offered("arena check ann") == ["ann/owl"]
    assert offered("arena bots show ") == ["ann/owl"]
    assert offered("arena league board ") == ["class"]
    assert offered(f"arena replay --db {shlex.quote(str(stored))} ", ARENA_DB="none.db") == ["2", "1"]


@pytest.mark.parametrize("content", [None, b"", b"no database"])
def test_nothing_is_offered_of_no_database(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "arena.db"
    if content is not None:
        file.write_bytes(content)
    assert offered("arena replay ", ARENA_DB=str(file)) == []
    assert offered("arena replay ", ARENA_DB="postgresql://nobody@localhost/arena") == []


@pytest.mark.processes
def test_a_shell_waits_for_no_heavy_library(tmp_path: Path) -> None:
    code = (
        "import sys, atexit\nfrom arena.cli import main\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\nmain(prog_name='arena')"
    )
    completing = {"_ARENA_COMPLETE": "bash_complete", "COMP_WORDS": "arena tourney --bots ", "COMP_CWORD": "3"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | completing,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "plain,random" in done.stdout
    assert not HEAVY & {name.partition(".")[0] for name in done.stderr.split()}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_one_of_the_shell(shell: str) -> None:
    script = CliRunner().invoke(main, ["completion", shell], prog_name="arena")
    assert f"_ARENA_COMPLETE={shell}_complete" in script.stdout
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script.stdout, text=True, check=True)


@pytest.mark.processes
def test_bash_completes_with_the_script(tmp_path: Path) -> None:
    """By the function that the script defines, as readline calls it."""
    script = CliRunner().invoke(main, ["completion", "bash"], prog_name="arena").stdout
    call = "COMP_WORDS=(arena rules sc); COMP_CWORD=2; _arena_completion arena; echo ${COMPREPLY[@]}"
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", f"{script}\n{call}"], env=os.environ | {"PATH": path}, capture_output=True, text=True, check=True
    )
    assert done.stdout == "scopa\n"
