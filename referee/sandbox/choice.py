"""The way to confine bots on this machine, and what is missing for a better one."""

import subprocess
from dataclasses import dataclass, field

from referee.sandbox import bubblewrap, seccomp
from referee.sandbox.copies import Copies
from referee.sandbox.groups import Groups, find_groups
from referee.sandbox.guardian import landlock_version
from referee.sandbox.user import becoming, is_real_root, new_user

MODES = ("auto", "bwrap", "rlimits", "off")


@dataclass(frozen=True)
class Confinement:
    """A way to confine bots that works on this machine.

    mode: "bwrap", "rlimits" or "off".
    warning: one line for the user where bots are less confined than they could be; otherwise empty.
    groups: makes control groups; None where there are none. copies: of what only root may read.
    """

    mode: str
    warning: str = ""
    groups: Groups | None = None
    copies: Copies = field(default_factory=Copies)


class SandboxError(Exception):
    """The confinement that was asked for does not work on this machine."""


def choose(mode: str = "auto") -> Confinement:
    """Return the confinement for `mode`; "auto" takes bubblewrap where its probe passes.

    Raises SandboxError where "bwrap" is asked for by name and does not work, and for a mode that there is not.
    """
    if mode not in MODES:
        raise SandboxError(f"there is no sandbox {mode}: it is one of {', '.join(MODES)}")
    if mode == "off":
        return Confinement("off", "bots are not confined (--sandbox off): they may do whatever you may")
    failure = "as asked" if mode == "rlimits" else probe()
    if failure and mode == "bwrap":
        raise SandboxError(f"bubblewrap does not work here: {failure}")
    groups, missing = find_groups()
    if not failure:
        return Confinement("bwrap", _unlimited(missing), groups)
    return Confinement("rlimits", _weak(failure), groups)


def _weak(why: str) -> str:
    fence = "they write no files and dial nobody, but find your sockets and see what runs"
    if not (landlock_version() and seccomp.program()):
        fence = "they can reach your files, your processes and the network"
    return f"bots are trusted: they run without bubblewrap ({why}), so {fence} (`arena doctor` says how to mend it)"


def _unlimited(missing: str) -> str:
    if not missing:
        return ""
    return (
        f"bots are confined, but not their processes together ({missing}): one that starts many, or shares memory "
        "between them, may slow this machine down; `arena doctor` says how to mend it"
    )


def probe() -> str:
    """Return why bubblewrap does not work here, or nothing."""
    program = bubblewrap.program()
    if program is None:
        return "it is not installed; apt-get install bubblewrap"
    user = new_user()
    if user is None and is_real_root():
        return "root cannot give up its rights, for which setpriv of util-linux is needed"
    argv = [program, *bubblewrap.namespaces(user), "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--"]
    argv += [*(becoming(user) if user is not None else []), "true"]
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=10, errors="replace")
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if not done.returncode:
        return ""
    return " ".join(done.stderr.split()) or f"its probe exits with {done.returncode}"
