"""Archives that are made to hurt whoever reads them end in a sentence, within bounds of memory and time."""

import bz2
import gzip
import io
import json
import lzma
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from arena.packs import extraction, extractor, upload
from arena.packs.errors import PackError
from arena.packs.upload import unpack_upload
from referee.sandbox import choose

pytestmark = pytest.mark.promise

MIB = 1024**2
BLOCK = 512


def header(
    name: bytes = b"a", size: bytes = b"%011o\0" % 0, kind: bytes = b"0", magic: bytes = b"ustar\0" + b"00"
) -> bytes:
    """Return a header of tar in which nothing is checked."""
    fields = name.ljust(100, b"\0") + b"0000644\0" + b"0000000\0" * 2 + size.ljust(12, b"\0") + b"0" * 11 + b"\0"
    rest = kind + bytes(100) + magic
    total = sum(fields) + sum(rest) + 8 * 32
    return (fields + b"%06o\0 " % total + rest).ljust(BLOCK, b"\0")


def octal(size: int) -> bytes:
    return b"%011o\0" % size


def gigabyte(kind: bytes) -> bytes:
    """Return a header whose name, or whose values, are a gigabyte of zeros, packed into a megabyte."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    begin = packer.compress(header(b"././@LongLink", octal(1 << 30), kind)) + packer.flush(zlib.Z_FULL_FLUSH)
    # What follows a full flush refers to nothing before it, so it may be repeated; nobody checks the sum at the end.
    zeros = packer.compress(bytes(MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    return begin + zeros * 1024 + packer.flush()


def chain(length: int) -> bytes:
    """Return long names of long names of long names."""
    return gzip.compress((header(b"././@LongLink", octal(4), b"L") + b"name".ljust(BLOCK, b"\0")) * length, mtime=0)


def pax(record: bytes) -> bytes:
    content = record.ljust(-(-len(record) // BLOCK) * BLOCK, b"\0")
    return header(b"x", octal(len(record)), b"x") + content + header(b"a") + bytes(2 * BLOCK)


def member(kind: bytes, **fields: object) -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as archive:
        entry = tarfile.TarInfo("a")
        entry.type = kind
        for name, value in fields.items():
            setattr(entry, name, value)
        archive.addfile(entry)
    return whole.getvalue()


def zip_bomb(size: int) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", bytes(size))
    return whole.getvalue()


def zip_of_strange_lzma() -> bytes:
    """Return a zip file whose LZMA asks for a dictionary of 4 GiB."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a", b"some text " * 100)
    content = bytearray(whole.getvalue())
    place = content.index(b"\x09\x04\x05\x00") + 5
    content[place : place + 4] = struct.pack("<I", 0xFFFFFFFF)
    return bytes(content)


def zip_with_name(name: bytes) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("é" * len(name), b"x")
    return whole.getvalue().replace("é".encode() * len(name), name * 2)


HOSTILE: dict[str, tuple[str, bytes, str | None]] = {
    "long name of 1 GiB": ("x.tar.gz", gigabyte(b"L"), "take"),
    "pax header of 1 GiB": ("x.tar.gz", gigabyte(b"x"), "take"),
    "global pax header of 1 GiB": ("x.tgz", gigabyte(b"g"), "take"),
    "chain of long names": ("x.tar.gz", chain(20_000), "cannot be read"),
    "pax number that is none": ("x.tar", pax(b"18 size=elephants\n"), None),
    "pax number below zero": ("x.tar", pax(b"12 size=-50\n"), None),
    "pax number of 20,000 digits": ("x.tar", pax(b"20012 size=" + b"9" * 20_000 + b"\n"), None),
    "pax record of no length": ("x.tar", pax(b"0 size=1\n"), "cannot be read"),
    "pax path of no file": ("x.tar", pax(b"13 path=../a\n"), "leads out of the bot's folder"),
    "size below zero": ("x.tar", header(size=b"\xff" * 12), None),
    "size beyond everything": ("x.tar", header(size=b"\x80" + b"\xff" * 11), "cannot be read"),
    "broken bz2": ("x.tar.gz", bz2.compress(header() + bytes(10_000))[:-20] + b"\0" * 20, "cannot be read"),
    "broken xz": ("x.tar.gz", lzma.compress(header() + bytes(10_000))[:-20] + b"\0" * 20, "cannot be read"),
    "xz cut short": ("x.tar.gz", lzma.compress(header(size=octal(BLOCK)) + b"x" * BLOCK)[:60], "cannot be read"),
    "broken gzip": ("x.tar.gz", gzip.compress(header() + bytes(10_000), mtime=0)[:-9] + b"\xff" * 9, None),
    "device": (
        "x.tar",
        member(tarfile.CHRTYPE, devmajor=1, devminor=5),
        "is a link or another special file: pack a copy",
    ),
    "pipe": ("x.tar", member(tarfile.FIFOTYPE), "is a link or another special file: pack a copy"),
    "link to itself": (
        "x.tar",
        member(tarfile.SYMTYPE, linkname="a"),
        "is a link or another special file: pack a copy",
    ),
    "hard link": (
        "x.tar",
        member(tarfile.LNKTYPE, linkname="/etc/passwd"),
        "is a link or another special file: pack a copy",
    ),
    "sparse file of 8 GiB": ("x.tar", header(size=octal(0), kind=b"S", magic=b"ustar  \0"), ""),
    "sparse file by pax": ("x.tar", pax(b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n"), ""),
    "deep folders": ("x.tar", member(tarfile.REGTYPE, name="d/" * 3000 + "a"), "longer than 400 characters"),
    "name that is no text": ("x.tar", header(b"\xff\xfe"), "its name must be short and printable"),
    "zip bomb": ("x.zip", zip_bomb(100 * MIB), "more than 32 MiB together"),
    "zip with a huge dictionary": ("x.zip", zip_of_strange_lzma(), ""),
    "zip name that is no text": ("x.zip", zip_with_name(b"\xff"), ""),
    "zip cut short": ("x.zip", zip_bomb(1000)[:-30], "cannot be read"),
}
"""Name and content of a file, and what is said of it; None: it holds an empty file, and is taken."""


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_archive_ends_in_a_sentence(case: str, tmp_path: Path) -> None:
    name, content, sentence = HOSTILE[case]
    if sentence is None:
        found = unpack_upload(name, content, tmp_path)
        assert [path.stat().st_size for path in found.iterdir()] == [0]
        return
    with pytest.raises(PackError) as told:
        unpack_upload(name, content, tmp_path)
    assert sentence in str(told.value)
    assert len(str(told.value)) < 500
    assert list(tmp_path.iterdir()) == []


def test_folders_are_counted_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "MOST_FILES", 100)
    with pytest.raises(PackError, match="more than 400 entries"):
        unpack_upload("x.tar", header(b"d/", kind=b"5") * 401, tmp_path)


def test_whoever_needs_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extraction, "CPU_SECONDS", 1)
    monkeypatch.setattr(extraction, "SECONDS", 2.0)
    with pytest.raises(PackError, match=r"longer than 2 s|within the limits of memory and time"):
        unpack_upload("x.tar", pax(b"9" * 400_000), tmp_path)  # the standard library looks at each pair of digits
    assert list(tmp_path.iterdir()) == []


MEASURE = """
import json, re, resource, sys
from pathlib import Path
from arena.packs.errors import PackError
from arena.packs.upload import unpack_upload
from referee.sandbox import choose
try:
    unpack_upload("x.tar.gz", Path(sys.argv[1]).read_bytes(), Path(sys.argv[2]), choose(sys.argv[3]))
    said = ""
except PackError as error:
    said = str(error)
own = int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(json.dumps({"said": said, "mib": [own / 1024, children / 1024]}))
"""
"""Not ``RUSAGE_SELF``: the kernel counts in it what the parent, pytest, held when it started this process."""


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["bwrap", "rlimits", "off"])
def test_a_small_upload_takes_little_memory_whatever_it_says_of_itself(mode: str, tmp_path: Path) -> None:
    if mode == "bwrap" and choose().mode != "bwrap":
        pytest.skip("bubblewrap does not work here")
    content = gigabyte(b"L")
    assert len(content) < 1.2 * MIB
    archive, folder = tmp_path / "x.tar.gz", tmp_path / "in"
    archive.write_bytes(content)
    folder.mkdir()
    command = [sys.executable, "-c", MEASURE, str(archive), str(folder), mode]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert "reading it takes more than 256 MiB of memory" in told["said"]
    assert max(told["mib"]) < 400


CAPTURED = """
import os, sys, time
for n in range(8):
    if not os.fork():
        held = os.urandom(1 << 20) * 48
        time.sleep(600)
time.sleep(600)
"""
"""What a reader does that an archive has taken over: each process keeps its own limit."""


@pytest.mark.parametrize("groups", ["groups", "watched"])
@pytest.mark.parametrize("mode", ["bwrap", "rlimits"])
def test_a_reader_that_was_taken_over_is_ended(
    mode: str, groups: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if mode == "bwrap" and choose().mode != "bwrap":
        pytest.skip("bubblewrap does not work here")
    confinement = choose(mode)
    if groups == "watched":
        confinement = replace(confinement, groups=None)
    elif confinement.groups is None or "memory" not in confinement.groups.controllers:
        pytest.skip("no control groups that limit memory")
    (tmp_path / "captured.py").write_text(CAPTURED)
    tmp_path.chmod(0o755)
    monkeypatch.setattr(extractor, "__file__", str(tmp_path / "captured.py"))
    (tmp_path / "in").mkdir()
    with pytest.raises(PackError, match="reading it takes more than 256 MiB of memory"):
        unpack_upload("x.zip", zip_bomb(1000), tmp_path / "in", confinement)
