"""`arena hand-ins`: hand-ins checked by a program of its own."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.bots.hand_in_rows import HandInEnd
from arena.bots.hand_in_workers import HandInWorkers
from arena.bots.hand_ins import HandIns
from arena.bots.rejudging import Rejudging
from arena.cli import main
from arena.run.hosting import Hosting
from arena.store import Store, open_store
from tests.serving import wait_until
from tests.uploads import PLAYS_HYPP


@contextmanager
def checking(db: str) -> Iterator["subprocess.Popen[str]"]:
    """Check hand-ins by a program until the block ends."""
    words = [sys.executable, "-m", "arena", "hand-ins", "check", "--jobs", "2", "--db", db]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            assert "2 side by side; stop with Ctrl-C" in process.stderr.readline()
            yield process
        finally:
            process.kill()


def hand_in(store: Store, name: str) -> int:
    return HandIns(store).receive("club", name, "owl.zip", PLAYS_HYPP)


def is_under_way(store: Store) -> bool:
    return any(row.worker for row in HandIns(store).newest(None, 10))


def end(process: "subprocess.Popen[str]", number: signal.Signals) -> int:
    os.kill(process.pid, number)
    return process.wait()


@pytest.mark.promise
def test_programs_that_are_stopped_and_killed_lose_no_hand_in_and_check_none_twice(tmp_path: Path) -> None:
    db = str(tmp_path / "a.db")
    with open_store(db, create=True) as store:
        ids = [hand_in(store, f"club/owl{number}") for number in range(3)]
        with checking(db) as process:
            wait_until(store, process, is_under_way)
            assert end(process, signal.SIGINT) == 130
            rows = [HandIns(store).find(id) for id in ids]
            assert {row.state for row in rows} <= {"received", "accepted"}, "it gives them back"
            assert [row.abandoned for row in rows] == [0, 0, 0]
            assert HandInWorkers(store).all() == []
        ids.append(hand_in(store, "club/owl3"))  # in case the others were all done in that time
        with checking(db) as process:
            wait_until(store, process, is_under_way)
            assert end(process, signal.SIGKILL) == -9
        with checking(db) as process, checking(db):
            wait_until(store, process, lambda store: all(row.is_finished for row in HandIns(store).newest(None, 10)))
        assert [HandIns(store).find(id).state for id in ids] == ["accepted"] * 4
        assert sorted(row.title for row in store.submissions.all()) == [f"club/owl{number}@1" for number in range(4)]


def test_bots_that_are_not_isolated_are_not_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_store(tmp_path / "a.db", create=True).close()
    monkeypatch.setattr(Hosting, "gap", lambda _: "bubblewrap is missing")
    done = CliRunner().invoke(main, ["hand-ins", "check", "--db", str(tmp_path / "a.db")])
    assert done.exit_code == 2
    assert "submitted bots are not isolated here: bubblewrap is missing; check hand-ins where" in done.output


def finished(store: Store, name: str, state: str = "refused", sentence: str = "is refused: dials in: no hello") -> int:
    id = hand_in(store, name)
    claimed = HandIns(store).claim("me", 60.0)
    assert claimed is not None
    HandIns(store).finish(claimed.claim, state, sentence, HandInEnd(1))
    return id


def run(db: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["hand-ins", *words, "--db", str(db)])


def test_refused_hand_ins_are_chosen_and_checked_again(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    with open_store(db, create=True) as store:
        first, second = finished(store, "club/owl"), finished(store, "club/fox", sentence="is refused: quiet")
        failed = finished(store, "club/jay", "failed", "could not be checked")
    dry = run(db, "rejudge", "--said", "DIALS", "--reason", "mended", "--dry-run")
    assert (dry.exit_code, dry.output) == (0, "1 hand-ins would be checked again: 1\n")
    unknown = run(db, "rejudge", "--league", "spring", "--reason", "mended")
    assert (unknown.exit_code, "no league" in unknown.output + str(unknown.exception)) == (2, True)
    done = run(db, "rejudge", "--owner", "club", "--reason", "mended", "--by", "ann", "--json")
    assert (done.exit_code, json.loads(done.stdout)) == (0, {"rejudged": [first, second], "left_out": {}})
    again = run(db, "rejudge", "1", str(failed), "77", "--reason", "mended")
    assert (again.exit_code, again.output.splitlines()) == (
        1,
        [
            f"1 hand-ins are checked again: {failed}",
            "hand-in 1 is left out: it is not checked yet",
            "hand-in 77 is left out: there is none of this number",
        ],
    )
    listed = json.loads(run(db, "list", "--json").stdout)["hand_ins"]
    assert [(row["hand_in"], row["state"]) for row in listed] == [(3, "received"), (2, "received"), (1, "received")]
    assert "club/jay" in run(db, "list").stdout
    with open_store(db) as store:
        [entry] = Rejudging(store).log(first)
    assert (entry.who, entry.reason, entry.before) == ("ann", "mended", "is refused: dials in: no hello")


def test_what_is_meant_must_be_said(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    open_store(db, create=True).close()
    for words in (("rejudge",), ("rejudge", "1", "--owner", "club")):
        done = run(db, *words, "--reason", "mended")
        assert done.exit_code == 2
        assert "name hand-ins by number, or choose them by --game" in done.output
