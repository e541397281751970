"""The conversation with a UCI engine, over its standard input and output.

Source: the description of the Universal Chess Interface by R. Huber and S. Meyer-Kahlen, 2006.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from botarena_chess.bot import Clocks
from botarena_chess.info import NO_INFO, Info, read_info
from botarena_chess.process import EngineFailed, EngineProcess

CHESS, CHESS960 = "chess", "chess960"

UCI_VARIANT, UCI_CHESS960 = "UCI_Variant", "UCI_Chess960"

MOST_NAMED = 20
"""Games of an engine that an error lists."""

_OPTION = re.compile(r"option\s+(?:name\s+)?(\S.*?)\s+type\s")


class Reply(NamedTuple):
    """An answer to a search."""

    move: str
    """The move in UCI's notation, whatever the engine said."""
    info: Info
    """What it said of its main line."""
    ponder: str = ""
    """The answer that it expects; "" where it said none."""


class Engine(EngineProcess):
    """A running UCI engine."""

    HELLO, NEW_GAME = "uci", "ucinewgame"
    """What it is told at the start, to which it answers with the same and `ok`, and before a match; "": nothing."""
    ALONE = CHESS
    """The game of an engine whose options name none."""

    def __init__(
        self,
        command: Sequence[str],
        options: Mapping[str, str],
        on_start: "Callable[[EngineProcess], object]" = lambda engine: None,
    ) -> None:
        """Start an engine.

        on_start: called with it before anything is said to it.

        Raises EngineFailed.
        """
        super().__init__(command, on_start)
        self._variant = self.ALONE
        self._options: dict[str, Sequence[str]] = {}
        self._send(self.HELLO)
        while (line := self._line()) != f"{self.HELLO}ok":
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ")
            elif found := _OPTION.match(line):
                self._options[found[1].lower()] = line.split()
        for name, value in options.items():
            self._set(name, value)
        self._wait_until_ready()

    def _set(self, name: str, value: str) -> None:
        """Set an option; "" presses a button."""
        self._send(f"setoption name {name} value {value}" if value else f"setoption name {name}")

    @property
    def variants(self) -> tuple[str, ...]:
        """The games that it plays: "chess", "chess960", and what else its option UCI_Variant names."""
        words = self._options.get(UCI_VARIANT.lower(), ())
        named = [words[place + 1] for place, word in enumerate(words[:-1]) if word == "var"] or [self.ALONE]
        if UCI_CHESS960.lower() in self._options and CHESS in named:
            named.insert(1, CHESS960)
        return tuple(dict.fromkeys(named))

    def new_game(self, variant: str = CHESS) -> None:
        """Forget what was learnt from earlier positions.

        variant: the game, as `variants` names it. Raises EngineFailed for one that it does not play.
        """
        if variant != self._variant:
            self._play(variant)
        if self.NEW_GAME:
            self._send(self.NEW_GAME)
        self._wait_until_ready()

    def _play(self, variant: str) -> None:
        """Set the options that say which game is played."""
        if variant not in (known := self.variants):
            shown = ", ".join(known[:MOST_NAMED]) + (", ..." if len(known) > MOST_NAMED else "")
            raise EngineFailed(f"the engine {self.name} does not play {variant}: by its options it plays {shown}")
        if UCI_VARIANT.lower() in self._options:
            self._set(UCI_VARIANT, CHESS if variant == CHESS960 else variant)
        if UCI_CHESS960.lower() in self._options:
            self._set(UCI_CHESS960, "true" if variant == CHESS960 else "false")
        self._variant = variant

    def limit(self, clocks: Clocks, seat: int) -> str:
        """Return what follows `go` for an engine that thinks by the clock, at a seat."""
        if not clocks.mine:
            return f"movetime {clocks.move}"
        mine, other = (clocks.mine, clocks.move), (clocks.other, clocks.other_move)
        (white, white_more), (black, black_more) = (other, mine) if seat else (mine, other)
        # Without --fischer the time of a move is no increment, but is there again for each move: the same to an engine.
        return f"wtime {white} btime {black} winc {white_more} binc {black_more}"

    def search(self, position: str, limit: str) -> Reply:
        """Return the best move of a position.

        position, limit: what follows `position` and `go`.
        """
        self._go(position, limit)
        return self._reply()

    def _go(self, position: str, limit: str) -> None:
        """Have it search a position, and read all that it said before, such as a second `bestmove`.

        All is sent at once: it is `readyok` that divides what was said before from the answer.
        """
        self._send("isready", f"position {position}\n", f"go {limit}\n")
        self._drop_until_ready()
        self._asked = f"go {limit}"

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

    def _wait_until_ready(self) -> None:
        """Read and drop all that it has said."""
        self._send("isready")
        self._drop_until_ready()

    def _drop_until_ready(self) -> None:
        while self._line() != "readyok":
            pass
