"""Folders whose paths have to be text and short enough for sockets."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from referee.paths import SOCKET_BYTES, is_utf8, temporary_folder

BELOW = 20


@pytest.mark.parametrize(
    ("path", "expected"), [("/a/ü/漢", True), (os.fsdecode(b"/a/b\xfft"), False), ("\ud800", False)]
)
def test_what_messages_can_hold_is_told_from_what_they_cannot(path: str, expected: bool) -> None:
    assert is_utf8(path) is expected
    assert is_utf8(Path(path)) is expected


@pytest.mark.parametrize(
    ("folder", "below", "is_there"),
    [
        (b"usual", BELOW, True),
        (b"b\xfft", BELOW, False),
        (b"b\xfft", None, False),
        (b"x" * 90, BELOW, False),
        (b"x" * 90, None, True),
    ],
)
def test_temporary_folders_are_elsewhere_where_their_path_would_not_do(
    monkeypatch: pytest.MonkeyPatch, folder: bytes, below: int | None, is_there: bool
) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as above:
        usual = Path(above, os.fsdecode(folder))
        usual.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(usual))
        made = temporary_folder("arena-x-", below)
        try:
            assert made.parent == (usual if is_there else Path("/tmp"))
            assert made.name.startswith("arena-x-")
            assert below is None or len(os.fsencode(made)) + below <= SOCKET_BYTES
        finally:
            shutil.rmtree(made)
