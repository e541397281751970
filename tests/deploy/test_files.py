"""The files in `deploy`: they name options that there are, and what can be checked without a network is sound."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from arena.cli import main

DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT = (DEPLOY / "arena.service").read_text()
COMPOSE = (DEPLOY / "compose.yaml").read_text()
CONTAINERFILE = (DEPLOY / "Containerfile").read_text()


def check_command(words: list[str]) -> None:
    """Raise click.UsageError for a command line with options that arena does not have."""
    context = click.Context(main)
    command = main.get_command(context, words[0])
    assert command is not None
    command.make_context(words[0], words[1:], parent=context)


def test_the_unit_starts_a_server() -> None:
    line = re.search(r"^ExecStart=/opt/arena/bin/arena (.*) \$ARENA_OPTIONS$", UNIT, re.MULTILINE)
    assert line is not None
    check_command(shlex.split(line[1]))
    with pytest.raises(click.UsageError):
        check_command([*shlex.split(line[1]), "--no-such-option"])


@pytest.mark.parametrize(
    "setting", ["RestrictNamespaces", "ProtectHostname", "ProtectKernelTunables", "ProtectKernelLogs", "PrivateUsers"]
)
def test_the_unit_sets_nothing_that_keeps_bubblewrap_from_working(setting: str) -> None:
    assert not re.search(rf"^{setting}=", UNIT, re.MULTILINE)
    assert re.search(r"^Delegate=yes$", UNIT, re.MULTILINE)
    assert re.search(r"^NoNewPrivileges=yes$", UNIT, re.MULTILINE)


def test_the_composition_starts_a_server_behind_its_proxy() -> None:
    command = re.search(r"^    command:\n((?:      - .*\n)+)", COMPOSE, re.MULTILINE)
    assert command is not None
    words = [line.strip()[2:] for line in command[1].splitlines()]
    check_command([re.sub(r"\$\{.*\}", "arena.example.org", word) for word in words])
    proxy = words[words.index("--trusted-proxy") + 1]
    assert f"ipv4_address: {proxy}\n" in COMPOSE


def test_the_image_runs_a_server_as_a_plain_user() -> None:
    last = CONTAINERFILE.rpartition("\nFROM ")[2]
    assert "\nUSER arena\n" in last
    command = re.search(r"^CMD (\[.*\])$", last, re.MULTILINE)
    assert command is not None
    check_command(re.findall(r'"([^"]+)"', command[1]))


def test_every_file_that_is_named_is_there() -> None:
    assert ".venv*" in (DEPLOY.parent / ".dockerignore").read_text()
    for name in re.findall(r"(?:dockerfile: deploy|- \.)/([A-Za-z]+)", COMPOSE):
        assert (DEPLOY / name).is_file()


@pytest.mark.toolchain
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    unit = tmp_path / "arena.service"
    unit.write_text(UNIT.replace("/opt/arena/bin/arena", "/bin/true"))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
