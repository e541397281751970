"""How a bot process is confined.

    bwrap     bubblewrap: own pid, network and IPC namespaces, a read-only system, a private /tmp; the
              kernel ends everything inside as soon as the referee is gone
    rlimits   where bubblewrap does not work: an own process group, an empty environment, resource
              limits, and a guardian that ends the group once the referee's pipe closes.
              Bots are trusted then: they share our network, files and process table

Either way the address space for data is limited, core files are off and the environment holds
nothing but what a bot needs.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MODES = ("auto", "bwrap", "rlimits")

_NAMESPACES = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--die-with-parent", "--new-session")


@dataclass(frozen=True, slots=True)
class Confinement:
    """A way to confine bots that works on this machine.

    mode: "bwrap" or "rlimits".
    warning: one line for the user where bots are not really confined; otherwise empty.
    """

    mode: str
    warning: str = ""


class SandboxError(Exception):
    """The confinement that was asked for does not work on this machine."""


def choose(mode: str = "auto") -> Confinement:
    """Return the confinement for `mode`; "auto" takes bubblewrap where its probe passes.

    Raises SandboxError where "bwrap" is asked for by name and does not work.
    """
    if mode == "rlimits":
        return Confinement("rlimits", _trusted("as asked"))
    failure = _probe()
    if not failure:
        return Confinement("bwrap")
    if mode == "bwrap":
        raise SandboxError(f"bubblewrap does not work here: {failure}")
    return Confinement("rlimits", _trusted(failure))


def _trusted(why: str) -> str:
    return f"bots are trusted: they run with resource limits only, without bubblewrap ({why})"


def _probe() -> str:
    """Return why bubblewrap does not work here, or nothing."""
    program = shutil.which("bwrap")
    if program is None:
        return "it is not installed; apt-get install bubblewrap"
    probe = [program, *_NAMESPACES, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true"]
    try:
        done = subprocess.run(probe, stdin=subprocess.DEVNULL, capture_output=True, timeout=10, errors="replace")
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return (done.stderr.strip() or f"its probe exits with {done.returncode}") if done.returncode else ""


def environment(address: str, token: str) -> dict[str, str]:
    """Return the whole environment of a bot."""
    return {
        "ARENA_ADDRESS": address,
        "ARENA_TOKEN": token,
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
    }


def confined(
    command: Sequence[str], folder: str, *, sockets: str, env: dict[str, str], memory_bytes: int, mode: str
) -> tuple[list[str], dict[str, str]]:
    """Return the command line and environment that run `command` confined.

    command: the program and its arguments. folder: where it starts. sockets: the folder of the
    socket it dials. memory_bytes: the most data it may hold. mode: "bwrap" or "rlimits".
    """
    limits = [_tool("prlimit"), f"--data={memory_bytes}", "--core=0", "--"]
    if mode == "rlimits":
        guardian = [sys.executable, "-I", "-S", str(Path(__file__).with_name("guardian.py"))]
        return [*guardian, *limits, *command], env
    argv = [*limits, _tool("bwrap"), *_NAMESPACES, "--clearenv"]
    for name, value in env.items():
        argv += ["--setenv", name, value]
    argv += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]
    for path in _needed_below_tmp(command, folder, sockets):
        argv += ["--ro-bind", path, path]
    return [*argv, "--chdir", folder, "--", *command], {"PATH": env["PATH"]}


def _tool(name: str) -> str:
    return shutil.which(name) or name


def _needed_below_tmp(command: Sequence[str], folder: str, sockets: str) -> list[str]:
    """Return what the private /tmp would hide although the bot needs it."""
    wanted = [folder, sockets, sys.prefix, sys.base_prefix, str(Path(__file__).parent.parent)]
    wanted += [part for part in command if part.startswith("/")]
    return sorted({path for path in map(os.path.realpath, wanted) if path.startswith("/tmp/") and os.path.exists(path)})
