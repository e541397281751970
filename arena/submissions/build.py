"""The build step of a submission: one command, sandboxed like a bot, except that it may write to its own folder.

It sees the system and the programs of the organiser's PATH, read-only, an empty home in a private /tmp, and no
network unless the organiser grants it, then with the variables that configure package managers. It sees nothing else
of the machine, in particular not the database.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from os.path import normpath
from pathlib import Path
from select import poll
from shutil import disk_usage
from time import monotonic

from arena.submissions.errors import BuildError, BuildTooSlow
from arena.submissions.manifest import FILE, PYTHONS, Manifest
from arena.submissions.pack import Pack
from referee.process.bot_process import Output
from referee.sandbox import choose, environment

TAIL = 15
"""Last lines of a build's output that are shown if it fails."""

MEMORY_BYTES = 4 * 1024**3
FILE_BYTES = 512 * 1024**2
DISK_BYTES = 4 * 1024**3
"""How much free disk space a build may use before it is ended."""
DISK_CHECK_SECONDS = 0.5
"""Seconds between two checks of the free disk space."""
PROCESSES = 4096

NOBODY = 65534
"""The user id under which root's builds run."""

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt")

_NETWORK_VARIABLES = (
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CARGO_HTTP_CAINFO", "npm_config_registry", "GOPROXY", "GOSUMDB",
    "PIP_INDEX_URL",
)  # fmt: skip


_OFFLINE_VARIABLES = {
    "CARGO_NET_OFFLINE": "true", "GOPROXY": "off", "PIP_NO_INDEX": "1", "npm_config_offline": "true"
}  # fmt: skip
"""With these, package managers fail at once instead of retrying for minutes."""


@dataclass(frozen=True, slots=True)
class BuildTerms:
    """What a build may do. network: whether it may use the network. seconds: time limit."""

    network: bool = False
    seconds: float = 600.0


@dataclass(frozen=True, slots=True)
class ConfinedStep:
    """A step that runs in the sandbox of builds.

    title: what errors call it, such as "the build (make)". alternative: what to do on a machine without the sandbox.
    variables: more of ours that it gets with the network.
    """

    title: str
    alternative: str
    variables: Collection[str] = ()


def build(manifest: Manifest, folder: Path, terms: BuildTerms) -> str:
    """Run the build step of a manifest in `folder` and return its output, sanitised and truncated.

    Must be called in the main thread: the sandbox ends with the thread that started it.

    Raises BuildError if it fails, exceeds a limit, or cannot be sandboxed.
    """
    if manifest.build_network and not terms.network:
        raise BuildError(
            f"its build ({' '.join(manifest.build)}) needs the network (build_network in {FILE}): "
            "--build-network grants it"
        )
    program, *arguments = manifest.build
    line = [sys.executable if program in PYTHONS else program, *arguments]
    step = ConfinedStep(
        f"the build ({' '.join(manifest.build)})",
        "build the bot yourself and submit the result, with a bot.toml without `build`",
    )
    return run_confined(line, folder, terms, step)


def run_confined(line: Sequence[str], folder: Path, terms: BuildTerms, step: ConfinedStep) -> str:
    """Run a command in the sandbox of builds, and return its output, sanitised and truncated.

    Must be called in the main thread.

    Raises BuildError if it fails, exceeds a limit, or cannot be sandboxed.
    """
    confinement = choose("auto")
    if confinement.mode != "bwrap":
        raise BuildError(
            f"{step.title} runs only in a sandbox, and this machine has none for it ({confinement.warning}): "
            f"{step.alternative}"
        )
    output = Output()
    with subprocess.Popen(
        _sandboxed(line, folder, terms.network, step.variables),
        env={"PATH": os.environ.get("PATH", os.defpath)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        try:
            excess = _collect(process.stdout.fileno(), output, folder, terms.seconds)
        finally:
            if process.poll() is None and not _ends_soon(process):
                process.kill()
    if excess is not None:
        kind, what = excess
        raise kind(f"{step.title} {what}{_tail(output.text())}")
    if process.returncode:
        offline = "" if terms.network else ", without a network (--build-network grants access)"
        raise BuildError(f"{step.title} exited with code {process.returncode}{offline}{_tail(output.text())}")
    return output.text()


def check_program_built(manifest: Manifest, content: Pack, printed: str) -> None:
    """Raise BuildError if the build succeeded, but the pack lacks the program of the manifest."""
    program = manifest.command[0]
    if "/" in program and normpath(program) not in {file.path for file in content.files}:
        keep = f" that `keep` names ({', '.join(manifest.keep)})" if manifest.keep else ""
        raise BuildError(f"the build ({' '.join(manifest.build)}) made no {program}{keep}{_tail(printed)}")


def _collect(descriptor: int, output: Output, folder: Path, seconds: float) -> tuple[type[BuildError], str] | None:
    """Collect the build's output until it ends; return the error and the words for the limit it exceeds, if any."""
    deadline, least_free = monotonic() + seconds, disk_usage(folder).free - DISK_BYTES
    poller = poll()
    poller.register(descriptor)
    while (left := deadline - monotonic()) > 0:
        if disk_usage(folder).free < least_free:
            return BuildError, f"wrote more than {DISK_BYTES // 1024**2:,} MB"
        if poller.poll(min(left, DISK_CHECK_SECONDS) * 1000):
            data = os.read(descriptor, 65536)
            if not data:
                return None
            output.add(data)
    return BuildTooSlow, f"took longer than {seconds:g} s"


def _ends_soon(process: "subprocess.Popen[bytes]") -> bool:
    """Wait up to a second for a process that has closed its output; return whether it ended."""
    try:
        process.wait(1.0)
    except subprocess.TimeoutExpired:
        return False
    return True


def _tail(printed: str) -> str:
    lines = printed.splitlines()[-TAIL:]
    return ":\n" + "\n".join(f"    {line}" for line in lines) if lines else ""


def _sandboxed(line: Sequence[str], folder: Path, network: bool, variables: Collection[str]) -> list[str]:
    """Return the command line that runs `line` in a sandbox that can write only to `folder`."""
    argv = [
        "prlimit", f"--data={MEMORY_BYTES}", f"--fsize={FILE_BYTES}", f"--nproc={PROCESSES}", "--core=0", "--",
        "bwrap", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent",
        "--new-session", "--clearenv", "--cap-drop", "ALL",
    ]  # fmt: skip
    if not network:
        argv.append("--unshare-net")
    if os.geteuid() == 0:
        # Root creates the sandbox; the build runs as nobody, since root without capabilities can still write /proc/sys.
        folder.chmod(0o755)
        for file in (folder, *folder.rglob("*")):
            os.chown(file, NOBODY, NOBODY, follow_symlinks=False)
        argv += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        drop = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs"]
        line = [*drop, "--inh-caps=-all", "--", *line]
    else:
        argv.append("--unshare-user")
    for name, value in _environment(network, variables).items():
        argv += ["--setenv", name, value]
    argv += ["--dev", "/dev", "--proc", "/proc", "--perms", "1777", "--tmpfs", "/tmp"]
    real = os.path.realpath(folder)
    homes = [home for home in _homes() if not real.startswith(f"{home}/")]
    for parent in sorted(
        {parent for home in (*homes, real) for parent in map(str, Path(home).parents)} - {"/", "/tmp"}
    ):
        argv += ["--perms", "0755", "--dir", parent]  # otherwise only root could enter them
    for path in (*_SYSTEM, *homes):
        argv += ["--ro-bind-try", path, path]
    if network:  # the name server's address, on systems with systemd-resolved
        argv += ["--ro-bind-try", "/run/systemd/resolve", "/run/systemd/resolve"]
    return [*argv, "--bind", real, real, "--chdir", real, "--", *line]


def _homes() -> list[str]:
    """Return the folders outside the system that hold the installations of the programs of PATH."""
    tools = [Path(path) for path in map(shutil.which, _TOOLS) if path]
    folders = [sys.prefix, sys.base_prefix, _rustup(), *(str(path.parent) for path in tools)]
    for folder in (path.resolve().parent for path in tools):
        folders.append(str(folder.parent if folder.name == "bin" else folder))
    own_home = os.path.expanduser("~")
    homes = dict.fromkeys(os.path.abspath(path) for path in folders if path)
    return [
        home
        for home in homes
        if os.access(home, os.R_OK | os.X_OK)
        and not f"{own_home}/".startswith(f"{home.rstrip('/')}/")  # a program in ~/bin must not make all of ~ visible
        and not f"{home}/".startswith(tuple(f"{path}/" for path in _SYSTEM))
    ]


_TOOLS = ("go", "cargo", "rustc", "node", "npm", "javac", "mvn", "gradle", "cmake", "make", "protoc", "buf")
"""Programs whose whole installations are visible, wherever they are."""


def _rustup() -> str:
    home = os.environ.get("RUSTUP_HOME") or os.path.expanduser("~/.rustup")
    return home if os.path.isdir(home) else ""


def _environment(network: bool, variables: Collection[str]) -> dict[str, str]:
    env = environment("", "")
    del env["ARENA_ADDRESS"], env["ARENA_TOKEN"]
    folders = [os.path.dirname(path) for path in map(shutil.which, _TOOLS) if path]
    env["PATH"] = ":".join(dict.fromkeys([*folders, *env["PATH"].split(":")]))
    env |= {"GOTOOLCHAIN": "local", "GOFLAGS": "-buildvcs=false"}
    env["MAVEN_OPTS"] = f"-Duser.home={env['HOME']}"  # Java ignores HOME, and the user nobody has no home
    if home := _rustup():
        env["RUSTUP_HOME"] = home
    if network:
        return env | {name: os.environ[name] for name in (*_NETWORK_VARIABLES, *variables) if name in os.environ}
    return env | _OFFLINE_VARIABLES
