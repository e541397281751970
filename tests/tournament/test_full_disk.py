"""A disk that is full stops a tournament in good order, and it goes on once there is room."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import URL, Engine, event

from arena.cli import main
from arena.store import open_store
from arena.store.sqlite import sqlite_engine

PLAN = ["tourney", "--game", "cambio", "-o", "chips=2", "--bots", "random,cautious", "--seats", "2", "--seed", "1"]
FULL = "cannot grow, the disk is full: make room, then go on with --resume"


def export(db: Path) -> str:
    done = CliRunner().invoke(main, ["tourney", "export", "1", "--results", "--db", str(db)])
    assert done.exit_code == 0, done.output
    return done.output


def test_a_database_that_may_not_grow_stops_the_tournament_and_more_room_lets_it_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = [*PLAN, "--rounds", "1000", "--jobs", "1"]
    whole, small = tmp_path / "whole.db", tmp_path / "small.db"
    assert CliRunner().invoke(main, [*plan, "--db", str(whole)]).exit_code == 0
    open_store(tmp_path / "empty.db", create=True).close()
    pages = (tmp_path / "empty.db").stat().st_size // 4096 + 35

    def crowded(url: URL) -> Engine:
        engine = sqlite_engine(url)
        event.listen(engine, "connect", lambda connection, _: connection.execute(f"PRAGMA max_page_count = {pages}"))
        return engine

    monkeypatch.setattr("arena.store.opening.sqlite_engine", crowded)
    done = CliRunner().invoke(main, [*plan, "--db", str(small)])
    assert done.exit_code == 2
    assert FULL in done.stderr
    assert f"what was played is kept; go on with: arena tourney --resume 1 --db {small}" in done.stderr
    with open_store(small) as store:
        stored = store.played(1)
    assert 0 < len(stored) < 2000

    monkeypatch.undo()
    done = CliRunner().invoke(main, ["tourney", "--resume", "1", "--db", str(small), "--jobs", "1"])
    assert done.exit_code == 0, done.output
    assert export(small) == export(whole)


SCRIPT = """
set -eu
mount -t tmpfs -o size=1m tmpfs "$1"
arena="$2"; shift 2
code=0
"$arena" "$@" --db "$FOLDER/a.db" 2>"$FOLDER.full" || code=$?
"$arena" tourney list --json --db "$FOLDER/a.db" >"$FOLDER.list"
mount -o remount,size=64m "$FOLDER"
"$arena" tourney --resume 1 --db "$FOLDER/a.db" >/dev/null
"$arena" tourney export 1 --results --db "$FOLDER/a.db" >"$FOLDER.out"
exit $code
"""


@pytest.mark.toolchain
def test_a_disk_that_is_full_stops_the_tournament_and_more_room_lets_it_go_on(tmp_path: Path) -> None:
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-rm", "true"], check=False).returncode:
        pytest.skip("a small disk cannot be mounted here: no user namespaces (or no unshare)")
    plan = [*PLAN, "--rounds", "1500"]
    whole, disk = tmp_path / "whole.db", tmp_path / "disk"
    disk.mkdir()
    assert CliRunner().invoke(main, [*plan, "--db", str(whole)]).exit_code == 0
    arena = Path(sys.executable).with_name("arena")
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", SCRIPT, "sh", disk, arena, *plan],
        env={**os.environ, "FOLDER": str(disk)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    told = Path(f"{disk}.full").read_text()
    assert done.returncode == 2, done.stderr + told
    assert FULL in told
    assert "Traceback" not in told
    (listed,) = json.loads(Path(f"{disk}.list").read_text())["tournaments"]
    assert 0 < listed["matches"] < 3000
    assert Path(f"{disk}.out").read_text() == export(whole)
