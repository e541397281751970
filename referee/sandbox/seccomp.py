"""Assembles the system call filter, a small program for the kernel.

All calls are allowed except these (see `syscalls`):

    denied                                 EPERM
    ignored                                success, without effect
    limited                                the error of each, except for the values that are allowed
    shared memory without a file,
    and further stacks that grow           ENOMEM, where nothing counts memory
    larger pipes                           EPERM, where nothing counts memory
    clone3                                 ENOSYS: a filter cannot see its flags, and libraries fall back to clone
    newer than our list                    ENOSYS
    another instruction set (i386, x32)    the process is killed: the numbers would mean other calls

Build steps may call everything but what makes memory that nobody sees, where nothing counts theirs (`for_builds`).

Format: an array of struct sock_filter (linux/filter.h) over struct seccomp_data (linux/seccomp.h).
"""

import errno
import platform
import sys
from functools import cache
from struct import pack

from referee.sandbox.syscalls import (
    ACCELERATOR_REQUESTS,
    ARCHITECTURES,
    CLONE3,
    DENIED,
    FCNTL,
    FIRST_UNKNOWN,
    GROWS_DOWN,
    IGNORED,
    INTERNET,
    INTERNET_PROTOCOLS,
    INTERNET_TYPES,
    IOCTL,
    LIMITED,
    METADATA,
    MMAP,
    SET_PIPE_SIZE,
    SHARED_ANONYMOUS,
    SOCKET,
    TYPE_MASK,
    UNSEEN,
    Limited,
)

_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # linux/audit.h
_X32_BIT = 0x40000000

# linux/bpf_common.h: load a word, mask it, jump where it is equal, or at least as large; return a constant.
_LOAD, _MASK, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06

_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data; the low half of an argument comes first

_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_KILL_PROCESS = 0x80000000

_Step = tuple[int, int] | tuple[int, int, int, int]
"""An instruction, its value, and for jumps how many steps to skip where it holds and where not."""


@cache
def program(
    machine: str = "",
    *,
    own_files: bool = True,
    network: bool = False,
    devices: bool = False,
    counted: bool = True,
) -> bytes:
    """Return the filter for a machine, this one by default; empty where its system calls are unknown.

    machine: as `platform.machine()` has it.
    own_files: the program has files of its own and sees all others read-only; otherwise it may change the metadata of
        no file.
    network: it may also have sockets of TCP and UDP.
    devices: it may also send requests to accelerators.
    counted: a control group counts its memory.
    """
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES or sys.byteorder != "little":
        return b""
    place = ARCHITECTURES.index(machine)
    code = _loading_number(machine)
    code += [(_EQUAL, CLONE3[place], 0, 1), _fail(errno.ENOSYS)]
    for numbers in IGNORED.values():
        if (number := numbers[place]) is not None:
            code += [(_EQUAL, number, 0, 1), _fail(0)]
    if network:
        code += _granting_sockets(SOCKET[place])
    if devices:
        code += _granting_requests(IOCTL[place])
    if not counted:
        code += _refusing_uncounted(place)
    for limited in LIMITED.values():
        code += _limiting(limited, place)
    calls = [*DENIED.values(), *([] if own_files else METADATA.values())]
    denied = [numbers[place] for numbers in calls if numbers[place] is not None]
    for left, number in zip(range(len(denied), 0, -1), denied, strict=True):
        code.append((_EQUAL, number or 0, left, 0))  # past the rest of the list and the return that allows
    return _packed([*code, (_RETURN, _ALLOW), _fail(errno.EPERM)])


@cache
def for_builds(machine: str = "") -> bytes:
    """Return the filter for build steps where no control group counts their memory; empty as that of `program` is."""
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES or sys.byteorder != "little":
        return b""
    place = ARCHITECTURES.index(machine)
    code = _loading_number(machine)
    for numbers in UNSEEN.values():
        code += [(_EQUAL, numbers[place] or 0, 0, 1), _fail(errno.ENOSYS)]
    code += _refusing_uncounted(place)
    return _packed([*code, *_limiting(LIMITED["setsockopt"], place), (_RETURN, _ALLOW)])


def _packed(code: list[_Step]) -> bytes:
    return b"".join(pack("<HBBI", step[0], *(step[2:] or (0, 0)), step[1]) for step in code)


def _loading_number(machine: str) -> list[_Step]:
    """Return the steps that load the number of the call, unless it means another call or is newer than our list."""
    code: list[_Step] = [(_LOAD, _ARCH), (_EQUAL, _AUDIT_ARCH[machine], 1, 0), (_RETURN, _KILL_PROCESS)]
    code.append((_LOAD, _NUMBER))
    if machine == "x86_64":
        code += [(_AT_LEAST, _X32_BIT, 0, 1), (_RETURN, _KILL_PROCESS)]
    return [*code, (_AT_LEAST, FIRST_UNKNOWN, 0, 1), _fail(errno.ENOSYS)]


def _limiting(limited: Limited, place: int) -> list[_Step]:
    """Return the steps that decide about a limited call and pass over all other calls."""
    steps: list[_Step] = [(_LOAD, _ARGUMENTS + 8 * limited.argument)]
    length = 1 + len(limited.refused) + len(limited.allowed) + 2 * bool(limited.pattern)  # the two ends stand there
    steps += [(_EQUAL, value, length - 2 - step, 0) for step, value in enumerate(limited.refused)]
    for value in limited.allowed:
        steps.append((_EQUAL, value, length - len(steps), 0))
    if limited.pattern is not None:
        mask, left = limited.pattern
        steps += [(_MASK, mask), (_EQUAL, left, 1, 0)]
    steps += [_fail(limited.error), (_RETURN, _ALLOW)]
    number = limited.numbers[place]
    return [] if number is None else [(_EQUAL, number, 0, len(steps)), *steps]


def _refusing_uncounted(place: int) -> list[_Step]:
    """Return the steps that refuse what no limit counts, and leave all other calls to the steps that follow."""
    flags: list[_Step] = [(_LOAD, _ARGUMENTS + 8 * 3), (_MASK, GROWS_DOWN), (_EQUAL, GROWS_DOWN, 3, 0)]
    flags += [(_LOAD, _ARGUMENTS + 8 * 3), (_MASK, SHARED_ANONYMOUS), (_EQUAL, SHARED_ANONYMOUS, 0, 1)]
    flags.append(_fail(errno.ENOMEM))
    command: list[_Step] = [(_LOAD, _ARGUMENTS + 8), (_EQUAL, SET_PIPE_SIZE, 0, 1), _fail(errno.EPERM)]
    return [
        *((_EQUAL, MMAP[place], 0, len(flags) + 1), *flags, (_LOAD, _NUMBER)),
        *((_EQUAL, FCNTL[place], 0, len(command) + 1), *command, (_LOAD, _NUMBER)),
    ]


def _granting_sockets(number: int) -> list[_Step]:
    """Return the steps that allow sockets of the internet, and leave all other calls to the steps that follow."""
    granted: list[_Step] = [(_LOAD, _ARGUMENTS), *_one_of(INTERNET)]
    granted += [(_LOAD, _ARGUMENTS + 8), (_MASK, TYPE_MASK), *_one_of(INTERNET_TYPES)]
    granted += [(_LOAD, _ARGUMENTS + 16), *_one_of(INTERNET_PROTOCOLS)]
    return _granting(number, granted)


def _granting_requests(number: int) -> list[_Step]:
    """Return the steps that allow requests to accelerators, and leave all other calls to the steps that follow."""
    requests = tuple(kind << 8 for kind in ACCELERATOR_REQUESTS)
    return _granting(number, [(_LOAD, _ARGUMENTS + 8), (_MASK, 0xFF00), *_one_of(requests)])


_ELSE = -1
"""Stands for a jump past all steps of a grant, until their number is known."""


def _one_of(values: tuple[int, ...]) -> list[_Step]:
    """Return the steps that go on where a value was loaded that is one of these."""
    last = len(values) - 1
    return [(_EQUAL, value, last - place, _ELSE if place == last else 0) for place, value in enumerate(values)]


def _granting(number: int, conditions: list[_Step]) -> list[_Step]:
    """Return the steps that allow a call under conditions; after them its number is loaded again."""
    steps: list[_Step] = [(_EQUAL, number, 0, _ELSE), *conditions, (_RETURN, _ALLOW)]
    resolved: list[_Step] = []
    for place, step in enumerate(steps):
        over = len(steps) - place - 1
        resolved.append((step[0], step[1], step[2], over) if len(step) == 4 and step[3] == _ELSE else step)
    return [*resolved, (_LOAD, _NUMBER)]


def _fail(number: int) -> _Step:
    return _RETURN, _ERRNO | number
