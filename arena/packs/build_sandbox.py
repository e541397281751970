"""The command line of bubblewrap that confines a build step.

A build sees the operating system, of /etc what programs need, and the installations of the programs of the organiser's
PATH, all read-only; it writes to its own folder and to a private /tmp.
"""

import os
import resource
import shutil
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from referee.sandbox import environment, filesystem_view
from referee.sandbox.bubblewrap import options
from referee.sandbox.cgroups import Group
from referee.sandbox.launch import joining
from referee.sandbox.limits import at_most, stack

MEMORY_BYTES = 4 * 1024**3
"""Of all processes of a build and its /tmp together; without control groups they are watched, each one is limited."""

TMP_BYTES = 2 * 1024**3
"""Of its /tmp and of shared memory, each, where bubblewrap is 0.8 or newer."""

FILE_BYTES = 512 * 1024**2
PROCESSES = 4096
OPEN_FILES = 4096

NOBODY = 65534
"""The user id under which root's builds run."""

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")

_ETC = ("/etc/maven", "/etc/ssl/certs", "/etc/pki", "/etc/ca-certificates", "/etc/ca-certificates.conf")
"""Beside what bots see of /etc: certificates, and the settings of compilers."""

_ETC_NETWORK = (
    "/etc/nsswitch.conf", "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf",
    "/etc/pip.conf", "/etc/npmrc",
)  # fmt: skip
"""With the network, also these: how names are resolved, and the settings of package managers."""

_NETWORK_VARIABLES = (
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CARGO_HTTP_CAINFO", "npm_config_registry", "GOPROXY", "GOSUMDB",
    "PIP_INDEX_URL",
)  # fmt: skip


_OFFLINE_VARIABLES = {
    "CARGO_NET_OFFLINE": "true", "GOPROXY": "off", "PIP_NO_INDEX": "1", "npm_config_offline": "true"
}  # fmt: skip
"""With these, package managers fail at once instead of retrying for minutes."""


_CACHES = (
    ("CARGO_HOME", "~/.cargo", ".cargo", ("registry/cache", "registry/index")),
    ("npm_config_cache", "~/.npm", ".npm", ("_cacache/content-v2", "_cacache/index-v5")),
    ("", "~/.m2", ".m2", ("repository",)),
)
"""Where package managers keep what they have fetched: the variable that names their folder, and where it is otherwise;
where it is below the home of a build; and what of it a build sees: no settings, which may hold passwords."""

_WRITTEN = ("index-v5",)
"""Names of those of which a build gets a copy, as its package manager writes to them."""


_ORIGINALS = ".fetched"
"""Where, below the home of a build, lies what is copied."""

_COPY = 'cp -r "$0" "$1" && shift && exec "$@"'
"""What a shell does before the build: it copies a folder."""


def caches() -> dict[str, str]:
    """Return the folders with what package managers have fetched for us, by their paths below the home of a build."""
    found = {}
    for variable, usual, home, names in _CACHES:
        folder = os.environ.get(variable) or os.path.expanduser(usual)
        for name in names:
            if os.path.isdir(path := os.path.realpath(os.path.join(folder, name))):
                found[f"{home}/{name}"] = path
    return found


def sandboxed(
    line: Sequence[str],
    folder: Path,
    *,
    network: bool,
    variables: Collection[str],
    group: Group | None,
    filter_fd: int | None = None,
    fetched: Mapping[str, str] | None = None,
) -> list[str]:
    """Return the command line that runs `line` in a sandbox that can write only to `folder`.

    network: whether the command keeps the network of the machine, then with `variables` of ours.
    group: the control groups that it joins.
    fetched: folders that it sees, read-only, by their paths below its home.
    filter_fd: the descriptor of the system call filter; None: no call is filtered.
    """
    seeing, line = _seeing(fetched or {}, line)
    argv = [
        *joining(group),
        "prlimit", f"--data={MEMORY_BYTES}", f"--stack={stack(MEMORY_BYTES)}", f"--fsize={FILE_BYTES}",
        f"--nproc={PROCESSES}", f"--nofile={at_most(resource.RLIMIT_NOFILE, OPEN_FILES)}", "--core=0", "--",
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
        # It could make a /tmp of its own size in a namespace of its own.
        argv += ["--unshare-user", *(["--disable-userns"] if "--disable-userns" in options("bwrap") else [])]
    for name, value in _environment(network, variables).items():
        argv += ["--setenv", name, value]
    size = ["--size", str(TMP_BYTES)] if "--size" in options("bwrap") else []
    argv += ["--dev", "/dev"]
    if group is None or group.memory is None:  # memory that is mapped from it stays when no process maps it any more
        argv += ["--ro-bind", "/dev/null", filesystem_view.ZERO]
    argv += ["--perms", "1777", *size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    argv += ["--proc", "/proc", "--perms", "1777", *size, "--tmpfs", "/tmp"]
    real = os.path.realpath(folder)
    homes = [home for home in _homes() if not real.startswith(f"{home}/")]
    shown = {**{path: path for path in (*_SYSTEM, *homes)}, **_etc(network)}
    for parent in sorted(
        {str(parent) for path in (*shown.values(), real) for parent in Path(path).parents} - {"/", "/tmp"}
    ):
        argv += ["--perms", "0755", "--dir", parent]  # otherwise only root could enter them
    for place, path in shown.items():
        argv += ["--ro-bind-try", path, place]
    argv += seeing
    if network:  # the name server's address, on systems with systemd-resolved
        argv += ["--ro-bind-try", "/run/systemd/resolve", "/run/systemd/resolve"]
    if filter_fd is not None:
        argv += ["--seccomp", str(filter_fd)]
    return [*argv, "--bind", real, real, "--remount-ro", "/", "--chdir", real, "--", *line]


def _seeing(fetched: Mapping[str, str], line: Sequence[str]) -> tuple[list[str], Sequence[str]]:
    """Return the options that show what was fetched, and the command line that copies what is to be copied first."""
    home = environment("", "")["HOME"]
    seeing = []
    for place, path in fetched.items():
        at = f"{home}/{place}"
        if os.path.basename(place) in _WRITTEN:
            at = f"{home}/{_ORIGINALS}/{place}"
            line = ["sh", "-c", _COPY, at, f"{home}/{place}", *line]
        for parent in reversed([*Path(home, place).parents, *Path(at).parents]):
            if f"{parent}".startswith(f"{home}/"):  # beside what they have fetched, package managers write locks
                seeing += ["--perms", "1777", "--dir", str(parent)]
        seeing += ["--ro-bind", path, at]
    return seeing, line


def _etc(network: bool) -> dict[str, str]:
    """Return what a build sees of /etc, and where it lies: no settings of servers, which may hold passwords."""
    wanted = [*filesystem_view.etc(), *_ETC, *(_ETC_NETWORK if network else ())]
    accounts = {place: path for path, place in filesystem_view.account_files()}
    return accounts | {path: os.path.realpath(path) for path in wanted if os.path.exists(path)}


def _homes() -> list[str]:
    """Return the folders outside the system that hold the installations of the programs of PATH."""
    tools = [Path(path) for path in map(shutil.which, _TOOLS) if path]
    folders = [sys.prefix, sys.base_prefix, _rustup(), *_packages_of_opt(), *(str(path.parent) for path in tools)]
    for folder in (path.resolve().parent for path in tools):
        folders.append(str(folder.parent if folder.name == "bin" else folder))
    own_home = os.path.expanduser("~")
    cargo_home = os.path.realpath(os.environ.get("CARGO_HOME") or os.path.expanduser("~/.cargo"))
    homes = dict.fromkeys(os.path.abspath(path) for path in folders if path)
    return [
        home
        for home in homes
        if os.access(home, os.R_OK | os.X_OK)
        and home != cargo_home  # beside bin, where rustup's programs are, lie tokens for registries
        and not f"{own_home}/".startswith(f"{home.rstrip('/')}/")  # a program in ~/bin must not make all of ~ visible
        and not f"{home}/".startswith(tuple(f"{path}/" for path in _SYSTEM))
    ]


_TOOLS = ("go", "cargo", "rustc", "node", "npm", "javac", "mvn", "gradle", "cmake", "make", "protoc", "buf")
"""Programs whose whole installations are visible, wherever they are."""


def _packages_of_opt() -> Iterable[str]:
    """Return the folders of /opt with programs of PATH."""
    for folder in os.environ.get("PATH", os.defpath).split(":"):
        parts = Path(os.path.normpath(folder)).parts
        if parts[:2] == ("/", "opt") and len(parts) > 2:
            yield os.path.join(*parts[:3])


def _rustup() -> str:
    home = os.environ.get("RUSTUP_HOME") or os.path.expanduser("~/.rustup")
    return home if os.path.isdir(home) else ""


def _environment(network: bool, variables: Collection[str]) -> dict[str, str]:
    env = environment("", "")
    del env["ARENA_ADDRESS"], env["ARENA_TOKEN"], env["ARENA_PYTHON"]
    folders = [os.path.dirname(path) for path in map(shutil.which, _TOOLS) if path]
    env["PATH"] = ":".join(dict.fromkeys([*folders, *env["PATH"].split(":")]))
    env |= {"GOTOOLCHAIN": "local", "GOFLAGS": "-buildvcs=false"}
    env["MAVEN_OPTS"] = f"-Duser.home={env['HOME']}"  # Java ignores HOME, and the user nobody has no home
    if home := _rustup():
        env["RUSTUP_HOME"] = home
    if network:
        return env | {name: os.environ[name] for name in (*_NETWORK_VARIABLES, *variables) if name in os.environ}
    return env | _OFFLINE_VARIABLES
