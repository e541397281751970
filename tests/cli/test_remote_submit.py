"""`arena login`, `arena submit --to` and `arena watch` at a real server, and at ones that are none of ours."""

import json
import os
import socket
import ssl
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar, NamedTuple

import pytest
from click.testing import CliRunner

from arena.bots.hand_in_rows import HandInEnd
from arena.bots.hand_ins import HandIns
from arena.cli import main
from arena.cli.submit_remote import follow_hand_in
from arena.cli.watch import changes
from arena.client.connection import Server as ApiServer
from arena.client.connection import parse_server
from arena.client.errors import ServerError, Unreachable
from arena.client.server_events import events
from arena.client.upload import pack_bot
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.leagues import Leagues
from arena.packs.errors import PackError
from arena.run.remote.certificate import make_certificate
from arena.run.remote.tokens import token_hash
from arena.store import Store, open_store
from arena.store.engine.worker_name import worker_name
from arena.store.people.submissions import SubmissionRow
from sample_bots import SAMPLES
from tests import leagues
from tools.serving import Server, served

BOT_TOML = 'language = "python"\ncommand = ["python3", "main.py"]\ngames = ["hypp"]\n'


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("remote") / "arena.db"
    with open_store(path, create=True) as store:
        leagues.cambio(store)
    return path


@pytest.fixture(scope="module")
def server(database: Path) -> Iterator[Server]:
    with served(database, "--sign-in") as running:
        yield running


@pytest.fixture(scope="module")
def token(database: Path) -> str:
    made = CliRunner().invoke(main, ["accounts", "create", "club", "--db", str(database)])
    return made.stdout.strip()


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "config"


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "owl"
    folder.mkdir()
    (folder / "bot.toml").write_text(BOT_TOML)
    (folder / "main.py").write_bytes(SAMPLES["random"].path.read_bytes())
    return folder


class Ended(NamedTuple):
    """What came of a command."""

    returncode: int
    stdout: str
    stderr: str


def run(config: Path, *words: str, **variables: str) -> Ended:
    """Run the command in this process, with a folder for its tokens."""
    environment = {name: None for name in os.environ if name.startswith("ARENA_")}
    result = CliRunner().invoke(main, words, env=environment | {"XDG_CONFIG_HOME": str(config), **variables})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return Ended(result.exit_code, result.stdout, result.stderr)


def run_process(config: Path, *words: str) -> Ended:
    """Run the command as a process, with a folder for its tokens."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    environment["XDG_CONFIG_HOME"] = str(config)
    command = [sys.executable, "-m", "arena", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    return Ended(done.returncode, done.stdout, done.stderr)


@pytest.mark.promise
def test_a_bot_is_handed_in_and_followed_from_another_folder(
    server: Server, database: Path, token: str, config: Path, bot: Path, tmp_path: Path
) -> None:
    (tmp_path / "token").write_text(f"{token}\n")
    login = run(config, "login", server.address, "--token-file", str(tmp_path / "token"))
    assert login.returncode == 0, login.stderr
    assert f"you are club at {server.address}; the token (read, submit) is kept in" in login.stdout
    file = config / "arena" / "tokens.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_text()) == {server.address: token}

    sent = run_process(config, "submit", str(bot), "--to", server.address)
    assert sent.returncode == 0, sent.stdout + sent.stderr
    assert "club/owl is received" in sent.stderr
    assert " passed  plays hypp: " in sent.stdout
    assert sent.stdout.splitlines()[-1].startswith("club/owl is accepted as version 1: club/owl@1")
    with open_store(database) as store:
        assert [row.title for row in store.submissions.all() if row.name == "club/owl"] == ["club/owl@1"]

    again = run(config, "submit", str(bot), "--to", server.address, "--json")
    assert again.returncode == 0
    assert json.loads(again.stdout)["sentence"].startswith("is unchanged since version 1")

    (bot / "main.py").write_text("print('no bot')\n")
    refused = run(config, "submit", str(bot), "--name", "club/fox", "--to", server.address)
    assert refused.returncode == 1
    assert "\nlast output of club/fox:\n    no bot\n\nclub/fox is refused: " in refused.stdout

    watched = run(config, "watch", "1")
    assert watched.returncode == 0, watched.stderr
    assert watched.stdout.splitlines()[-1].startswith("club/owl is accepted as version 1")
    assert run(config, "watch", f"{server.address}/hand-ins/3").returncode == 1
    missing = run(config, "watch", "99")
    assert missing.returncode == 2
    assert "you have no hand-in 99" in missing.stderr


def finish(
    store: Store, name: str, state: str, sentence: str, report: dict[str, Any], same: SubmissionRow | None = None
) -> None:
    HandIns(store).receive("club", name, "bot.py", b"")
    claimed = HandIns(store).claim(worker_name(), 60.0)
    assert claimed is not None
    assert HandIns(store).finish(claimed.claim, state, sentence, HandInEnd(1, report), same)


@pytest.mark.processes
def test_where_a_refused_bot_failed_and_an_accepted_one_plays_is_said(config: Path, tmp_path: Path) -> None:
    database, token = tmp_path / "own.db", "arena_token"
    with open_store(database, create=True) as store:
        store.accounts.add("club", "author", token_hash(token))
        found = {"step": "plays hypp", "sentence": "illegal", "name": "1-plays-hypp", "question": "{}", "log": None}
        report = {"output": ["thinks", "fails"], "found": [found]}
        finish(store, "club/wren", "refused", "is refused: plays hypp: illegal", report)
        row = leagues.submit_file(store, "club/jay", SAMPLES["random"].path)
        Leagues(store).enter(leagues.cambio(store).id, leagues.entry(row), "arena")
        finish(store, "club/jay", "accepted", "is accepted as version 1", {"output": [], "found": []}, row)
        [entry] = Leagues(store).entries_of("club/jay", 1)
    with served(database, "--sign-in") as server:
        access = {"ARENA_API_TOKEN": token, "ARENA_SERVER": server.address}
        refused, accepted = (run(config, "watch", number, **access) for number in ("1", "2"))
    assert (refused.returncode, accepted.returncode) == (1, 0), refused.stderr + accepted.stderr
    assert refused.stdout.splitlines() == [
        "",
        "last output of club/wren:",
        "    thinks",
        "    fails",
        "",
        f"the questions at which it failed are at {server.address}/hand-ins/1",
        "club/wren is refused: plays hypp: illegal",
    ]
    assert accepted.stdout.splitlines() == [
        "club/jay is accepted as version 1",
        f"league cambio: placing, see {server.address}/leagues/cambio/entries/{entry.number}",
    ]


@pytest.mark.processes
def test_a_bot_challenges_others_at_a_server(server: Server, database: Path, token: str, config: Path) -> None:
    with open_store(database, write=True) as store:
        league = leagues.cambio(store, "autumn")
        leagues.submit_file(store, "club/jay", SAMPLES["counter"].path)
        LeagueScheduler(store, store.where, league).update()
    words = ("league", "challenge", "autumn", "club/jay", "samples/random", "--deals", "2", "--to", server.address)
    asked = run(config, *words, ARENA_API_TOKEN=token)
    assert asked.stdout == f"batch 2 of the league autumn waits: {server.address}/leagues/autumn/batches/2\n"
    refused = run(config, *words[:4], "samples/nobody", *words[5:], ARENA_API_TOKEN=token)
    assert refused.returncode == 2
    assert "no bot samples/nobody takes part in the league autumn" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.processes
def test_a_league_is_watched_until_it_is_closed(server: Server, database: Path, token: str, config: Path) -> None:
    environment = {**os.environ, "XDG_CONFIG_HOME": str(config), "ARENA_API_TOKEN": token}
    command = [sys.executable, "-m", "arena", "watch", f"{server.address}/leagues/cambio"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "open: batches 0, playing 0, waiting 0\n"
        with open_store(database, write=True) as store:
            league = Leagues(store).named("cambio")
            entry = Leagues(store).enter(league.id, leagues.entry(leagues.submit(store, "fox/hen")), "arena")
        process.stderr.readline()
        with open_store(database, write=True) as store:
            Leagues(store).change_entry(league.id, entry.number, "standing", "arena")
        process.stderr.readline()
        with open_store(database, write=True) as store:
            Leagues(store).set_state(league.id, "closed", "ann")
        shown, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    lines = shown.splitlines()
    assert lines[0].split() == ["rank", "bot", "Elo", "state"]
    assert lines[-2:] == ["fox/hen@1 enters", "fox/hen@1 is standing"]


def test_changes_of_a_board_are_told_by_bot() -> None:
    def row(rank: int | None, elo: float | None, state: str = "standing") -> dict[str, Any]:
        return {"rank": rank, "elo": elo, "bound": "", "ci95": 12.0, "state": state}

    before = {"a": row(1, 10.0), "b": row(2, 5.0), "c": row(None, None, "placing"), "d": row(3, 1.0)}
    after = {"a": row(2, 4.0), "b": row(1, 20.0), "c": row(3, 1.0), "e": row(None, None)}
    assert changes(before, after) == [
        "a falls to 2, +4 ± 12 Elo",
        "b rises to 1, +20 ± 12 Elo",
        "c is standing",
        "c is ranked 3, +1 ± 12 Elo",
        "e enters",
        "d has left the board",
    ]


@pytest.mark.processes
def test_mistakes_are_sentences(server: Server, token: str, config: Path, bot: Path, tmp_path: Path) -> None:
    def said(*words: str, **variables: str) -> str:
        result = run(config, *words, **variables)
        assert result.returncode == 2, result.stdout + result.stderr
        assert "Traceback" not in result.stderr
        return result.stderr

    assert "you have no token for" in said("submit", str(bot), "--to", server.address)
    assert "which server is meant? name it with --to URL" in said("watch", "1")
    wrong = {"ARENA_API_TOKEN": "arena_wrong"}
    assert "the token is unknown, expired or revoked" in said("submit", str(bot), "--to", server.address, **wrong)
    assert "that is no token" in said("submit", str(bot), "--to", server.address, ARENA_API_TOKEN="a b")
    right = {"ARENA_API_TOKEN": token}
    assert "--must-beat and --to exclude each other" in said(
        "submit", str(bot), "--must-beat", "random", "--to", server.address, **right
    )
    assert "the name must begin with club/" in said(
        "submit", str(bot), "--to", server.address, "--name", "x/y", **right
    )
    assert "would send your token unprotected" in said("submit", str(bot), "--to", "http://arena.example", **right)
    assert "there is no league elk" in said("watch", "elk", "--to", server.address, **right)
    assert "neither a hand-in nor a league" in said("watch", f"{server.address}/matches/1", **right)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert "cannot be reached" in said("submit", str(bot), "--to", f"http://127.0.0.1:{port}", **right)
    other = server.address.replace("http://", "https://")
    assert f"if it is a server without, its address is {server.address}" in said(
        "submit", str(bot), "--to", other, **right
    )
    (config / "arena").mkdir(parents=True)
    (config / "arena" / "tokens.json").write_text("{}")
    (config / "arena" / "tokens.json").chmod(0o644)
    assert "others can read" in said("watch", "1")
    assert "the token cannot be read from" in said("login", server.address, "--token-file", str(tmp_path / "none"))


class Strange(BaseHTTPRequestHandler):
    """Answers as no arena does, by path."""

    headers_seen: ClassVar[list[dict[str, str]]] = []
    content: ClassVar[bytes] = b"<html"

    def do_GET(self) -> None:
        type(self).headers_seen.append(dict(self.headers))
        if self.path.endswith("/moved"):
            self.send_response(302)
            self.send_header("Location", f"http://{self.headers['host']}/api/v1/elsewhere")
            self.end_headers()
        elif self.path.endswith("/away"):
            self.send_error(502 if len(self.headers_seen) == 1 else 404)
        elif self.path.endswith("/lost"):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'event: state\ndata: {"n": 1}\n\n')
        else:
            self.send_response(200)
            content = b"data: " + self.content + b"\n\n" if self.path.endswith("/events") else self.content
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.do_GET()

    def log_message(self, *_words: object) -> None:
        return


@contextmanager
def strange(context: ssl.SSLContext | None = None) -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Strange) as running:
        if context is not None:
            running.socket = context.wrap_socket(running.socket, server_side=True)
        thread = Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"{'http' if context is None else 'https'}://127.0.0.1:{running.server_address[1]}"
        running.shutdown()
        thread.join()


def test_a_redirect_is_not_followed_and_what_is_no_arena_is_said() -> None:
    Strange.headers_seen.clear()
    with strange() as address:
        server = ApiServer(address, "arena_secret")
        with pytest.raises(ServerError, match=r"it redirects to http://127.0.0.1:\d+/api/v1/elsewhere: name that"):
            server.get("/moved", {})
        assert len(Strange.headers_seen) == 1, "the token went nowhere else"
        with pytest.raises(ServerError, match="the answer is not that of an arena"):
            server.get("/html", {})


def test_a_lost_connection_is_opened_again_for_a_while() -> None:
    rests: list[float] = []
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
    with pytest.raises(Unreachable):
        list(events(ApiServer(address, None), "/lost", {}, bool, rests.append))
    assert rests[:6] == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0]
    assert 300 <= sum(rests) < 330
    with strange() as address:
        assert [event.data for event in events(ApiServer(address, None), "/lost", {"n": int}, bool)] == [{"n": 1}]


def test_a_server_that_is_away_behind_its_proxy_is_asked_again() -> None:
    Strange.headers_seen.clear()
    rests: list[float] = []
    with strange() as address, pytest.raises(ServerError, match="it answers 404"):
        list(events(ApiServer(address, None), "/away", {}, bool, rests.append))
    assert rests == [1.0]


def test_a_stream_that_ends_too_soon_is_opened_again_after_growing_pauses() -> None:
    rests: list[float] = []

    def rest(seconds: float) -> None:
        rests.append(seconds)
        if len(rests) == 8:
            raise KeyboardInterrupt

    shown: list[Any] = []

    def follow(address: str) -> None:
        for event in events(ApiServer(address, None), "/lost", {"n": int}, lambda _: False, rest):
            shown.append(event.data)

    with strange() as address, pytest.raises(KeyboardInterrupt):
        follow(address)
    assert shown == [{"n": 1}], "what says nothing new is left out"
    assert rests == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]


ODD = (
    "{}", "[]", "null", "17", '"x"', '{"account": 3, "scopes": []}', '{"account": "a", "scopes": {"read": 1}}', "NaN",
    '{"account": "a"}', "[" * 100_000, '{"rows": [{"bot": "a", "rank": 1e999}]}', "\ud800", '{"hand_in": true}',
    '{"hand_in": ' + "9" * 5000 + "}", '{"hand_in": ' + "9" * 400 + "}",
)  # fmt: skip


@pytest.mark.parametrize("content", ODD)
def test_odd_answers_are_sentences(content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Strange, "content", content.encode("utf-8", "surrogatepass"))
    monkeypatch.setenv("ARENA_API_TOKEN", "arena_secret")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "token").write_text("arena_secret")
    with strange() as address:
        for words in (
            ("login", address, "--token-file", str(tmp_path / "token")),
            ("submit", str(SAMPLES["random"].path), "--name", "owl", "--to", address),
            ("submit", str(SAMPLES["random"].path), "--name", "club/owl", "--to", address),
            ("watch", "1", "--to", address),
            ("watch", "cambio", "--to", address),
        ):
            result = CliRunner().invoke(main, words)
            assert (result.exit_code, result.exception.__class__) == (2, SystemExit), (words, result.output)
            assert "not that of an arena" in result.output or "not an arena's" in result.output, words
    assert not (tmp_path / "arena").exists(), "no token is stored for what is no arena"


def test_an_endless_event_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.client.server_events.LONGEST_EVENT", 1000)
    monkeypatch.setattr(Strange, "content", b"{}\ndata: 1" * 200)
    with strange() as address, pytest.raises(ServerError, match="events that are not an arena's"):
        list(events(ApiServer(address, None), "/hand-ins/1/events", {}, bool))


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    certificate = make_certificate(tmp_path, "127.0.0.1")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.path, tmp_path / "arena-key.pem")
    with strange(context) as address, pytest.raises(ServerError, match="the certificate of https://127.0.0.1"):
        ApiServer(address, "arena_secret").get("/token", {})


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("arena.example.org", "https://arena.example.org"),
        ("https://arena.example.org:8443/leagues/x", "https://arena.example.org:8443"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://[::1]:8000/", "http://[::1]:8000"),
    ],
)
def test_an_address_is_scheme_and_host(url: str, address: str) -> None:
    assert parse_server(url) == address


@pytest.mark.parametrize(
    "url", ["ftp://x", "https://", "https://me:pw@x", "https://x:port", "http://10.0.0.1", "https://[::1"]
)
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(ServerError):
        parse_server(url)


def test_the_same_bot_makes_the_same_upload_and_what_cannot_be_sent_is_said(bot: Path, tmp_path: Path) -> None:
    first = pack_bot(bot)
    os.utime(bot / "main.py", (0, 0))
    assert pack_bot(bot) == first
    assert pack_bot(bot / "main.py").file == "main.py"
    program = tmp_path / "program"
    program.write_bytes(b"#!/bin/sh\n")
    program.chmod(0o755)
    with pytest.raises(PackError, match="put it into a folder with a bot.toml"):
        pack_bot(program)
    (bot / "large").write_bytes(os.urandom(9 * 1024 * 1024))
    with pytest.raises(PackError, match="is too large to be sent"):
        pack_bot(bot)


def test_what_is_to_be_known_of_leagues_is_printed_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    state = {"steps": [], "is_finished": False, "place": 0, "state": "checking"}
    ended = state | {"is_finished": True, "state": "accepted"}
    states = [state | {"notices": ["ends"]}, state | {"notices": ["ends", "is replaced"]}, ended | {"notices": []}]
    monkeypatch.setattr("arena.client.server_events.events", lambda *_: iter([(None, each) for each in states]))
    assert follow_hand_in(ApiServer("http://127.0.0.1:9", None), 1) == states[-1]
    assert capsys.readouterr().err.splitlines() == ["ends", "it is checked", "is replaced"]
