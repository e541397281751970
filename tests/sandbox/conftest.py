"""Programs run as bots would be run."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from referee import sandbox

MODES = [mode for mode in ("bwrap", "rlimits") if mode in (sandbox.choose().mode, "rlimits")]

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    """Each way to confine bots that works here."""
    return str(request.param)


@pytest.fixture
def confinement(mode: str) -> sandbox.Confinement:
    return sandbox.choose(mode)


@pytest.fixture
def run(confinement: sandbox.Confinement, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run Python code, or a command line, confined in a folder."""
    sockets = tmp_path_factory.mktemp("sockets")
    sockets.chmod(0o711)

    def run(
        code: str | Sequence[str], folder: Path = tmp_path, memory: int = 256 << 20, others: Sequence[str] = ()
    ) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-c", code] if isinstance(code, str) else code
        launch = sandbox.confined(
            command,
            str(folder),
            sockets=str(sockets),
            env=sandbox.environment("unix:/nowhere", "a token"),
            memory_bytes=memory,
            confinement=confinement,
            others=others,
        )
        try:
            with launch.start(str(folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                launch.close()
                assert process.stdout is not None
                assert process.stderr is not None
                out, err = process.stdout.read().decode(), process.stderr.read().decode()
            if launch.out_of_memory():
                err += "the kernel ended it: out of memory"
        finally:
            launch.end()
        return subprocess.CompletedProcess(launch.argv, process.returncode, out, err)

    return run
