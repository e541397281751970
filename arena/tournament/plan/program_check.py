"""Whether this machine can start a file: told before a tournament begins, in a sentence.

The kernel says no more than "exec format error"; this looks at the first bytes itself.
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
"""`platform.machine()` -> the kinds of programs that its kernels start."""

_FOREIGN = {
    b"MZ": "a Windows program",
    b"\xcf\xfa\xed\xfe": "a macOS program",
    b"\xca\xfe\xba\xbe": "a macOS program or a Java class",
    b"PK": 'an archive; a Java archive is started as "java -jar FILE"',
}

_PT_INTERP = 3


def check_file(path: Path) -> str:
    """Return what keeps `path` from being read as a program's file, or nothing."""
    if not path.exists():
        return "is a link to a file that does not exist" if path.is_symlink() else "does not exist"
    if path.is_dir():
        return "is a folder: name the program in it"
    if not os.access(path, os.R_OK):
        return "cannot be read: give yourself the right (chmod +r)"
    return "" if path.stat().st_size else "is empty"


def check_program(path: Path) -> str:
    """Return what keeps this machine from starting `path` as a program, or nothing."""
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
    return "is no program: it begins neither like one nor with a #! line that says what runs it"


def _check_elf(head: bytes) -> str:
    """Look at the machine and the loader that a program is made for."""
    if len(head) < 64:
        return "is damaged: it ends in the middle of a program's header"
    wide, order = head[4] == 2, "<" if head[5] == 1 else ">"
    machine = unpack_from(order + "H", head, 18)[0]
    here = platform.machine()
    if machine not in _NATIVE.get(here, (machine,)):
        return f"is a program for {_MACHINES.get(machine, f'machine type {machine}')}, and this machine is {here}"
    loader = _loader(head, wide, order)
    if loader and not Path(loader).exists():
        return f"needs the loader {loader}, which is not installed: link the program statically or build it here"
    return ""


def _loader(head: bytes, wide: bool, order: str) -> str:
    """Return the path of the dynamic loader that a program names, or nothing."""
    first = unpack_from(order + ("Q" if wide else "L"), head, 32 if wide else 28)[0]
    size, count = unpack_from(order + "HH", head, 54 if wide else 42)
    for at in range(first, first + size * count, size or 1):
        if at + size > len(head):
            break
        if unpack_from(order + "L", head, at)[0] == _PT_INTERP:
            where = unpack_from(order + ("Q" if wide else "L"), head, at + (8 if wide else 4))[0]
            return head[where : head.find(b"\0", where)].decode(errors="replace")
    return ""


def _check_script(head: bytes) -> str:
    """Look for the program that a script's first line names."""
    line = head[2:].split(b"\n", 1)[0]
    words = line.decode(errors="replace").split()
    if line.endswith(b"\r"):
        return "has a first line that ends as on Windows (CR LF): sed -i 's/\\r$//' makes it work"
    if not words:
        return "has a #! line that names no program"
    if not os.access(words[0], os.X_OK) or Path(words[0]).is_dir():
        return f"is run by {words[0]}, as its first line says, which is not installed"
    if Path(words[0]).name == "env":
        named = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        path = environment("", "")["PATH"]
        if named and shutil.which(named[0], path=path) is None:
            return f"is run by {named[0]}, as its first line says, which is not in the bots' PATH ({path})"
    return ""
