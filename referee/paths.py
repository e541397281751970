"""Paths that have to be text: those in messages, in databases, and of sockets.

Linux takes any bytes for a path. Python stands for those that are not UTF-8 by lone surrogates, which no message, no
database and no address of a socket can hold. What only the file system is told may be called anything.
"""

import os
import tempfile
from pathlib import Path

SOCKET_BYTES = 107
"""The longest path of a socket."""

_RANDOM_BYTES = 8
"""What `tempfile` adds to a prefix."""


def is_utf8(text: str | Path) -> bool:
    """Tell whether a path, or the value of an environment variable, is UTF-8."""
    try:
        str(text).encode()
    except UnicodeEncodeError:
        return False
    return True


def temporary_folder(prefix: str, below: int | None = None) -> Path:
    """Make a folder for temporary files whose path is UTF-8: in TMPDIR if that is, and otherwise in /tmp.

    prefix: begins its name.
    below: bytes, with the first slash, of the longest path of a socket in it; where that would be too long, the folder
        is made in /tmp too. None: it holds no sockets.

    Raises OSError where no folder can be made.
    """
    usual = tempfile.gettempdir()
    length = len(os.fsencode(f"{usual}/{prefix}")) + _RANDOM_BYTES + (below or 0)
    fits = is_utf8(usual) and (below is None or length <= SOCKET_BYTES)
    return Path(tempfile.mkdtemp(prefix=prefix, dir=None if fits else "/tmp"))
