"""Standard streams that are closed, or cannot be written, as under some daemons and on full disks."""

import os
import sys
from contextlib import suppress

_NAMES = ("stdin", "stdout", "stderr")


def open_missing_streams() -> None:
    """Open closed standard streams as /dev/null.

    Otherwise the next file or socket that is opened would take the place of one, and be read or written as such.
    """
    for number, name in enumerate(_NAMES):
        try:
            os.fstat(number)
        except OSError:  # the lowest free number is this one
            os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(number, True)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))


def output_failure(*, probe: bool = False, last: bool = True) -> str:
    """Write what waits for standard output; return why that fails, empty if it does not.

    probe: write an empty line too, as after an error that may have come from there: without a buffer nothing waits.
    last: after a failure nothing more is written to it, so that Python does not try it again as it exits.
    """
    try:
        if not sys.stdout.closed:
            sys.stdout.write("\n" * probe)
            sys.stdout.flush()
    except BrokenPipeError:  # click ends the program quietly
        return ""
    except OSError as error:
        if last:
            with suppress(OSError), open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), sys.stdout.fileno())
        return error.strerror or str(error)
    return ""
