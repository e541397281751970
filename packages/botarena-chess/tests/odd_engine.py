"""A UCI engine for tests that speaks oddly: its argument says how, as the keys of ODD_ANSWERS and the code below do.

It plays the first legal move of the alphabet where it plays any.
"""

import os
import sys
import time

import chess

kinds = set(sys.argv[1:])
board = chess.Board()
searches = 0
is_new = False
end = "\r\n" if "crlf" in kinds else "\n"


def say(line: str) -> None:
    sys.stdout.write(line + end)
    sys.stdout.flush()


def answer(move: str) -> None:
    """Say an answer that is none, or one more than one."""
    if "trailing" in kinds:
        say(f"  bestmove \t {move}  ponder e7e5 extra words ")
    elif "uppercase" in kinds:
        say(f"bestmove {move.upper()}")
    elif "two_bestmoves" in kinds:
        say(f"bestmove {move}{end}bestmove a1a8")
    elif "unfinished" in kinds:
        sys.stdout.write(f"bestmove {move}")
        sys.stdout.flush()
    elif "unfinished_end" in kinds:
        sys.stdout.write(f"bestmove {move}")
        sys.exit(0)
    else:
        odd = [kind.removeprefix("plays:") for kind in kinds if kind.startswith("plays:")]
        say(f"bestmove {odd[0]}" if odd else f"bestmove {move}")


if "banner" in kinds:
    say("Odd 1.0 by nobody\nuciok is what comes later\nbestmove e2e4")
if "stderr" in kinds:
    print("noise " * 20_000, file=sys.stderr, flush=True)
for line in sys.stdin:
    words = line.split()
    if "echo" in kinds:
        say(line.rstrip())
    if words[:1] == ["uci"]:
        if "no_uciok" in kinds:
            time.sleep(60)
        say("id name" if "nameless" in kinds else f"id name Odd {'x' * 3000 if 'long_name' in kinds else ''}")
        if "options" in kinds:
            say("option\noption name\noption name Hash type spin default many min max")
            say("option type check name \x07 \u265e")
        say("uciok  ")
    elif words[:1] == ["setoption"]:
        pass
    elif words[:1] == ["ucinewgame"]:
        is_new = True
    elif words[:1] == ["isready"]:
        if "mute_ready" in kinds or ("mute_game" in kinds and is_new):
            time.sleep(60)
        say("info string not yet" if "chatty_ready" in kinds else "")
        say("\treadyok ")
    elif words[:1] == ["position"]:
        board.set_fen(" ".join(words[2:8]))
        for move in words[9:]:
            board.push_uci(move)  # an engine that is given an illegal move ends
        if "early" in kinds:
            say("bestmove a1a8")
    elif words[:2] == ["go", "ponder"]:
        if "ponders_aloud" in kinds:
            say(f"bestmove {min(map(chess.Move.uci, board.legal_moves))}")
    elif words[:1] == ["go"]:
        searches += 1
        if "flood" in kinds:
            for depth in range(20_000):
                say(f"info depth {depth % 200} currmove e2e4 currmovenumber {depth} nodes {depth}")
        if "huge_line" in kinds:
            say("info string " + "x" * 300_000)
            say("info depth 1 score cp 5 pv " + "e2e4 " * 60_000)
        if "scores" in kinds:
            say("info score cp 12\ninfo depth score cp\ninfo depth 3 score cp high pv\ninfo string bestmove a1a8\ninfo")
        if "binary" in kinds:
            sys.stdout.buffer.write(b"\xff\xfe\x00 info\x00 bestmov\x80\n")
            sys.stdout.flush()
        if "illegal_ponder" in kinds:
            say(f"bestmove {min(map(chess.Move.uci, board.legal_moves))} ponder a1a1")
            continue
        if "exits" in kinds:
            sys.exit(4)
        if "aborts" in kinds:
            os.abort()
        if "closes" in kinds:
            os.close(1)
            time.sleep(60)
        if "hangs" in kinds:
            time.sleep(60)
        answer(min(map(chess.Move.uci, board.legal_moves)))
    elif words[:1] == ["quit"]:
        if "crash_on_quit" in kinds:
            os.abort()
        if "never_quits" in kinds:
            time.sleep(60)
        break
