"""Run `arena` with typed input, on a pseudo-terminal or through a pipe."""

import os
import pty
import select
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

DEADLINE = 60.0

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")} | {
    "TERM": "dumb",
    "COLUMNS": "120",
}


class Session:
    """`arena` on a pseudo-terminal.

    heard: all its output.
    """

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            ["setsid", "--ctty", sys.executable, "-m", "arena", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env=ENVIRONMENT | environment,
        )
        os.close(slave)
        self.heard = ""
        self._read = 0

    def wait_for(self, *words: str) -> str:
        """Read until the program has printed one of `words`, or has ended (""); return which."""
        while True:
            new = self.heard[self._read :]
            found = [(new.index(word), word) for word in words if word in new]
            if found:
                at, word = min(found)
                self._read += at + len(word)
                return word
            assert select.select([self._master], [], [], DEADLINE)[0], f"nothing more after:\n{self.heard}"
            try:
                data = os.read(self._master, 4096)
            except OSError:  # how Linux reports that the other end is closed
                return ""
            self.heard += data.decode(errors="replace")

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def end(self) -> int:
        """Read to the end and return the exit code."""
        while self.wait_for("\n"):
            pass
        return self.process.wait(DEADLINE)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        with suppress(OSError):
            os.close(self._master)


def pipe(folder: Path, lines: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run `arena` in a folder with lines as its standard input."""
    return subprocess.run(
        [sys.executable, "-m", "arena", *arguments],
        input=lines,
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
