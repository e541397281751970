"""Programs that cannot be started, each with a sentence, and hostile ones that must only be read."""

import os
import shutil
import socket
import struct
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from arena.bots.intake import submit
from arena.cli import main
from arena.packs import program_check
from arena.packs.build import BuildTerms
from arena.packs.candidate import read_candidate
from arena.packs.elf import Elf
from arena.packs.errors import ManifestError
from arena.packs.program_check import check_program
from arena.store import open_store
from tests.packs.elf_file import elf

Write = Callable[..., Path]

GLIBC = b"/lib64/ld-linux-x86-64.so.2"


@pytest.fixture
def program(tmp_path: Path) -> Write:
    """Write a file that may be executed."""

    def write(name: str, content: bytes, mode: int = 0o755) -> Path:
        path = tmp_path / name
        path.write_bytes(content)
        path.chmod(mode)
        return path

    return write


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Make this an x86-64 machine whose libraries are in the folder that is returned."""
    folder = tmp_path / "lib"
    folder.mkdir()
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr("arena.packs.program_check._system_folders", lambda: (str(folder),))
    monkeypatch.setattr("arena.packs.program_check._is_glibc", bool)
    return folder


def test_a_native_program_and_a_script_are_fine(program: Write) -> None:
    for path in (sys.executable, shutil.which("env"), shutil.which("git")):
        assert check_program(Path(path or sys.executable)) == ""
    assert check_program(program("bot", b"#!/bin/sh\n")) == ""
    assert check_program(program("bot", b"#!/usr/bin/env -S sh -e\n")) == ""


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty: build it again"),
        (elf(243), "is a program for riscv, and this machine is x86_64: build it for x86_64"),
        (elf(4711), "is a program for machine type 4711, and this machine is x86_64"),
        (elf(183, order=">"), "is a program for aarch64, and this machine is x86_64"),
        (elf(62, order=">"), "is a program for big-endian machines, and this one is little-endian"),
        (elf(62, bits=32), "is a program with 32-bit addresses for x86_64"),
        (elf(3, bits=32), ""),
        (elf(62), ""),
        (elf(62, type=1), "is an object file or a memory dump and not a program"),
        (elf(62, type=4), "is an object file or a memory dump and not a program"),
        (elf(62, type=3, entry=0), "is a library and not a program"),
        (elf(62, b"/lib/ld-musl-strange.so.1"), "needs the loader /lib/ld-musl-strange.so.1, which is not installed"),
        (elf(62, b"/tmp"), "needs the loader /tmp, which is not installed"),
        (b"\x7fELF", "is damaged: it has 4 bytes and needs 16"),
        (b"\x7fELF" + bytes(60), "is damaged: its ELF header names no known class or byte order"),
        (elf(62)[:63], "is damaged: it has 63 bytes and needs"),
        (elf(62)[:-1], "is damaged: it has"),
        (b"MZ\x90", "is a Windows program, which this machine does not start: build it for Linux on x86_64"),
        (b"\xcf\xfa\xed\xfe", "is a macOS program"),
        (b"\xfe\xed\xfa\xce", "is a macOS program"),
        (b"\xca\xfe\xba\xbe", "is a macOS program or a Java class"),
        (b"PK\x03\x04", "is an archive"),
        (b"!<arch>\n", "is an archive of object files"),
        (b"#!/opt/no/python\n", "needs the interpreter /opt/no/python (its #! line), which is not installed: install"),
        (b"#!/tmp\n", "needs the interpreter /tmp (its #! line), which is not installed"),
        (b"#!/usr/bin/env no-such-language\n", "needs the interpreter no-such-language (its #! line), which is not in"),
        (b"#!/bin/sh\r\n", "has a #! line with a Windows line ending"),
        (b"#!/usr/bin/env sh\r\n", "has a #! line with a Windows line ending"),
        (b"\xef\xbb\xbf#!/bin/sh\n", "begins with a byte order mark, before its #! line"),
        (b"#!/bin/sh\0\n", "has a #! line that names no program"),
        (b"#!/usr/bin/env sh\0\n", "needs the interpreter sh"),
        (b"#!\n", "has a #! line that names no program"),
        (b"#!" + b"x" * 100_000, "needs the interpreter xxx"),
        (b"print(1)\n", "is not a program: it has neither the header of one nor a #! line"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("here")
def test_what_cannot_be_started(program: Write, content: bytes, sentence: str) -> None:
    problem = check_program(program("bot", content))
    assert problem.startswith(sentence)
    assert bool(problem) == bool(sentence)


def test_what_is_no_file(program: Write, tmp_path: Path) -> None:
    assert check_program(tmp_path / "none") == "does not exist"
    assert check_program(tmp_path) == "is a folder: name the program in it"
    (tmp_path / "link").symlink_to(tmp_path / "none")
    assert check_program(tmp_path / "link") == "is a link to a file that does not exist"
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    assert check_program(tmp_path / "circle").startswith("cannot be read: ")
    plain = program("plain", b"#!/bin/sh\n", mode=0o644)
    assert check_program(plain) == f"is not executable: chmod +x {plain}"
    os.mkfifo(tmp_path / "pipe")
    assert check_program(tmp_path / "pipe") == "is a pipe and not a file: name a program"
    assert check_program(Path("/dev/zero")) == "is a device and not a file: name a program"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        assert check_program(tmp_path / "socket") == "is a socket and not a file: name a program"


def test_a_library_that_is_missing(program: Write, here: Path) -> None:
    """It is searched as the loader does: where the program says, then in the folders of this machine."""
    needs = elf(62, GLIBC, libraries=[b"libc.so.6", b"libowl.so.1"], folders=b"$ORIGIN/own:/none")
    (here / "libc.so.6").write_bytes(elf(62, type=3))
    bot = program("bot", needs)
    assert check_program(bot) == (
        "needs the library libowl.so.1, which is not installed: link it statically, or put it into the bot's folder "
        "and link with -Wl,-rpath,'$ORIGIN'"
    )
    own = bot.parent / "own"
    own.mkdir()
    for content in (b"", b"no library", elf(183, type=3), elf(62, type=3)[:40]):  # the loader goes on searching
        (own / "libowl.so.1").write_bytes(content)
        assert check_program(bot).startswith("needs the library libowl.so.1,")
    (own / "libowl.so.1").unlink()
    os.mkfifo(own / "libowl.so.1")
    assert check_program(bot).startswith("needs the library libowl.so.1,")
    (own / "libowl.so.1").unlink()
    (own / "libowl.so.1").write_bytes(elf(62, type=3, libraries=[b"libc.so.6", b"libfox.so"]))
    assert check_program(bot).startswith("needs the library libfox.so (of its libowl.so.1), which is not installed")
    (here / "libfox.so").write_bytes(elf(62, type=3, libraries=[b"of this machine, and its own affair"]))
    assert check_program(bot) == ""
    (bot.parent / "link").symlink_to(bot)
    (bot.parent / "elsewhere").mkdir()
    (bot.parent / "elsewhere/link").symlink_to(bot)
    assert check_program(bot.parent / "elsewhere/link") == ""  # $ORIGIN is the folder of the file itself


def test_what_only_the_loader_knows_is_no_problem(program: Write, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_program(program("bot", elf(62, GLIBC, libraries=[b"libowl.so"], folders=b"/x/$LIB"))) == ""
    for folders in (b".", b"lib:/x"):  # from where the bot is started
        assert check_program(program("bot", elf(62, GLIBC, libraries=[b"libowl.so"], folders=folders))) == ""
    assert check_program(program("bot", elf(62, GLIBC, libraries=[b"lib/libowl.so"]))) == ""
    monkeypatch.setattr("arena.packs.program_check._is_glibc", lambda loader: False)
    assert check_program(program("bot", elf(62, GLIBC, libraries=[b"libowl.so"]))) == ""


@pytest.mark.parametrize(
    ("place", "values", "sentence"),
    [
        (32, struct.pack("<Q", 2**64 - 1), "is damaged: it has"),  # the table lies beyond the file
        (54, struct.pack("<H", 1), "is damaged: its program headers have 1 bytes each instead of 56"),
        (54, struct.pack("<H", 0), "is damaged: its program headers have 0 bytes each"),
        (56, struct.pack("<H", 0xFFFF), "is damaged: it has 65,535 program headers, more than Linux takes"),
        (56, struct.pack("<H", 1000), "is damaged: it has"),
        (64 + 8, struct.pack("<Q", 2**63), "is damaged: it has"),  # the first segment lies beyond the file
        (64 + 32, struct.pack("<Q", 2**64 - 1), "is damaged: it has"),
    ],
)
def test_tables_that_lie(program: Write, here: Path, place: int, values: bytes, sentence: str) -> None:
    content = bytearray(elf(62, GLIBC, libraries=[b"libc.so.6"]))
    content[place : place + len(values)] = values
    assert check_program(program("bot", bytes(content))).startswith(sentence)


def test_folders_without_end_are_left_to_the_loader(
    program: Write, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "libowl.so").write_bytes(elf(62, type=3))
    tried: list[Path] = []
    library = program_check._library

    def count(path: Path, bot: Elf) -> Elf | None:
        tried.append(path)
        return library(path, bot)

    monkeypatch.setattr(program_check, "_library", count)
    many = b":".join(b"/%d" % number for number in range(400))
    assert check_program(program("bot", elf(62, GLIBC, libraries=[b"libowl.so"], folders=many))) == ""
    assert len(tried) == 401
    for number in range(100):
        (here / f"lib{number}.so").write_bytes(elf(62, type=3))
    libraries = [b"lib%d.so" % number for number in range(100)]
    tried.clear()
    assert check_program(program("bot", elf(62, GLIBC, libraries=libraries, folders=many))) == ""
    assert len(tried) <= program_check.MOST_TRIES + 401


def test_any_damage_ends_in_a_sentence(program: Write, here: Path) -> None:
    sound = elf(62, GLIBC, libraries=[b"libc.so.6", b"libm.so.6"], folders=b"$ORIGIN")
    random = Random(7)
    for length in range(4, len(sound)):
        assert check_program(program("bot", sound[:length]))
    for _ in range(3000):
        damaged = bytearray(sound)
        for _ in range(random.randint(1, 4)):
            place = random.randrange(4, len(sound))
            damaged[place : place + 8] = random.choice([b"\xff" * 8, bytes(8), random.randbytes(8), b"\x80" + bytes(7)])
        problem = check_program(program("bot", bytes(damaged)))
        assert not problem or problem.startswith(("is damaged: ", "is a program for ", "is a ", "is an ", "needs the "))


def arena(words: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        main(list(words), prog_name="arena")
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.promise
def test_every_command_says_the_same_before_anything_is_started(
    program: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    owl = tmp_path / "owl"
    owl.mkdir()
    (owl / "bot.toml").write_text('language = "c"\ncommand = ["./bot"]\ngames = ["coch"]\n')
    program("owl/bot", b"#!/bin/sh\r\nexit\r\n")
    sentence = "has a #! line with a Windows line ending"
    for words in (
        ["check", "./owl"], ["check", "./owl/bot"], ["submit", "owl"], ["submit", "owl/bot"],
        ["match", "--game", "coch", "./owl", "random"], ["tourney", "--game", "coch", "--bots", "./owl,random"],
    ):  # fmt: skip
        assert sentence in arena(words, capsys)
    with open_store(tmp_path / "a.db", create=True) as store, pytest.raises(ManifestError, match="Windows line ending"):
        submit(store, read_candidate(owl), "club/owl", BuildTerms(), lambda bot: pytest.fail("it was examined"))
