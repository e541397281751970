"""A chess engine as a process that reads and writes lines, whatever protocol it speaks."""

import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Self

LONGEST_LINE = 1 << 16
"""Characters of the longest line that is read: longer ones are skipped."""

END_SECONDS = 1.0
"""For which an engine that has closed its output, or was told to quit, may go on before it is killed."""


class EngineFailed(Exception):
    """The engine cannot be started, has ended, or does not speak its protocol."""


class EngineProcess:
    """A running engine. Its standard error is that of the bot."""

    def __init__(self, command: Sequence[str], on_start: Callable[[Self], object] = lambda engine: None) -> None:
        """Start an engine.

        on_start: called with it before anything is said to it.

        Raises EngineFailed.
        """
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="replace"
            )
        except OSError as error:
            raise EngineFailed(f"the engine {command[0]} cannot be started: {error.strerror}") from None
        self.name = command[0]
        self._asked = ""
        on_start(self)

    @property
    def whereabouts(self) -> str:
        """What it does now, in words."""
        return f"the engine {self.name} has not answered: {self._asked}"

    def quit(self) -> None:
        """End the engine."""
        with suppress(OSError), self._process:  # it closes the pipes, of which one may be broken
            try:
                self._send("quit")
                self._process.wait(timeout=END_SECONDS)
            except (EngineFailed, subprocess.TimeoutExpired):
                self._process.kill()

    def _send(self, command: str, before: str = "", after: str = "") -> None:
        """Send a command, which is what it has not answered until the next.

        before, after: lines that are sent with it.
        """
        assert self._process.stdin is not None
        self._asked = command
        try:
            self._process.stdin.write(f"{before}{command}\n{after}")
            self._process.stdin.flush()
        except OSError:
            raise self._ended() from None

    def _line(self) -> str:
        assert self._process.stdout is not None
        is_rest = False
        while line := self._process.stdout.readline(LONGEST_LINE):
            is_whole = line.endswith("\n") or len(line) < LONGEST_LINE
            if is_whole and not is_rest:
                return line.strip()
            is_rest = not is_whole
        raise self._ended()

    def _ended(self) -> EngineFailed:
        try:
            code = self._process.wait(timeout=END_SECONDS)
        except subprocess.TimeoutExpired:
            return EngineFailed(f"the engine {self.name} closed its output")
        if code == -signal.SIGQUIT:  # a referee asks a bot that hangs where it is, and its engine with it
            return EngineFailed(self.whereabouts)
        how = f"exited with code {code}" if code >= 0 else f"was ended by signal {-code}"
        return EngineFailed(f"the engine {self.name} {how}")
