"""Bots that play from elsewhere: real processes, TLS, tokens, a connection that is lost."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from tests.remote.http2 import Http2, hello

SAMPLES = Path(__file__).parents[2] / "sample_bots/python"
SECONDS = 120


def arena(*words: str) -> Any:
    done = CliRunner().invoke(main, words, prog_name="arena", catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


class Organiser:
    """A tournament in a process of its own, and what it says on stderr."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "arena", "tourney", *words, "--listen", "127.0.0.1:0", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={name: text for name, text in os.environ.items() if not name.startswith("ARENA_")},
        )
        assert self.process.stderr is not None
        self._lines: Iterator[str] = iter(self.process.stderr.readline, "")
        self.heard: list[str] = []
        line = self.hear("start remote bots with")
        self.environment = dict(word.split("=", 1) for word in line.split() if word.startswith("ARENA_"))

    def hear(self, words: str) -> str:
        """Return the next line that holds these words."""
        for line in self._lines:
            self.heard.append(line)
            if words in line:
                return line
        raise AssertionError("".join(self.heard))

    def result(self) -> Any:
        out, err = self.process.communicate(timeout=SECONDS)
        assert self.process.returncode == 0, "".join(self.heard) + err
        return json.loads(out)


@pytest.fixture
def organisers() -> Iterator[list[Organiser]]:
    found: list[Organiser] = []
    yield found
    for organiser in found:
        organiser.process.kill()
        organiser.process.communicate()


def start(bot: Path, organiser: Organiser, token: str) -> "subprocess.Popen[str]":
    environment = {"PATH": os.environ["PATH"], **organiser.environment, "ARENA_TOKEN": token}
    return subprocess.Popen([sys.executable, str(bot)], env=environment, stderr=subprocess.PIPE, text=True)


@pytest.mark.promise
def test_a_bot_plays_a_tournament_from_elsewhere(tmp_path: Path, organisers: list[Organiser]) -> None:
    db = str(tmp_path / "arena.db")
    token = arena("tokens", "create", "ann/owl", "--json", "--db", db)["token"]
    words = ["--game", "cambio", "--bots", "remote:ann/owl,random,counter", "--rounds", "12", "--seed", "1", "--db", db]
    organisers.append(organiser := Organiser(tmp_path, *words))
    organiser.hear("waiting for ann/owl")
    wrong = start(SAMPLES / "cautious.py", organiser, "arena_of-somebody-else")
    assert "the token is not valid" in wrong.communicate(timeout=SECONDS)[1]
    assert wrong.returncode == 1
    organiser.hear("wrong token from 127.0.0.1")
    unsure = start(SAMPLES / "actuary.py", organiser, token)
    assert "the game is cambio, but the bot plays only perudo" in unsure.communicate(timeout=SECONDS)[1]
    bot = start(SAMPLES / "cautious.py", organiser, token)
    told = organiser.result()
    assert bot.communicate(timeout=SECONDS)[1] == ""
    assert bot.returncode == 0
    assert told["matches"] == 12
    rows = {row["bot"]: row for row in told["ranking"]}
    assert all(row["faults"] == {} for row in rows.values())
    assert rows["ann/owl"]["rank"] < rows["random"]["rank"]
    ranking = CliRunner().invoke(main, ["ranking", "--db", db])
    assert "Remote bots, whose machines and programs are unknown here: ann/owl" in ranking.output


MORTAL = """
import os
from arena.sdk import Bot

class Mortal(Bot):
    asked = 0
    def choose(self, question):
        Mortal.asked += 1
        if Mortal.asked == 40 and not os.environ.get("SECOND"):
            os._exit(9)
        return 0

Mortal().run()
"""


@pytest.mark.promise
def test_who_loses_its_connection_comes_back_and_goes_on(tmp_path: Path, organisers: list[Organiser]) -> None:
    db = str(tmp_path / "arena.db")
    token = arena("tokens", "create", "owl", "--json", "--db", db)["token"]
    bot = tmp_path / "mortal.py"
    bot.write_text(MORTAL)
    words = ["--game", "cambio", "--bots", "remote:owl,random", "--rounds", "10", "--seed", "1", "--db", db]
    organisers.append(organiser := Organiser(tmp_path, *words, "--reconnect", "1min"))
    first = start(bot, organiser, token)
    assert first.wait(SECONDS) == 9
    first.communicate()
    organiser.hear("owl lost its connection")
    organiser.environment["SECOND"] = "yes"
    second = start(bot, organiser, token)
    told = organiser.result()
    second.communicate(timeout=SECONDS)
    assert told["matches"] == 10
    assert all(row["faults"] == {} for row in told["ranking"])
    assert {row["bot"]: row["process_failures"] for row in told["ranking"]} == {"owl": {"connection": 1}, "random": {}}
    (failure,) = arena("failures", "--bot", "owl", "--json", "--db", db)["failures"]
    assert failure["sentence"].startswith("its connection was lost: ")
    assert (failure["kind"], failure["exit_code"], failure["signal"]) == ("connection", None, None)
    assert failure["matches"]


@pytest.mark.processes
def test_who_does_not_come_back_has_failed(tmp_path: Path, organisers: list[Organiser]) -> None:
    db = str(tmp_path / "arena.db")
    token = arena("tokens", "create", "owl", "--json", "--db", db)["token"]
    bot = tmp_path / "mortal.py"
    bot.write_text(MORTAL)
    words = ["--game", "cambio", "--bots", "remote:owl,random", "--rounds", "10", "--seed", "1", "--db", db]
    organisers.append(organiser := Organiser(tmp_path, *words, "--reconnect", "100ms"))
    start(bot, organiser, token).communicate(timeout=SECONDS)
    [owl] = [row for row in organiser.result()["ranking"] if row["bot"] == "owl"]
    assert set(owl["faults"]) == {"start"}
    assert set(owl["process_failures"]) == {"connection", "start"}


@pytest.mark.processes
def test_a_bot_that_does_not_read_stops_no_tournament(tmp_path: Path, organisers: list[Organiser]) -> None:
    db = str(tmp_path / "arena.db")
    owl, cat = (arena("tokens", "create", name, "--json", "--db", db)["token"] for name in ("owl", "cat"))
    words = ["--game", "cambio", "--bots", "remote:owl,remote:cat,random", "--rounds", "6", "--seed", "1", "--db", db]
    clock = ["--move-time", "200ms", "--bank", "200ms", "--reconnect", "2s"]
    organisers.append(organiser := Organiser(tmp_path, *words, *clock))
    port = int(organiser.environment["ARENA_ADDRESS"].rpartition(":")[2])
    with Http2(port, Path(organiser.environment["ARENA_CA"]), window=100) as deaf:  # room for a welcome, and no more
        deaf.start()
        deaf.call(1)
        deaf.send(1, hello(owl))
        organiser.hear("owl connected")
        bot = start(SAMPLES / "cautious.py", organiser, cat)
        told = organiser.result()
    assert bot.communicate(timeout=SECONDS)[1] == ""
    faults = {row["bot"]: row["faults"] for row in told["ranking"]}
    assert faults["cat"] == faults["random"] == {}
    assert {"hung", "withdrawn"} <= faults["owl"].keys()


@pytest.mark.processes
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--bots", "remote:owl,random"], "remote bots (owl) need an address to connect to: --listen HOST:PORT"),
        (["--bots", "remote:own,random", "--listen", "127.0.0.1:0"], 'did you mean "remote:owl"?'),
        (["--bots", "random,counter", "--listen", "127.0.0.1:0"], "--listen needs a remote bot in the field"),
        (["--bots", "random,counter", "--cert", "a", "--key", "b"], "--cert needs a remote bot in the field"),
        (["--bots", "random,counter", "--key", "b"], "--key needs a remote bot in the field"),
        (["--bots", "remote:owl,random", "--listen", "7000"], '"7000" is not HOST:PORT'),
        (["--bots", "remote:owl,random", "--listen", ""], '"" is not HOST:PORT'),
        (["--bots", "remote:owl,random", "--reconnect", "0"], "'--reconnect': it must be at least 1ms"),
        (["--bots", "remote:,random"], "remote: lacks the name of a bot with a token: write remote:NAME"),
        (["--bots", "remote:owl,random", "--listen", "x:1", "--cert", "a"], "--cert and --key need each other"),
        (["--bots", "remote:owl,random", "--rotations", "cycle"], "so it must be played only once: --rotations none"),
        (["--bots", "remote:owl,random", "--seats", "3"], "name at least 3 bots"),
        (["--bots", "remote:owl,remote:owl"], "a remote bot can be entered only once"),
        (
            ["--bots", "remote:owl,random,counter", "--schedule", "gauntlet"],
            "plays a deal at several tables",
        ),
        (["--bots", "remote:owl,random", "--deals-of", "1"], "leave out --deals-of"),
    ],
)
def test_what_does_not_go_with_remote_bots_is_a_sentence(tmp_path: Path, words: list[str], why: str) -> None:
    db = str(tmp_path / "arena.db")
    arena("tokens", "create", "owl", "--json", "--db", db)
    done = CliRunner().invoke(main, ["tourney", "--game", "cambio", *words, "--db", db], prog_name="arena")
    assert done.exit_code == 2
    assert why in done.output


@pytest.mark.processes
@pytest.mark.parametrize("words", [["match", "--game", "cambio", "remote:owl", "random"], ["check", "remote:owl"]])
def test_elsewhere_than_in_tournaments_remote_bots_are_refused(tmp_path: Path, words: list[str]) -> None:
    db = str(tmp_path / "arena.db")
    arena("tokens", "create", "owl", "--json", "--db", db)
    done = CliRunner().invoke(main, [*words, "--db", db], prog_name="arena")
    assert done.exit_code == 2
    assert "remote:owl is a remote bot, which plays only in tournaments: arena tourney --listen" in done.output


def test_tokens_are_listed_and_revoked(tmp_path: Path) -> None:
    db = str(tmp_path / "arena.db")
    run = CliRunner().invoke
    assert arena("tokens", "list", "--json", "--db", db) == {"tokens": []}
    created = run(main, ["tokens", "create", "ann/owl", "--db", db])
    assert created.stdout.startswith("arena_")
    assert "is not shown again" in created.stderr
    again = run(main, ["tokens", "create", "ann/owl", "--db", db])
    assert (again.exit_code, "cannot be shown again" in again.output) == (2, True)
    assert [row["name"] for row in arena("tokens", "list", "--json", "--db", db)["tokens"]] == ["ann/owl"]
    assert created.stdout.strip() not in (tmp_path / "arena.db").read_bytes().decode("latin1")
    assert run(main, ["tokens", "revoke", "ann/owl", "--db", db]).exit_code == 0
    assert run(main, ["tokens", "revoke", "ann/owl", "--db", db]).exit_code == 2
    assert run(main, ["tokens", "create", "Ann Owl", "--db", db]).exit_code == 2
