"""The build step of a submission: one command, confined like a bot, but for its own folder, which it may write.

It sees the system and the programs of the organiser's PATH, read-only, an empty home in a private /tmp, and no
network unless the organiser grants one: then also the variables by which package managers find theirs. Nothing else
of the machine is there to be read, the database least of all.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from os.path import normpath
from pathlib import Path
from select import poll
from shutil import disk_usage
from time import monotonic

from arena.submissions.errors import BuildError
from arena.submissions.manifest import PYTHONS, Manifest
from arena.submissions.pack import Pack
from referee.process.bot_process import Output
from referee.sandbox import choose, environment

TAIL = 15
"""Lines of what a build printed that are told when it failed."""

MEMORY_BYTES = 4 * 1024**3
FILE_BYTES = 512 * 1024**2
DISK_BYTES = 4 * 1024**3
"""What the disk may lose of its free room before a build is ended."""
LOOK_SECONDS = 0.5
"""How often its free room is looked at."""
PROCESSES = 4096

NOBODY = 65534
"""Who runs a build that root asks for."""

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt")

_FOR_NETWORK = (
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CARGO_HTTP_CAINFO", "npm_config_registry", "GOPROXY", "GOSUMDB",
    "PIP_INDEX_URL",
)  # fmt: skip


_WITHOUT_NETWORK = {
    "CARGO_NET_OFFLINE": "true", "GOPROXY": "off", "PIP_NO_INDEX": "1", "npm_config_offline": "true"
}  # fmt: skip
"""Package managers fail at once, and do not try again for minutes."""


@dataclass(frozen=True, slots=True)
class BuildTerms:
    """What a build may do. network: dial out. seconds: how long it may take."""

    network: bool = False
    seconds: float = 600.0


def build(manifest: Manifest, folder: Path, terms: BuildTerms) -> str:
    """Run the build step of a manifest in `folder` and return what it printed, cleaned and bounded.

    Must be called in the main thread: the sandbox ends with the thread that started it.

    Raises BuildError where it fails, takes too long, or cannot be confined.
    """
    confinement = choose("auto")
    if confinement.mode != "bwrap":
        raise BuildError(
            f"a build step is run only where it can be confined ({confinement.warning}): "
            "build the bot yourself and submit what came of it, with a bot.toml without `build`"
        )
    program, *arguments = manifest.build
    line = [sys.executable if program in PYTHONS else program, *arguments]
    output = Output()
    with subprocess.Popen(
        _confined(line, folder, terms.network),
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
    command = " ".join(manifest.build)
    if excess:
        raise BuildError(f"the build ({command}) {excess}{_tail(output.text())}")
    if process.returncode:
        offline = "" if terms.network else ", without a network (--build-network grants one)"
        raise BuildError(f"the build ({command}) exited with code {process.returncode}{offline}{_tail(output.text())}")
    return output.text()


def check_made(manifest: Manifest, content: Pack, printed: str) -> None:
    """Raise BuildError where the build ended well, but the program of the manifest is not in what it made."""
    program = manifest.command[0]
    if "/" in program and normpath(program) not in {file.path for file in content.files}:
        kept = f" that `keep` names ({', '.join(manifest.keep)})" if manifest.keep else ""
        raise BuildError(f"the build ({' '.join(manifest.build)}) made no {program}{kept}{_tail(printed)}")


def _collect(descriptor: int, output: Output, folder: Path, seconds: float) -> str:
    """Keep what is printed until its end; return what the build does too much of, where it comes to none."""
    until, room = monotonic() + seconds, disk_usage(folder).free - DISK_BYTES
    waiting = poll()
    waiting.register(descriptor)
    while (left := until - monotonic()) > 0:
        if disk_usage(folder).free < room:
            return f"wrote more than {DISK_BYTES // 1024**2:,} MB"
        if waiting.poll(min(left, LOOK_SECONDS) * 1000):
            data = os.read(descriptor, 65536)
            if not data:
                return ""
            output.add(data)
    return f"took longer than {seconds:g} s"


def _ends_soon(process: "subprocess.Popen[bytes]") -> bool:
    """Wait a moment for a process that has closed its output."""
    try:
        process.wait(1.0)
    except subprocess.TimeoutExpired:
        return False
    return True


def _tail(printed: str) -> str:
    lines = printed.splitlines()[-TAIL:]
    return ":\n" + "\n".join(f"    {line}" for line in lines) if lines else ""


def _confined(line: Sequence[str], folder: Path, network: bool) -> list[str]:
    """Return the command line that runs `line` in `folder` and nowhere else."""
    argv = [
        "prlimit", f"--data={MEMORY_BYTES}", f"--fsize={FILE_BYTES}", f"--nproc={PROCESSES}", "--core=0", "--",
        "bwrap", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent",
        "--new-session", "--clearenv", "--cap-drop", "ALL",
    ]  # fmt: skip
    if not network:
        argv.append("--unshare-net")
    if os.geteuid() == 0:
        # Root without any capability could still write to /proc/sys: so root builds the walls, and nobody works inside.
        folder.chmod(0o755)
        for file in (folder, *folder.rglob("*")):
            os.chown(file, NOBODY, NOBODY, follow_symlinks=False)
        argv += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        drop = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs"]
        line = [*drop, "--inh-caps=-all", "--", *line]
    else:
        argv.append("--unshare-user")
    for name, value in _environment(network).items():
        argv += ["--setenv", name, value]
    argv += ["--dev", "/dev", "--proc", "/proc", "--perms", "1777", "--tmpfs", "/tmp"]
    place = os.path.realpath(folder)
    homes = [home for home in _homes() if not place.startswith(f"{home}/")]
    for above in sorted(
        {parent for home in (*homes, place) for parent in map(str, Path(home).parents)} - {"/", "/tmp"}
    ):
        argv += ["--perms", "0755", "--dir", above]  # or only root could go through them
    for path in (*_SYSTEM, *homes):
        argv += ["--ro-bind-try", path, path]
    if network:  # where the name server is found, on systems that keep it apart
        argv += ["--ro-bind-try", "/run/systemd/resolve", "/run/systemd/resolve"]
    return [*argv, "--bind", place, place, "--chdir", place, "--", *line]


def _homes() -> list[str]:
    """Return the folders outside of the system that hold the programs of PATH, with all that belongs to them."""
    found = [Path(path) for path in map(shutil.which, _TOOLS) if path]
    wanted = [sys.prefix, sys.base_prefix, _rustup(), *(str(path.parent) for path in found)]
    for folder in (path.resolve().parent for path in found):
        wanted.append(str(folder.parent if folder.name == "bin" else folder))
    mine = os.path.expanduser("~")
    homes = dict.fromkeys(os.path.abspath(path) for path in wanted if path)
    return [
        home
        for home in homes
        if os.access(home, os.R_OK | os.X_OK)
        and not f"{mine}/".startswith(f"{home.rstrip('/')}/")  # a program in ~/bin does not show all that is in ~
        and not f"{home}/".startswith(tuple(f"{each}/" for each in _SYSTEM))
    ]


_TOOLS = ("go", "cargo", "rustc", "node", "npm", "javac", "mvn", "gradle", "cmake", "make", "protoc", "buf")
"""Programs of which whole installations are visible, wherever they are."""


def _rustup() -> str:
    home = os.environ.get("RUSTUP_HOME") or os.path.expanduser("~/.rustup")
    return home if os.path.isdir(home) else ""


def _environment(network: bool) -> dict[str, str]:
    env = environment("", "")
    del env["ARENA_ADDRESS"], env["ARENA_TOKEN"]
    folders = [os.path.dirname(found) for found in map(shutil.which, _TOOLS) if found]
    env["PATH"] = ":".join(dict.fromkeys([*folders, *env["PATH"].split(":")]))
    env |= {"GOTOOLCHAIN": "local", "GOFLAGS": "-buildvcs=false"}
    env["MAVEN_OPTS"] = f"-Duser.home={env['HOME']}"  # Java does not ask HOME, and nobody has no home
    if home := _rustup():
        env["RUSTUP_HOME"] = home
    if network:
        return env | {name: os.environ[name] for name in _FOR_NETWORK if name in os.environ}
    return env | _WITHOUT_NETWORK
