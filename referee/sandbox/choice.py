"""Chooses how bots are confined on this machine, and says what a better way lacks."""

import subprocess
from dataclasses import dataclass, field

from referee.sandbox import bubblewrap, filesystem_view, seccomp
from referee.sandbox.cgroups import Groups, find_groups
from referee.sandbox.copies import Copies
from referee.sandbox.guardian import SCOPES_FROM, landlock_version
from referee.sandbox.shortage import SHORTAGES
from referee.sandbox.user import becoming, is_real_root, new_user, unreadable

MODES = ("auto", "bwrap", "rlimits", "off")


@dataclass(frozen=True)
class Confinement:
    """A way to confine bots that works on this machine."""

    mode: str
    """One of "bwrap", "rlimits" and "off"."""
    warning: str = ""
    """One line for the user where bots are less confined than they could be; otherwise empty."""
    gap: str = ""
    """How a bot could reach other bots, their files or the organiser's, so that bots must be trusted; empty where it
    could not.
    """
    groups: Groups | None = None
    """Makes control groups; None where there are none."""
    copies: Copies = field(default_factory=Copies)
    """The copies of files that only root may read."""

    @property
    def counts_memory(self) -> bool:
        """Whether control groups count, and limit, the memory of a bot's processes together."""
        return self.groups is not None and "memory" in self.groups.controllers


class SandboxError(Exception):
    """The requested confinement does not work on this machine."""


def choose(mode: str = "auto") -> Confinement:
    """Return the confinement for `mode`; "auto" uses bubblewrap where its probe passes.

    Raises SandboxError where "bwrap" is requested and does not work, for an unknown mode, and as `probe` does.
    """
    if mode not in MODES:
        raise SandboxError(f"there is no sandbox {mode}: it is one of {', '.join(MODES)}")
    if mode == "off":
        gap = "they may do whatever you may"
        return Confinement("off", f"bots are not confined (--sandbox off): {gap}", gap)
    failure = "as asked" if mode == "rlimits" else probe()
    if failure and mode == "bwrap":
        raise SandboxError(f"bubblewrap does not work here: {failure}")
    groups, missing = find_groups()
    if not failure:
        return Confinement("bwrap", _warn_unlimited(missing), groups=groups)
    gap = _gap()
    return Confinement("rlimits", _warn_weak(failure, gap), gap, groups)


def _gap() -> str:
    """Return what bots can do without bubblewrap that they should not; empty where nothing is left."""
    landlock = landlock_version()
    if not (landlock and seccomp.program()):
        return "they can reach your files, your processes and the network"
    if landlock < SCOPES_FROM:
        return "they write no files and dial no network, but can end your processes and dial your sockets"
    if new_user() is None:
        return "they write no files and end no processes, but run as you and can dial your sockets"
    if path := unreadable(filesystem_view.runtime()):
        return (
            "they write no files and end no processes, but run as root and can dial its sockets, "
            f"as nobody else may read {path}"
        )
    return ""


def _warn_weak(why: str, gap: str) -> str:
    if not gap:
        return f"bots run without bubblewrap ({why}), each as a user of its own that writes no files and dials nobody"
    return f"bots are trusted: they run without bubblewrap ({why}), so {gap} (`arena doctor` says how to fix it)"


def _warn_unlimited(missing: str) -> str:
    if not missing:
        return ""
    return (
        f"bots are confined, but not their processes together ({missing}): their memory is watched, but one that "
        "starts many may slow this machine down; `arena doctor` says how to fix it"
    )


def probe() -> str:
    """Return why bubblewrap does not work here; empty where it works.

    Raises SandboxError where that cannot be found out now: a machine that is short of something, which bots can cause,
    is no reason to confine them less.
    """
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
        if isinstance(error, OSError) and error.errno not in SHORTAGES:
            return str(error)
        raise SandboxError(f"whether bubblewrap works here cannot be found out now: {error}") from None
    if not done.returncode:
        return ""
    return " ".join(done.stderr.split()) or f"its probe exits with {done.returncode}"
