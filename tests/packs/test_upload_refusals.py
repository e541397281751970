"""Files that can never be a bot are told from others before anything is stored, unpacked or run."""

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Callable

import pytest

from arena.packs.errors import PackError
from arena.packs.upload import SUBMISSION, check_upload
from tests.uploads import PLAYS_HYPP


def tarred(compress: Callable[[bytes], bytes] = bytes) -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("bot.toml"))
    return compress(whole.getvalue())


@pytest.mark.parametrize(
    ("file", "content", "problem"),
    [
        ("owl.py", b"", "it is empty"),
        ("owl.zip", b"", "it is empty"),
        ("cat.png", b"\x89PNG\r\n\x1a\n\x00", "it is neither a Python file nor an archive"),
        ("passwd", b"root:x:0:0:root:/root:/bin/bash\n", "it is neither a Python file nor an archive"),
        ("", b"x", "it is neither a Python file nor an archive"),
        ("passwd.py", b"root:x:0:0:root:/root:/bin/bash\n", "it imports nothing, and so cannot speak with a referee"),
        ("owl.py", b"\x89PNG\r\n\x1a\n\x00import", "it is no text"),
        ("owl.py", b"import os  # caf\xe9", "it is no text in UTF-8"),
        ("owl.zip", b"\x89PNG\r\n\x1a\n\x00", "it is no zip archive"),
        ("owl.TAR", b"\x89PNG" * 1000, "it is no tar archive"),
        ("owl.tar.gz", bytes(10_000), "it is no tar archive"),
    ],
)
def test_what_can_never_be_a_bot_is_refused_without_a_check(file: str, content: bytes, problem: str) -> None:
    with pytest.raises(PackError) as refused:
        check_upload(file, content)
    assert str(refused.value) == f"{file or 'the file'} cannot be a bot, as {problem}: {SUBMISSION}"


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("owl.py", b"import arena.sdk"),
        ("owl.py", b"\xef\xbb\xbf__import__('arena.sdk')"),
        ("owl.py", b"#!/usr/bin/python\n# -*- coding: latin-1 -*-\nimport os  # caf\xe9"),
        ("C:\\bots\\owl.py", b"import arena.sdk"),
        ("owl.ZIP", PLAYS_HYPP),
        ("owl.zip", b"#!/bin/sh\n" + PLAYS_HYPP),
        ("owl.tar", tarred()),
        ("owl.tgz", tarred(lambda content: gzip.compress(content, mtime=0))),
        ("owl.tar.gz", tarred()),
        ("owl.tar", tarred(lzma.compress)),
        ("owl.tar", tarred(bz2.compress)),
    ],
)
def test_what_may_be_a_bot_is_left_to_its_check(file: str, content: bytes) -> None:
    check_upload(file, content)
