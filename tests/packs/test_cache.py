import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.packs.cache import cache_folder, cached_folder, remove_folder
from arena.packs.errors import PackError
from arena.packs.pack import File, make_pack

PACK = make_pack([File("bot", True, b"#!/bin/sh\n"), File("lib/x", False, b"x")])


def never() -> bytes:
    raise AssertionError("it was unpacked already")


def test_unpacked_once_and_again_where_it_was_changed(tmp_path: Path) -> None:
    folder = cached_folder(PACK.sha256, PACK.to_bytes, tmp_path)
    assert folder == tmp_path / "bots" / PACK.sha256
    assert (folder / "bot").read_bytes() == b"#!/bin/sh\n"
    assert cached_folder(PACK.sha256, never, tmp_path) == folder
    (folder / "bot").chmod(0o755)
    (folder / "bot").write_text("changed")
    assert cached_folder(PACK.sha256, PACK.to_bytes, tmp_path) == folder
    assert (folder / "bot").read_bytes() == b"#!/bin/sh\n"
    assert [each.name for each in (tmp_path / "bots").iterdir()] == [PACK.sha256]


def test_other_files_than_the_hash_says_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="have another hash"):
        cached_folder("0" * 64, PACK.to_bytes, tmp_path)
    assert not list((tmp_path / "bots").iterdir())


@pytest.mark.processes
def test_two_processes_at_once_get_the_same_whole_folder(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.write_bytes(PACK.to_bytes())
    code = (
        "import sys; from pathlib import Path; from arena.packs.cache import cached_folder; input();"
        f"print(cached_folder({PACK.sha256!r}, Path({str(archive)!r}).read_bytes, Path({str(tmp_path / 'cache')!r})))"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in both:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    told = [process.communicate()[0] for process in both]
    assert told == [f"{tmp_path}/cache/bots/{PACK.sha256}\n"] * 2
    assert len(list((tmp_path / "cache" / "bots").iterdir())) == 1


def test_another_program_that_was_quicker_has_done_it(tmp_path: Path) -> None:
    def slow() -> bytes:
        cached_folder(PACK.sha256, PACK.to_bytes, tmp_path)
        return PACK.to_bytes()

    assert cached_folder(PACK.sha256, slow, tmp_path).is_dir()
    assert len(list((tmp_path / "bots").iterdir())) == 1


def test_a_cache_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PackError, match="set ARENA_CACHE to a folder of your own"):
        cached_folder(PACK.sha256, PACK.to_bytes, tmp_path / "file")


def test_where_it_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CACHE", "/somewhere")
    assert cache_folder() == Path("/somewhere")
    monkeypatch.delenv("ARENA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/home/me/cache")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert cache_folder() == Path("/home/me/cache/arena")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert cache_folder() == Path("/var/cache/arena")


@pytest.mark.processes
def test_a_folder_that_cannot_be_read_is_removed(tmp_path: Path) -> None:
    """As by a user: root without capabilities may not read what it made unreadable either."""
    code = "import sys; from pathlib import Path; from arena.packs.cache import remove_folder;"
    code += "remove_folder(Path(sys.argv[1]))"
    as_user = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    elsewhere, room = tmp_path / "elsewhere", tmp_path / "room"
    elsewhere.mkdir(mode=0o700)
    (room / "build" / "locked" / "deeper").mkdir(parents=True)
    (room / "build" / "link").symlink_to(elsewhere)
    (room / "build" / "locked" / "deeper" / "file").write_text("x")
    for folder in (room / "build" / "locked" / "deeper", room / "build" / "locked", room / "build"):
        folder.chmod(0)
    subprocess.run([*as_user, sys.executable, "-c", code, str(room)], check=True)
    assert not room.exists()
    assert elsewhere.stat().st_mode & 0o777 == 0o700


@pytest.mark.processes
def test_a_folder_of_any_depth_is_removed(tmp_path: Path) -> None:
    deepen = "import os\nfor _ in range(3000): os.mkdir('d'); os.chdir('d')"
    subprocess.run([sys.executable, "-c", deepen], cwd=tmp_path, check=True)
    remove_folder(tmp_path / "d")
    assert not list(tmp_path.iterdir())
