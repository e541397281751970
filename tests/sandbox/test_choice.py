"""The way that is chosen to confine bots."""

import os
from pathlib import Path

import pytest

from referee import sandbox
from referee.sandbox import choice


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bwrap = tmp_path / "bwrap"
    bwrap.write_text("#!/bin/sh\necho 'setting up uid map:\nPermission denied' >&2\nexit 1\n")
    bwrap.chmod(0o755)
    tmp_path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")


def test_without_bubblewrap_bots_are_trusted_and_that_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
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
    assert "without bubblewrap (setting up uid map: Permission denied), so they " in chosen.warning
    assert chosen.warning.isprintable()


@pytest.mark.parametrize(
    ("landlock", "filters", "fence"),
    [
        (6, b"filter", "they write no files and dial nobody, but find your sockets"),
        (0, b"filter", "they can reach your files, your processes and the network"),
        (6, b"", "they can reach your files, your processes and the network"),
    ],
)
def test_without_bubblewrap_it_is_said_what_still_holds(
    monkeypatch: pytest.MonkeyPatch, landlock: int, filters: bytes, fence: str
) -> None:
    monkeypatch.setattr(choice, "landlock_version", lambda: landlock)
    monkeypatch.setattr("referee.sandbox.seccomp.program", lambda: filters)
    assert fence in sandbox.choose("rlimits").warning


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
