"""The conversation with a UCI engine, over its standard input and output.

Source: the description of the Universal Chess Interface by R. Huber and S. Meyer-Kahlen, 2006.
"""

import re
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from botarena_chess.info import NO_INFO, Info, read_info

LONGEST_LINE = 1 << 16
"""Characters of the longest line that is read: longer ones are skipped."""

END_SECONDS = 1.0
"""For which an engine that has closed its output, or was told to quit, may go on before it is killed."""


CHESS, CHESS960 = "chess", "chess960"

UCI_VARIANT, UCI_CHESS960 = "UCI_Variant", "UCI_Chess960"

MOST_NAMED = 20
"""Games of an engine that an error lists."""

_OPTION = re.compile(r"option\s+name\s+(\S.*?)\s+type\s")


class EngineFailed(Exception):
    """The engine cannot be started, has ended, or does not speak UCI."""


class Reply(NamedTuple):
    """An answer to a search."""

    move: str
    """The move in UCI's notation, whatever the engine said."""
    info: Info
    """What it said of its main line."""
    ponder: str = ""
    """The answer that it expects; "" where it said none."""


class Engine:
    """A running engine. Its standard error is that of the bot."""

    def __init__(
        self,
        command: Sequence[str],
        options: Mapping[str, str],
        on_start: "Callable[[Engine], object]" = lambda engine: None,
    ) -> None:
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
        self._variant = CHESS
        self._options: dict[str, Sequence[str]] = {}
        on_start(self)
        self._send("uci")
        while (line := self._line()) != "uciok":
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ")
            elif found := _OPTION.match(line):
                self._options[found[1].lower()] = line.split()
        for name, value in options.items():
            self._send(f"setoption name {name} value {value}" if value else f"setoption name {name}")
        self._wait_until_ready()

    @property
    def whereabouts(self) -> str:
        """What it does now, in words."""
        return f"the engine {self.name} has not answered: {self._asked}"

    @property
    def variants(self) -> tuple[str, ...]:
        """The games that it plays: "chess", "chess960", and what else its option UCI_Variant names."""
        words = self._options.get(UCI_VARIANT.lower(), ())
        named = [words[place + 1] for place, word in enumerate(words[:-1]) if word == "var"] or [CHESS]
        if UCI_CHESS960.lower() in self._options and CHESS in named:
            named.insert(1, CHESS960)
        return tuple(dict.fromkeys(named))

    def new_game(self, variant: str = CHESS) -> None:
        """Forget what was learnt from earlier positions.

        variant: the game, as `variants` names it. Raises EngineFailed for one that it does not play.
        """
        if variant != self._variant:
            self._play(variant)
        self._send("ucinewgame")
        self._wait_until_ready()

    def _play(self, variant: str) -> None:
        """Set the options that say which game is played."""
        if variant not in (known := self.variants):
            shown = ", ".join(known[:MOST_NAMED]) + (", ..." if len(known) > MOST_NAMED else "")
            raise EngineFailed(f"the engine {self.name} does not play {variant}: by its options it plays {shown}")
        if UCI_VARIANT.lower() in self._options:
            self._send(f"setoption name {UCI_VARIANT} value {CHESS if variant == CHESS960 else variant}")
        if UCI_CHESS960.lower() in self._options:
            self._send(f"setoption name {UCI_CHESS960} value {'true' if variant == CHESS960 else 'false'}")
        self._variant = variant

    def search(self, position: str, limit: str) -> Reply:
        """Return the best move of a position.

        position, limit: what follows `position` and `go`.
        """
        self._go(position, limit)
        return self._reply()

    def _go(self, position: str, limit: str) -> None:
        """Have it search a position, once all that it said before was read, such as a second `bestmove`."""
        self._wait_until_ready(f"position {position}\n")
        self._send(f"go {limit}")

    def begin_pondering(self, position: str, limit: str) -> None:
        """Let the engine think on a position while it is the other side's turn: that after the move it expects.

        `ponder_hit` or `stop_pondering` must follow.

        position, limit: as for `search`.
        """
        self._go(position, f"ponder {limit}")

    def ponder_hit(self) -> Reply:
        """Return the best move of the position it ponders on, which has come about."""
        self._send("ponderhit")
        return self._reply()

    def stop_pondering(self) -> None:
        """End the thought on a position that has not come about."""
        self._send("stop")
        self._reply()

    def _reply(self) -> Reply:
        info = NO_INFO
        while True:
            line = self._line()
            words = line.split()
            if words[:1] == ["info"]:
                info = info.joined(read_info(words))
            elif words[:1] == ["bestmove"]:
                expected = words[3] if len(words) > 3 and words[2] == "ponder" else ""
                return Reply(words[1] if len(words) > 1 else "", info, expected)

    def quit(self) -> None:
        """End the engine."""
        with suppress(OSError), self._process:  # it closes the pipes, of which one may be broken
            try:
                self._send("quit")
                self._process.wait(timeout=END_SECONDS)
            except (EngineFailed, subprocess.TimeoutExpired):
                self._process.kill()

    def _wait_until_ready(self, before: str = "") -> None:
        """Read and drop all that it has said.

        before: lines that are sent before, with the same call.
        """
        self._send("isready", before)
        while self._line() != "readyok":
            pass

    def _send(self, command: str, before: str = "") -> None:
        assert self._process.stdin is not None
        self._asked = command
        try:
            self._process.stdin.write(f"{before}{command}\n")
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
