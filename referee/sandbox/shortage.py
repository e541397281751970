"""Where a machine is short of something, so that no program can be started: that says nothing of the program."""

import errno

SHORTAGES = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.EDQUOT}
"""What the start of any program fails with on a machine that is short of processes, memory, files or space."""


class MachineError(Exception):
    """This machine can start no program now, as it is short of something."""


def raise_shortage(error: OSError) -> None:
    """Raise MachineError where an error says that this machine is short of something."""
    if error.errno in SHORTAGES:
        raise MachineError(f"no program can be started: {error.strerror}") from error
