"""`arena web` as a process of its own, for what looks at the pages from outside."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class Server(NamedTuple):
    """Where it is: `http://HOST:PORT`, and the number of its process."""

    address: str
    pid: int


@contextmanager
def served(database: Path, *words: str) -> Iterator[Server]:
    """Serve the pages of a database.

    words: more options of the command.
    """
    command = [sys.executable, "-m", "arena", "web", "--port", "0", "--db", str(database), *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.search(r"http://\S+?(?=/)", process.stderr.readline())
        assert found is not None
        try:
            yield Server(found[0], process.pid)
        finally:
            process.terminate()
            process.communicate(timeout=60)
