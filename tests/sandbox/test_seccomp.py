"""The filter of system calls, run step by step as the kernel runs it."""

import errno
import struct

import pytest

from referee.sandbox import seccomp
from referee.sandbox.syscalls import ARCHITECTURES, CLONE, CLONE3, DENIED, FIRST_UNKNOWN, SOCKET

ALLOWED = 0x7FFF0000
KILLED = 0x80000000
READ = {"x86_64": 0, "aarch64": 63}
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

machines = pytest.mark.parametrize("machine", ARCHITECTURES)


def verdict(machine: str, call: int, argument: int = 0, arch: int | None = None) -> int:
    """Return what the kernel would be told of a call."""
    code = [struct.unpack("<HBBI", step) for (step,) in struct.iter_unpack("8s", seccomp.program(machine))]
    data = struct.pack("<IIQ6Q", call, AUDIT[machine] if arch is None else arch, 0, argument, 0, 0, 0, 0, 0)
    loaded = place = 0
    while True:
        kind, yes, no, value = code[place]
        place += 1
        match kind:
            case 0x20:
                loaded = struct.unpack_from("<I", data, value)[0]
            case 0x15:
                place += yes if loaded == value else no
            case 0x35:
                place += yes if loaded >= value else no
            case 0x45:
                place += yes if loaded & value else no
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(f"an unknown step {kind:#x}")


def failing(number: int) -> int:
    return 0x50000 | number


@machines
def test_ordinary_calls_are_allowed(machine: str) -> None:
    assert verdict(machine, READ[machine]) == ALLOWED
    denied = {numbers[ARCHITECTURES.index(machine)] for numbers in DENIED.values()}
    special = {each[ARCHITECTURES.index(machine)] for each in (SOCKET, CLONE, CLONE3)}
    others = [call for call in range(FIRST_UNKNOWN) if call not in denied | special]
    assert {verdict(machine, call) for call in others} == {ALLOWED}


@machines
@pytest.mark.parametrize("name", DENIED)
def test_denied_calls_fail(machine: str, name: str) -> None:
    number = DENIED[name][ARCHITECTURES.index(machine)]
    if number is not None:
        assert verdict(machine, number) == failing(errno.EPERM)


@machines
def test_only_unix_sockets_are_made(machine: str) -> None:
    call = SOCKET[ARCHITECTURES.index(machine)]
    assert verdict(machine, call, 1) == ALLOWED
    assert {verdict(machine, call, family) for family in (0, 2, 10, 16, 17, 40)} == {failing(errno.EAFNOSUPPORT)}


@machines
def test_processes_are_made_and_namespaces_are_not(machine: str) -> None:
    place = ARCHITECTURES.index(machine)
    assert verdict(machine, CLONE[place], 0x00010F00) == ALLOWED  # a thread
    assert verdict(machine, CLONE[place], 0x10000000 | 17) == failing(errno.EPERM)
    assert verdict(machine, CLONE3[place]) == failing(errno.ENOSYS)


@machines
def test_calls_that_nobody_knew_and_other_instruction_sets_are_refused(machine: str) -> None:
    assert verdict(machine, FIRST_UNKNOWN) == verdict(machine, FIRST_UNKNOWN + 100) == failing(errno.ENOSYS)
    assert verdict(machine, READ[machine], arch=0x40000003) == KILLED
    if machine == "x86_64":
        assert verdict(machine, 0x40000000 | 101) == KILLED


def test_other_machines_have_no_filter() -> None:
    assert seccomp.program("riscv64") == b""
