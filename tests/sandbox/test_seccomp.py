"""The filter of system calls, run step by step as the kernel runs it."""

import errno
import re
import struct
from pathlib import Path

import pytest

from referee.sandbox import seccomp
from referee.sandbox.syscalls import (
    ARCHITECTURES,
    CLONE3,
    DENIED,
    FCNTL,
    FIRST_UNKNOWN,
    IGNORED,
    LIMITED,
    METADATA,
    MMAP,
    PROCESSES,
    CallRule,
    Numbers,
)

ALLOWED = 0x7FFF0000
KILLED = 0x80000000
READ = {"x86_64": 0, "aarch64": 63}
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}

machines = pytest.mark.parametrize("machine", ARCHITECTURES)


def verdict(
    machine: str, call: int, argument: int = 0, arch: int | None = None, *, place: int = 0, own_files: bool = True
) -> int:
    """Return what the kernel would be told of a call with one argument at its place, and zeros beside it."""
    arguments = [0] * 6
    arguments[place] = argument
    return run(machine, seccomp.program(machine, own_files=own_files), call, arguments, arch)


def run(machine: str, program: bytes, call: int, arguments: list[int], arch: int | None = None) -> int:
    """Return what a filter tells the kernel of a call."""
    code = [struct.unpack("<HBBI", step) for (step,) in struct.iter_unpack("8s", program)]
    data = struct.pack("<IIQ6Q", call, AUDIT[machine] if arch is None else arch, 0, *arguments)
    loaded = step = 0
    while True:
        kind, yes, no, value = code[step]
        step += 1
        match kind:
            case 0x20:
                loaded = struct.unpack_from("<I", data, value)[0]
            case 0x54:
                loaded &= value
            case 0x15:
                step += yes if loaded == value else no
            case 0x35:
                step += yes if loaded >= value else no
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(f"an unknown step {kind:#x}")


def failing(number: int) -> int:
    return 0x50000 | number


def number(name: str, machine: str) -> int | None:
    """Return the number of a call that is listed somewhere."""
    numbers: dict[str, Numbers] = {
        **DENIED,
        **IGNORED,
        **METADATA,
        **{name: call.numbers for name, call in LIMITED.items()},
    }
    return numbers[name][ARCHITECTURES.index(machine)]


def limited(machine: str, name: str, argument: int) -> int:
    """Return what the kernel would be told of a call that is limited."""
    call = number(name, machine)
    assert call is not None
    return verdict(machine, call, argument, place=LIMITED[name].argument)


@machines
def test_numbers_are_those_of_the_kernel(machine: str) -> None:
    if not HEADERS[machine].exists():
        pytest.skip(f"{HEADERS[machine]} is not there: linux-libc-dev is not installed")
    text = HEADERS[machine].read_text()
    known = {name: int(value) for name, value in re.findall(r"define __NR(?:3264)?_(\w+)\s+(\d+)\b", text)}
    known.pop("syscalls", None)  # how many there are
    for name in (*DENIED, *IGNORED, *METADATA, *LIMITED):
        listed = number(name, machine)
        if name in known:
            assert listed == known[name], name
        else:  # the machine has no such call, or these headers are older than it, or do without it by now
            assert listed not in known.values(), name


@machines
def test_ordinary_calls_are_allowed(machine: str) -> None:
    assert verdict(machine, READ[machine]) == ALLOWED
    special = {number(name, machine) for name in (*DENIED, *IGNORED, *LIMITED)} | {CLONE3[ARCHITECTURES.index(machine)]}
    others = [call for call in range(FIRST_UNKNOWN) if call not in special]
    assert {verdict(machine, call) for call in others} == {ALLOWED}
    metadata = {number(name, machine) for name in METADATA}
    rest = [call for call in others if call not in metadata]
    assert {verdict(machine, call, own_files=False) for call in rest} == {ALLOWED}


@machines
@pytest.mark.parametrize("name", DENIED)
def test_denied_calls_fail(machine: str, name: str) -> None:
    call = number(name, machine)
    if call is not None:
        assert verdict(machine, call) == verdict(machine, call, own_files=False) == failing(errno.EPERM)


@machines
@pytest.mark.parametrize("name", IGNORED)
def test_ignored_calls_succeed_without_being_made(machine: str, name: str) -> None:
    call = number(name, machine)
    if call is not None:
        assert verdict(machine, call) == verdict(machine, call, own_files=False) == failing(0)


@machines
@pytest.mark.parametrize("name", METADATA)
def test_metadata_are_out_of_reach_of_who_has_no_files(machine: str, name: str) -> None:
    call = number(name, machine)
    if call is not None:
        assert verdict(machine, call) == ALLOWED
        assert verdict(machine, call, own_files=False) == failing(errno.EPERM)


@machines
def test_only_unix_sockets_are_made(machine: str) -> None:
    assert limited(machine, "socket", 1) == ALLOWED
    assert {limited(machine, "socket", family) for family in (0, 2, 10, 16, 17, 40)} == {failing(errno.EAFNOSUPPORT)}


@machines
def test_processes_are_made_and_namespaces_are_not(machine: str) -> None:
    assert limited(machine, "clone", 0x00010F00) == ALLOWED  # a thread
    assert limited(machine, "clone", 0x10000000 | 17) == failing(errno.EPERM)
    assert verdict(machine, CLONE3[ARCHITECTURES.index(machine)]) == failing(errno.ENOSYS)


@machines
def test_limits_are_ones_own(machine: str) -> None:
    assert limited(machine, "prlimit64", 0) == ALLOWED
    assert {limited(machine, "prlimit64", pid) for pid in (1, 2, 4711, 0xFFFFFFFF)} == {failing(errno.EPERM)}


@machines
def test_descriptors_are_copied_and_nobody_else_is_reached_by_them(machine: str) -> None:
    assert {limited(machine, "fcntl", command) for command in (0, 1, 2, 3, 4, 1030, 1033)} == {ALLOWED}
    locks = (5, 6, 7, 12, 13, 14, 36, 37, 38, 1029)
    leases, notices, hints, signals = (1024, 1025, 1039, 1040), (1026,), (1035, 1036, 1037, 1038), (8, 10, 15)
    for command in (*locks, *leases, *notices, *hints, *signals, 0xFFFFFFFF):
        assert limited(machine, "fcntl", command) == failing(errno.EPERM)


@machines
def test_requests_are_those_of_terminals_and_of_all_descriptors(machine: str) -> None:
    tcgets, fionread, fionbio, fioclex, tcgets2, ficlone = 0x5401, 0x541B, 0x5421, 0x5451, 0x802C542A, 0x40049409
    for request in (tcgets, fionread, fionbio, fioclex, tcgets2, ficlone):
        assert limited(machine, "ioctl", request) == ALLOWED
    tiocsti, fiosetown, siocspgrp, setflags, fssetxattr = 0x5412, 0x8901, 0x8902, 0x40086602, 0x401C5820
    for request in (tiocsti, fiosetown, siocspgrp, setflags, fssetxattr, 0, 1):
        assert limited(machine, "ioctl", request) == failing(errno.ENOTTY)


@machines
def test_a_socket_keeps_its_buffers(machine: str) -> None:
    for option, told in ((7, failing(0)), (8, failing(0)), (32, failing(0)), (33, failing(0)), (9, ALLOWED)):
        assert limited(machine, "setsockopt", option) == told


@machines
def test_only_what_nothing_counts_is_refused_as_shared_memory_or_as_a_stack(machine: str) -> None:
    counted, uncounted = seccomp.program(machine), seccomp.program(machine, counted=False)
    mmap = MMAP[ARCHITECTURES.index(machine)]
    for flags in range(0x200):
        refused = flags & 0x21 == 0x21 or flags & 0x100  # MAP_SHARED, MAP_ANONYMOUS; MAP_GROWSDOWN
        arguments = [0, 4096, 3, 0x20000 | flags, 0xFFFFFFFF, 0]
        for program in (uncounted, seccomp.for_builds(machine)):
            assert run(machine, program, mmap, arguments) == (failing(errno.ENOMEM) if refused else ALLOWED)
        assert run(machine, counted, mmap, arguments) == ALLOWED
    for call in {*range(FIRST_UNKNOWN + 2)} - {mmap}:
        arguments = [0, 4096, 3, 0x121, 0, 0]
        assert run(machine, uncounted, call, arguments) == run(machine, counted, call, arguments)


@machines
def test_pipes_grow_only_where_their_memory_is_counted(machine: str) -> None:
    counted, uncounted = seccomp.program(machine), seccomp.program(machine, counted=False)
    fcntl = FCNTL[ARCHITECTURES.index(machine)]
    for command in range(1100):
        arguments = [3, command, 1 << 20, 0, 0, 0]
        told = run(machine, counted, fcntl, arguments)
        grows = command == 1031  # F_SETPIPE_SZ
        assert run(machine, uncounted, fcntl, arguments) == (failing(errno.EPERM) if grows else told)
        assert run(machine, seccomp.for_builds(machine), fcntl, arguments) == (
            failing(errno.EPERM) if grows else ALLOWED
        )


@machines
def test_builds_make_no_memory_that_nobody_sees_and_call_everything_else(machine: str) -> None:
    refused = {
        number(name, machine) for name in ("memfd_create", "memfd_secret", "vmsplice", "shmget", "io_uring_setup")
    }
    assert len(refused) == 5
    for call in range(FIRST_UNKNOWN):
        told = run(machine, seccomp.for_builds(machine), call, [0] * 6)
        assert told == (failing(errno.ENOSYS) if call in refused else ALLOWED)
    options = LIMITED["setsockopt"].numbers[ARCHITECTURES.index(machine)]
    assert options is not None
    assert run(machine, seccomp.for_builds(machine), options, [3, 1, 7, 0, 0, 0]) == failing(0), "SO_SNDBUF"
    assert run(machine, seccomp.for_builds(machine), READ[machine], [0] * 6, 0x40000003) == KILLED


@pytest.mark.parametrize("name", PROCESSES)
def test_what_is_decided_about_calls_that_name_a_process_is_what_is_done(name: str) -> None:
    match PROCESSES[name]:
        case CallRule.DENIED:
            assert name in DENIED or name in LIMITED
        case CallRule.ITSELF:
            assert LIMITED[name].allowed == (0,)
        case _:
            assert name not in (*DENIED, *LIMITED, *METADATA)


@machines
def test_calls_that_nobody_knew_and_other_instruction_sets_are_refused(machine: str) -> None:
    assert verdict(machine, FIRST_UNKNOWN) == verdict(machine, FIRST_UNKNOWN + 100) == failing(errno.ENOSYS)
    assert verdict(machine, READ[machine], arch=0x40000003) == KILLED
    if machine == "x86_64":
        assert verdict(machine, 0x40000000 | 101) == KILLED


def test_other_machines_have_no_filter() -> None:
    assert seccomp.program("riscv64") == seccomp.for_builds("riscv64") == b""


FAMILIES = (0, 1, 2, 3, 10, 16, 17, 40)
"""Local, internet, netlink, packet, virtual machines and others."""
KINDS = (0, 1, 2, 3, 5, 10)
PROTOCOLS = (0, 1, 6, 17, 58, 132, 262)


@machines
def test_the_network_opens_tcp_and_udp_and_no_other_call(machine: str) -> None:
    place = ARCHITECTURES.index(machine)
    granted, plain = seccomp.program(machine, network=True), seccomp.program(machine)
    socket = LIMITED["socket"].numbers[place]
    assert socket is not None
    flags = 0o2004000  # SOCK_CLOEXEC, SOCK_NONBLOCK
    opened = {
        (family, kind, protocol)
        for family in FAMILIES
        for kind in KINDS
        for protocol in PROTOCOLS
        if run(machine, granted, socket, [family, kind | flags, protocol, 0, 0, 0]) == ALLOWED
    }
    internet = {(family, kind, protocol) for family in (2, 10) for kind in (1, 2) for protocol in (0, 6, 17)}
    unix = {(1, kind, protocol) for kind in KINDS for protocol in PROTOCOLS}
    assert opened == internet | unix
    for call in {*range(FIRST_UNKNOWN + 2)} - {socket}:
        arguments = [2, 1, 0, 0, 0, 0]
        assert run(machine, granted, call, arguments) == run(machine, plain, call, arguments)


@machines
def test_a_device_opens_requests_to_accelerators_and_no_other_call(machine: str) -> None:
    place = ARCHITECTURES.index(machine)
    granted, plain = seccomp.program(machine, devices=True), seccomp.program(machine)
    ioctl = LIMITED["ioctl"].numbers[place]
    assert ioctl is not None
    requests = [kind << 8 | number | size for kind in range(256) for number in (1, 0x2A) for size in (0, 0xC0480000)]
    more = {
        request >> 8 & 0xFF
        for request in requests
        if run(machine, granted, ioctl, [3, request, 0, 0, 0, 0])
        != run(machine, plain, ioctl, [3, request, 0, 0, 0, 0])
    }
    assert more == {ord("F"), ord("K"), ord("d")}
    for call in {*range(FIRST_UNKNOWN + 2)} - {ioctl}:
        arguments = [2, 0x4601, 0, 0, 0, 0]
        assert run(machine, granted, call, arguments) == run(machine, plain, call, arguments)
