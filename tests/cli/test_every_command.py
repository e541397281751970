"""Every command of the command line, with closed standard streams and with a full disk behind standard output."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.league.store.leagues import Leagues
from arena.store import open_store
from sample_bots import SAMPLES
from tests import installed, leagues

pytestmark = pytest.mark.usefixtures("in_process")

NOWHERE = "http://127.0.0.1:9"
SHORT = "--game cambio -o chips=2"
TUNING = f"{SHORT} --iterations 1 --deals 1 --rate 9 --seed 1 --jobs 1"
TOURNEY = f"{SHORT} --rounds 1 --bots random,cautious --seats 2 --seed 1 --jobs 1"

LINES = {
    "accounts close": "ann --yes",
    "accounts create": "bob",
    "accounts describe": "ann --group B",
    "accounts invite": "zed",
    "accounts list": "",
    "accounts reset": "ann",
    "accounts revoke": "ann",
    "accounts teams add": "lab ann",
    "accounts teams create": "fox ann",
    "accounts teams list": "",
    "accounts teams remove": "eve",
    "accounts tokens create": "ann --scope read",
    "accounts tokens list": "",
    "accounts tokens revoke": "1",
    "ask": "random q.json",
    "bench": "--compare b.json --with b.json",
    "bots": "",
    "bots list": "",
    "bots enter": "club/owl",
    "bots retire": "club/owl",
    "bots show": "club/owl",
    "bridge": "-- cat",
    "check": "./broken.py --matches 1",
    "completion": "bash",
    "db backup": "new/copy.db",
    "db check": "",
    "db rebuild": "",
    "doctor": "",
    "failures": "",
    "games": "",
    "hand-ins check": "--db nowhere/a.db",
    "hand-ins list": "",
    "hand-ins rejudge": "1 --reason mended",
    "init": "jay --game cambio",
    "league announce": "cambio",
    "league batch": "cambio 1",
    "league board": "cambio",
    "league challenge": "cambio club/owl samples/random",
    "league close": "cambio",
    "league create": "other --game cambio",
    "league dates": "cambio",
    "league divisions": "cambio",
    "league end-season": "cambio --yes",
    "league export": "cambio again.jsonl --season 1",
    "league extend": "cambio club 2999-01-01T00:00",
    "league grant": "cambio club/owl network",
    "league groups": "cambio",
    "league import": "season.jsonl --db other.db",
    "league list": "",
    "league pause": "cambio",
    "league readmit": "cambio club/owl",
    "league resume": "cambio",
    "league retire": "cambio club/owl",
    "league revoke": "cambio club/owl",
    "league run": "--batches 1 --jobs 1 --trust-bots",
    "league show": "cambio",
    "league verify": "cambio",
    "login": f"{NOWHERE} --token-file roster.csv",
    "match": f"{SHORT} random cautious --seed 1",
    "match show": "1",
    "matches": "",
    "play": f"{SHORT} --against random",
    "practice enter": f"club/owl --to {NOWHERE}",
    "practice begin": f"club/owl --game cambio --to {NOWHERE}",
    "practice board": f"practice-0 --to {NOWHERE}",
    "practice list": f"--to {NOWHERE}",
    "practice remove": f"practice-0 --to {NOWHERE}",
    "profile": "random --game hypp --limit 1",
    "question export": "1 1 --to new/q.json",
    "ranking": "",
    "ratings": "r.csv",
    "replay": "1 --text",
    "rules": "cambio",
    "samples": "cambio",
    "scenario": "s.toml",
    "serve": "--host 192.0.2.1",
    "submit": "broken.py --name club/jay",
    "tokens create": "ann/jay",
    "tokens list": "",
    "tokens revoke": "ann/owl",
    "tourney": TOURNEY,
    "tourney audit": "1",
    "tourney enter": "1 club/owl",
    "tourney export": "1 --to new/t.jsonl",
    "tourney import": "t.jsonl --db other.db",
    "tourney list": "",
    "tourney log": "1",
    "tourney pause": "1",
    "tourney resume": "1",
    "tourney run": "e.toml",
    "tourney show": "1",
    "tourney verify": "1",
    "tourney void": "1 1 --reason wrong",
    "tourney withdraw": "1 random --reason broken",
    "verify": "1",
    "watch": "1",
    "web": "--host 192.0.2.1",
}
if "classroom" in installed.FEATURES:
    LINES |= {"accounts import": "roster.csv --tokens tokens.csv", "grades": "--tournament 1 --percentile"}
if "insight" in installed.FEATURES:
    LINES |= {
        "analyse": "1 --playouts 2 --jobs 1",
        "league why": "cambio club/owl",
        "tourney why": "1 random",
    }
if "mail" in installed.FEATURES:
    LINES |= {
        "accounts mail choose": "ann --none",
        "accounts mail list": "",
        "accounts mail sent": "",
        "accounts mail test": "ann@example.org --mail-server smtp://127.0.0.1:1 --mail-from arena@example.org",
    }
if "site" in installed.FEATURES:
    LINES |= {"site": "--to new/site 1"}
if "tune" in installed.FEATURES:
    LINES |= {
        "tune apply": "1",
        "tune list": "",
        "tune resume": "1 --jobs 1",
        "tune run": f"dial {TUNING}",
        "tune show": "1 --svg new/path.svg",
        "tune verify": "1 --rounds 1 --seed 1 --jobs 1",
    }
if "webhooks" in installed.FEATURES:
    LINES |= {
        "accounts webhooks add": "ann https://example.org/two",
        "accounts webhooks deliveries": "1",
        "accounts webhooks enable": "1",
        "accounts webhooks list": "",
        "accounts webhooks remove": "1",
        "accounts webhooks test": "1",
    }
"""Every command, with words that make it do something that ends."""

CODES = {
    "accounts mail test": 2,
    "league divisions": 2,
    "league extend": 2,
    "bridge": 2,
    "hand-ins check": 2,
    "hand-ins rejudge": 1,
    "check": 1,
    "league readmit": 2,
    "league resume": 2,
    "league revoke": 2,
    "league verify": 1,
    "login": 2,
    "play": 130,
    "bots enter": 2,
    "practice begin": 2,
    "practice enter": 2,
    "practice board": 2,
    "practice list": 2,
    "practice remove": 2,
    "serve": 2,
    "submit": 1,
    "tourney enter": 2,
    "tourney pause": 2,
    "watch": 2,
    "web": 2,
}
"""Exit codes other than 0: a fault is found, input ends, or there is nothing to do, or nowhere to listen."""

DIAL = """\
language = "python"
command = ["python3", "main.py", "{dial}"]
parameters.dial = { start = 0.5, min = 0, max = 1 }
"""
"""A bot.toml with a parameter, to which its bot pays no heed."""

MEASURED = {
    "machine": dict.fromkeys(("cpu", "cores", "memory_mb", "system", "python"), ""),
    "figures": [{"name": "views.bytes", "unit": "bytes", "runs": [4], "what": "a view", "conditions": {}}],
}
"""What `arena bench --json` writes."""


def commands(command: click.Command = main, words: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the words of each command that is no group."""
    if not isinstance(command, click.Group):
        yield " ".join(words)
        return
    if command.invoke_without_command or words == ("match",):
        yield " ".join(words)
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from commands(found, (*words, name))


@pytest.fixture(scope="module")
def prepared(in_process: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database that has something of everything, and files of each kind."""
    folder = tmp_path_factory.mktemp("prepared")

    def arena(line: str) -> str:
        result = CliRunner().invoke(main, line.split(), prog_name="arena")
        assert result.exit_code == 0, result.output
        return result.stdout

    (folder / "broken.py").write_text("raise SystemExit('it ends')\n")
    (folder / "r.csv").write_text("white,black,result\na,b,1-0\nb,a,1-0\n")
    (folder / "roster.csv").write_text("name\nzoe\n")
    (folder / "b.json").write_text(json.dumps(MEASURED))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("ARENA_DB", "arena.db")
        patch.setenv("ARENA_TRUST_BOTS", "1")
        arena(f"tourney {TOURNEY}")
        if "tune" in installed.FEATURES:
            Path("dial").mkdir()
            Path("dial/bot.toml").write_text(DIAL)
            shutil.copy(SAMPLES["random"].path, "dial/main.py")
            arena(f"tune dial {TUNING}")
        for line in ("accounts create ann", "accounts tokens create ann --scope read", "tokens create ann/owl"):
            arena(line)
        arena("accounts describe ann --id-number 1")
        arena("accounts create eve")
        arena("accounts teams create lab eve")
        if "webhooks" in installed.FEATURES:
            arena("accounts webhooks add ann https://example.org/hook")
        with open_store("arena.db", write=True) as store:
            leagues.submit_file(store, "club/owl", SAMPLES["random"].path)
            leagues.cambio(store, placement_seconds=0.1)
        arena("league run --batches 1 --jobs 1")
        with open_store("arena.db", write=True) as store:
            leagues.end_first_season(store, Leagues(store).named("cambio"))
        arena("league export cambio season.jsonl --season 1")
        arena("tourney export 1 --to t.jsonl")
        arena("question export 1 1 --to q.json")
        arena("replay 1 --scenario s.toml")
        Path("e.toml").write_text(arena("tourney show 1 --toml"))
    return folder


@pytest.fixture(scope="module")
def server() -> Iterator["subprocess.Popen[str]"]:
    environment = {name: text for name, text in os.environ.items() if not name.startswith("ARENA_")}
    with subprocess.Popen(
        [sys.executable, "-m", "tests.cli.command_server"],
        cwd=Path(__file__).parents[2],
        env=environment | {"ARENA_TRUST_BOTS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.kill()


def test_every_command_is_here() -> None:
    assert set(commands()) == set(LINES)


@pytest.mark.processes
@pytest.mark.parametrize("command", LINES)
def test_streams_that_fail_stop_no_command(
    command: str, prepared: Path, tmp_path: Path, server: "subprocess.Popen[str]"
) -> None:
    assert server.stdin is not None
    assert server.stdout is not None
    done: dict[str, Any] = {}
    words = [*command.split(), *LINES[command].split()]
    for streams in ("closed", "full"):
        folder = tmp_path / streams
        shutil.copytree(prepared, folder)
        print(json.dumps({"words": words, "folder": str(folder), "streams": streams}), file=server.stdin, flush=True)
        done[streams] = json.loads(server.stdout.readline())
        assert done[streams]["traceback"] == "", streams
    assert done["closed"]["code"] == CODES.get(command, 0)
    assert "Traceback" not in done["full"]["stderr"]
    if "standard output cannot be written" in done["full"]["stderr"]:
        assert done["full"]["code"] == 2
        assert done["full"]["stderr"].endswith("Error: standard output cannot be written: No space left on device\n")
    else:
        assert done["full"]["code"] == done["closed"]["code"]
