"""`arena tourney --executor ray`: a cluster that is not there, and what a cluster cannot play."""

from pathlib import Path

import pytest
from arena_cluster import ray_cluster
from click.testing import CliRunner

from arena.cli.tourney import command
from arena.store import open_store
from arena.values.installing import how_to_install
from arena.values.tournament_errors import ExecutorError

pytestmark = pytest.mark.usefixtures("in_process")

SHORT = ["--game", "cambio", "--bots", "random,random", "--rounds", "1", "--seed", "1", "--jobs", "1"]


def test_a_cluster_that_is_not_there_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = tmp_path / "a.db"
    monkeypatch.setattr(ray_cluster, "find_spec", lambda name: None)
    done = CliRunner().invoke(command, [*SHORT, "--executor", "ray:127.0.0.1:1", "--db", str(db)])
    assert isinstance(done.exception, ExecutorError)
    assert f"needs Ray, which is not installed: {how_to_install('botarena[cluster]')}" in str(done.exception)
    assert f"resume with: arena tourney resume 1 --db {db}" in done.stderr
    done = CliRunner().invoke(command, ["resume", "1", "--db", str(db), "--jobs", "1"])
    assert done.exit_code == 0, done.output
    with open_store(db) as store:
        assert store.played(1) == {0, 1}


def test_clocks_that_a_cluster_cannot_keep_fair_are_refused(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    done = CliRunner().invoke(command, [*SHORT, "--mode", "clock", "--executor", "ray", "--db", str(db)])
    assert done.exit_code == 2
    assert "--mode clock needs a core per match, which a cluster cannot guarantee" in done.output
    assert not db.exists()
    assert CliRunner().invoke(command, [*SHORT, "--mode", "clock", "--db", str(db)]).exit_code == 0
    done = CliRunner().invoke(command, ["resume", "1", "--executor", "ray", "--db", str(db)])
    assert done.exit_code == 2
