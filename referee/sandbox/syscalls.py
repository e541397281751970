"""System calls that no bot needs, with their numbers (Linux's arch/x86/entry/syscalls and asm-generic/unistd.h).

A game-playing program computes, reads its files and talks over one socket. The calls listed here reach further: into
other processes, into the kernel, or to other bots, which could share a key ring, a file's lock or notices of its
changes across all namespaces and so collude.

    DENIED        calls that are always denied
    IGNORED       calls that succeed without effect
    METADATA      calls that are denied where the bot has no files of its own
    LIMITED       calls that are allowed for some values of one argument
    PROCESSES     all calls that name a process or a thread, and how each is treated
"""

import errno
from dataclasses import dataclass
from enum import StrEnum

ARCHITECTURES = ("x86_64", "aarch64")
"""The machines whose numbers stand below, in that order."""

FIRST_UNKNOWN = 463
"""Numbers from here on are newer than this list, on every machine; programs can do without them."""

Numbers = tuple[int | None, int | None]
"""The number of a call on each machine; None where a machine has no such call."""

DENIED: dict[str, Numbers] = {
    # Other processes: see PROCESSES.
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "kcmp": (312, 272), "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424), "move_pages": (279, 239),
    "migrate_pages": (256, 238), "get_robust_list": (274, 100),
    # What all sandboxes of a machine share.
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "flock": (73, 32),
    "inotify_init": (253, None), "inotify_init1": (294, 26), "fanotify_init": (300, 262),
    "open_by_handle_at": (304, 265), "cachestat": (451, 451),
    # What outlives a process. Its identifiers are small numbers that others can guess.
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190), "semop": (65, 193),
    "semtimedop": (220, 192), "semctl": (66, 191), "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188),
    "msgctl": (71, 187), "mq_open": (240, 180), "mq_unlink": (241, 181),
    # Large parts of the kernel with many past vulnerabilities. Contexts of io_setup are counted for the whole machine.
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "bpf": (321, 280),
    "userfaultfd": (323, 282), "perf_event_open": (298, 241), "lookup_dcookie": (212, 18), "modify_ldt": (154, None),
    "uselib": (134, None), "ustat": (136, None), "sysfs": (139, None), "_sysctl": (156, None),
    "nfsservctl": (180, 42), "quotactl": (179, 60), "quotactl_fd": (443, 443), "memfd_secret": (447, 447),
    "io_setup": (206, 0),
    # Memory that no process maps and no folder holds: in a pipe or on its way through a socket nobody sees it.
    "memfd_create": (319, 279), "vmsplice": (278, 75),
    # Mounts and namespaces.
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "move_mount": (429, 429),
    "open_tree": (428, 428), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432),
    "fspick": (433, 433), "mount_setattr": (442, 442), "unshare": (272, 97), "setns": (308, 268),
    # The machine.
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225),
    "acct": (163, 89), "syslog": (103, 116), "settimeofday": (164, 170), "clock_settime": (227, 112),
    "adjtimex": (159, 171), "clock_adjtime": (305, 266), "sethostname": (170, 161), "setdomainname": (171, 162),
    "vhangup": (153, 58), "iopl": (172, None), "ioperm": (173, None),
    # The core it was pinned to, and how it is scheduled there.
    "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119), "sched_setparam": (142, 118),
    "sched_setattr": (314, 274), "setpriority": (141, 140), "ioprio_set": (251, 30),
}  # fmt: skip

IGNORED: dict[str, Numbers] = {
    "utime": (132, None), "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88),
}  # fmt: skip
"""Calls that succeed without effect.

All sandboxes share the time stamps of a device, and a process that may write to it may set them to now. Programs that
copy or unpack files set time stamps, and few of them go on after an error.
"""

METADATA: dict[str, Numbers] = {
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None),
    "lchown": (94, None), "fchown": (93, 55), "fchownat": (260, 54), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "truncate": (76, 45),
}  # fmt: skip
"""Calls that change a file without opening it, which Landlock does not see (truncate: not before Linux 6.2)."""


@dataclass(frozen=True, slots=True)
class Limited:
    """A call that is allowed for some values of one argument, of which the kernel reads the low 32 bits."""

    numbers: Numbers
    argument: int
    """The position of the argument, from 0."""
    error: int
    """The error of the call for all other values."""
    allowed: tuple[int, ...] = ()
    """The values for which the call is allowed."""
    refused: tuple[int, ...] = ()
    """Values that are refused although `pattern` fits."""
    pattern: tuple[int, int] | None = None
    """A mask, and the masked value for which the call is allowed too; None: only `allowed` counts."""


_AF_UNIX = 1

_NEW_NAMESPACE = 0x7E020000
"""CLONE_NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET."""

_OWN_DESCRIPTOR = (
    0,  # F_DUPFD
    1, 2,  # F_GETFD, F_SETFD
    3, 4,  # F_GETFL, F_SETFL
    9, 11, 16,  # F_GETOWN, F_GETSIG, F_GETOWN_EX
    1027, 1028, 1030,  # F_DUPFD_QUERY, F_CREATED_QUERY, F_DUPFD_CLOEXEC
    1031, 1032,  # F_SETPIPE_SZ, F_GETPIPE_SZ
    1033, 1034,  # F_ADD_SEALS, F_GET_SEALS
)  # fmt: skip
"""Commands of fcntl that concern a descriptor, or a pipe or memory of one's own.

All others reach whoever has the same file open, in any sandbox: locks (F_SETLK, F_OFD_SETLK and so on), leases
(F_SETLEASE), notices of change (F_NOTIFY), hints that stay with the file (F_SET_RW_HINT); or they have a signal sent
to another process (F_SETOWN, F_SETOWN_EX, F_SETSIG).
"""

_BUFFERS = (7, 8, 32, 33)
"""SO_SNDBUF, SO_RCVBUF, and both with FORCE: memory of the kernel, up to 8 MB for a socket instead of 208 KB."""

_TERMINALS = 0x5400
"""The requests of ioctl whose second byte is T: terminals, and what works on every descriptor (FIONBIO, FIOCLEX)."""

_CLONES = (0x40049409, 0x4020940D)
"""FICLONE, FICLONERANGE: a copy into a file that is open for writing."""

_KEYSTROKES = (0x5412, 0x541C)
"""TIOCSTI, TIOCLINUX: typing for others at their terminal."""

FCNTL = (72, 25)

SET_PIPE_SIZE = 1031
"""F_SETPIPE_SZ: up to 1 MB in a pipe instead of 64 KB."""

SOCKET = (41, 198)

INTERNET = (2, 10)
"""AF_INET, AF_INET6: the families that a bot with the network may use as well."""

INTERNET_TYPES = (1, 2)
"""SOCK_STREAM, SOCK_DGRAM: no raw sockets, whoever runs the bot."""

TYPE_MASK = 0xF
"""What is left of the type of a socket without SOCK_NONBLOCK and SOCK_CLOEXEC."""

INTERNET_PROTOCOLS = (0, 6, 17)
"""The usual protocol of the type, TCP, UDP."""

IOCTL = (16, 29)

ACCELERATOR_REQUESTS = (0x46, 0x4B, 0x64)
"""The second bytes of requests of ioctl to accelerators: F (NVIDIA), K (AMD's compute), d (DRM, and accel on it)."""

UNSEEN: dict[str, Numbers] = {
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "vmsplice": (278, 75), "shmget": (29, 194),
    "io_uring_setup": (425, 425),
}  # fmt: skip
"""Calls that make memory which no process need map. Compilers and runtimes go on without them."""

LIMITED: dict[str, Limited] = {
    "socket": Limited(SOCKET, 0, errno.EAFNOSUPPORT, allowed=(_AF_UNIX,)),
    "clone": Limited((56, 220), 0, errno.EPERM, pattern=(_NEW_NAMESPACE, 0)),
    "prlimit64": Limited((302, 261), 0, errno.EPERM, allowed=(0,)),
    "fcntl": Limited(FCNTL, 1, errno.EPERM, allowed=_OWN_DESCRIPTOR),
    # Others set flags, attributes and encryption of files that may be open for reading only, or who gets a signal.
    "ioctl": Limited(IOCTL, 1, errno.ENOTTY, _CLONES, _KEYSTROKES, pattern=(0xFF00, _TERMINALS)),
    # Other levels have these numbers for options that no bot needs. Buffers are a wish: it succeeds without effect.
    "setsockopt": Limited((54, 208), 2, 0, refused=_BUFFERS, pattern=(0, 0)),
}

MMAP = (9, 222)

SHARED_ANONYMOUS = 0x21
"""MAP_SHARED, MAP_ANONYMOUS: memory that stays when it is mapped no more, as long as any part of it is mapped."""

GROWS_DOWN = 0x100
"""MAP_GROWSDOWN: a further stack, which counts towards no limit while it grows."""

CLONE3 = (435, 435)
"""Its flags lie in memory, where a filter cannot see them."""


class CallRule(StrEnum):
    """How a call that names a process is treated."""

    DENIED = "no bot needs it"
    ITSELF = "a process may name itself, by the number 0"
    KERNEL = "the kernel lets it name nothing but itself, its threads and its children"
    READS = "it changes nothing; without an own process table it reveals that a process exists"
    SIGNALS = "programs need it; a process table of its own, Landlock of version 6 or another user keep it from others"


PROCESSES: dict[str, CallRule] = {
    "kill": CallRule.SIGNALS, "tkill": CallRule.SIGNALS, "tgkill": CallRule.SIGNALS,
    "rt_sigqueueinfo": CallRule.SIGNALS, "rt_tgsigqueueinfo": CallRule.SIGNALS,
    # Owners of a descriptor get its signals: a kill by another name.
    "pidfd_send_signal": CallRule.DENIED, "fcntl": CallRule.DENIED, "ioctl": CallRule.DENIED,
    # A handle on a process. Runtimes that look for it fall back to what they did before Linux 5.3.
    "pidfd_open": CallRule.DENIED, "pidfd_getfd": CallRule.DENIED, "process_madvise": CallRule.DENIED,
    "process_mrelease": CallRule.DENIED,
    # Its memory, and how it is kept.
    "ptrace": CallRule.DENIED, "process_vm_readv": CallRule.DENIED, "process_vm_writev": CallRule.DENIED,
    "kcmp": CallRule.DENIED, "move_pages": CallRule.DENIED, "migrate_pages": CallRule.DENIED,
    "get_robust_list": CallRule.DENIED, "perf_event_open": CallRule.DENIED, "setns": CallRule.DENIED,
    # Its limits and its share of the machine.
    "prlimit64": CallRule.ITSELF, "sched_setaffinity": CallRule.DENIED, "sched_setscheduler": CallRule.DENIED,
    "sched_setparam": CallRule.DENIED, "sched_setattr": CallRule.DENIED, "setpriority": CallRule.DENIED,
    "ioprio_set": CallRule.DENIED,
    # Runtimes ask these of their own threads, by number.
    "sched_getaffinity": CallRule.READS, "sched_getscheduler": CallRule.READS, "sched_getparam": CallRule.READS,
    "sched_getattr": CallRule.READS, "sched_rr_get_interval": CallRule.READS, "getpriority": CallRule.READS,
    "ioprio_get": CallRule.READS, "getpgid": CallRule.READS, "getsid": CallRule.READS, "capget": CallRule.READS,
    "clock_gettime": CallRule.READS, "clock_getres": CallRule.READS, "clock_nanosleep": CallRule.READS,
    "timer_create": CallRule.READS,
    # prctl names a process to share a core's secrets with (PR_SCHED_CORE), whom it must be able to trace.
    "setpgid": CallRule.KERNEL, "capset": CallRule.KERNEL, "wait4": CallRule.KERNEL, "waitid": CallRule.KERNEL,
    "prctl": CallRule.KERNEL,
}  # fmt: skip
"""Every call that names a process or a thread, or a descriptor of one."""
