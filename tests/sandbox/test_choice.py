"""The way that is chosen to confine bots."""

import errno
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from referee import sandbox
from referee.sandbox import SandboxError, choice, launch


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bwrap = tmp_path / "bwrap"
    bwrap.write_text("#!/bin/sh\necho 'setting up uid map:\nPermission denied' >&2\nexit 1\n")
    bwrap.chmod(0o755)
    tmp_path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")


@pytest.mark.parametrize(
    "error",
    [OSError(errno.EAGAIN, "Resource temporarily unavailable"), subprocess.TimeoutExpired("bwrap", 10)],
)
def test_a_machine_that_is_short_of_something_confines_bots_no_less(
    monkeypatch: pytest.MonkeyPatch, broken: None, error: Exception
) -> None:
    def run(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr("referee.sandbox.choice.subprocess.run", run)
    with pytest.raises(SandboxError, match="whether bubblewrap works here cannot be found out now: "):
        sandbox.choose("auto")


def test_without_bubblewrap_bots_are_trusted_and_that_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # setpriv is not there either
    chosen = sandbox.choose()
    assert chosen.mode == "rlimits"
    assert chosen.warning.startswith(
        "bots are trusted: they run without bubblewrap (it is not installed; apt-get install bubblewrap), so they "
    )
    assert "\n" not in chosen.warning


@pytest.mark.usefixtures("broken")
def test_a_probe_that_fails_is_quoted() -> None:
    chosen = sandbox.choose("auto")
    assert chosen.mode == "rlimits"
    assert "without bubblewrap (setting up uid map: Permission denied), " in chosen.warning
    assert chosen.warning.isprintable()


@pytest.mark.parametrize(
    ("landlock", "filters", "user", "closed", "gap"),
    [
        (0, b"filter", 7, "", "they can reach your files, your processes and the network"),
        (6, b"", 7, "", "they can reach your files, your processes and the network"),
        (5, b"filter", 7, "", "they write no files and dial no network, but can end your processes and dial"),
        (6, b"filter", None, "", "they write no files and end no processes, but run as you and can dial your sockets"),
        (
            6,
            b"filter",
            7,
            "/root/python",
            "but run as root and can dial its sockets, as nobody else may read /root/pyt",
        ),
        (6, b"filter", 7, "", ""),
    ],
)
def test_without_bubblewrap_it_is_said_what_still_holds(
    monkeypatch: pytest.MonkeyPatch, landlock: int, filters: bytes, user: int | None, closed: str, gap: str
) -> None:
    monkeypatch.setattr(choice, "landlock_version", lambda: landlock)
    monkeypatch.setattr(choice, "new_user", lambda: user)
    monkeypatch.setattr(choice, "unreadable", lambda paths: closed)
    monkeypatch.setattr("referee.sandbox.seccomp.program", lambda: filters)
    chosen = sandbox.choose("rlimits")
    assert gap in chosen.gap
    assert bool(chosen.gap) == bool(gap)
    assert chosen.warning.startswith("bots are trusted: they run without bubblewrap" if gap else "bots run without bub")
    assert chosen.gap in chosen.warning


@pytest.mark.parametrize(("mode", "gap"), [("off", "they may do whatever you may"), ("bwrap", ""), ("rlimits", "")])
def test_a_bot_that_would_run_as_root_is_trusted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mode: str, gap: str
) -> None:
    monkeypatch.setattr(launch, "unreadable", lambda paths: next((path for path in paths if path == str(tmp_path)), ""))
    confinement = sandbox.Confinement(mode, gap=gap)
    assert sandbox.gap(["true"], "/usr", confinement) == gap
    own = f"it would run as root, as nobody else may read {tmp_path} (chmod a+rX)" if mode == "rlimits" else gap
    assert sandbox.gap(["true"], str(tmp_path), confinement) == own


@pytest.mark.usefixtures("broken")
def test_bubblewrap_by_name_must_work() -> None:
    with pytest.raises(sandbox.SandboxError, match="bubblewrap does not work here: "):
        sandbox.choose("bwrap")


def test_unknown_ways_are_refused() -> None:
    with pytest.raises(sandbox.SandboxError, match="there is no sandbox jail: it is one of auto, bwrap, rlimits, off"):
        sandbox.choose("jail")


def test_without_groups_it_is_said_what_that_means(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "probe", lambda: "")
    monkeypatch.setattr(choice, "find_groups", lambda: (None, "no cgroups are mounted"))
    chosen = sandbox.choose()
    assert chosen.mode == "bwrap"
    assert "not their processes together (no cgroups are mounted)" in chosen.warning


def test_off_is_said_too() -> None:
    assert sandbox.choose("off").warning == "bots are not confined (--sandbox off): they may do whatever you may"
