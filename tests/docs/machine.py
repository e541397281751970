"""A fresh Debian machine for a test: packages from Debian's archive, with systemd as its first process.

It is a folder that mmdebstrap fills, and a process in namespaces of its own (mounts, processes, network, host name,
control groups) that has this folder as its root and becomes systemd. So units are started as on a server, by systemd
itself; nothing stands in for it. It shares the kernel with its host. Its network is that of slirp4netns: it reaches
what the host reaches, 127.0.0.1 is its own, and nobody reaches it.

Packages are fetched as the host fetches them: from its archives of Debian, with the settings of apt and pip, the
proxies and the certificates that it has.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self, TypeVar

import pytest

PROGRAMS = ("mmdebstrap", "slirp4netns", "unshare", "nsenter", "setpriv")
"""What the host needs, besides root."""

SOURCES = ("/etc/apt/sources.list", "/etc/apt/sources.list.d/debian.sources")
"""Where Debian names its archives; sources of others are left out."""

PROXIES = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
VARIABLES = ("PIP_", "UV_", "SSL_CERT_", "ARENA_COMPILE", *PROXIES)
"""How the names of variables begin that say from where packages come, and what is compiled of arena."""

CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"

UNWANTED = ("systemd-sysctl", "systemd-modules-load", "systemd-binfmt", "systemd-udevd", "systemd-udev-trigger")
"""Units that would change the kernel, which is the host's, too."""

BOOT = """
set -eu
echo 0 > "$2/cgroup.procs"
exec setpriv --pdeathsig KILL \
    unshare --mount --pid --fork --kill-child --net --uts --ipc --cgroup --propagation private \
    sh -euc "$3" sh "$1"
"""
"""Starts a machine: its folder, its control group, and INIT."""

INIT = """
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do touch "dev/$name"; mount --bind "/dev/$name" "dev/$name"; done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s fd/0 dev/stdin
ln -s fd/1 dev/stdout
ln -s fd/2 dev/stderr
hostname server
mkdir host
pivot_root . host
umount -l host
rmdir host
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    setpriv --bounding-set=-sys_time,-sys_module,-sys_rawio /lib/systemd/systemd
"""
"""The first process of a machine, in its namespaces; the folder is $1. All of /proc is there: bubblewrap needs it."""


def image(folder: Path) -> Path:
    """Return a new folder with the packages of a small Debian 12, and skip the test where it cannot be made."""
    if os.geteuid() != 0:
        pytest.skip("a fresh machine needs root")
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        pytest.skip(f"a fresh machine needs {', '.join(missing)} (make deps-all)")
    if _control_groups() is None:
        pytest.skip("a fresh machine needs control groups of version 2, and they are not mounted")
    is_debian = "\nID=debian\n" in f"\n{Path('/etc/os-release').read_text()}"
    sources = [path for path in SOURCES if is_debian and Path(path).exists()]
    settings = folder / "fetching.conf"
    dump = subprocess.run(["apt-config", "dump"], check=True, capture_output=True, text=True).stdout
    settings.write_text("".join(line for line in dump.splitlines(keepends=True) if line.startswith("Acquire::")))
    root = folder / "image"
    made = [
        "mmdebstrap",
        "--quiet",
        "--variant=important",
        "--dpkgopt=force-unsafe-io",
        "--include=ca-certificates,dbus",
        f"--aptopt={settings}",
        "bookworm",
        str(root),
        *sources,
    ]
    done = subprocess.run(made, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"no packages of Debian can be had here: {done.stderr.strip()[-300:]}")
    _copy_settings(root)
    return root


def _copy_settings(root: Path) -> None:
    """Give a machine the settings of the host with which it fetches packages, and its certificates."""
    for path in ("/etc/pip.conf", "/etc/uv/uv.toml", CERTIFICATES):
        if Path(path).exists():
            target = root / path[1:]
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    (root / "etc/resolv.conf").write_text("nameserver 10.0.2.3\n")
    (root / "etc/hostname").write_text("server\n")
    (root / "etc/hosts").write_text("127.0.0.1 localhost server\n")
    for name in UNWANTED:
        (root / f"etc/systemd/system/{name}.service").symlink_to("/dev/null")


def _control_groups() -> Path | None:
    """Return where control groups of version 2 are mounted."""
    rows = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    return next((Path(row[1]) for row in rows if row[2] == "cgroup2"), None)


class Machine:
    """A machine that runs; made by `running`."""

    def __init__(self, root: Path, process: int) -> None:
        self.root = root
        self._enter = ["nsenter", "--target", str(process), "--all"]
        passed = {name: value for name, value in os.environ.items() if name.startswith(VARIABLES)}
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        self._variables = passed | {
            "HOME": "/root",
            "USER": "root",
            "PATH": path,
            "LANG": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive",
        }
        self.folder = "/root"

    @classmethod
    @contextmanager
    def running(cls, root: Path) -> Iterator[Self]:
        """Start a machine, and end it with the block.

        root
            Its folder, which it changes.
        """
        mounted = _control_groups()
        assert mounted is not None
        group = mounted / f"arena-test-{os.getpid()}"
        group.mkdir(exist_ok=True)
        command = ["sh", "-c", BOOT, "sh", str(root), str(group), INIT]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True) as unshare:
            try:
                first = _until(lambda: _first_process(unshare))
                network = ["setpriv", "--pdeathsig", "KILL", "slirp4netns", "--configure", "--disable-host-loopback"]
                with subprocess.Popen(
                    [*network, str(first), "tap0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                ) as slirp:
                    try:
                        machine = cls(root, first)
                        _until(lambda: machine.has("ip -4 address show tap0 | grep -q inet"))
                        _until(lambda: machine.has("systemctl is-system-running | grep -Eq 'running|degraded'"))
                        yield machine
                    finally:
                        slirp.kill()
            finally:
                unshare.kill()
        _until(lambda: _is_removed(group))

    def has(self, command: str) -> bool:
        """Return whether a command succeeds there."""
        return subprocess.run([*self._enter, "sh", "-c", command], capture_output=True, check=False).returncode == 0

    def run(self, script: str) -> str:
        """Run commands as root types them, one block after the other: in the folder that the block before left.

        They are run by `sh`, Debian's dash, and stop at the first one that fails; then this raises, with what was
        printed.
        """
        left = "/run/left"
        words = [f"--setenv={name}={value}" for name, value in self._variables.items()]
        session = ["systemd-run", "--quiet", "--pipe", "--wait", "--collect", *words]
        command = [
            *self._enter,
            *session,
            f"--working-directory={self.folder}",
            "sh",
            "-euc",
            f"{script}\npwd > {left}\n",
        ]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        assert done.returncode == 0, f"{script}\nfailed as the last of these lines says:\n{done.stdout[-6000:]}"
        self.folder = self.output(f"cat {left}").strip()
        return done.stdout

    def output(self, command: str) -> str:
        """Return what a command of the test's own prints there. Raises subprocess.CalledProcessError if it fails."""
        done = subprocess.run([*self._enter, "sh", "-c", command], check=True, capture_output=True, text=True)
        return done.stdout


def _first_process(unshare: "subprocess.Popen[bytes]") -> int | None:
    """Return the number of a machine's first process once it is systemd."""
    assert unshare.poll() is None, "the machine has ended"
    children = Path(f"/proc/{unshare.pid}/task/{unshare.pid}/children").read_text().split()
    is_up = bool(children) and Path(f"/proc/{children[0]}/comm").read_text() == "systemd\n"
    return int(children[0]) if is_up else None


def _is_removed(group: Path) -> bool:
    """Return whether a control group with those below it is gone; the kernel keeps it while processes end."""
    try:
        for path in sorted([group, *(path for path in group.rglob("*") if path.is_dir())], reverse=True):
            path.rmdir()
    except OSError:
        return False
    return True


T = TypeVar("T")


def _until(look: Callable[[], T | None], seconds: float = 60) -> T:
    """Return the first value of a function that is true. Raises TimeoutError after some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := look():
            return value
        time.sleep(0.1)
    raise TimeoutError
