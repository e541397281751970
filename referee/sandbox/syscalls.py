"""Calls to the kernel that no bot needs, with their numbers (Linux's arch/x86/entry/syscalls and asm-generic/unistd.h).

A game-playing program computes, reads its files and talks over one socket. What is listed here reaches further: into
other processes, into the kernel's own machinery, or to other bots, who would share a key ring, a file's lock or its
changes across all namespaces and could agree on more than the game lets them.
"""

ARCHITECTURES = ("x86_64", "aarch64")
"""The machines whose numbers stand below, in that order."""

FIRST_UNKNOWN = 463
"""Numbers from here on are later than this list, on every machine; programs do without them."""

DENIED: dict[str, tuple[int | None, int | None]] = {
    # Other processes.
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "kcmp": (312, 272), "pidfd_getfd": (438, 438), "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    # What all sandboxes of a machine share.
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "flock": (73, 32),
    "inotify_init": (253, None), "inotify_init1": (294, 26), "fanotify_init": (300, 262),
    "open_by_handle_at": (304, 265),
    # Wide parts of the kernel with a history of holes.
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "bpf": (321, 280),
    "userfaultfd": (323, 282), "perf_event_open": (298, 241), "lookup_dcookie": (212, 18), "modify_ldt": (154, None),
    "uselib": (134, None), "ustat": (136, None), "sysfs": (139, None), "_sysctl": (156, None),
    "nfsservctl": (180, 42), "quotactl": (179, 60), "quotactl_fd": (443, 443), "memfd_secret": (447, 447),
    "shmget": (29, 194),
    # The ground we stand on.
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
    "sched_setattr": (314, 274),
}  # fmt: skip
"""name -> numbers; None where a machine has no such call."""

SOCKET = (41, 198)
CLONE = (56, 220)
CLONE3 = (435, 435)
