"""What bots are confined by."""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from threading import Timer

from arena.doctor.check_result import Finding
from referee import sandbox
from referee.sandbox import choice
from referee.sandbox import seccomp as calls
from referee.sandbox.cgroups import find_groups
from referee.sandbox.guardian import SCOPES_FROM, landlock_version

_APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
_DEBIAN = Path("/proc/sys/kernel/unprivileged_userns_clone")
_MOST = Path("/proc/sys/user/max_user_namespaces")

BOT_SECONDS = 60


def bubblewrap() -> Finding:
    """Look whether bubblewrap works, and what it is that keeps it from it."""
    why = choice.probe()
    if not why:
        told = subprocess.run(["bwrap", "--version"], capture_output=True, text=True, check=False).stdout.strip()
        return Finding("bubblewrap", "good", f"{told} works: each bot has namespaces and a view of its own")
    return Finding("bubblewrap", "less", f"bots run without bubblewrap ({why}): trust them", _mend())


def _mend() -> str:
    if shutil.which("bwrap") is None:
        return "apt-get install bubblewrap"
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            return "apt-get install util-linux"
        return "in a container: start it with --privileged, or --cap-add SYS_ADMIN and an unconfined seccomp profile"
    if _says(_APPARMOR, "1"):
        return (
            "AppArmor forbids it: as root write `profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }` to "
            "/etc/apparmor.d/bwrap and `systemctl reload apparmor`"
        )
    if _says(_DEBIAN, "0"):
        return "as root: sysctl -w kernel.unprivileged_userns_clone=1"
    if _says(_MOST, "0"):
        return "as root: sysctl -w user.max_user_namespaces=15000"
    return "have the kernel or the container allow user namespaces"


def groups() -> Finding:
    """Look whether control groups can be made."""
    found, why = find_groups()
    if found is not None and not why:
        return Finding("cgroups", "good", f"{', '.join(sorted(found.controllers))} of a bot's processes are limited")
    mend = "start arena by `systemd-run --user --scope -p Delegate=yes arena ...`, or as root"
    if os.geteuid() == 0:
        mend = "in a container: start it with /sys/fs/cgroup writable (--privileged, or --cgroupns private and a mount)"
    return Finding("cgroups", "less", f"processes of a bot are limited one by one only: {why}", mend)


def seccomp() -> Finding:
    """Look whether there is a filter of system calls for this machine."""
    machine = platform.machine()
    if calls.program():
        return Finding("seccomp", "good", f"system calls are filtered ({machine})")
    mend = "play where bots are not trusted on x86_64 or aarch64"
    return Finding("seccomp", "less", f"the system calls of {machine} are not known here, and not filtered", mend)


def landlock() -> Finding:
    """Look whether the kernel can fence files without bubblewrap."""
    version = landlock_version()
    if version >= SCOPES_FROM:
        return Finding("landlock", "good", f"version {version}, for where bubblewrap does not work")
    mend = "a kernel from 6.12 on with landlock among its lsm="
    if version:
        return Finding("landlock", "less", f"version {version}: without bubblewrap bots could end your processes", mend)
    return Finding("landlock", "less", "without bubblewrap bots could read your files", mend)


def limits() -> Finding:
    """Look for the program that sets resource limits."""
    if shutil.which("prlimit") is not None:
        return Finding("limits", "good", "memory, files, processes and CPU time of each process are limited")
    return Finding(
        "limits", "broken", "prlimit is missing, with which every bot is started", "apt-get install util-linux"
    )


def bot() -> Finding:
    """Start a Python bot as a referee would, as far as its imports."""
    confinement = sandbox.choose("auto")
    try:
        with tempfile.TemporaryDirectory() as folder:
            done = _run([sys.executable, "-c", "import arena.sdk"], folder, confinement)
    except OSError as error:
        return Finding("bot", "broken", f"no bot can be started: {error}", "mend what is said above")
    finally:
        confinement.copies.close()
    if done.returncode:
        said = " ".join(done.stdout.split())[-300:]
        mend = "everybody must be able to read the Python that runs arena and its packages: chmod -R a+rX"
        return Finding("bot", "broken", f"a Python bot does not come up ({confinement.mode}): {said}", mend)
    return Finding("bot", "good", f"a Python bot comes up ({confinement.mode})")


def _run(command: list[str], folder: str, confinement: sandbox.Confinement) -> "subprocess.CompletedProcess[str]":
    launch = sandbox.confined(
        command,
        folder,
        sockets=folder,
        env=sandbox.environment("unix:/nowhere", ""),
        memory_bytes=256 << 20,
        confinement=confinement,
    )
    try:
        with launch.start(folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            assert process.stdout is not None
            watchdog = Timer(BOT_SECONDS, process.kill)
            watchdog.start()
            printed = process.stdout.read().decode(errors="replace")
            watchdog.cancel()
        return subprocess.CompletedProcess(launch.argv, process.returncode, printed)
    finally:
        launch.close()
        launch.end()


def _says(path: Path, value: str) -> bool:
    try:
        return path.read_text().strip() == value
    except OSError:
        return False
