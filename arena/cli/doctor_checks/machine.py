"""Versions, cores, disk space and the database."""

import os
import platform
import shutil
import sys
import tempfile
from importlib import metadata

from arena.cli.doctor_checks.check_result import CheckResult
from arena.store import NoDatabase, StoreError, open_store
from referee.build_info import chance_remedy, codec_remedy, compiled, is_outdated, rules_remedy
from referee.process.cpu_accounting import is_counted
from referee.sandbox.cpu_supply import cpu_supply

OLDEST_PYTHON = (3, 11)
OLDEST = {"grpcio": (1, 78), "protobuf": (6, 31)}
"""What the stubs in referee/v1 need."""

ROOM_BYTES = 1 << 30


def python() -> CheckResult:
    """Check the version of Python."""
    version = f"Python {platform.python_version()}, {sys.executable}"
    if sys.version_info >= OLDEST_PYTHON:
        return CheckResult("python", "good", version)
    return CheckResult("python", "broken", version, "install Python 3.11 or newer")


def libraries() -> CheckResult:
    """Check the versions of the gRPC and protobuf libraries."""
    versions = {name: metadata.version(name) for name in OLDEST}
    installed = ", ".join(f"{name} {version}" for name, version in versions.items())
    old = [name for name, version in versions.items() if tuple(map(int, version.split(".")[:2])) < OLDEST[name]]
    if not old:
        return CheckResult("grpc", "good", installed)
    return CheckResult(
        "grpc", "broken", f"{installed}: {' and '.join(old)} too old", "reinstall arena from its lock file"
    )


def packages() -> CheckResult:
    """Name the packages with features that are loaded."""
    from arena.hooks.plugins import loaded

    return CheckResult("packages", "good", ", ".join(loaded()) or "none with further features")


def rules() -> CheckResult:
    """Report whether rules and referee are compiled."""
    if compiled():
        return CheckResult("rules", "good", "compiled, with the referee's code for each decision")
    if remedy := rules_remedy():
        why = "a source has changed since they were compiled" if is_outdated() else "matches take 2.5 times as long"
        return CheckResult("rules", "less", f"interpreted: {why}", remedy)
    return CheckResult("rules", "good", "interpreted, as ARENA_RULES says")


def codec() -> CheckResult:
    """Report whether the codec runs as C."""
    if remedy := codec_remedy():
        return CheckResult("codec", "less", "pure: it runs in Python, and matches take longer", remedy)
    return CheckResult("codec", "good", "native: it runs as C")


def chance() -> CheckResult:
    """Report whether shuffles, picks and rolls are drawn in C."""
    if remedy := chance_remedy():
        return CheckResult("chance", "less", "pure: it is drawn by Python's hashlib, and matches take longer", remedy)
    return CheckResult("chance", "good", "native: it is drawn in C")


def cores() -> CheckResult:
    """Check the cores that arena may use."""
    supply = cpu_supply()
    if supply.is_short:
        sentence = (
            f"{supply.quota:g} of {supply.present} cores, by the CPU quota of {supply.group}: "
            f"the default is --jobs {supply.cores}"
        )
        remedy = "raise the quota to a whole number of cores, such as by --cpus of docker or CPUQuota of systemd"
        if supply.quota == supply.cores > 1:
            return CheckResult("cores", "good", sentence)
        return CheckResult("cores", "less", sentence, remedy)
    if supply.cores > 1:
        sentence = f"{supply.cores} of {supply.present} cores: the default is --jobs {supply.cores}"
        return CheckResult("cores", "good", sentence)
    sentence = "1 core" if supply.present == 1 else f"1 of {supply.present} cores"
    return CheckResult("cores", "less", sentence, "bots and referee share it: run nothing else during a tournament")


def pauses() -> CheckResult:
    """Check that a referee can tell a pause of this machine from a delay."""
    if is_counted():
        sentence = "the kernel counts who waits for a core: a pause of the machine is charged to nobody"
        return CheckResult("pauses", "good", sentence)
    sentence = (
        "the kernel does not count who waits for a core, so bots pay for a pause of the machine, and for other programs"
    )
    return CheckResult("pauses", "less", sentence, "use a kernel with CONFIG_SCHED_INFO")


def disk() -> CheckResult:
    """Check the folder of temporary files: sockets and copies of bots."""
    folder = tempfile.gettempdir()
    try:
        with tempfile.TemporaryDirectory():
            free = shutil.disk_usage(folder).free
    except OSError as error:
        remedy = "set TMPDIR to a writable folder"
        return CheckResult("disk", "broken", f"{folder} is not writable ({error.strerror})", remedy)
    sentence = f"{free >> 20:,} MB free in {folder}"
    return (
        CheckResult("disk", "good", sentence)
        if free >= ROOM_BYTES
        else CheckResult("disk", "less", sentence, "free at least 1 GB")
    )


def database(db: str) -> CheckResult:
    """Check that the database is writable."""
    try:
        with open_store(db, write=True) as store:
            return CheckResult("database", "good", f"{store.where} is writable")
    except NoDatabase:
        pass
    except StoreError as error:
        return CheckResult("database", "broken", str(error), "fix that, or choose another database with --db")
    if "://" in db:
        return CheckResult(
            "database", "good", f"{db.rsplit('@', 1)[-1]} has no tables yet: the first tournament creates them"
        )
    folder = os.path.dirname(os.path.abspath(db))
    if os.access(folder, os.W_OK | os.X_OK):
        return CheckResult("database", "good", f"{db} does not exist yet: the first tournament creates it")
    return CheckResult("database", "broken", f"{folder} is not writable", "choose another place with --db")
