"""As a user meets it: a tournament with a language model's bot, its replays and its verification."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from arena.store import open_store

PARROT = """
from typing import Any

from arena.sdk import Bot, Question


class Parrot(Bot[Any]):
    games = ("textarena:TicTacToe-v0",)
    wants_schema = True

    def choose(self, question: Question[Any]) -> str:
        return f"I take\\nthe last: {question.legal[-2]} \\N{SNOWMAN}"


if __name__ == "__main__":
    Parrot().run()
"""


class Model(BaseHTTPRequestHandler):
    """A model that takes the first cell that is free, in words of its own."""

    asked: list[dict[str, Any]] = []  # noqa: RUF012  # of the one endpoint of this module

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(request)
        free = re.findall(r"'\[(\d)\]'", request["messages"][-1]["content"].rpartition("Available Moves")[2])
        reply = json.dumps({"thought": f"{len(free)} are free", "move": f"My cell is [{free[0]}]."})
        choices = [{"message": {"role": "assistant", "content": reply}}]
        body = json.dumps({"choices": choices, "usage": {"total_tokens": 10}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Print nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()
        thread.join()


def arena(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "arena", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_tournament_with_a_model(tmp_path: Path, url: str) -> None:
    (tmp_path / "parrot.py").write_text(PARROT)
    arena(tmp_path, "init", "owl", "--lang", "llm")
    settings = tmp_path / "owl/settings.toml"
    settings.write_text(re.sub(r"(?m)^url = .*", f'url = "{url}"', settings.read_text()))
    bots = ("--bots", "./owl,./parrot.py,random", "--grant", "owl=network", "--move-time", "20s")
    tourney = ("tourney", "--game", "textarena:TicTacToe-v0", "--rounds", "3", "--seed", "1", "--json", *bots)
    table = json.loads(arena(tmp_path, *tourney))
    assert table["matches"] == 6
    assert not any(row["faults"] for row in table["ranking"])
    assert "6 matches checked: no errors" in arena(tmp_path, "verify", "--all", "--tourney", "1")
    asked = Model.asked[0]
    assert "which is played with words" in asked["messages"][0]["content"]
    assert "You are Player " in asked["messages"][1]["content"]
    assert "enum" not in json.dumps(asked["response_format"])
    with open_store(str(tmp_path / "arena.db")) as store:
        rows = [store.match(number).row for number in range(1, 7)]
    said = {say.text for row in rows for say in row.says}
    assert "My cell is [0]." in said
    assert "I take the last: [8] \N{SNOWMAN}" in said
    assert "9 are free" in {note.text for row in rows for note in row.notes}
    number = next(number for number, row in enumerate(rows, start=1) if row.says)
    words = next(say.text for say in rows[number - 1].says)
    assert f" answers: {words}\n" in arena(tmp_path, "replay", str(number), "--text")
