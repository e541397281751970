"""What an author's folder holds and no pack does."""

import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

from arena.bots.templates.project import make
from arena.packs.candidate import Candidate, read_candidate
from arena.packs.errors import PackError
from arena.packs.left_out import LARGE, gitignore, human_size
from arena.results.archive.files import write
from arena.results.archive.result_tables import COLUMNS
from arena.store import open_store
from referee.games.cambio import CAMBIO
from referee.v1.archive_pb2 import ArchivedTournament, ArchiveItem
from tests import played

KEY = "-----BEGIN {}PRIVATE KEY-----\nMC4CAQAw\n"


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "owl"
    folder.mkdir()
    (folder / "bot.toml").write_text('language = "python"\ncommand = ["python3", "main.py"]\n')
    (folder / "main.py").write_text("pass")
    return folder


def packed(folder: Path, *include: str) -> set[str]:
    return {file.path for file in read_candidate(folder, include).source.files} - {"bot.toml", "main.py"}


def test_databases_of_arena_are_left_out_by_any_name(bot: Path) -> None:
    before = read_candidate(bot).source.sha256
    (bot / "old").mkdir()
    for path in (bot / "arena.db", bot / "old" / "season.data"):
        with open_store(path, create=True):
            pass
        for companion in ("-wal", "-shm", "-journal"):
            path.with_name(path.name + companion).write_bytes(b"x")
    candidate = read_candidate(bot)
    assert candidate.source.sha256 == before
    assert sorted(candidate.left_out) == sorted(
        f"{name}{end}" for name in ("arena.db", "old/season.data") for end in ("", "-wal", "-shm", "-journal")
    )
    assert packed(bot, "./old/season.data") == {"old/season.data"}


def test_a_database_of_the_bots_own_is_packed(bot: Path) -> None:
    with sqlite3.connect(bot / "book.db") as book:
        book.execute("CREATE TABLE openings (moves TEXT)")
    book.close()
    (bot / "book.db-wal").write_bytes(b"x")
    assert packed(bot) == {"book.db", "book.db-wal"}


def test_exports_and_sites_are_left_out(bot: Path) -> None:
    tournament = ArchivedTournament(game="cambio", definition=played.tournament(CAMBIO).definition_text)
    with (bot / "cup.jsonl").open("wb") as file:
        write([ArchiveItem(tournament=tournament)], file)
    (bot / "cup.csv").write_text(",".join(column.name for column in COLUMNS) + "\n")
    (bot / "public").mkdir()
    (bot / "public" / ".arena-site.json").write_text("{}")
    (bot / "weights.csv").write_text("tournament,weight\n")
    assert packed(bot) == {"weights.csv"}
    assert sorted(read_candidate(bot).left_out) == ["cup.csv", "cup.jsonl", "public/"]


def test_tables_in_parquet_are_told_from_data_of_the_bot(bot: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({column.name: [0] for column in COLUMNS}), bot / "cup.parquet")
    parquet.write_table(pyarrow.table({"weight": [0]}), bot / "weights.parquet")
    assert packed(bot) == {"weights.parquet"}


def test_what_a_build_makes_is_left_out_where_there_is_one(bot: Path) -> None:
    for path in ("Main.class", "bot.o", "build/x", "node_modules/a.js", "lib/helper"):
        (bot / path).parent.mkdir(exist_ok=True)
        (bot / path).write_text("x")
    for path in ("owl", "lib/tool"):
        (bot / path).write_bytes(b"\x7fELF")
    program = 'language = "c"\ncommand = ["./owl"]\n'
    (bot / "bot.toml").write_text(program)
    assert packed(bot) >= {"Main.class", "bot.o", "build/x", "node_modules/a.js", "owl"}
    (bot / "bot.toml").write_text(program + 'build = ["make"]\n')
    assert packed(bot) == {"node_modules/a.js", "lib/helper", "lib/tool"}
    (bot / "bot.toml").write_text(program + 'build = ["make"]\nbuild_network = true\n')
    assert packed(bot, "bot.o") == {"bot.o", "lib/helper", "lib/tool"}


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_private_keys_are_refused_by_their_content(bot: Path, kind: str) -> None:
    (bot / "notes.txt").write_text("mine:\n" + KEY.format(kind))
    with pytest.raises(PackError, match=r"^notes.txt holds a private key: leave it out .* \(--include PATH\)$"):
        read_candidate(bot).refuse_unexpected()
    read_candidate(bot).refuse_unexpected(["notes.txt"])


def test_secrets_are_refused_by_their_names(bot: Path) -> None:
    for name in (
        ".env",
        ".env.local",
        "server.PEM",
        "deep/id_ed25519",
        ".env.example",
        "node_modules/test.pem",
        "environment",
    ):
        (bot / name).parent.mkdir(exist_ok=True)
        (bot / name).write_text("x")
    with pytest.raises(PackError) as refused:
        read_candidate(bot).refuse_unexpected(["deep"])
    assert str(refused.value) == (
        ".env has the name of a secret; .env.local has the name of a secret; server.PEM has the name of a secret: "
        'leave them out (ignore = ["NAME"] in bot.toml), or pack them all the same (--include PATH for each)'
    )


def test_a_large_file_is_named_or_refused(bot: Path) -> None:
    (bot / "net.bin").write_bytes(bytes(LARGE - 1))
    read_candidate(bot).refuse_unexpected()
    (bot / "net.bin").write_bytes(bytes(LARGE))
    with pytest.raises(PackError, match=r"net.bin is unexpectedly large \(32 MB\)"):
        read_candidate(bot).refuse_unexpected()
    read_candidate(bot).refuse_unexpected(["net.bin"])


def test_the_pack_is_described(bot: Path) -> None:
    assert read_candidate(bot).packed == "packed 2 files, 57 bytes"
    (bot / ".git").mkdir()
    (bot / "arena.db").write_text("")
    assert read_candidate(bot).packed == "packed 2 files, 57 bytes; left out: .git/, arena.db"
    source = read_candidate(bot)
    many = Candidate(source.manifest, source.source, bot, tuple(f"{number}.o" for number in range(12)))
    assert many.packed.endswith(": 0.o, 1.o, 2.o, 3.o, 4.o, 5.o, 6.o, 7.o, 8.o, 9.o and 2 more")


def test_sizes_as_people_read_them() -> None:
    sizes = [0, 1, 999, 1000, 9949, 9950, 999_499, 999_500, 128 * 1024**2, 5 * 10**12]
    assert [human_size(size) for size in sizes] == [
        "0 bytes", "1 byte", "999 bytes", "1.0 kB", "9.9 kB", "10 kB", "999 kB", "1.0 MB", "134 MB", "5000 GB"
    ]  # fmt: skip


def test_a_new_project_ignores_the_same(tmp_path: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    folder = make(tmp_path / "owl", "python", None).folder
    assert (folder / ".gitignore").read_text() == gitignore()
    ours = [
        "arena.db",
        "arena.db-wal",
        "sub/__pycache__",
        "node_modules",
        "build/x",
        "a.class",
        ".env",
        "a.pem",
        ".tox",
    ]
    asked = [*ours, "main.py", "bot.toml", ".env.example", ".gitignore"]
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    told = subprocess.run(
        ["git", "-C", folder, "check-ignore", *asked], capture_output=True, text=True, check=True
    ).stdout
    assert told.splitlines() == ours
