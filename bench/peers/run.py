"""arena beside other libraries of games, in one run: decisions per second of random play.

    make bench-peers                       all of them, in about ten minutes
    UV=uv python bench/peers/run.py NAME   one of them

Each library is installed into a place of its own below build/peers, in the version named here, with the Python that
runs this; one that cannot be installed is skipped with a sentence. What is compared:

- In one process: whole matches of random play, CPU time of one core, the median of five runs. A library that makes an
  observation for each question (PettingZoo, RLCard, kaggle-environments) is held against `engine.views` of arena, which
  makes the view of whoever acts; OpenSpiel, which is asked for the legal moves alone, against `engine.random`.
- Over processes: the same library against all that a decision costs in a tournament of arena, where the referee with
  rules, clock and log and the bots are processes that talk gRPC: the CPU time of all of them together (the figures
  `protocol.pinned.kN.referee` and `.bots` with the most matches at once). No peer does that.

No game is in two libraries, so each is held against the game of arena that is nearest to it. A ratio above 1 says that
arena plays so many decisions while the other plays one. Rules differ, so does what a decision costs: read a ratio as a
power of ten, not as a percentage.
"""

import json
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).parent
BUILD = HERE.parent.parent / "build" / "peers"

PEERS = {
    "openspiel": (["open_spiel==2.0.2"], "random"),
    "pettingzoo": (["pettingzoo==1.27.0", "rlcard==1.2.0", "pygame"], "views"),
    "rlcard": (["rlcard==1.2.0"], "views"),
    "kaggle": (["kaggle-environments==1.33.2"], "views"),
}
"""By name: what is installed, and which figure of arena's engine does the same."""

NEAREST = {
    "hearts": "coch", "euchre": "coch", "liars_dice": "perudo", "gin_rummy": "scopa", "gin-rummy": "scopa",
    "leduc_poker": "hypp", "leduc_holdem": "hypp", "leduc-holdem": "hypp", "texas_holdem": "hypp",
    "limit-holdem": "hypp", "uno": "cambio", "doudizhu": "coch", "connectx": "cambio",
}  # fmt: skip
"""The game of arena that each is held against: tricks, dice and bids, taking from the table, bets, cards that pass."""


_HEAD = (
    f"{'library':<28}{'game':<14}{'decisions/s':>12}   "
    f"{'nearest':<8}{'in process':>12}{'ratio':>8}{'gRPC':>10}{'ratio':>8}"
)


def main(names: list[str]) -> int:
    """Measure the peers named, or all; return the exit code."""
    found = [line for name in names or PEERS for line in peer(name)]
    if not found:
        print("no peer could be installed, so there is nothing to compare", file=sys.stderr)
        return 1
    ours = {game: arena(game) for game in sorted({NEAREST[line["game"]] for line in found})}
    print(_HEAD)
    for line in found:
        rate, game = median(line["rates"]), NEAREST[line["game"]]
        inside, across = ours[game][line["against"]], ours[game]["grpc"]
        print(
            f"{line['library'] + ' ' + line['version']:<28}{line['game']:<14}{rate:>12,.0f}   {game:<8}{inside:>12,.0f}"
            f"{inside / rate:>8.1f}{across:>10,.0f}{across / rate:>8.2f}"
        )
    return 0


def peer(name: str) -> list[dict[str, Any]]:
    """Install a library and return what it plays; nothing, and a sentence, where that is not possible."""
    packages, against = PEERS[name]
    folder = BUILD / name
    uv = os.environ.get("UV", "uv")
    print(f"measuring {name} ...", file=sys.stderr)
    for words in (
        [uv, "venv", "--quiet", "--allow-existing", "--python", sys.executable, str(folder)],
        [uv, "pip", "install", "--quiet", "--python", str(folder), *packages],
        [str(folder / "bin" / "python"), str(HERE / f"play_{name}.py")],
    ):
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            last = next(iter(done.stderr.strip().splitlines()[::-1]), "no reason told")
            print(f"SKIPPED: {name} ({' '.join(packages)} could not be installed and run: {last})", file=sys.stderr)
            return []
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [{**line, "against": against} for line in lines]


def arena(game: str) -> dict[str, float]:
    """Return what arena plays of a game: decisions per second in one process, and over gRPC."""
    print(f"measuring arena, {game} ...", file=sys.stderr)
    script = Path(sysconfig.get_path("scripts"), "arena")
    words = [str(script), "bench", "--quick", "--only", "engine", "--only", "protocol", "--game", game, "--json"]
    told = json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout)
    figures = {figure["name"]: figure["value"] for figure in told["figures"]}
    counts = [re.fullmatch(r"protocol\.pinned\.k(\d+)", name) for name in figures]
    most = f"protocol.pinned.k{max(int(count[1]) for count in counts if count)}"
    return {
        "random": figures["engine.random"],
        "views": figures["engine.views"],
        "grpc": 1e6 / (figures[f"{most}.referee"] + figures[f"{most}.bots"]),
    }


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
