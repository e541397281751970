import os
import socket
from hashlib import sha256
from pathlib import Path

import pytest

from arena.packs import pack as packing
from arena.packs.errors import PackError
from arena.packs.pack import FILE_TIME, File, Pack, make_pack, pack_file, pack_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot's folder with what belongs into a pack, and what does not."""
    bot = tmp_path / "owl"
    for path, content in {
        "main.py": "import lib", "lib/a.py": "a = 1", "lib/B.py": "b = 2", "run": "#!/bin/sh\n",
        ".git/HEAD": "x", "lib/__pycache__/a.pyc": "x", "main.py~": "x", ".venv/x": "x", "notes/todo": "x",
        "build/made": "x", "node_modules/.bin/tool": "x", "node_modules/lib.js": "x",
    }.items():  # fmt: skip
        (bot / path).parent.mkdir(parents=True, exist_ok=True)
        (bot / path).write_text(content)
    (bot / "run").chmod(0o755)
    return bot


def test_what_is_packed_and_what_is_junk(folder: Path) -> None:
    pack = pack_folder(folder, ignore=["notes"], skip=["build"])
    assert [file.path for file in pack.files] == ["lib/B.py", "lib/a.py", "main.py", "node_modules/lib.js", "run"]
    assert [file.path for file in pack.files if file.executable] == ["run"]
    assert [file.path for file in pack_folder(folder, keep=["lib", "run"]).files] == ["lib/B.py", "lib/a.py", "run"]


def test_same_files_same_bytes_whatever_their_times_and_rights(folder: Path) -> None:
    first = pack_folder(folder)
    for path in folder.rglob("*"):
        os.utime(path, (1, 1))
    (folder / "main.py").chmod(0o600)
    (folder / "empty").mkdir()
    again = pack_folder(folder)
    assert again.to_bytes() == first.to_bytes()
    assert again.sha256 == first.sha256
    (folder / "main.py").chmod(0o700)
    assert pack_folder(folder).sha256 != first.sha256


def test_the_hash_is_what_its_page_says() -> None:
    pack = make_pack([File("b", True, b"2"), File("a", False, b"1")])
    lines = f"{sha256(b'1').hexdigest()} - a\n{sha256(b'2').hexdigest()} x b\n"
    assert pack.sha256 == sha256(lines.encode()).hexdigest()


def test_an_archive_gives_the_pack_again(folder: Path, tmp_path: Path) -> None:
    pack = make_pack([*pack_folder(folder).files, File("ü" * 120, False, b"")])
    assert Pack.from_bytes(pack.to_bytes()) == pack
    copy = tmp_path / "copy"
    copy.mkdir()
    pack.write(copy, writable=False)
    assert pack_folder(copy) == pack
    assert not any(path.stat().st_mode & 0o222 for path in [copy, *copy.rglob("*")])
    assert {path.stat().st_mtime for path in copy.rglob("*") if path.is_file()} == {FILE_TIME}
    with pytest.raises(PackError, match="a pack is damaged"):
        Pack.from_bytes(pack.to_bytes()[:1000])


def test_a_pack_writes_only_below_its_folder(tmp_path: Path) -> None:
    for path in ("../out", "/out", "a/../../out", "a//b", ""):
        with pytest.raises(PackError):
            Pack((File(path, False, b""),)).write(tmp_path, writable=True)
    assert not list(tmp_path.parent.glob("out"))


def test_links_and_strange_files_are_refused(folder: Path) -> None:
    link = folder / "lib" / "home"
    link.symlink_to("/etc/passwd")
    with pytest.raises(PackError, match=r'home is a symbolic link, .* leave it out \(ignore = \["home"\]'):
        pack_folder(folder)
    link.unlink()
    os.mkfifo(link)
    with pytest.raises(PackError, match="home is neither a file nor a folder"):
        pack_folder(folder)
    link.unlink()
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(os.path.relpath(link))
        with pytest.raises(PackError, match="neither a file nor a folder"):
            pack_folder(folder)
    link.unlink()
    (folder / "a\nb").write_text("")
    with pytest.raises(PackError, match=r"'a\\nb' cannot be packed"):
        pack_folder(folder)


def test_what_is_not_kept_may_be_a_link(folder: Path) -> None:
    (folder / "lib" / "home").symlink_to("/etc/passwd")
    assert [file.path for file in pack_folder(folder, keep=["run", "lib/a.py", "build/"]).files] == [
        "build/made", "lib/a.py", "run"
    ]  # fmt: skip
    with pytest.raises(PackError, match="symbolic link"):
        pack_folder(folder, keep=["lib"])


def test_a_single_file_is_not_followed_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("pass")
    assert [file.path for file in pack_file(tmp_path / "bot.py").files] == ["bot.py"]
    (tmp_path / "link.py").symlink_to("bot.py")
    with pytest.raises(PackError, match=r"link.py cannot be read"):
        pack_file(tmp_path / "link.py")


def test_size_and_number_are_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MOST_FILES", 3)
    with pytest.raises(PackError, match="has more than 3 files: leave out what the bot does not need"):
        pack_folder(folder)
    monkeypatch.setattr(packing, "MOST_FILES", 100)
    monkeypatch.setattr(packing, "MOST_BYTES", 12)
    with pytest.raises(PackError, match="main.py is the first beyond that"):
        pack_folder(folder)


def test_a_folder_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path
    for _ in range(30):
        deep = deep / ("d" * 20)
    deep.mkdir(parents=True)
    with pytest.raises(PackError, match="cannot be packed: its name must be short"):
        pack_folder(tmp_path)
    (tmp_path / "wide").mkdir()
    for name in "abc":
        (tmp_path / "wide" / name).write_text("")
    monkeypatch.setattr(packing, "MOST_WALKED", 3)
    with pytest.raises(PackError, match="has more than 3 files: submit a folder that holds only the bot"):
        pack_folder(tmp_path / "wide")


def test_an_empty_folder_is_no_bot(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="has no file that could be packed"):
        pack_folder(tmp_path)


def test_what_cargo_leaves_behind_is_not_packed(tmp_path: Path) -> None:
    for path in ("target/release/bot", "target/release/deps/x", "target/release/incremental/x"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x")
    assert [file.path for file in pack_folder(tmp_path).files] == ["target/release/bot"]
