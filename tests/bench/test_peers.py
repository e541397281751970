"""Match managers beside arena: a stand-in manages matches of the real engine, in turn with real tournaments."""

import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from arena.bench import peers
from arena.bench.figures import BenchError, Sampling
from arena.bench.peers import MANAGERS, Manager, Peers
from arena.bench.protocol import BenchTable
from tests.bench import stand_in_manager

pytestmark = pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="there is no C compiler")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The engine that plays for the managers."""
    return peers.build_engine(tmp_path_factory.mktemp("engine"))


def stand_in(folder: Path, name: str = "fastchess", ending: str = "normal") -> Manager:
    """Return a manager that is none, but has the options of one."""
    program = folder / name
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{stand_in_manager.__file__}" "{ending}" "$@"\n')
    program.chmod(0o755)
    return Manager(name, program)


def test_the_engine_plays_legal_moves_until_a_draw_after_fifty_of_each_side(engine: Path) -> None:
    knights = {"b1": "white", "g1": "white", "b8": "black", "g8": "black"}
    seen = Counter([frozenset(knights.items())])
    moves: list[str] = []
    with subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for side in ["white", "black"] * 50:
            process.stdin.write(f"position startpos{' moves ' * bool(moves)}{' '.join(moves)}\ngo movetime 1\n")
            process.stdin.flush()
            assert process.stdout.readline().startswith("info ")
            move = process.stdout.readline().split()[1]
            start, target = move[:2], move[2:]
            steps = {abs(ord(start[0]) - ord(target[0])), abs(int(start[1]) - int(target[1]))}
            assert steps == {1, 2}
            assert target not in knights
            assert target[1] in "3456" or target in ("b1", "g1", "b8", "g8"), "pawns and other pieces never move"
            assert knights.pop(start) == side
            knights[target] = side
            moves.append(move)
            seen[frozenset(knights.items())] += 1
        process.communicate("quit\n")
    assert max(seen.values()) == 2, "a third time would be a draw before that"


@pytest.mark.parametrize("name", MANAGERS)
def test_every_manager_is_asked_in_its_own_words(name: str, engine: Path, tmp_path: Path) -> None:
    manager = stand_in(tmp_path, name)
    run = peers.play_games(manager, engine, games=4, jobs=2)
    assert run.decisions == 400
    assert run.seconds > 0
    assert run.manager > 0
    assert run.engines >= 0
    assert manager.version == "stand-in 1.0"


@pytest.mark.parametrize(
    ("ending", "why"),
    [("time forfeit", "games ended by time forfeit"), ("lost", "1 of 4 games were stored")],
)
def test_games_that_go_wrong_are_told(ending: str, why: str, engine: Path, tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=f"fastchess did not play as it should: {why}.*\nFinished match"):
        peers.play_games(stand_in(tmp_path, ending=ending), engine, games=4, jobs=2)


def test_a_manager_without_a_version_has_its_name(tmp_path: Path) -> None:
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\n")
    silent.chmod(0o755)
    assert Manager("fastchess", silent).version == "fastchess"


@pytest.mark.slow
def test_managers_and_arena_take_turns(table: BenchTable, sampling: Sampling, tmp_path: Path) -> None:
    measured = peers.measure(table, Peers((stand_in(tmp_path), stand_in(tmp_path, "c-chess-cli"))), sampling)
    figures = {figure.name: figure for figure in measured}
    assert list(figures) == [
        "peers.arena.decisions", "peers.arena.manager", "peers.arena.engines",
        "peers.fastchess.decisions", "peers.fastchess.manager", "peers.fastchess.engines",
        "peers.fastchess.compared.decisions", "peers.fastchess.compared.cpu",
        "peers.c-chess-cli.decisions", "peers.c-chess-cli.manager", "peers.c-chess-cli.engines",
        "peers.c-chess-cli.compared.decisions", "peers.c-chess-cli.compared.cpu",
    ]  # fmt: skip
    for name in ("arena", "fastchess"):
        whole = figures[f"peers.{name}.decisions"]
        parts = [figures[f"peers.{name}.{part}"] for part in ("manager", "engines")]
        assert sum(part.value for part in parts) == pytest.approx(whole.cpu[0])
        assert len(whole.ratios) == sampling.alternations
    ours, theirs = figures["peers.arena.decisions"], figures["peers.fastchess.decisions"]
    assert figures["peers.fastchess.compared.decisions"].value == pytest.approx(ours.value / theirs.value)
    assert theirs.conditions["version"] == "stand-in 1.0"
    assert ours.conditions["game"] == "cambio"


def test_another_engine_may_play(engine: Path, tmp_path: Path) -> None:
    assert peers.build_engine(tmp_path).read_bytes()[:4] == b"\x7fELF"
    assert peers.engine_of(Peers(engine=engine), tmp_path / "none") == engine


@pytest.mark.parametrize(
    ("compiler", "sentence"),
    [
        ("/nowhere/cc", "/nowhere/cc cannot be started: No such file or directory; set CC to a C compiler"),
        ("false", "shuffle_engine.c was not compiled by false: "),
    ],
)
def test_an_engine_that_cannot_be_built_is_told(
    compiler: str, sentence: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CC", compiler)
    with pytest.raises(BenchError, match=sentence):
        peers.build_engine(tmp_path)
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BenchError, match="cannot be built without a C compiler: install gcc, or give .* --engine"):
        peers.build_engine(tmp_path)
