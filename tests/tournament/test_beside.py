"""A tournament is played while the sums of another one in the same file are made again."""

import subprocess
import sys
from pathlib import Path

import pytest

from arena.results import stored_tournament as module
from arena.results.stored_tournament import StoredTournament
from arena.results.summary_check import rebuild, summary_errors
from arena.store import open_store
from arena.store.engine import backoff
from tests import played
from tests.guessing import GUESSING

MATCHES = 90

WRITER = """
import sys
from arena.store import open_store
from tests import played
from tests.guessing import GUESSING

with open_store(sys.argv[1], write=True) as store:
    for line in sys.stdin:
        store.add_matches(2, [played.match(GUESSING, int(line))])
        print(line, end="", flush=True)
"""


@pytest.mark.promise
def test_a_writer_gets_in_between_any_two_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH", 7)
    monkeypatch.setattr(module, "_MOST", 10)
    path = tmp_path / "a.db"
    asked: list[str] = []
    with open_store(path, create=True) as store:
        for _ in range(2):
            store.add_tournament(played.tournament(GUESSING, bots=6))
        store.add_matches(1, [played.match(GUESSING, number, bots=6) for number in range(MATCHES)])
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdin is not None
            assert writer.stdout is not None
            talk, heard = writer.stdin, writer.stdout

            def pause(seconds: float) -> None:
                """Wait until the other process has stored a match: it cannot while a transaction of ours lasts."""
                assert 0 < seconds <= 0.2
                asked.append(f"{len(asked)}\n")
                talk.write(asked[-1])
                talk.flush()
                assert heard.readline() == asked[-1]

            monkeypatch.setattr(backoff, "pause", pause)
            rebuild(StoredTournament.load(store, 1))
            talk.close()
        assert writer.returncode == 0
        assert len(asked) == MATCHES // 10
        assert store.played(2) == set(range(len(asked)))
        assert store.count(1) == MATCHES
        assert list(summary_errors(StoredTournament.load(store, 1))) == []
