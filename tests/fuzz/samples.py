"""Sound files of every kind that arena reads, of which the damaged ones are made."""

import io
import sqlite3
import tarfile
import zipfile
from functools import cache
from pathlib import Path

from click.testing import CliRunner

from arena.cli import main
from arena.store import open_store
from referee.v1.play_pb2 import Answer, Answers, Hello, PlayRequest
from sample_bots import SAMPLES
from tests import leagues
from tests.in_process import in_process
from tests.packs.elf_file import elf

ROOT = Path(__file__).parents[2]

PAIRS = b"""white,black,result,deal
ann,bob,1-0,1
bob,ann,0.5,1
ann,cat,0,2
cat,bob,1/2-1/2,3
cat,ann,*,4
bob,cat,1,4
"""

LONG = b"""match,bot,rank,deal,score
1,ann,1,1,30
1,bob,2,1,10
1,cat,3,1,-4
2,bob,1,1,12
2,cat,1,1,12
2,ann,3,1,0
3,ann,1,2,5
3,bob,2,2,4
"""

PGN = b"""[Event "x"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 {a comment} 2. Nf3 1-0

[White "Bob"]
[Black "Ann"]
[Result "1/2-1/2"]

1. d4 ; to the end
1/2-1/2

[White "Cat"]
[Black "Ann"]

1. c4 0-1
"""

LINES = b"""{"bots": ["ann", "bob", "cat"], "ranks": [1, 2, 3], "scores": [30, 2, -1], "deal": 7}
{"bots": ["bob", "ann", "cat"], "ranks": [1, 1, 3], "scores": [9, 9, 0], "deal": 7}
{"bots": [["ann", "bob"], ["cat", "dan"]], "ranks": [2, 1], "scores": [0, 4], "deal": 8}
{"kind": "tournament", "tournament": {}}
{"bots": ["dan", "ann"], "ranks": [1, 2]}
"""

EVENT = b"""game = "cambio"

[options]
chips = 2

[schedule]
kind = "round-robin"
rounds = 30
seats = 2
rotations = "cycle"
teams = "one"
tie_break = ["direct", "points"]
same_author = "any"
names = false
block = 25
matches_at_once = 64

[time]
move = "50ms"
bank = "1s"
start = "10s"
memory_mb = 256
strikes = 3
mode = "fast"

[stop]
kind = "sprt"
elo0 = 0
elo1 = 10
alpha = 0.05
beta = 0.05

[seed]
number = 7

[executor]
jobs = 2

[[bot]]
bot = "random"
name = "one"

[[bot]]
bot = "cautious"

[[bot]]
name = "three"
command = ["/bin/true", "-x"]
folder = "/"
files = ["/bin/true"]
memory_mb = 128
games = ["cambio"]
author = "club"
"""

MANIFEST = b"""# An owl.
language = "go"
command = ["./bot", "--fast"]
author = "club"
games = ["perudo", "cambio"]
protocol = "stdio"
build = ["go", "build", "-o", "bot", "."]
ignore = ["notes"]
keep = ["bot", "data"]
[limits]
memory_mb = 128
matches_at_once = 1
"""

HELLO = b'{"type":"hello","name":"owl","version":"1","games":["cambio"],"matches_at_once":4,"wants_events":true}\n'
ANSWER = b'{"type":"answer","question":12,"move":"take","note":"why not","say":"hm"}\n'


PARAMETERS = b"# of OpenBench\nLMRBase, int, 60, 30, 100, 5, 0.002\nscale, float, 1, 0, 2, .1, .002\nold,4,0,9,1,.01\n"

OWNERS = """\
folder;owner;name;handed_in
Doe Jane_1234_assignsubmission_file_;Jane Doe;owl;2026-05-01 17:58
"M\u00fcller; J\u00f6rg";jorg;;01.05.2026 17:58
""".encode()

BENCH = b"""{"machine": {"cpu": "EPYC", "cores": 2, "memory_mb": 24105, "system": "Linux", "python": "CPython 3.11.7",
"yardstick": {"version": 1, "us": 2.0}}, "figures": [{"name": "engine.rules", "value": 285384, "runs": [285384, 272119],
"unit": "decisions/s", "what": "apply", "conditions": {"game": "cambio", "seats": 6},
"cpu_us": {"value": 3.5, "runs": [3.504, 3.675]}, "yardstick_us": {"value": 2.2, "runs": [2.24, 2.21]},
"ratio": {"value": 1.6, "runs": [1.565, 1.661]}}, {"name": "views.bytes", "value": 110.8, "runs": [110.8],
"unit": "bytes", "what": "mean size", "conditions": {"game": "cambio", "seats": 6}}]}
"""


@cache
def scenarios() -> list[bytes]:
    """Return a scenario or two of every game."""
    folders = sorted((ROOT / "tests/scenarios").iterdir())
    return [path.read_bytes() for folder in folders for path in sorted(folder.glob("*.toml"))[:2]]


@cache
def events() -> list[bytes]:
    """Return event files: one written by hand, and the blocks of the documentation."""
    blocks = (ROOT / "docs/events.md").read_text("utf-8").split("```toml\n")[1:]
    return [EVENT, *(block.partition("```")[0].encode() for block in blocks)]


def manifests() -> list[bytes]:
    """Return manifests: one written by hand, and those of the sample bots."""
    return [MANIFEST, *(path.read_bytes() for path in sorted((ROOT / "sample_bots").rglob("bot.toml"))[:4])]


def database(folder: Path) -> Path:
    """Make a database: a short tournament with a log, and a single match with its chances to win."""
    path = folder / "sound.db"
    short = ["--game", "cambio", "-o", "chips=1", "--seed", "1", "--jobs", "1"]
    _arena("tourney", *short, "--bots", "random,cautious,random", "--rounds", "6", "--seats", "2", "--db", str(path))
    _arena("tourney", "void", "1", "3", "--reason", "a test", "--db", str(path))
    _arena("match", "--game", "perudo", "--seed", "1", "--db", str(path), "random", "random")
    _arena("analyse", "13", "--playouts", "2", "--policy", "random", "--jobs", "1", "--db", str(path))
    _arena("db", "rebuild", "--db", str(path))
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")
    connection.close()
    return path


def archives(database: Path) -> list[bytes]:
    """Return what is exported of the tournament: whole, and bare."""
    whole, bare = (database.with_name(f"{name}.jsonl") for name in ("whole", "bare"))
    _arena("tourney", "export", "1", "--to", str(whole), "--db", str(database))
    _arena("tourney", "export", "1", "--results", "--to", str(bare), "--db", str(database))
    return [whole.read_bytes(), bare.read_bytes()]


def league_archive(folder: Path) -> bytes:
    """Return what is exported of a league with a batch that was played, and a season that ended."""
    path, file = folder / "league.db", folder / "league.jsonl"
    with in_process(), open_store(path, create=True) as store:
        league = leagues.cambio(store)
        leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
        leagues.submit_file(store, "fox/hen", SAMPLES["random"].path)
        leagues.play(store, 1)
        leagues.end_first_season(store, league)
    _arena("league", "export", "cambio", str(file), "--db", str(path))
    return file.read_bytes()


def questions(database: Path) -> list[bytes]:
    """Return recorded questions of a match."""
    found = []
    for ply in (0, 1):
        file = database.with_name(f"question-{ply}.json")
        _arena("question", "export", "2", str(ply), "--to", str(file), "--db", str(database))
        found.append(file.read_bytes())
    return found


def _arena(*words: str) -> None:
    with in_process():
        done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output


def uploads() -> list[bytes]:
    """Return what people hand in: folders with a bot, packed in each way."""
    files = {"owl/bot.toml": MANIFEST, "owl/bot": b"#!/bin/sh\nexit 0\n", "owl/data/a.txt": b"x" * 5000}
    found = []
    for mode in ("w", "w:gz", "w:bz2", "w:xz"):
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode=mode) as tar:
            for name, content in files.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))
        found.append(packed.getvalue())
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return [*found, packed.getvalue()]


def answers() -> list[bytes]:
    """Return messages of bots to a referee."""
    plain = [Answer(question=number, index=number % 3) for number in range(100, 140)]
    wordy = [Answer(question=1, text="keep", note="why not"), Answer(question=300, index=1, say="Zürich"), Answer()]
    messages = [PlayRequest(answers=Answers(answers=each)) for each in (plain, wordy, wordy + plain[:2], [])]
    messages.append(PlayRequest(hello=Hello(protocols=[1], token="x" * 32, name="a bot")))
    return [message.SerializeToString() for message in messages]


def programs() -> list[bytes]:
    """Return programs: one of nothing but headers, and a script."""
    loader = b"/lib64/ld-linux-x86-64.so.2"
    return [elf(62, loader, libraries=[b"libc.so.6", b"libm.so.6"], folders=b"$ORIGIN:$ORIGIN/../lib"), b"#!/bin/sh\n"]
