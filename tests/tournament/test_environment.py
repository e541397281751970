"""Which environment variables reach a referee, and that the page of all variables says the same."""

import os
import re
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from arena.run import environment
from arena.run.environment import PASSED_ON
from arena.run.referee_process import EarlyReferees

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "environment.md").read_text()
ROWS = [line.split(" | ") for line in PAGE.splitlines() if line.startswith("| `") and line.count(" | ") == 3]


def variables(reach: str) -> set[str]:
    """Return the variables of the page that reach referees in that way."""
    return {name for names, _, column, _ in ROWS if column == reach for name in re.findall("`([A-Z_0-9]+)`", names)}


def test_the_page_says_what_is_passed_on() -> None:
    assert variables("yes") == set(PASSED_ON)
    assert variables("registered") == {"ARENA_CHESS_BOOKS", "ARENA_CHESS_TABLEBASES"}
    assert len(variables("no")) > 5


def test_the_page_has_every_variable_that_other_pages_name() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "packages").glob("*/README.md")]
    named = {name for page in pages for name in re.findall(r"\bARENA_[A-Z_]*[A-Z]\b", page.read_text())}
    assert sorted(named - set(re.findall(r"\bARENA_[A-Z_]+\b", PAGE))) == []


def test_what_a_referee_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("HARBOUR_MAPS", "arena_harbour.maps", environment.GROUP)
    monkeypatch.setattr(environment, "entry_points", lambda group: [point])
    environment.added_by_games.cache_clear()
    given = {name: f"value of {name}" for name in (*PASSED_ON, "HARBOUR_MAPS", *variables("no"), "SECRET_KEY")}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    passed = environment.referee_environment()
    environment.added_by_games.cache_clear()
    assert passed == {name: given[name] for name in (*PASSED_ON, "HARBOUR_MAPS")}


@pytest.mark.promise
def test_a_referee_process_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CODEC", "pure")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/nowhere")
    monkeypatch.setenv("ARENA_DB", "secret.db")
    with EarlyReferees([None]) as early:
        (process,) = early._waiting
        has = Path(f"/proc/{process.popen.pid}/environ").read_bytes().split(b"\0")
    assert b"ARENA_CODEC=pure" in has
    assert b"LD_LIBRARY_PATH=/nowhere" in has
    assert os.fsencode("ARENA_DB=secret.db") not in has
