"""Check that this machine can start a program, before it is started.

The kernel reports "exec format error" and the dynamic loader exits with 127; these checks read the file and explain
the problem. Nothing of it is executed.
"""

import os
import platform
import shutil
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from arena.packs.elf import EXECUTABLE, MAGIC, SHARED, DamagedElf, Elf, read_elf
from referee.sandbox import environment

_MACHINES = {
    2: "sparc", 3: "i386", 8: "mips", 20: "ppc", 21: "ppc64", 22: "s390x", 40: "arm", 43: "sparc64", 62: "x86_64",
    183: "aarch64", 243: "riscv", 258: "loongarch64",
}  # fmt: skip
"""ELF e_machine -> name (https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html and later registry)."""

_NATIVE = {
    "x86_64": (62, 3), "aarch64": (183, 40), "armv7l": (40,), "i686": (3,), "ppc64le": (21,), "s390x": (22,),
    "riscv64": (243,), "loongarch64": (258,),
}  # fmt: skip
"""`platform.machine()` -> the ELF machine types that its kernel starts."""

_64_BIT = (62, 183, 258)
"""ELF machine types whose programs have 64 bits."""

_FOREIGN = {
    b"MZ": "a Windows program",
    b"\xcf\xfa\xed\xfe": "a macOS program",
    b"\xce\xfa\xed\xfe": "a macOS program",
    b"\xfe\xed\xfa\xce": "a macOS program",
    b"\xfe\xed\xfa\xcf": "a macOS program",
    b"\xca\xfe\xba\xbe": "a macOS program or a Java class",
    b"PK": 'an archive; a Java archive is started as "java -jar FILE"',
    b"!<arch>": "an archive of object files",
}

_KINDS = {
    stat.S_ISFIFO: "a pipe", stat.S_ISSOCK: "a socket", stat.S_ISCHR: "a device", stat.S_ISBLK: "a device"
}  # fmt: skip

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_LIBRARY_FOLDERS = ("/lib", "/usr/lib", "/lib64", "/usr/lib64", "/lib32", "/usr/lib32", "/libx32", "/usr/libx32")

_LOADER_CONFIGURATION = "/etc/ld.so.conf"

MOST_OWN_LIBRARIES = 100
"""Libraries in a bot's folder that are read too, for what they need."""

MOST_TRIES = 5000
"""Paths that are tried for libraries; beyond them it is left to the loader."""


def check_file(path: Path) -> str:
    """Return why `path` cannot be read as a program's file; empty if it can."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return "is a link to a file that does not exist" if path.is_symlink() else "does not exist"
    except OSError as error:  # a folder above it may not be entered, or links lead in a circle
        return f"cannot be read: {error.strerror}"
    if stat.S_ISDIR(status.st_mode):
        return "is a folder: name the program in it"
    for is_kind, kind in _KINDS.items():
        if is_kind(status.st_mode):
            return f"is {kind} and not a file: name a program"
    if not os.access(path, os.R_OK):
        return f"is not readable: chmod +r {path}"
    return "" if status.st_size else "is empty: build it again, or copy it again"


def check_program(path: Path) -> str:
    """Return why this machine cannot start `path` as a program; empty if it can."""
    if problem := check_file(path):
        return problem
    if not os.access(path, os.X_OK):
        return f"is not executable: chmod +x {path}"
    try:
        # It may have become a pipe since, which must not be waited for.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            head = os.read(descriptor, 4096)
            if head.startswith(MAGIC):
                return _check_elf(read_elf(descriptor), path)
        finally:
            os.close(descriptor)
    except DamagedElf as error:
        return f"is damaged: {error}; build it again, or copy it again"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if head.startswith(b"#!"):
        return _check_script(head)
    if head.startswith(_BYTE_ORDER_MARK + b"#!"):
        return "begins with a byte order mark, before its #! line: save it as UTF-8 without one"
    for magic, kind in _FOREIGN.items():
        if head.startswith(magic):
            return f"is {kind}, which this machine does not start: build it for Linux on {platform.machine()}"
    return (
        "is not a program: it has neither the header of one nor a #! line that names its interpreter, such as #!/bin/sh"
    )


def _check_elf(program: Elf, path: Path) -> str:
    """Check that a program is one for this machine, and that its loader and its libraries are installed."""
    here = platform.machine()
    remedy = f"build it for {here}"
    if program.machine not in _NATIVE.get(here, (program.machine,)):
        name = _MACHINES.get(program.machine, f"machine type {program.machine}")
        return f"is a program for {name}, and this machine is {here}: {remedy}"
    if program.is_little_endian != (sys.byteorder == "little"):
        order = "little" if program.is_little_endian else "big"
        return f"is a program for {order}-endian machines, and this one is {sys.byteorder}-endian: {remedy}"
    if not program.is_64_bit and program.machine in _64_BIT:
        return f"is a program with 32-bit addresses for {_MACHINES[program.machine]}, which few kernels start: {remedy}"
    if program.type not in (EXECUTABLE, SHARED):
        return "is an object file or a memory dump and not a program: link it, and name the program"
    if program.type == SHARED and not program.entry and not program.loader:
        return "is a library and not a program: name the program"
    if program.loader and not Path(program.loader).is_file():
        return (
            f"needs the loader {program.loader}, which is not installed: link the program statically or build it here"
        )
    if missing := _missing_library(program, Path(os.path.realpath(path))):
        return (
            f"needs the library {missing}, which is not installed: link it statically, or put it into the bot's folder "
            "and link with -Wl,-rpath,'$ORIGIN'"
        )
    return ""


def _missing_library(program: Elf, path: Path) -> str:
    """Return the first library that the dynamic loader will not find; empty if it finds all, or if that is unknown."""
    if not _is_glibc(program.loader):
        return ""  # other loaders search elsewhere
    waiting: list[tuple[Elf, Path]] = [(program, path)]
    folders: dict[str, None] = {}
    known: set[str] = set()
    tries = 0
    for file, where in waiting:  # grows while it is read
        for folder in file.folders:
            expanded = folder.replace("${ORIGIN}", "$ORIGIN").replace("$ORIGIN", str(where.parent))
            if "$" in expanded or not expanded.startswith("/"):
                return ""  # $LIB and $PLATFORM are known to the loader alone, as is where the bot will be started
            folders[expanded] = None
        for name in file.libraries:
            if name in known:
                continue
            known.add(name)
            tries += len(folders) + 1
            if tries > MOST_TRIES or ("/" in name and not name.startswith("/")):
                return ""
            places = [Path(name)] if "/" in name else [Path(folder, name) for folder in (*folders, *_system_folders())]
            candidates = ((place, library) for place in places if (library := _library(place, program)) is not None)
            place, library = next(candidates, (None, None))
            if place is None or library is None:
                return name if len(waiting) == 1 else f"{name} (of its {where.name})"
            if len(waiting) < MOST_OWN_LIBRARIES and str(place.parent) not in _system_folders():
                waiting.append((library, place))
    return ""


def _is_glibc(loader: str) -> bool:
    """Tell whether a loader is that of the GNU C library in its usual place."""
    path = Path(loader)
    return path.name.startswith(("ld-linux", "ld64.so", "ld.so")) and str(path.parent) in _LIBRARY_FOLDERS


def _library(path: Path, program: Elf) -> Elf | None:
    """Return the library at a path; None if there is none that fits the program."""
    with suppress(OSError, DamagedElf):
        if not path.is_file():  # opening a device may do something
            return None
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            if stat.S_ISREG(os.fstat(descriptor).st_mode) and os.read(descriptor, 4) == MAGIC:
                library = read_elf(descriptor)
                if (library.machine, library.is_64_bit) == (program.machine, program.is_64_bit):
                    return library
        finally:
            os.close(descriptor)
    return None


@cache
def _system_folders() -> tuple[str, ...]:
    """Return the folders in which the loader of this machine searches libraries."""
    triples = [str(path) for root in ("/lib", "/usr/lib") for path in sorted(Path(root).glob("*-linux-gnu*"))]
    folders = [*_LIBRARY_FOLDERS, *triples, *_configured((_LOADER_CONFIGURATION,))]
    return tuple(dict.fromkeys(folder for folder in folders if Path(folder).is_dir()))


def _configured(files: Sequence[str]) -> Iterator[str]:
    """Yield the folders in the loader's configuration files, which may include others."""
    for file in files:
        with suppress(OSError):
            for line in Path(file).read_text(errors="replace").splitlines():
                words = line.partition("#")[0].split()
                if words[:1] == ["include"]:
                    for pattern in words[1:]:
                        relative = os.path.relpath(os.path.join("/etc", pattern), "/")
                        yield from _configured([str(path) for path in sorted(Path("/").glob(relative))])
                elif words:
                    yield words[0]


def _check_script(head: bytes) -> str:
    """Check that the interpreter of a script is installed."""
    line = head[2:].split(b"\n", 1)[0]
    words = line.decode(errors="replace").split()
    if line.endswith(b"\r"):
        return "has a #! line with a Windows line ending (CR LF): sed -i 's/\\r$//' makes it work"
    if not words or "\0" in words[0]:
        return "has a #! line that names no program: name its interpreter, such as #!/bin/sh"
    if not os.access(words[0], os.X_OK) or Path(words[0]).is_dir():
        return (
            f"needs the interpreter {words[0]} (its #! line), which is not installed: install it, or name another one"
        )
    if Path(words[0]).name == "env":
        arguments = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        path = environment("", "")["PATH"]
        if arguments and ("\0" in arguments[0] or shutil.which(arguments[0], path=path) is None):
            name = arguments[0]
            return (
                f"needs the interpreter {name} (its #! line), which is not in the bots' PATH ({path}): install it there"
            )
    return ""
