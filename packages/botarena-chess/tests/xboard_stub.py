"""An engine of xboard's protocol for tests: plays the first legal move of the alphabet, as oddly as its arguments say.

It keeps the game by itself, and ends with code 9 over a move that is not legal in it.
"""

import os
import sys
import time

import chess
import chess.variant

kinds = set(sys.argv[1:])
board = chess.Board()
is_forced, searches = False, 0
log = open(os.environ["XBOARD_LOG"], "a") if "XBOARD_LOG" in os.environ else None  # noqa: SIM115


def say(line: str) -> None:
    print(line, flush=True)


def play() -> None:
    global searches
    searches += 1
    if "exits" in kinds:
        sys.exit(4)
    if "hangs" in kinds:
        time.sleep(60)
    if "closes" in kinds:
        os.close(1)
        time.sleep(60)
    move = min(board.legal_moves, key=lambda move: board.uci(move))
    if "flood" in kinds:
        for ply in range(20_000):
            say(f"{ply % 99} 12 3 {ply} e2e4")
    if "noise" in kinds:
        say(
            "telluser hello\n# debug line\n\x00\x1b[31m\nstat01: 4 23 2 5 48\n9 elephant 3 4 e4\n"
            "12345678901234567890 1 1 1"
        )
    if "illegal_claim" in kinds:
        say("Illegal move: e7e5")
    if "resigns" in kinds and searches > 1:
        say("resign")
        return
    if "claims" in kinds:
        say("1/2-1/2 {Draw by boredom}")
        return
    if "claims_loss" in kinds:
        say("0-1 {White resigns}" if board.turn else "1-0 {Black resigns}")
        return
    if "draws" in kinds:
        say("offer draw")
    say(f"7& 35 12 3456\t{board.san(move)} nonsense")
    if "lost" in kinds:
        say("8 -100003 12 3456 1. {a comment}")
    odd = [kind.removeprefix("plays:") for kind in kinds if kind.startswith("plays:")]
    if "san" in kinds:
        say(f"move {board.san(move)}")
    elif "old" in kinds:
        say(f"1. ... move {move.uci()}")
    elif "my_move" in kinds:
        say(f"My move is: {move.uci()}")
    else:
        say(f"move {odd[0] if odd else board.uci(move)}")
    board.push(move)
    if "result" in kinds:
        say("1-0 {White mates}\n0-1 {so it claims}")


for line in sys.stdin:
    if log:
        print(line.strip(), file=log, flush=True)
    words = line.split()
    match words[:1]:
        case ["protover"]:
            if "mute" in kinds:
                time.sleep(60)
            if "version_1" in kinds:
                say("Error (unknown command): protover 2")
                continue
            say('feature done=0\nfeature myname="Stub of xboard" san=1 colors=0')
            say(
                'feature variants="normal,fischerandom,crazyhouse" '
                + ("" if "no_setboard" in kinds else "setboard=1 ")
                + "usermove=1"
            )
            say("feature ping=1" + (" reuse=0" if "no_reuse" in kinds else "") + " done=1")
        case ["ping"]:
            if "mute_ping" in kinds:
                time.sleep(60)
            say("some noise" if "noise" in kinds else "")
            say(f"pong {words[1]}")
        case ["new"]:
            board, is_forced = chess.Board(), False
        case ["variant"]:
            board = {"crazyhouse": chess.variant.CrazyhouseBoard()}.get(words[1], chess.Board(chess960=True))
        case ["setboard"]:
            board.set_fen(line.partition(" ")[2].strip())
        case ["force"]:
            is_forced = True
        case ["undo"]:
            board.pop()
        case ["go"]:
            is_forced = False
            play()
        case ["usermove"]:
            try:
                board.push(board.parse_san(words[1]) if "O" in words[1] else board.parse_uci(words[1]))
            except ValueError:
                sys.exit(9)
            if not is_forced:
                play()
        case ["quit"]:
            break
