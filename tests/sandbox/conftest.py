"""Programs run as bots would be run."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from referee import sandbox
from referee.sandbox.grants import read_grants

MODES = [mode for mode in ("bwrap", "rlimits") if mode in (sandbox.choose().mode, "rlimits")]

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Start = Callable[..., AbstractContextManager[tuple[sandbox.Launch, "subprocess.Popen[bytes]"]]]


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    """Each way to confine bots that works here."""
    return str(request.param)


@pytest.fixture
def confinement(mode: str) -> sandbox.Confinement:
    return sandbox.choose(mode)


@pytest.fixture
def start(confinement: sandbox.Confinement, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Start:
    """Start Python code, or a command line, confined in a folder; it is ended with the context."""
    sockets = tmp_path_factory.mktemp("sockets")
    sockets.chmod(0o711)

    @contextmanager
    def start(
        code: str | Sequence[str],
        folder: Path = tmp_path,
        memory: int = 256 << 20,
        others: Sequence[str] = (),
        grants: Sequence[str] = (),
    ) -> Iterator[tuple[sandbox.Launch, "subprocess.Popen[bytes]"]]:
        command = [sys.executable, "-c", code] if isinstance(code, str) else code
        launch = sandbox.confined(
            command,
            str(folder),
            sockets=str(sockets),
            env=sandbox.environment("unix:/nowhere", "a token"),
            memory_bytes=memory,
            confinement=confinement,
            others=others,
            grants=read_grants(grants),
        )
        try:
            with launch.start(str(folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                launch.close()
                yield launch, process
                if process.stdin is not None:
                    process.stdin.close()  # its guardian ends it
                else:
                    process.kill()
        finally:
            launch.end()

    return start


@pytest.fixture
def run(start: Start) -> Run:
    """Run Python code, or a command line, confined in a folder, to its end."""

    def run(code: str | Sequence[str], **how: Any) -> "subprocess.CompletedProcess[str]":
        with start(code, **how) as (launch, process):
            assert process.stdout is not None
            assert process.stderr is not None
            out, err = process.stdout.read().decode(), process.stderr.read().decode()
            status = process.wait()
            if launch.out_of_memory():
                err += "the kernel ended it: out of memory"
        return subprocess.CompletedProcess(launch.argv, status, out, err)

    return run
