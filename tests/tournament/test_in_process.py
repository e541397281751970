"""Matches in this process are those that processes play: `tests/in_process.py` promises it to all tests that use it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from tests.in_process import in_process

GAME = ["--game", "cambio", "-o", "chips=4", "--seats", "2", "--rounds", "6", "--seed", "3", "--jobs", "1"]

BOT = '''
from arena.sdk import Bot, Question

class Odd(Bot[object]):
    """Tells what it thinks, sometimes plays no move, and ends once."""
    matches_at_once = 1
    asked = 0

    def choose(self, question: Question[object]) -> str:
        self.asked += 1
        print("asked", self.asked, flush=True)
        question.note("a thought")
        if self.asked == 9:
            raise SystemExit(3)
        return "no move" if self.asked == 2 else question.legal[0]

Odd().run()
'''

TABLES = {
    "matches": "id, phase, deal, rotation, seed, answers, digest",
    "seats": "match_id, seat, entrant, score, rank, decisions, forfeit",
    "faults": "match_id, place, seat, ply, kind, forfeit",
    "notes": "match_id, seat, packed, truncated",
}
"""What depends on no clock, nor on how the end of a process is worded."""


def played(database: Path, field: str) -> dict[str, list[Any]]:
    words = ["tourney", *GAME, "--bots", field, "--db", str(database)]
    result = CliRunner().invoke(main, words, prog_name="arena")
    assert result.exit_code == 0, result.output
    with closing(sqlite3.connect(database)) as connection:
        return {
            table: connection.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2, 3").fetchall()
            for table, columns in TABLES.items()
        }


@pytest.mark.promise
def test_a_tournament_in_this_process_is_that_of_processes(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text(BOT)
    field = f"random,cautious,{tmp_path / 'odd.py'}"
    with in_process():
        here = played(tmp_path / "here.db", field)
    there = played(tmp_path / "there.db", field)
    assert len(here["matches"]) == 12
    assert all(here.values())
    assert here == there
