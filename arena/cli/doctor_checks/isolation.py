"""The sandbox: what confines bots on this machine."""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from threading import Timer

from arena.cli.doctor_checks.check_result import CheckResult
from referee import sandbox
from referee.sandbox import SandboxError, choice
from referee.sandbox import seccomp as calls
from referee.sandbox.cgroups import find_groups
from referee.sandbox.guardian import SCOPES_FROM, landlock_version

_APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
_DEBIAN = Path("/proc/sys/kernel/unprivileged_userns_clone")
_MOST = Path("/proc/sys/user/max_user_namespaces")

BOT_SECONDS = 60


def bubblewrap() -> CheckResult:
    """Check that bubblewrap works."""
    try:
        why = choice.probe()
    except SandboxError as error:
        return CheckResult("bubblewrap", "broken", str(error), "let less run on this machine")
    if not why:
        version = subprocess.run(["bwrap", "--version"], capture_output=True, text=True, check=False).stdout.strip()
        return CheckResult("bubblewrap", "good", f"{version} works: each bot runs in its own namespaces")
    return CheckResult(
        "bubblewrap", "less", f"does not work ({why}): run only bots that you trust", _bubblewrap_remedy()
    )


def _bubblewrap_remedy() -> str:
    if shutil.which("bwrap") is None:
        return "apt-get install bubblewrap"
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            return "apt-get install util-linux"
        return "in a container: start it with --privileged, or --cap-add SYS_ADMIN and an unconfined seccomp profile"
    if _has_value(_APPARMOR, "1"):
        return (
            "AppArmor forbids user namespaces: as root write "
            "`profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }` to /etc/apparmor.d/bwrap "
            "and `systemctl reload apparmor`"
        )
    if _has_value(_DEBIAN, "0"):
        return "as root: sysctl -w kernel.unprivileged_userns_clone=1"
    if _has_value(_MOST, "0"):
        return "as root: sysctl -w user.max_user_namespaces=15000"
    return "allow user namespaces in the kernel or the container"


def groups() -> CheckResult:
    """Check that control groups can be created."""
    groups, why = find_groups()
    if groups is not None and not why:
        return CheckResult(
            "cgroups", "good", f"{', '.join(sorted(groups.controllers))} of each bot are limited as a whole"
        )
    remedy = "start arena with `systemd-run --user --scope -p Delegate=yes arena ...`, or as root"
    if os.geteuid() == 0:
        remedy = "in a container: make /sys/fs/cgroup writable (--privileged, or --cgroupns private and a mount)"
    return CheckResult(
        "cgroups",
        "less",
        "only single processes of a bot are limited, and their memory together is watched, without some tables of the "
        f"kernel: {why}",
        remedy,
    )


def seccomp() -> CheckResult:
    """Check that system calls can be filtered on this machine."""
    machine = platform.machine()
    if calls.program():
        return CheckResult("seccomp", "good", f"system calls are filtered ({machine})")
    remedy = "run bots that you do not trust on x86_64 or aarch64"
    return CheckResult("seccomp", "less", f"system calls are not filtered: no filter for {machine}", remedy)


def landlock() -> CheckResult:
    """Check that the kernel can restrict file access without bubblewrap."""
    version = landlock_version()
    if version >= SCOPES_FROM:
        return CheckResult("landlock", "good", f"version {version}, used if bubblewrap does not work")
    remedy = "use a kernel from 6.12 on with landlock in its lsm= parameter"
    if version:
        return CheckResult(
            "landlock", "less", f"version {version}: without bubblewrap bots can end your processes", remedy
        )
    return CheckResult("landlock", "less", "not available: without bubblewrap bots can read your files", remedy)


def limits() -> CheckResult:
    """Check that the program that sets resource limits is installed."""
    if shutil.which("prlimit") is not None:
        return CheckResult("limits", "good", "memory, files, processes and CPU time of each process are limited")
    return CheckResult("limits", "broken", "prlimit is missing: no bot can be started", "apt-get install util-linux")


def bot(*, sound: bool) -> CheckResult:
    """Check that a sandboxed Python bot can import the SDK.

    sound
        Whether everything that confines it was found in order.
    """
    remedy = "run arena as another user, or outside the container that it is in" if sound else "fix the problems above"
    try:
        confinement = sandbox.choose("auto")
    except SandboxError as error:
        return CheckResult("bot", "broken", f"no bot can be started: {error}", remedy)
    try:
        with tempfile.TemporaryDirectory() as folder:
            done = _run([sys.executable, "-c", "import arena.sdk"], folder, confinement)
    except OSError as error:
        return CheckResult("bot", "broken", f"no bot can be started: {error}", remedy)
    finally:
        confinement.copies.close()
    if done.returncode:
        output = " ".join(done.stdout.split())[-300:]
        remedy = "make the Python that runs arena, and its packages, readable for all users: chmod -R a+rX"
        return CheckResult("bot", "broken", f"a Python bot does not start ({confinement.mode}): {output}", remedy)
    if confinement.groups is not None and confinement.groups.no_cpu_quota:
        return CheckResult(
            "bot",
            "less",
            f"a Python bot starts ({confinement.mode}), but no bot has a limit of CPU time of its own: "
            f"{confinement.groups.no_cpu_quota}",
            "let the control group of arena have a CPU quota of a core or more",
        )
    return CheckResult("bot", "good", f"a Python bot starts ({confinement.mode})")


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


def _has_value(path: Path, value: str) -> bool:
    try:
        return path.read_text().strip() == value
    except OSError:
        return False
