"""A killed writer loses at most the batch that was not yet written."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.store import open_store
from tests import played
from tests.guessing import GUESSING

WRITER = """
import sys
from arena.store import open_store
from tests import played
from tests.guessing import GUESSING

store = open_store(sys.argv[1], create=True)
tournament = store.add_tournament(played.tournament(GUESSING, matches=1_000_000))
rows = [played.match(GUESSING, number) for number in range(50)]
from dataclasses import replace
for batch in range(10_000):
    store.add_matches(tournament, [replace(row, number=batch * 50 + row.number) for row in rows])
    print(batch, flush=True)
"""


@pytest.mark.promise
def test_after_kill_9_every_batch_that_was_confirmed_is_there_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    with writer.stdout:
        confirmed = [int(next(writer.stdout)) for _ in range(5)][-1]
        writer.send_signal(signal.SIGKILL)
        confirmed = max([confirmed, *(int(line) for line in writer.stdout if line.endswith("\n"))])
    assert writer.wait() == -signal.SIGKILL
    with open_store(path, write=True) as store:
        stored = store.played(1)
        assert set(range((confirmed + 1) * 50)) <= stored
        assert len(stored) % 50 == 0
        assert store.match(3).row == played.match(GUESSING, 2)
        assert sum(1 for _ in store.results(1)) == len(stored)
        store.add_matches(1, [played.match(GUESSING, len(stored))])
