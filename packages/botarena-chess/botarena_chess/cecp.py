"""The conversation with an engine of the Chess Engine Communication Protocol (xboard), version 2.

The engine keeps the game: it is told the moves of the other side alone, unless a game begins or has taken another way
than it knows, as after a default move. It plays no move unless it is told `go`, or is told a move.

Source: "Chess Engine Communication Protocol" by T. Mann and H. G. Muller, 2009.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from botarena_chess.bot import Clocks
from botarena_chess.engine import CHESS, CHESS960, MOST_NAMED, Reply
from botarena_chess.info import MOST_MOVES, Info
from botarena_chess.opening import Opening
from botarena_chess.process import EngineFailed, EngineProcess
from botarena_chess.rules import Position, Rules

RESIGNS = "resign"
"""The move of a reply in which the engine resigns."""

NAMES = {CHESS: "normal", CHESS960: "fischerandom", "antichess": "giveaway"}
"""How the protocol calls variants, where UCI calls them otherwise."""

MATE = 100_000
"""The score of a mate, less the moves to it."""

TEN = 10
"""Ranks of boards whose first rank is called 0."""

_FEATURE = re.compile(r'([A-Za-z]+)=("[^"]*"|\S+)')
_THOUGHT = re.compile(r"\s*(\d{1,4})[.&+]?\s+([+-]?\d{1,7})\s+(\d{1,9})\s+(\d{1,15})(?:\s+(.*))?")
_MOVE = re.compile(r"(?:\d+\.\s*(?:\.\.\.)?\s*)?(?:move|[Mm]y move is\s*:)\s+(\S+)")
_RESULT = re.compile(r"(1-0|0-1|1/2-1/2)\b")
_RANK = re.compile(r"(?<=[a-p])\d{1,2}")
_COMMENT = re.compile(r"[{(\[][^})\]]*[})\]]|\d+\.+|<[^>]*>")


class Limit(NamedTuple):
    """What ends the search of a move besides the clock."""

    depth: int = 0
    """Plies; 0: it has no such limit."""
    movetime: int = 0
    """Milliseconds."""


class XboardEngine(EngineProcess):
    """A running engine of the protocol."""

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
        self._features: dict[str, str] = {}
        self._pings = 0
        self._played: list[str] = []
        self._rules: Rules | None = None
        self._start = ""
        self.offers_draw = False
        self._send("xboard")
        self._send("protover 2")
        while self._features.get("done") != "1":
            line = self._line()
            if line.startswith("feature"):
                self._read_features(line)
            elif line.startswith("Error") and "protover" in line:
                self.quit()
                raise EngineFailed(f"the engine {self.name} does not speak version 2 of the protocol: {line}")
        self.name = self._features.get("myname", self.name)
        for name, value in options.items():
            self._send(f"option {name}={value}" if value else f"option {name}")
        self._wait_until_ready()

    @property
    def restarts(self) -> bool:
        """Whether it must be started anew for each game."""
        return self._features.get("reuse") == "0"

    @property
    def variants(self) -> tuple[str, ...]:
        """The games that it plays, as UCI names them."""
        named = [name for name in self._features.get("variants", "normal").replace(" ", ",").split(",") if name]
        known = {theirs: ours for ours, theirs in NAMES.items()}
        return tuple(dict.fromkeys(known.get(name, name) for name in named))

    def _read_features(self, line: str) -> None:
        for name, value in _FEATURE.findall(line.partition("feature")[2]):
            self._features[name] = value.strip('"')
            is_taken = name != "san" or value == "0"  # moves are told by their squares
            self._send(f"{'accepted' if is_taken else 'rejected'} {name}")

    def new_game(self, rules: Rules, start: str, clocks: Clocks, limit: Limit) -> None:
        """Begin a game.

        rules: those of the game.
        start: the position in which it begins, as FEN.
        clocks: at the start.
        limit: what ends each search besides.

        Raises EngineFailed where the engine does not play it.
        """
        variant = rules.name
        if variant not in (known := self.variants):
            shown = ", ".join(known[:MOST_NAMED]) + (", ..." if len(known) > MOST_NAMED else "")
            raise EngineFailed(f"the engine {self.name} does not play {variant}: by its features it plays {shown}")
        if start != rules.usual and self._features.get("setboard") != "1":
            raise EngineFailed(f"the engine {self.name} cannot set up positions: it has no feature setboard")
        self._rules, self._start, self._played = rules, start, []
        self._send("new")
        if variant != CHESS:
            theirs = self._features.get("variants", "").replace(" ", ",").split(",")
            self._send(f"variant {variant if variant in theirs else NAMES.get(variant, variant)}")
        self._send("force")
        if start != rules.usual:
            self._send(f"setboard {start}")
        self._set_clock(clocks, limit)
        self._send("easy")
        self._send("post")
        self._wait_until_ready()

    def _set_clock(self, clocks: Clocks, limit: Limit) -> None:
        if limit.depth:
            self._send(f"sd {limit.depth}")
        if limit.movetime or not clocks.mine:
            self._send(f"st {(limit.movetime or clocks.move) / 1000:g}")
        else:
            minutes, seconds = divmod(clocks.mine // 1000, 60)
            self._send(f"level 0 {minutes}:{seconds:02} {clocks.move / 1000:g}")

    def search(self, moves: Sequence[str], clocks: Clocks) -> Reply:
        """Return the move of the engine after the moves of a game."""
        assert self._rules is not None
        self._wait_until_ready()  # what it said of its last move, such as a result, is no answer to this one
        known, new = len(self._played), list(moves)
        follows = new[:known] == self._played
        is_told = follows and known > 0 and len(new) == known + 1
        if not is_told:
            if not follows:  # it has another game in mind than was played
                self._send("force")
                while self._played and new[: len(self._played)] != self._played:
                    self._send("undo")
                    self._played.pop()
                known = len(self._played)
            self._send("force")
            for place, move in enumerate(new[known:], known):
                self._tell(move, new[:place])
        if clocks.mine:
            self._send(f"time {clocks.mine // 10}")
            self._send(f"otim {clocks.other // 10}")
        if is_told:
            self._tell(new[-1], new[:-1])
        else:
            self._send("go")
        reply = self._reply(new)
        self._played = [*new, reply.move]
        return reply

    def end_game(self, result: str) -> None:
        """Tell the engine how the game ended: "1-0", "*"."""
        self._send("force")
        self._send(f"result {result} {{the game is over}}")

    def _tell(self, move: str, before: Sequence[str]) -> None:
        said = self._theirs(move, before)
        self._send(f"usermove {said}" if self._features.get("usermove") == "1" else said)

    def _theirs(self, move: str, before: Sequence[str]) -> str:
        """Return a move as the protocol writes it.

        before: the moves before it.
        """
        assert self._rules is not None
        if self._rules.name == CHESS960:
            castling = self._position(before).written(move).rstrip("+#")
            return castling if castling.startswith("O-O") else move
        return _RANK.sub(lambda rank: str(int(rank[0]) - 1), move) if self._is_high else move

    def _ours(self, word: str, position: Position) -> str:
        """Return a move of the engine in UCI's notation; the word itself where it is none."""
        move = _RANK.sub(lambda rank: str(int(rank[0]) + 1), word) if self._is_high else word
        if position.allows(move):
            return move
        try:
            return position.read(word.replace("0-0-0", "O-O-O").replace("0-0", "O-O"))
        except ValueError:
            return move

    @property
    def _is_high(self) -> bool:
        return self._start.partition(" ")[0].count("/") + 1 == TEN

    def _position(self, moves: Sequence[str]) -> Position:
        assert self._rules is not None
        return self._rules.begin(Opening("", self._start, tuple(moves)))

    def _reply(self, moves: Sequence[str]) -> Reply:
        position, info = self._position(moves), Info()
        self.offers_draw = False
        while True:
            line = self._line()
            if found := _MOVE.fullmatch(line):
                return Reply(self._ours(found[1], position), info)
            if line.startswith("offer draw"):
                self.offers_draw = True
            elif line in (RESIGNS, "tellics resign"):
                return Reply(RESIGNS, info)
            elif result := _RESULT.match(line):
                if result[1] == ("0-1", "1-0")[position.seat]:
                    return Reply(RESIGNS, info)
                raise EngineFailed(f"the engine {self.name} does not move, but claims: {line}")
            elif line.startswith("Illegal move"):
                raise EngineFailed(f"the engine {self.name} takes a legal move for illegal: {line}")
            elif thought := _THOUGHT.fullmatch(line):
                info = info.joined(self._info(thought, position))

    def _info(self, thought: re.Match[str], position: Position) -> Info:
        depth, score, time, nodes = (int(number) for number in thought.groups()[:4])
        words = f"cp {score}"
        if abs(score) > MATE:
            words = f"mate {abs(score) - MATE if score > 0 else MATE - abs(score)}"
        return Info(
            words, depth, 0, time * 10, nodes, tuple(self._line_of((thought[5] or "").rpartition("\t")[2], position))
        )

    def _line_of(self, text: str, position: Position) -> Sequence[str]:
        """Return the main line in UCI's notation, up to the first word that is no move."""
        position, moves = position.copy(), list[str]()
        for word in _COMMENT.sub(" ", text).split()[:MOST_MOVES]:
            move = self._ours(word.rstrip("!?"), position)
            if not position.allows(move):
                break
            moves.append(move)
            position.push(move)
        return moves

    def _wait_until_ready(self) -> None:
        """Read and drop all that it has said, where it can tell."""
        if self._features.get("ping") != "1":
            return
        self._pings += 1
        self._send(f"ping {self._pings}")
        while self._line() != f"pong {self._pings}":
            pass
