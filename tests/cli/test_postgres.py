"""A tournament whose database is on a PostgreSQL server, from the command line."""

import json
import os
import signal
import subprocess
import sys
from typing import Any

import pytest

from arena.bots.hand_ins import HandIns
from arena.league.integrity import LEAGUES
from arena.league.store.leagues import Leagues
from arena.plan.definition_builder import define
from arena.plan.field import find_bots, samples
from arena.results.integrity import invalid_values
from arena.results.stored_tournament import StoredTournament
from arena.run import database_retry
from arena.run.runner import run as play
from arena.store import open_store
from arena.values.definition import Settings
from referee.engine.registry import game
from sample_bots import SAMPLES
from tests import leagues
from tests.postgres import Server, program
from tests.serving import serving, wait_until
from tests.tournament.runs import Watcher, begin, results

pytestmark = pytest.mark.toolchain

TOURNEY = ["tourney", "--game", "cambio", "--bots", "random,cautious,random", "--rounds", "30", "--seed", "3"]
SHORT = ["-o", "chips=2", "--move-time", "0", "--jobs", "2", "--json"]


def start(*words: str, db: str) -> "subprocess.Popen[str]":
    env = os.environ | {"ARENA_DB": db}
    command = [sys.executable, "-m", "arena", *words]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(*words: str, db: str) -> Any:
    process = start(*words, db=db)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return json.loads(out)


def table(told: Any) -> Any:
    """What does not depend on how fast it went."""
    return [{key: value for key, value in bot.items() if "ms" not in key} for bot in told["ranking"]]


def test_a_tournament_is_played_killed_and_ended_on_a_server_as_in_a_file(postgres: Server, tmp_path: Any) -> None:
    here = run(*TOURNEY, *SHORT, db=str(tmp_path / "a.db"))
    url = postgres.database()
    killed = start(*TOURNEY, *SHORT, db=url.replace("tester@", "tester:unused@"))
    assert killed.stderr is not None
    assert "matches to play" in killed.stderr.readline()
    name = url.partition("@/")[2].partition("?")[0]
    while postgres.run("SELECT count(*) FROM matches", name) == "0\n":
        pass
    killed.send_signal(signal.SIGKILL)
    _, said = killed.communicate()
    assert "unused" not in said
    there = run("tourney", "resume", "1", "--json", db=url)
    assert there["matches"] == 90
    assert table(there) == table(here)
    assert run("ranking", "--json", db=url)["ranking"] == there["ranking"]
    assert len(run("matches", "--bot", "cautious", "--limit", "7", "--json", db=url)["matches"]) == 7
    assert run("verify", "--all", "--json", db=url)


def test_an_organiser_decides_on_a_server_too(postgres: Server, tmp_path: Any) -> None:
    url = postgres.database()
    run(*TOURNEY, *SHORT, db=url)
    for words in (["void", "1", "5", "--reason", "rain"], ["withdraw", "1", "cautious", "--reason", "asked to go"]):
        process = start("tourney", *words, db=url)
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
    audit = run("tourney", "audit", "--json", db=url)
    assert (audit["matches"], audit["forfeits"]["matches"]) == (87, 0), "the set that it left open is void"
    log = run("tourney", "log", "1", "--json", db=url)["log"]
    assert [entry["kind"] for entry in log] == ["leg", "void", "withdraw", "void", "void"]
    again = run("tourney", "resume", "1", "--json", db=url)
    assert again["matches"] == 87, "nobody else plays it"
    assert run("tourney", "verify", "1", "--json", db=url)["wrong"] == []


def test_a_server_that_is_not_there_is_a_sentence(tmp_path: Any) -> None:
    process = start("matches", "--db", f"postgresql://me:s3cret@/arena?host={tmp_path}", db="")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert "cannot be reached" in err
    assert "me:***@" in err
    assert "s3cret" not in err


def test_a_server_that_goes_away_for_a_while_costs_nothing(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_retry, "RETRY_SECONDS", 0.05)
    rules = game("cambio")
    definition = define(
        rules, rules.options(), find_bots(["random", "cautious"], samples("cambio")), Settings(rounds=150)
    )
    url = postgres.database()
    name = url.partition("@/")[2].partition("?")[0]

    def leave() -> None:
        postgres.run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        postgres.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")

    class Returning(Watcher):
        def say(self, line: str) -> None:
            super().say(line)
            if "kept in memory" in line:
                postgres.run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")

    with open_store(url, create=True) as store:
        number = begin(store, definition)
        watcher = Returning(leave)
        played = play(StoredTournament.load(store, number), definition, 1, watcher)
        assert played.matches == watcher.matches == len(store.played(number)) == 300
        gone, over = watcher.lines
        assert "is going down or coming up: its server ended the connection" in gone
        assert over.endswith("nothing is lost")
        assert store.query(lambda connection: invalid_values(connection, LEAGUES)) == []
        again = begin(store, definition)
        play(StoredTournament.load(store, again), definition, 1, Watcher())
        assert results(store, again) == results(store, number)


def test_a_dump_of_a_server_that_plays_is_restored_by_starting_on_it(postgres: Server, tmp_path: Any) -> None:
    url, other = postgres.database(), postgres.database()
    file = str(tmp_path / "arena.dump")
    with serving(url) as (process, _), open_store(url, write=True) as store:
        leagues.cambio(store)
        leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
        wait_until(store, process, lambda store: Leagues(store).named("cambio").results > 0)
        handed_in = [HandIns(store).receive("ann", f"ann/owl-{place}", "owl.zip", b"no zip") for place in range(2)]
        subprocess.run([program("pg_dump") or "pg_dump", "-Fc", "-f", file, url], check=True)
    subprocess.run([program("pg_restore") or "pg_restore", "--no-owner", "-d", other, file], check=True)
    with open_store(other, write=True) as store:
        results = Leagues(store).named("cambio").results
        assert results > 0
        assert not HandIns(store).find(handed_in[-1]).is_finished
        with serving(other) as (process, _):
            wait_until(store, process, lambda store: Leagues(store).named("cambio").results > results)
            wait_until(store, process, lambda store: all(HandIns(store).find(id).is_finished for id in handed_in))
            process.terminate()
            assert process.wait() == 0
        assert store.query(lambda connection: invalid_values(connection, LEAGUES)) == []
    verify = start("league", "verify", "cambio", db=other)
    out, err = verify.communicate(timeout=120)
    assert verify.returncode == 0, out + err
