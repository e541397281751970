"""A disk that is full holds a tournament up until there is room, or until it is stopped."""

import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import URL, Engine, event

from arena.cli import main
from arena.run import database_retry, record_buffer, runner
from arena.run.progress import Progress
from arena.store import open_store
from arena.store.engine.sqlite import sqlite_engine

pytestmark = pytest.mark.processes

PLAN = ["tourney", "--game", "cambio", "-o", "chips=2", "--bots", "random,cautious", "--seats", "2", "--seed", "1"]
FULL = "cannot grow, the disk is full"


def export(db: Path) -> str:
    done = CliRunner().invoke(main, ["tourney", "export", "1", "--results", "--db", str(db)])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The results of the tournament where there is room enough."""
    db = tmp_path_factory.mktemp("whole") / "a.db"
    assert CliRunner().invoke(main, [*PLAN, "--rounds", "1000", "--jobs", "1", "--db", str(db)]).exit_code == 0
    return export(db)


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pages a database may have, which may be changed."""
    open_store(tmp_path / "empty.db", create=True).close()
    most = [(tmp_path / "empty.db").stat().st_size // 4096 + 35]

    def crowded(url: URL) -> Engine:
        engine = sqlite_engine(url)
        event.listen(
            engine, "begin", lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count = {most[0]}")
        )
        return engine

    monkeypatch.setattr("arena.store.opening.sqlite_engine", crowded)
    monkeypatch.setattr(database_retry, "RETRY_SECONDS", 0.01)
    return most


def test_a_tournament_goes_on_once_there_is_room(
    tmp_path: Path, whole: str, pages: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    say = Progress.say

    def make_room(progress: Progress, line: str) -> None:
        say(progress, line)
        if FULL in line:
            pages[0] = 1 << 20

    monkeypatch.setattr(Progress, "say", make_room)
    small = tmp_path / "small.db"
    done = CliRunner().invoke(main, [*PLAN, "--rounds", "1000", "--jobs", "1", "--db", str(small)])
    assert done.exit_code == 0, done.output
    assert f"the database {small} {FULL}; finished matches are kept in memory" in done.stderr
    assert re.search(r"the database can be used again after \d+ s; nothing is lost", done.stderr)
    assert export(small) == whole


@pytest.mark.parametrize("batch_seconds", [0.1, math.inf], ids=["while it plays", "after the last match"])
def test_a_tournament_that_is_stopped_meanwhile_can_be_resumed(
    tmp_path: Path, whole: str, pages: list[int], monkeypatch: pytest.MonkeyPatch, batch_seconds: float
) -> None:
    say = Progress.say

    def stop(progress: Progress, line: str) -> None:
        say(progress, line)
        if FULL in line:
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(database_retry, "STOP_SECONDS", 0.0)
    monkeypatch.setattr(runner, "BATCH_SECONDS", batch_seconds)
    monkeypatch.setattr(record_buffer, "MOST_AT_ONCE", 200)
    small = tmp_path / "small.db"
    with monkeypatch.context() as patch:
        patch.setattr(Progress, "say", stop)
        done = CliRunner().invoke(main, [*PLAN, "--rounds", "1000", "--jobs", "1", "--db", str(small)])
    assert done.exit_code == 2
    assert "not stored and will be played again: make room" in done.stderr
    assert f"what is stored is not played again; resume with: arena tourney resume 1 --db {small}" in done.stderr
    assert "all finished" not in done.stderr
    with open_store(small) as store:
        stored = store.played(1)
    assert 0 < len(stored) < 2000

    pages[0] = 1 << 20
    done = CliRunner().invoke(main, ["tourney", "resume", "1", "--db", str(small), "--jobs", "1"])
    assert done.exit_code == 0, done.output
    assert export(small) == whole


SCRIPT = """
set -eu
mount -t tmpfs -o size=1m tmpfs "$FOLDER"
arena="$1"; shift
mkfifo "$FOLDER.told"
"$arena" "$@" --events "$FOLDER/events" --db "$FOLDER/a.db" >"$FOLDER.table" 2>"$FOLDER.told" &
code=0
while read -r line; do
    echo "$line" >>"$FOLDER.full"
    case "$line" in *"finished matches are kept in memory"*)
        "$arena" tourney list --json --db "$FOLDER/a.db" >"$FOLDER.list" && mount -o remount,size=64m "$FOLDER";;
    esac
done <"$FOLDER.told"
wait $! || code=$?
"$arena" tourney export 1 --results --db "$FOLDER/a.db" >"$FOLDER.out"
grep -c match_ended "$FOLDER/events" >"$FOLDER.count"
exit $code
"""


@pytest.mark.toolchain
def test_a_real_disk_that_is_full_costs_nothing(tmp_path: Path) -> None:
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-rm", "true"], check=False).returncode:
        pytest.skip("a small disk cannot be mounted here: no user namespaces (or no unshare)")
    plan = [*PLAN, "--rounds", "1500"]
    free, disk = tmp_path / "free.db", tmp_path / "disk"
    disk.mkdir()
    assert CliRunner().invoke(main, [*plan, "--db", str(free)]).exit_code == 0
    arena = Path(sys.executable).with_name("arena")
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", SCRIPT, "sh", arena, *plan],
        env={**os.environ, "FOLDER": str(disk)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    told = Path(f"{disk}.full").read_text()
    assert done.returncode == 0, done.stderr + told
    assert "finished matches are kept in memory" in told
    assert "the database can be used again after" in told
    assert "Traceback" not in told
    (listed,) = json.loads(Path(f"{disk}.list").read_text())["tournaments"]
    assert 0 < listed["matches"] < 3000
    assert Path(f"{disk}.out").read_text() == export(free)
    assert Path(f"{disk}.count").read_text() == "3000\n", "events are kept back too, and none is lost"
