"""The sandbox: confines bot processes.

    bwrap     bubblewrap: own namespaces, no network, and a read-only view of what the bot needs of the machine;
              the kernel ends everything inside as soon as the referee is gone
    rlimits   where bubblewrap does not work: a guardian process restricts what the bot reads and lets it write
              nothing (Landlock), and ends its process group once the referee's pipe closes
    off       the guardian alone, for debugging: the bot may do what its user may

Except in mode "off", each process has a system call filter (`seccomp`) and resource limits (`limits`), and runs as a
user of its own where root runs arena (`user`); where control groups can be written, they limit all processes of a bot
together (`cgroups`). In every mode the environment holds only what a bot needs. docs/security.md says what each mode
guarantees.

    environment       the environment variables of a bot
    choice            chooses the mode that works on this machine, and says what a better one lacks
    launch            composes the command line that runs a program confined
    bubblewrap        the command line of bubblewrap                         -> filesystem_view
    filesystem_view   which files a bot sees
    grants            what an organiser grants a bot: the network, devices
    copies            readable copies of files that only root may read
    user              the users that bots run as
    shortage          what any program fails with where the machine is short of something
    limits            resource limits
    cgroups           control groups                                         -> cgroup_hierarchy
    cgroup_hierarchy  where control groups can be made
    cpu_supply        which CPU this process may use                         -> cgroup_hierarchy
    seccomp           the system call filter                                 -> syscalls
    syscalls          the system calls that are denied, ignored or limited
    guardian          the parent of a bot where there are no namespaces
"""

from referee.sandbox.choice import MODES, Confinement, SandboxError, choose
from referee.sandbox.environment import environment
from referee.sandbox.launch import Launch, View, confined, gap, view

__all__ = ["MODES", "Confinement", "Launch", "SandboxError", "View", "choose", "confined", "environment", "gap", "view"]
