"""The example of docs/bots.md plays, and is typed."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.v1.cambio_pb2 import CambioView
from referee.v1.play_pb2 import PlayRequest, PlayResponse

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The example in a file of its own."""
    found = re.search(r"^```python\n(.*?)^```$", (ROOT / "docs/bots.md").read_text(), re.MULTILINE | re.DOTALL)
    assert found
    path = tmp_path / "mine.py"
    path.write_text(found[1])
    return path


@pytest.mark.promise
def test_it_plays(example: Path, standin: Any, deal: Any, greet: PlayResponse) -> None:
    answers: list[tuple[int, str]] = []

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        assert list(next(requests).hello.games) == ["cambio"]
        yield greet
        batch = deal().start(1)
        for number, card in enumerate((2, 3, -4), start=1):
            batch.ask(number, 1, view=CambioView(card=card).SerializeToString())
        yield batch.ask(4, 1, "pass", "cuckoo").response
        answers.extend((answer.index, answer.note) for answer in next(requests).answers.answers)

    ended = standin.run(example, talk)
    assert (ended.code, ended.err) == (0, "")
    assert answers == [(1, "holding 2"), (0, "holding 3"), (1, "holding -4"), (1, "")]


@pytest.mark.processes
def test_it_is_typed(example: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "", f"--cache-dir={ROOT}/.mypy_cache/readme"]
    done = subprocess.run([*command, str(example)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
