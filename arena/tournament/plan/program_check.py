"""Check that this machine can start a program, before a tournament begins.

The kernel only reports "exec format error"; these checks read the first bytes of the file and explain the problem.
"""

import os
import platform
import shutil
from pathlib import Path
from struct import unpack_from

from referee.sandbox import environment

_MACHINES = {
    3: "i386", 8: "mips", 20: "ppc", 21: "ppc64", 22: "s390x", 40: "arm", 43: "sparc64", 62: "x86_64", 183: "aarch64",
    243: "riscv", 258: "loongarch64",
}  # fmt: skip
"""ELF e_machine -> name (https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html and later registry)."""

_NATIVE = {
    "x86_64": (62, 3), "aarch64": (183, 40), "armv7l": (40,), "i686": (3,), "ppc64le": (21,), "s390x": (22,),
    "riscv64": (243,), "loongarch64": (258,),
}  # fmt: skip
"""`platform.machine()` -> the ELF machine types that its kernel starts."""

_FOREIGN = {
    b"MZ": "a Windows program",
    b"\xcf\xfa\xed\xfe": "a macOS program",
    b"\xca\xfe\xba\xbe": "a macOS program or a Java class",
    b"PK": 'an archive; a Java archive is started as "java -jar FILE"',
}

_PT_INTERP = 3


def check_file(path: Path) -> str:
    """Return why `path` cannot be read as a program's file; empty if it can."""
    if not path.exists():
        return "is a link to a file that does not exist" if path.is_symlink() else "does not exist"
    if path.is_dir():
        return "is a folder: name the program in it"
    if not os.access(path, os.R_OK):
        return f"is not readable: chmod +r {path}"
    return "" if path.stat().st_size else "is empty"


def check_program(path: Path) -> str:
    """Return why this machine cannot start `path` as a program; empty if it can."""
    if problem := check_file(path):
        return problem
    if not os.access(path, os.X_OK):
        return f"is not executable: chmod +x {path}"
    with path.open("rb") as file:
        head = file.read(4096)
    if head.startswith(b"\x7fELF"):
        return _check_elf(head)
    if head.startswith(b"#!"):
        return _check_script(head)
    for magic, kind in _FOREIGN.items():
        if head.startswith(magic):
            return f"is {kind}, which this machine does not start"
    return "is not a program: it has neither the header of one nor a #! line that names its interpreter"


def _check_elf(head: bytes) -> str:
    """Check that the machine type and the loader of a program are those of this machine."""
    if len(head) < 64:
        return "is damaged: it ends in the middle of its ELF header"
    is_64_bit, order = head[4] == 2, "<" if head[5] == 1 else ">"
    machine = unpack_from(order + "H", head, 18)[0]
    here = platform.machine()
    if machine not in _NATIVE.get(here, (machine,)):
        return f"is a program for {_MACHINES.get(machine, f'machine type {machine}')}, and this machine is {here}"
    loader = _loader(head, is_64_bit, order)
    if loader and not Path(loader).exists():
        return f"needs the loader {loader}, which is not installed: link the program statically or build it here"
    return ""


def _loader(head: bytes, is_64_bit: bool, order: str) -> str:
    """Return the path of the dynamic loader that a program names; empty if it is statically linked."""
    first = unpack_from(order + ("Q" if is_64_bit else "L"), head, 32 if is_64_bit else 28)[0]
    size, count = unpack_from(order + "HH", head, 54 if is_64_bit else 42)
    for offset in range(first, first + size * count, size or 1):
        if offset + size > len(head):
            break
        if unpack_from(order + "L", head, offset)[0] == _PT_INTERP:
            start = unpack_from(order + ("Q" if is_64_bit else "L"), head, offset + (8 if is_64_bit else 4))[0]
            return head[start : head.find(b"\0", start)].decode(errors="replace")
    return ""


def _check_script(head: bytes) -> str:
    """Check that the interpreter of a script is installed."""
    line = head[2:].split(b"\n", 1)[0]
    words = line.decode(errors="replace").split()
    if line.endswith(b"\r"):
        return "has a #! line with a Windows line ending (CR LF): sed -i 's/\\r$//' makes it work"
    if not words:
        return "has a #! line that names no program"
    if not os.access(words[0], os.X_OK) or Path(words[0]).is_dir():
        return f"needs the interpreter {words[0]} (its #! line), which is not installed"
    if Path(words[0]).name == "env":
        arguments = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        path = environment("", "")["PATH"]
        if arguments and shutil.which(arguments[0], path=path) is None:
            return f"needs the interpreter {arguments[0]} (its #! line), which is not in the bots' PATH ({path})"
    return ""
