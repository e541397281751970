"""How a bot process is confined.

    bwrap     bubblewrap: namespaces of its own, of the machine no more than it needs, read-only, and no network;
              the kernel ends everything inside as soon as the referee is gone
    rlimits   where bubblewrap does not work: a guardian process that lets it read little and write nothing
              (Landlock), and ends its process group once the referee's pipe closes
    off       the guardian alone, for debugging: the bot may do what its user may

But for "off" each process is filtered (`seccomp`), limited (`limits`), and run by a user of its own where root
runs arena (`user`); where control groups can be written, all processes of a bot together are limited too (`groups`).
Always the environment holds nothing but what a bot needs. docs/security.md says what each of them promises.

    environment      what a bot finds in its environment
    choice           the way that works on this machine, and what is missing for a better one
    launch           a program with its arguments -> the command line that runs it confined
    bubblewrap       its command line                                        -> view
    filesystem_view  what a bot sees of the machine
    copies           of what only root may read
    user             whom a bot runs as
    limits           resource limits
    cgroups          control groups                                          -> hierarchy
    seccomp          the filter of system calls                              -> syscalls
    guardian         what surrounds a bot where there are no namespaces
"""

from referee.sandbox.choice import MODES, Confinement, SandboxError, choose
from referee.sandbox.environment import environment
from referee.sandbox.launch import Launch, confined, gap

__all__ = ["MODES", "Confinement", "Launch", "SandboxError", "choose", "confined", "environment", "gap"]
