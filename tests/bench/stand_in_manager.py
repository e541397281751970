"""A match manager as small as can be, which understands the options of all those that are measured.

Its first argument says how the games are stored: "normal", or as what it tells of their end; "lost" stores only one.
"""

import itertools
import subprocess
import sys
from pathlib import Path

MOVES = 100


class Engine:
    """A UCI engine in a process of its own."""

    def __init__(self, command: str) -> None:
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, order: str, until: str) -> str:
        """Give an order; return the line that begins with `until`."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(order + "\n")
        self.process.stdin.flush()
        return next(line.strip() for line in self.process.stdout if line.startswith(until))

    def quit(self) -> None:
        self.process.communicate("quit\n")


def main(ending: str, *words: str) -> None:
    """Play the games one after the other and store them."""
    if len(words) == 1:
        print("stand-in 1.0")
        return
    values = {name: value for name, value in itertools.pairwise(words) if name.startswith("-")}
    games = int(values["-games"]) * int(values.get("-rounds", 1))
    command = values["-engine"].removeprefix("cmd=")
    target = values.get("-pgn") or values["-pgnout"].removeprefix("file=")
    engines = Engine(command), Engine(command)
    for engine in engines:
        engine.ask("uci", "uciok")
    stored = []
    for game in range(games):
        moves: list[str] = []
        for engine in engines:
            engine.ask("ucinewgame\nisready", "readyok")
        while len(moves) < MOVES:
            position = "position startpos" + (" moves " + " ".join(moves) if moves else "")
            order = f"{position}\ngo wtime 60000 btime 60000 winc 1000 binc 1000"
            moves.append(engines[len(moves) % 2].ask(order, "bestmove").split()[1])
        stored.append(f'[Round "{game + 1}"]\n[Result "1/2-1/2"]\n[Termination "{ending}"]\n[PlyCount "{MOVES}"]\n')
    for engine in engines:
        engine.quit()
    Path(target).write_text("\n".join(stored[: 1 if ending == "lost" else None]))
    print("Finished match")


if __name__ == "__main__":
    main(*sys.argv[1:])
