"""A bot finds its model server in each sandbox, with the sample bots that play in playouts."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.model_server.framing import framed
from arena.model_server.model import Model
from referee.v1.model_pb2 import EvaluateRequest, ModelRequest
from tests.model_server.told import ToldSeat

pytestmark = pytest.mark.processes

BOT = """
import os, subprocess, sys
from arena.model_server.framing import read_frame
from arena.sdk import Bot
from referee.v1.model_pb2 import ModelResponse


class Ahead(Bot):
    def choose(self, question):
        if not question.match.memory:
            question.match.memory = "asked"
            command = [os.environ["ARENA_PYTHON"], "-I", "-m", "arena.model_server"]
            server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            server.stdin.write(open("requests", "rb").read())
            server.stdin.flush()
            response = ModelResponse.FromString(read_frame(server.stdout.read))
            print(response.evaluation.note or response.error.sentence, file=sys.stderr)
        return question.legal[0]


Ahead().run()
"""


@pytest.mark.parametrize("sandbox", ["bwrap", "rlimits", "off"])
def test_a_bot_looks_ahead_in_its_sandbox(sandbox: str, tmp_path: Path) -> None:
    if sandbox == "bwrap" and shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    seat = ToldSeat("cambio")
    request = ModelRequest(evaluate=EvaluateRequest(match=1, worlds=5, policy="counter"))
    told = ModelRequest(turns=seat.turns)
    folder = tmp_path / "ahead"
    folder.mkdir()
    (folder / "ahead.py").write_text(BOT)
    (folder / "bot.toml").write_text('language = "python"\ncommand = ["python3", "ahead.py"]\n')
    (folder / "requests").write_bytes(b"".join(framed(each.SerializeToString()) for each in (told, request)))
    words = ["match", "--game", "cambio", "-o", "chips=1", str(folder), "random", "--sandbox", sandbox, "--json"]
    done = CliRunner().invoke(main, [*words, "--db", str(tmp_path / "arena.db")], prog_name="arena")
    assert done.exit_code == 0, done.output
    match = json.loads(done.stdout)
    assert match["faults"] == []
    model = Model()
    model.tell(seat.turns)
    wanted = model.reply(request)
    assert wanted is not None
    assert match["seats"][0]["output"]["text"] == f"{wanted.evaluation.note}\n"


@pytest.mark.parametrize("sandbox", ["bwrap", "rlimits"])
def test_the_sample_bot_against_which_one_plays_is_seen(sandbox: str, tmp_path: Path) -> None:
    if sandbox == "bwrap" and shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    words = [
        "match",
        "--game",
        "cucco",
        "-o",
        "coins=1",
        "searcher",
        "counter",
        "--move-time",
        "100ms",
        "--bank",
        "30s",
    ]
    words += ["--sandbox", sandbox, "--json", "--db", str(tmp_path / "arena.db")]
    done = CliRunner().invoke(main, words, prog_name="arena")
    assert done.exit_code == 0, done.output
    match = json.loads(done.stdout)
    assert match["faults"] == []
    assert match["seats"][0]["output"]["text"] == ""
