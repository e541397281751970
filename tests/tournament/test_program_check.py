import struct
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.tournament.plan.program_check import check_program

Write = Callable[..., Path]


def elf(machine: int, loader: bytes = b"") -> bytes:
    """Return the head of a 64-bit little-endian program."""
    header = b"\x7fELF\x02\x01\x01" + bytes(9)
    header += struct.pack("<HHLQQQLHHHHHH", 2, machine, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    segment = struct.pack("<LLQQQQQQ", 3 if loader else 1, 4, 120, 0, 0, len(loader) + 1, 0, 1)
    return header + segment + loader + b"\0"


def test_a_native_program_and_a_script_are_fine(program: Write) -> None:
    assert check_program(Path(sys.executable)) == ""
    assert check_program(program("bot", b"#!/bin/sh\n")) == ""
    assert check_program(program("bot", b"#!/usr/bin/env -S sh -e\n")) == ""


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (elf(243), "is a program for riscv, and this machine is x86_64"),
        (elf(4711), "is a program for machine type 4711, and this machine is x86_64"),
        (elf(62, b"/lib/ld-musl-strange.so.1"), "needs the loader /lib/ld-musl-strange.so.1, which is not installed"),
        (b"\x7fELF", "is damaged"),
        (b"MZ\x90", "is a Windows program"),
        (b"PK\x03\x04", "is an archive"),
        (b"#!/opt/no/python\n", "needs the interpreter /opt/no/python (its #! line), which is not installed"),
        (b"#!/usr/bin/env no-such-language\n", "needs the interpreter no-such-language (its #! line), which is not in"),
        (b"#!/bin/sh\r\n", "has a #! line with a Windows line ending"),
        (b"#!\n", "has a #! line that names no program"),
        (b"print(1)\n", "is not a program: it has neither the header of one nor a #! line"),
    ],
)
def test_what_cannot_be_started(program: Write, monkeypatch: pytest.MonkeyPatch, content: bytes, sentence: str) -> None:
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    assert check_program(program("bot", content)).startswith(sentence)


def test_what_is_no_file(program: Write, tmp_path: Path) -> None:
    assert check_program(tmp_path / "none") == "does not exist"
    assert check_program(tmp_path) == "is a folder: name the program in it"
    (tmp_path / "link").symlink_to(tmp_path / "none")
    assert check_program(tmp_path / "link") == "is a link to a file that does not exist"
    plain = program("plain", b"#!/bin/sh\n", mode=0o644)
    assert check_program(plain) == f"is not executable: chmod +x {plain}"
