"""A UCI engine for tests: plays the first legal move of the alphabet, and misbehaves as its argument says.

mute: never says uciok. hang: never answers its third search. crash: ends in its third search. garbage: prints rubbish
between and instead of moves. illegal: plays no legal move. lost, even: says such a score. ponder: ponders as it should.
tell: prints what follows `go` to its standard error.
variants: plays Chess960 and crazyhouse as well, and ends over a position of another game than it was told of.
"""

import sys
import time
from typing import Any

import chess
import chess.variant

kind = sys.argv[1] if len(sys.argv) > 1 else "sound"
board = chess.Board()
boards: dict[str, Any] = {"chess": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard}
variant, is_960 = "chess", False
searches = 0
held = ""


def say(line: str) -> None:
    print(line, flush=True)


for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        say(f"id name Stub {kind}")
        if kind == "mute":
            time.sleep(60)
        if kind == "variants":
            say("option name UCI_Chess960 type check default false")
            say("option name UCI_Variant type combo default chess var chess var crazyhouse")
        say("uciok")
    elif words[:2] == ["setoption", "name"]:
        if words[2] == "UCI_Variant":
            variant = words[4]
        if words[2] == "UCI_Chess960":
            is_960 = words[4] == "true"
    elif words[:1] == ["isready"]:
        say("readyok")
    elif words[:2] == ["position", "fen"]:
        board = boards[variant](" ".join(words[2:8]), chess960=is_960)
        for move in words[9:]:
            board.push_uci(move)
    elif words[:1] == ["go"]:
        searches += 1
        if kind == "tell":
            print(*words[1:], file=sys.stderr)
        move = min(move.uci() for move in board.legal_moves)
        if kind == "ponder" and words[1] == "ponder":
            held = move
            continue
        if kind == "hang" and searches >= 3:
            time.sleep(60)
        if kind == "crash" and searches >= 3:
            sys.exit(3)
        if kind == "garbage":
            say("\x00\x1b[31m\u2603 bestmov e2e4 info score")
            say("info score")
            say("info depth 1 score elephant 3 nodes")
        if kind == "lost":
            say("info depth 1 score cp -900 pv e2e4")
        if kind == "even":
            say("info depth 1 score cp 0")
        say({"illegal": "bestmove (none)", "garbage": "bestmove"}.get(kind, f"bestmove {move} ponder e7e5"))
    elif words[:1] in (["ponderhit"], ["stop"]):
        say(f"bestmove {held}")
    elif words[:1] == ["quit"]:
        break
