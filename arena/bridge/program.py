"""Start the bot's program and translate between it and the referee.

The bridge runs inside the sandbox as the parent of the program: to the referee it is the bot.
"""

import faulthandler
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from threading import Lock, Thread
from typing import TYPE_CHECKING

from arena.bridge.bot_lines import LONGEST_LINE, BadLine
from arena.bridge.conversation import BotConversation

if TYPE_CHECKING:
    from arena.sdk.grpc_call import GrpcCall

_CHUNK = 64 * 1024

NO_MESSAGE = b"\xff"
"""Not a protocol message: the referee answers it with a protocol fault."""

LAST_WORDS = 0.5
"""Seconds that a program has to exit after it has closed its output too early."""


def run(command: Sequence[str], address: str, token: str) -> int:
    """Run the program of `command` as a bot of the referee at `address`; return the exit code.

    The exit code is that of the program if the referee ended the stream or the program ended early (then never 0);
    1 if the referee refused the bot, the connection was lost or a line was malformed.
    """
    env = {name: text for name, text in os.environ.items() if name not in ("ARENA_ADDRESS", "ARENA_TOKEN")}
    try:
        program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, bufsize=0)
    except OSError as error:
        return _say(1, f"cannot start the bot's program {command[0]}: {error.strerror}")
    from arena.sdk.grpc_call import open_call  # takes 0.1 s, while the program starts

    faulthandler.unregister(signal.SIGQUIT)  # what is asked where it is, is the program
    signal.signal(signal.SIGQUIT, signal.SIG_IGN)
    call = open_call(address)
    try:
        return _Bridge(program, BotConversation(token), call).run()
    finally:
        program.kill()
        program.wait()
        call.close()


class _Bridge:
    """A running program: the main thread writes its input, another one reads its output and looks ahead for it."""

    def __init__(self, program: "subprocess.Popen[bytes]", conversation: BotConversation, call: "GrpcCall") -> None:
        assert program.stdin is not None
        assert program.stdout is not None
        self._program = program
        self._stdin = program.stdin
        self._stdout = program.stdout.fileno()
        self._conversation = conversation
        self._call = call
        self._telling = Lock()  # both threads write whole lines
        self._over = False
        self._failure = 0

    def run(self) -> int:
        from arena.sdk.errors import CallLost

        reader = Thread(target=self._listen, daemon=True)
        reader.start()
        refused = 0
        try:
            for message in self._call.messages():
                if not self._failure:
                    self._tell(self._conversation.lines_of(message))
                    if self._conversation.refused:
                        refused = _say(1, f"the bot was refused by the referee: {self._conversation.refused}")
        except CallLost as loss:
            return self._failure or _say(1, f"the bot lost its connection to the referee: {loss}")
        self._over = True
        with self._telling, suppress(OSError):
            self._stdin.close()
        code = _code(self._program.wait())
        reader.join()
        return self._failure or refused or code

    def _tell(self, lines: bytes) -> None:
        with self._telling, suppress(BrokenPipeError):  # the program has ended, which the reading thread notices
            while lines and not self._stdin.closed:  # the stream may have ended while the program waited for a response
                lines = lines[self._stdin.write(lines) :]

    def _listen(self) -> None:
        """Forward the program's answers until it ends."""
        try:
            first = True
            for lines in self._lines():
                if first:
                    self._call.send(self._conversation.hello(lines.pop(0)))
                    first = False
                for message, told in self._conversation.read(lines):
                    if message:
                        self._call.send(message)
                    else:
                        self._tell(told)
        except BadLine as wrong:
            self._call.send(NO_MESSAGE)
            self._fail(1, str(wrong))
        else:
            if not self._over:
                with suppress(subprocess.TimeoutExpired):
                    self._program.wait(LAST_WORDS)
                how = _how(self._program.poll())
                self._fail(_code(self._program.returncode or 1), f"{how} before the referee ended the stream")

    def _fail(self, code: int, sentence: str) -> None:
        """End because of an error of the program; its earlier answers are still sent."""
        self._failure = _say(code, sentence)
        self._program.kill()
        self._call.end()

    def _lines(self) -> Iterator[list[bytes]]:
        """Yield lists of lines as the program writes them. Raises BadLine if a line is too long."""
        poll = select.poll()
        poll.register(self._stdout, select.POLLIN)
        ended, ends = os.pipe()  # a child of the program may keep its output open after it has ended
        poll.register(ended, select.POLLIN)
        Thread(target=self._await_end, args=[ends], daemon=True).start()
        rest = b""
        while chunk := os.read(self._stdout, _CHUNK) if self._stdout in dict(poll.poll()) else b"":
            *lines, rest = (rest + chunk).split(b"\n")
            if len(rest) > LONGEST_LINE:
                raise BadLine(f"a line has more than {LONGEST_LINE:,} bytes")
            if lines:
                yield lines
        os.close(ended)
        if rest:
            yield [rest]

    def _await_end(self, ends: int) -> None:
        """Close a pipe when the program ends; pidfd_open is not available in the sandbox."""
        with suppress(ChildProcessError):
            os.waitid(os.P_PID, self._program.pid, os.WEXITED | os.WNOWAIT)
        os.close(ends)


def _how(code: int | None) -> str:
    """Describe how the program ended."""
    if code is None:
        return "the bot's program closed its standard output"
    return (
        f"the bot's program was ended by signal {-code}" if code < 0 else f"the bot's program exited with code {code}"
    )


def _code(code: int) -> int:
    """Return an exit code as shells do: 128 + signal number."""
    return 128 - code if code < 0 else code


def _say(code: int, sentence: str) -> int:
    print(sentence, file=sys.stderr, flush=True)
    return code
