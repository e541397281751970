"""`.ci/run`: which parts it runs, and what it answers. A program of the test stands for make."""

import os
import re
import subprocess
from pathlib import Path

import pytest

RUN = Path(__file__).parent.parent / ".ci" / "run"
GATE = ["deps-all", "lint", "demo", "test", "test-docs"]
ALONE = ["test-fast", "test-slow", "test-removal WITHOUT=all", "test-browser"]
BESIDE = ["test-packages", "test-removal WITHOUT=each", "test-rl", "test-postgres", "test-notebook", "test-cluster"]
BESIDE += ["demo-league SECONDS=45"]
WIDE = [*ALONE, *BESIDE]
ALL = [*GATE, "test-bots", *ALONE, "test-server", "test-packaging", *BESIDE]
MAKE = """#!/bin/sh
echo "$*" >>targets
if [ -p begun ]; then echo $$ >begun; fi
echo "$1 says one"
case " $WAITING " in *" $1 "*) read -r word <signal;; esac
case " $TELLING " in *" $1 "*) echo word >signal;; esac
echo "$1 says two"
case " $FAILING " in *" $1 "*) echo "SKIPPED: a tool"; exit 1;; esac
"""


class Clone:
    """A repository with `.ci/run` and a bot, and a make that notes what it is asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in ((".ci/run", RUN.read_text()), ("programs/make", MAKE), ("sample_bots/bot.go", "")):
            path = folder / name
            path.parent.mkdir()
            path.write_text(text)
            path.chmod(0o755)
        self.git("init", "--quiet")
        self.commit("2026-03-01T12:00:00Z")

    def git(self, *words: str, **variables: str) -> None:
        who = ["-c", "user.name=ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *words], cwd=self.folder, check=True, env=os.environ | variables)

    def commit(self, time: str) -> None:
        self.git("add", "--all", ":!targets", ":!build")
        self.git("commit", "--quiet", "--message", "x", GIT_COMMITTER_DATE=time, GIT_AUTHOR_DATE=time)

    def change(self, name: str, time: str) -> None:
        (self.folder / name).write_text(time)
        self.commit(time)

    def run(self, *words: str, failing: str = "none", code: int = 0, **variables: str) -> tuple[list[str], str]:
        """Run it; return what make was asked for, in the order in which the parts began, and what was printed."""
        path = f"{self.folder / 'programs'}:{os.environ['PATH']}"
        more = {"PATH": path, "FAILING": failing, "WAITING": "", "TELLING": "", "CI_BASE": ""} | variables
        command = ["bash", ".ci/run", *words]
        done = subprocess.run(command, cwd=self.folder, env=os.environ | more, capture_output=True, text=True)
        assert done.returncode == code, done.stdout + done.stderr
        asked = self.folder / "targets"
        targets = re.findall("^=== .* begins: make (.*)$", done.stdout, re.MULTILINE)
        assert sorted(targets) == sorted(asked.read_text().splitlines() if asked.exists() else [])
        asked.unlink(missing_ok=True)
        return targets, done.stdout + done.stderr


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def test_the_gate_comes_first_and_all_runs_where_nobody_can_tell_what_has_changed(clone: Clone) -> None:
    targets, printed = clone.run()
    assert targets == ALL
    assert "All passed" in printed
    assert "run at night only: wheels pythons mutants resume soak soak-league fuzz" in printed
    assert "not run" not in printed


def test_what_failed_is_told_and_the_rest_runs(clone: Clone) -> None:
    targets, printed = clone.run(failing="demo test-rl", code=1)
    assert targets == ALL
    assert "FAILED after 0 minutes: demo rl\n" in printed
    assert "\nSkipped here:\n2 SKIPPED: a tool\n" in printed


def test_deep_parts_run_where_their_files_have_changed_within_a_day(clone: Clone) -> None:
    clone.change("README.md", "2026-03-02T11:00:00Z")
    clone.change("README.md", "2026-03-03T12:00:00Z")
    targets, printed = clone.run()
    assert targets == [*GATE, *WIDE]
    assert "not run, as none of their files has changed since" in printed
    assert "bots server packaging (.ci/run deep runs them)" in printed
    (clone.folder / "arena/sdk").mkdir(parents=True)
    clone.change("arena/sdk/bot.py", "2026-03-03T13:00:00Z")
    deep = [*GATE, "test-bots", *ALONE, "test-packaging", *BESIDE]
    assert clone.run()[0] == deep
    clone.change("README.md", "2026-03-04T12:30:00Z")
    assert clone.run()[0] == deep, "a day has not passed"
    clone.change("README.md", "2026-03-04T13:00:00Z")
    assert clone.run()[0] == [*GATE, *WIDE]


def test_the_commit_to_compare_with_can_be_named(clone: Clone) -> None:
    clone.change("README.md", "2026-03-01T13:00:00Z")
    assert clone.run(CI_BASE="HEAD~1")[0] == [*GATE, *WIDE]
    assert clone.run(CI_BASE="nowhere")[0] == ALL


def test_parts_and_groups_can_be_named(clone: Clone) -> None:
    assert clone.run("demo", "deep")[0] == ["deps-all", "demo", "test-bots", "test-server", "test-packaging"]
    assert clone.run("lint")[0] == ["lint"]
    assert clone.run("nightly")[0][-4:] == ["bench-resume", "soak", "soak-league", "fuzz"]
    assert "there is no part tests; the parts are: lint demo" in clone.run("tests", code=2)[1]


def test_parts_of_one_core_run_side_by_side_and_what_each_prints_stays_together(clone: Clone) -> None:
    os.mkfifo(clone.folder / "signal")
    # lint ends only after demo has told it to: neither would, one after the other.
    _, printed = clone.run("lint", "demo", "test", WAITING="lint", TELLING="demo")
    for name in ("lint", "demo"):
        assert f"=== {name} printed:\n{name} says one\n{name} says two\n=== {name} passed after" in printed
    ends = max(printed.index("=== lint passed"), printed.index("=== demo passed"))
    assert ends < printed.index("=== test begins"), "what uses all cores runs alone"


def test_who_ends_it_ends_what_runs_side_by_side(clone: Clone) -> None:
    os.mkfifo(clone.folder / "signal")
    variables = {"PATH": f"{clone.folder / 'programs'}:{os.environ['PATH']}", "WAITING": "lint demo"}
    os.mkfifo(clone.folder / "begun")
    with subprocess.Popen(["bash", ".ci/run", "lint", "demo"], cwd=clone.folder, env=os.environ | variables) as running:
        try:
            with open(os.open(clone.folder / "begun", os.O_RDWR)) as begun:  # for writing too: it has no end
                made = [int(begun.readline()) for _ in range(3)]
        finally:
            running.terminate()
    assert running.returncode == 130
    for pid in made:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_every_target_exists() -> None:
    makefile = (RUN.parent.parent / "Makefile").read_text()
    lines = [line for line in RUN.read_text().splitlines() if '="make ' in line]
    assert len(lines) > 15
    for line in lines:
        target = line.split('"')[1].split()[1]
        assert f"\n{target}: " in makefile, target
