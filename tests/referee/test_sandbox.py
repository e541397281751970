"""Ways to confine a bot, and the one that is chosen."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee import sandbox


def without_bwrap(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("PATH", str(folder))


def test_without_bubblewrap_bots_are_trusted_and_that_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_bwrap(monkeypatch, tmp_path)
    chosen = sandbox.choose()
    assert chosen.mode == "rlimits"
    assert chosen.warning == (
        "bots are trusted: they run with resource limits only, without bubblewrap "
        "(it is not installed; apt-get install bubblewrap)"
    )


def test_bubblewrap_by_name_must_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_bwrap(monkeypatch, tmp_path)
    with pytest.raises(sandbox.SandboxError, match="bubblewrap does not work here"):
        sandbox.choose("bwrap")


def test_a_probe_that_fails_is_quoted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bwrap = tmp_path / "bwrap"
    bwrap.write_text("#!/bin/sh\necho 'setting up uid map: Permission denied' >&2\nexit 1\n")
    bwrap.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    chosen = sandbox.choose("auto")
    assert chosen.mode == "rlimits"
    assert "Permission denied" in chosen.warning


def modes() -> list[str]:
    return ["rlimits"] if sandbox.choose().mode == "rlimits" else ["bwrap", "rlimits"]


def run(code: str, folder: Path, mode: str, memory: int = 512 << 20) -> "subprocess.CompletedProcess[str]":
    """Run Python code as a bot would be run."""
    env = sandbox.environment("unix:/nowhere", "a token")
    argv, outer = sandbox.confined(
        [sys.executable, "-c", code], str(folder), sockets=str(folder), env=env, memory_bytes=memory, mode=mode
    )
    stdin = subprocess.PIPE if mode == "rlimits" else subprocess.DEVNULL
    with subprocess.Popen(argv, env=outer, stdin=stdin, stdout=-1, stderr=-1, text=True, cwd=folder) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        out, err = process.stdout.read(), process.stderr.read()
    return subprocess.CompletedProcess(argv, process.returncode, out, err)


@pytest.mark.parametrize("mode", modes())
def test_a_bot_sees_nothing_of_our_environment(mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "of ours")
    done = run("import os; print(sorted(os.environ)); print(os.getcwd())", tmp_path, mode)
    names, folder = done.stdout.splitlines()
    assert set(names.strip("[]").replace("'", "").split(", ")) - {"PWD", "LC_CTYPE"} == set(sandbox.environment("", ""))
    assert folder == str(tmp_path)


@pytest.mark.parametrize("mode", modes())
def test_a_bot_cannot_hold_more_than_its_memory(mode: str, tmp_path: Path) -> None:
    done = run("bytearray(300 << 20); print('got it')", tmp_path, mode, memory=200 << 20)
    assert done.returncode == 1
    assert "MemoryError" in done.stderr


@pytest.mark.parametrize("mode", modes())
def test_the_exit_code_is_passed_on(mode: str, tmp_path: Path) -> None:
    assert run("raise SystemExit(42)", tmp_path, mode).returncode == 42
    assert run("import os; os.kill(os.getpid(), 9)", tmp_path, mode).returncode == 128 + 9


@pytest.mark.skipif("bwrap" not in modes(), reason="bubblewrap does not work here: apt-get install bubblewrap")
def test_in_bubblewrap_there_is_no_network_no_neighbour_and_no_writing(tmp_path: Path) -> None:
    code = f"""
import os, socket
print(len([pid for pid in os.listdir("/proc") if pid.isdigit()]) < 5)
print([name for _, name in socket.if_nameindex()])
for path in ({str(tmp_path)!r}, "/usr", os.path.expanduser("/var")):
    try:
        open(path + "/trace", "w")
    except OSError as error:
        print(error.strerror)
open("/tmp/mine", "w").write("private")
"""
    done = run(code, tmp_path, "bwrap")
    assert done.stdout.splitlines() == ["True", "['lo']", *["Read-only file system"] * 3], done.stderr
    assert not os.path.exists("/tmp/mine")
