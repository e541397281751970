"""A tournament is killed and goes on, with everything that was stored; `make bench-resume` does it 20 times."""

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from arena.bench.figures import BenchError
from arena.bench.tournament_benchmark import program
from arena.cli import main
from arena.store import open_store
from tests import played
from tests.guessing import GUESSING
from tests.soak import kill_resume
from tests.soak.kill_resume import PLAN, kill_and_resume

SHORT = ("--game", "cambio", "--bots", "random,cautious", "--seed", "1", "-o", "chips=5", "--rounds", "800",
         "--mode", "clock", "--lag", "60s", "--move-time", "60s")  # fmt: skip
"""One match at a time, so that they end one after the other; long ones, so that there is a middle to be killed in."""


@pytest.fixture
def _shown_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """What only looks at a database runs in this process, as none of it is killed."""

    def shown(tournament: kill_resume.CommandTournament, *words: str) -> bytes:
        found = CliRunner().invoke(main, [*words, "--db", str(tournament._db)], catch_exceptions=False)
        assert found.exit_code == 0, found.output
        return found.stdout_bytes

    monkeypatch.setattr(kill_resume.CommandTournament, "_print", shown)


@pytest.fixture
def _nice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tournaments give way to this process, which is to kill them in the middle, however busy the machine is."""
    usual = program()
    monkeypatch.setattr("tests.soak.kill_resume.program", lambda: ["nice", "-n", "19", *usual])


@pytest.mark.slow
@pytest.mark.usefixtures("_shown_here", "_nice")
def test_nothing_is_lost_or_there_twice_after_two_kills_at_random_moments(tmp_path: Path) -> None:
    said: list[str] = []
    outcome = kill_and_resume(tmp_path, 2, SHORT, Random(7), said.append)
    assert outcome.matches == 1600
    assert outcome.stored == sorted(outcome.stored)
    assert len(outcome.kills) == 2
    assert said[-1].startswith("kill 2: ")


def tell(folder: Path, *matches: int) -> kill_resume.CommandTournament:
    """Return a tournament of which events tell that these matches were stored, after a line that a kill cut off."""
    lines = [json.dumps({"event": "match_ended", "match": match}) for match in matches]
    (folder / "x.events").write_text("".join(f"{line}\n" for line in ['{"event": "match_en', *lines]))
    return kill_resume.CommandTournament(folder / "x.db", SHORT)


def test_what_is_lost_or_told_twice_is_found(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="of a tournament that is not stored"):
        tell(tmp_path, 1).check()
    with open_store(tmp_path / "x.db", create=True) as store:
        store.add_matches(store.add_tournament(played.tournament(GUESSING)), [played.match(GUESSING)])
    assert tell(tmp_path).check() == tell(tmp_path, 1).check() == 1
    with pytest.raises(BenchError, match="1 matches that had been stored are lost"):
        tell(tmp_path, 1, 2).check()
    with pytest.raises(BenchError, match="a match was stored twice"):
        tell(tmp_path, 1, 1).check()


@pytest.mark.processes
def test_a_plan_that_cannot_be_played_is_told(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="--rounds"):
        kill_and_resume(tmp_path, 1, [*PLAN, "--rounds", "0"], Random(1), print)
