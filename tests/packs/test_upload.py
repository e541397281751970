"""Uploaded archives are unpacked with care."""

import gzip
import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from arena.packs import upload
from arena.packs.errors import PackError
from arena.packs.upload import unpack_upload

pytestmark = pytest.mark.promise


def tarred(*entries: tuple[str, bytes, int], link: str = "") -> bytes:
    whole = io.BytesIO()
    # Without the time of day, so that tests that are called by their bytes are always called the same.
    with gzip.GzipFile(fileobj=whole, mode="wb", mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content, mode in entries:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), mode
            archive.addfile(entry, io.BytesIO(content))
        if link:
            entry = tarfile.TarInfo("link")
            entry.type, entry.linkname = tarfile.SYMTYPE, link
            archive.addfile(entry)
    return whole.getvalue()


def zipped(*entries: tuple[str, bytes, int]) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, mode in entries:
            entry = zipfile.ZipInfo(name)
            entry.external_attr, entry.compress_type = mode << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return whole.getvalue()


def test_a_folder_is_found_inside_its_archive(tmp_path: Path) -> None:
    content = tarred(("./owl/bot.toml", b"x", 0o644), ("./owl/bin/run", b"y", 0o755))
    found = unpack_upload("owl.tar.gz", content, tmp_path)
    assert found == tmp_path / "owl"
    assert (found / "bin/run").stat().st_mode & stat.S_IXUSR
    assert not (found / "bot.toml").stat().st_mode & stat.S_IXUSR


def test_files_at_the_top_are_the_folder(tmp_path: Path) -> None:
    content = zipped(("bot.toml", b"x", 0o100644), ("run", b"y", 0o100755))
    assert unpack_upload("C:\\fakepath\\owl.zip", content, tmp_path) == tmp_path
    assert (tmp_path / "run").stat().st_mode & stat.S_IXUSR


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.zip", zipped(("../../evil", b"x", 0o100644))),
        ("x.zip", zipped(("/etc/evil", b"x", 0o100644))),
        ("x.tar", tarred(("a/../../evil", b"x", 0o644))),
        ("x.tar", tarred(link="/etc/passwd")),
        ("x.zip", zipped(("link", b"/etc/passwd", 0o120777))),
        ("x.zip", zipped(("a", b"x", 0o100644), ("a/b", b"x", 0o100644))),
        ("x.tar", tarred(("a", b"x", 0o644), ("a", b"y", 0o644))),
        ("x.tar", tarred(("a\nb", b"x", 0o644))),
    ],
)
def test_what_would_lie_elsewhere_or_is_no_file_is_refused(name: str, content: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    with pytest.raises(PackError):
        unpack_upload(name, content, folder)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


@pytest.mark.parametrize("make", [zipped, tarred])
def test_a_bomb_is_cut_off_as_it_unfolds(make: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "MOST_BYTES", 100_000)
    content = make(*((f"{n}", bytes(60_000), 0o100644) for n in range(3)))  # type: ignore[operator]
    assert len(content) < 10_000
    with pytest.raises(PackError, match="together"):
        unpack_upload("x.zip" if make is zipped else "x.tar.gz", content, tmp_path)


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "MOST_FILES", 5)
    with pytest.raises(PackError, match="more than 5 files"):
        unpack_upload("x.zip", zipped(*((f"{n}", b"", 0o100644) for n in range(6))), tmp_path)


def test_paths_with_backslashes_are_refused_for_these(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="has a backslash in its name, as some Windows programs write paths"):
        unpack_upload("x.zip", zipped(("bot\\main.py", b"x", 0o100644)), tmp_path)
