"""Match managers of chess beside arena: what each costs per move, in turn with whole tournaments of arena.

They do what arena does (start programs, ask them in turn, keep clocks and rules, store the games), in C or C++ and with
another game. Both sides of their games are held by an engine that does not think (shuffle_engine.c), as arena's bots
play at random: so what is measured is the manager. Managers are programs of others that the user has installed.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.bench.figures import BenchError, Figure, Sampling
from arena.bench.processes import descendants
from arena.bench.protocol import BenchTable
from arena.bench.tournament_benchmark import play, tournament_conditions
from arena.bench.watched_command import run_watched
from arena.bench.yardstick import Yardstick
from referee.extensions import find_compiler
from referee.sandbox.cpu_supply import usable_cores

ENGINE_SOURCE = Path(__file__).with_name("shuffle_engine.c")

GAME_MOVES = 100
"""How many moves a game of that engine with itself takes, of both sides together: a draw after 50 each."""

CLOCK = "60+1"
"""Time of a game and of a move in seconds: enough, but a clock has to be kept."""

_TAG = re.compile(r'^\[(\w+) "([^"]*)"\]', re.MULTILINE)

_FAILURES = {
    "time forfeit",
    "illegal move",
    "rules infraction",
    "abandoned",
    "disconnect",
    "stalled connection",
    "unterminated",
}
"""What PGN says of games that ended because a program failed."""

_ENGINES = "-engine cmd={engine} name=a -engine cmd={engine} name=b -concurrency {jobs} "

_COMMANDS = {
    "fastchess": _ENGINES + "-use-affinity -each tc={clock} -rounds {rounds} -games 2 -pgnout file={pgn}",
    "c-chess-cli": _ENGINES + "-each tc={clock} -games {games} -pgn {pgn}",
    "cutechess-cli": _ENGINES + "-each proto=uci tc={clock} -rounds {rounds} -games 2 -pgnout {pgn}",
}

_VERSION_WORDS = {"fastchess": "--version", "c-chess-cli": "-version", "cutechess-cli": "--version"}

MANAGERS = tuple(_COMMANDS)
"""The names of the managers that can be measured."""


@dataclass(frozen=True, slots=True)
class Manager:
    """An installed match manager."""

    name: str
    """Its name, one of `MANAGERS`."""
    path: Path
    """The file of its program."""

    @property
    def version(self) -> str:
        """What it says of its version, in one line; its name where it says nothing."""
        words = [str(self.path), _VERSION_WORDS[self.name]]
        try:
            done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=10)
        except (OSError, subprocess.TimeoutExpired):
            return self.name
        return next(iter(done.stdout.strip().splitlines()), self.name).strip()

    def command(self, engine: str, games: int, jobs: int, pgn: str) -> list[str]:
        """Return the command that plays so many games of an engine with itself, `jobs` at a time, and keeps them."""
        pairs = {"engine": engine, "clock": CLOCK, "games": games, "rounds": games // 2, "jobs": jobs, "pgn": pgn}
        return [str(self.path), *(word.format(**pairs) for word in _COMMANDS[self.name].split())]


@dataclass(frozen=True, slots=True)
class Peers:
    """What is measured beside arena."""

    managers: tuple[Manager, ...] = ()
    engine: Path | None = None
    """A UCI engine that plays all games; None: the one that is built."""


@dataclass(frozen=True, slots=True)
class PeerRun:
    """One tournament of a manager: its moves, wall time, CPU time of manager and engines. In seconds."""

    decisions: int
    seconds: float
    manager: float
    engines: float

    @property
    def rate(self) -> float:
        """Moves per second of wall time."""
        return self.decisions / self.seconds

    @property
    def cpu(self) -> float:
        """CPU time per move of manager and engines together, in µs."""
        return (self.manager + self.engines) * 1e6 / self.decisions


def measure(table: BenchTable, peers: Peers, sampling: Sampling) -> Iterator[Figure]:
    """Yield the figures of arena and of each manager, which take turns. Raises BenchError where one fails."""
    jobs = usable_cores()
    games = 2 * max(jobs, round(sampling.peer_moves / GAME_MOVES / 2))
    runs: dict[str, list[PeerRun]] = {name: [] for name in ("arena", *(manager.name for manager in peers.managers))}
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as place:
        engine = engine_of(peers, Path(place))
        for manager in peers.managers:
            play_games(manager, engine, 2 * jobs, jobs)
        yardstick = Yardstick(sampling.yardstick)
        for _ in range(sampling.alternations):
            runs["arena"].append(_play_arena(table, sampling.rounds, jobs))
            yardstick.read()
            for manager in peers.managers:
                runs[manager.name].append(play_games(manager, engine, games, jobs))
                yardstick.read()
    versions = {manager.name: manager.version for manager in peers.managers}
    own_conditions = tournament_conditions(table, sampling.rounds, jobs)
    cores = f"all {jobs} cores"
    peer_conditions: dict[str, str | int] = {
        "game": "chess",
        "seats": 2,
        "games at once": jobs,
        "games": games,
        "cores": cores,
    }
    for place_in_turn, (name, played) in enumerate(runs.items()):
        beside = yardstick.beside[place_in_turn :: len(runs)]
        conditions = own_conditions if name == "arena" else peer_conditions | {"version": versions[name]}
        yield from _figures(name, played, beside, conditions)
        if name != "arena":
            yield from _comparison(name, runs["arena"], played, conditions)


def _figures(
    name: str, runs: list[PeerRun], yardstick: tuple[float, ...], conditions: dict[str, str | int]
) -> Iterator[Figure]:
    manager, engines = ("arena and its referees", "the bots") if name == "arena" else (name, "the engines")
    what = "decisions (moves) by the time from the start of the command to its end"
    rates = tuple(run.rate for run in runs)
    cpu = tuple(run.cpu for run in runs)
    yield Figure(f"peers.{name}.decisions", "decisions/s", rates, what, conditions | {"time": "wall"}, cpu, yardstick)
    parts = ("manager", manager, [run.manager for run in runs]), ("engines", engines, [run.engines for run in runs])
    for part, meaning, spent in parts:
        cpu = tuple(seconds * 1e6 / run.decisions for seconds, run in zip(spent, runs, strict=True))
        what = f"CPU time, user and system, of {meaning}"
        yield Figure(f"peers.{name}.{part}", "µs/decision", cpu, what, conditions | {"time": "CPU"}, cpu, yardstick)


def _comparison(
    name: str, own_runs: list[PeerRun], peer_runs: list[PeerRun], conditions: dict[str, str | int]
) -> Iterator[Figure]:
    pairs = list(zip(own_runs, peer_runs, strict=True))
    rates = tuple(arena.rate / peer.rate for arena, peer in pairs)
    what = f"arena's decisions/s by those of {name} right after"
    yield Figure(f"peers.{name}.compared.decisions", "×", rates, what, conditions | {"time": "wall"})
    cpu = tuple(arena.cpu / peer.cpu for arena, peer in pairs)
    what = f"arena's CPU time per decision, all processes, by that of {name} right after"
    yield Figure(f"peers.{name}.compared.cpu", "×", cpu, what, conditions | {"time": "CPU"})


def _play_arena(table: BenchTable, rounds: int, jobs: int) -> PeerRun:
    run = play(table, rounds, jobs)
    return PeerRun(run.decisions, run.seconds, run.cpu["arena"] + run.cpu["referees"], run.cpu["bots"])


def play_games(manager: Manager, engine: Path, games: int, jobs: int) -> PeerRun:
    """Have a manager play so many games, `jobs` at a time. Raises BenchError where not all of them are played."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as place:
        folder = Path(place)
        (folder / "engine").symlink_to(engine.absolute())
        command = manager.command("./engine", games, jobs, "games.pgn")
        run = run_watched(command, lambda pid: {"manager": [pid], "engines": descendants(pid)}, folder)
        pgn = folder / "games.pgn"
        tags = _TAG.findall(pgn.read_text(errors="replace") if pgn.exists() else "")
    played = [value for name, value in tags if name == "PlyCount"]
    failures = sorted({value for name, value in tags if name == "Termination"} & _FAILURES)
    if failures or len(played) != games:
        why = f"games ended by {', '.join(failures)}" if failures else f"{len(played)} of {games} games were stored"
        last = "\n".join(run.printed.splitlines()[-5:])
        raise BenchError(f"{manager.name} did not play as it should: {why}. The last that it printed:\n{last}")
    return PeerRun(sum(map(int, played)), run.seconds, run.cpu["manager"], run.cpu["engines"])


def engine_of(peers: Peers, folder: Path) -> Path:
    """Return the engine that plays for peers: the one that is given, else one that is built into `folder`."""
    return peers.engine or build_engine(folder)


def build_engine(folder: Path) -> Path:
    """Compile the engine that does not think into `folder` and return its path. Raises BenchError."""
    compiler = os.environ.get("CC") or find_compiler()
    if not compiler:
        raise BenchError(
            "the engine that plays for the managers cannot be built without a C compiler: install gcc, or give a "
            "UCI engine with --engine"
        )
    engine = folder / "shuffle"
    words = [*compiler.split(), "-O2", "-o", str(engine), str(ENGINE_SOURCE)]
    try:
        done = subprocess.run(words, capture_output=True, text=True)
    except OSError as error:
        raise BenchError(f"{compiler} cannot be started: {error.strerror}; set CC to a C compiler") from None
    if done.returncode:
        raise BenchError(f"{ENGINE_SOURCE.name} was not compiled by {compiler}: {done.stderr.strip()}")
    return engine
