"""The filter of system calls: a small program for the kernel, assembled here.

All calls are allowed but these:

    the denied ones (`syscalls.DENIED`)    EPERM
    sockets that are not Unix sockets      EAFNOSUPPORT, as on a machine without that protocol
    clone with a new namespace             EPERM
    clone3                                 ENOSYS: its flags cannot be seen, and libraries fall back to clone
    calls later than our list              ENOSYS
    another instruction set (i386, x32)    the process is killed: the numbers would mean other calls

Format: an array of struct sock_filter (linux/filter.h) over struct seccomp_data (linux/seccomp.h).
"""

import errno
import platform
import sys
from functools import cache
from struct import pack

from referee.sandbox.syscalls import ARCHITECTURES, CLONE, CLONE3, DENIED, FIRST_UNKNOWN, SOCKET

_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # linux/audit.h
_X32_BIT = 0x40000000

# linux/bpf_common.h: load a word, jump where equal, greater or equal, or with common bits; return a constant.
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06

_NUMBER, _ARCH, _FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data; the low half of an argument comes first

_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_KILL_PROCESS = 0x80000000

_NEW_NAMESPACE = 0x7E020000  # CLONE_NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET
_AF_UNIX = 1


@cache
def program(machine: str = "") -> bytes:
    """Return the filter for a machine, this one by default; empty where we do not know its system calls.

    machine: as `platform.machine()` has it.
    """
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES or sys.byteorder != "little":
        return b""
    place = ARCHITECTURES.index(machine)
    code = [(_LOAD, _ARCH), (_EQUAL, _AUDIT_ARCH[machine], 1, 0), (_RETURN, _KILL_PROCESS), (_LOAD, _NUMBER)]
    if machine == "x86_64":
        code += [(_AT_LEAST, _X32_BIT, 0, 1), (_RETURN, _KILL_PROCESS)]
    code += [(_AT_LEAST, FIRST_UNKNOWN, 0, 1), _fail(errno.ENOSYS)]
    code += [(_EQUAL, CLONE3[place], 0, 1), _fail(errno.ENOSYS)]
    code += [(_EQUAL, SOCKET[place], 0, 4), (_LOAD, _FIRST_ARGUMENT), (_EQUAL, _AF_UNIX, 0, 1), (_RETURN, _ALLOW)]
    code += [_fail(errno.EAFNOSUPPORT)]
    code += [(_EQUAL, CLONE[place], 0, 4), (_LOAD, _FIRST_ARGUMENT), (_ANY_BIT, _NEW_NAMESPACE, 1, 0)]
    code += [(_RETURN, _ALLOW), _fail(errno.EPERM)]
    denied = [numbers[place] for numbers in DENIED.values() if numbers[place] is not None]
    for left, number in zip(range(len(denied), 0, -1), denied, strict=True):
        code.append((_EQUAL, number or 0, left, 0))  # over the rest of the list and the allowance
    code += [(_RETURN, _ALLOW), _fail(errno.EPERM)]
    return b"".join(pack("<HBBI", step[0], *(step[2:] or (0, 0)), step[1]) for step in code)


def _fail(number: int) -> tuple[int, int]:
    return _RETURN, _ERRNO | number
