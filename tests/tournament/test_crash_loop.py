"""A run that is killed soon after its first records, again and again, still gets to the end."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.results.stored_tournament import StoredTournament
from arena.run.runner import run
from arena.store import Store, open_store
from arena.values.definition import Definition, TimeControl
from tests.tournament.processes import Watched, descendants
from tests.tournament.runs import Watcher, begin, results

PLAY = """
import sys
from arena.store import open_store
from arena.results.stored_tournament import StoredTournament
from arena.run.runner import run
from tests.tournament.runs import Watcher

with open_store(sys.argv[1], write=True) as store:
    tournament = StoredTournament.load(store, int(sys.argv[2]))
    run(tournament, tournament.resumable_definition(), 1, Watcher(lambda: print("stored", flush=True)))
"""

KILLS = 2


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.mark.processes
def test_each_run_of_a_crash_loop_stores_some_matches(
    store: Store, cambio: Callable[..., Definition], tmp_path: Path
) -> None:
    definition = cambio("random", "cautious", rounds=120, seats=2)
    time = TimeControl(move_time_ms=0, start_time_ms=60_000)
    definition = replace(definition, options={"chips": "2"}, time=time)
    number, whole = begin(store, definition), begin(store, definition)
    command = [sys.executable, "-c", PLAY, str(tmp_path / "arena.db"), str(number)]
    stored = [0]
    for _ in range(KILLS):
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"stored\n"
            below = Watched(descendants(process.pid))
            process.kill()
            process.wait()
        assert below.survivors() == []
        stored.append(store.count(number))
    assert stored == sorted(set(stored)), "each run advances"
    assert stored[1] < 240, "and was killed on its way"

    rest = run(StoredTournament.load(store, number), definition, 2, Watcher())
    assert rest.matches == 240 - stored[-1]
    run(StoredTournament.load(store, whole), definition, 2, Watcher())
    assert results(store, number) == results(store, whole)
