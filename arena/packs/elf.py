"""Reads what a program in ELF needs to be started, without starting it.

Files are not trusted: every offset and size is checked against the file, and tables are read only as far as the kernel
would. The format: https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from struct import Struct

MAGIC = b"\x7fELF"

MOST_SEGMENT_BYTES = 64 * 1024
"""The largest program header table that Linux takes (load_elf_phdrs)."""

MOST_DYNAMIC_BYTES = 64 * 1024
"""What is read of the dynamic section: more than four thousand entries."""

LONGEST_TEXT = 4096
"""Bytes of a path or of the name of a library."""

MOST_LIBRARIES = 512

EXECUTABLE, SHARED = 2, 3
"""Values of e_type: a program at a fixed address; a library, or a program that can be loaded anywhere."""

_PT_LOAD, _PT_DYNAMIC, _PT_INTERP = 1, 2, 3
_DT_NULL, _DT_NEEDED, _DT_STRTAB, _DT_RPATH, _DT_RUNPATH = 0, 1, 5, 15, 29


class DamagedElf(Exception):
    """The file is not what its header says; the text says why, to follow "is damaged: "."""


@dataclass(frozen=True, slots=True)
class Elf:
    """The header of an ELF file, and what its dynamic loader must find."""

    machine: int
    """The instruction set, as `e_machine` in the header."""
    type: int
    """The kind of file, as `e_type` in the header."""
    is_64_bit: bool
    is_little_endian: bool
    entry: int
    """The address where the program begins; 0 for a library."""
    loader: str = ""
    """The path of the dynamic loader; empty if none is named."""
    libraries: tuple[str, ...] = ()
    """The names of the libraries that the file needs."""
    folders: tuple[str, ...] = ()
    """The folders where libraries are searched first, with $ORIGIN for the folder of the file."""


@dataclass(frozen=True, slots=True)
class _Segment:
    kind: int
    offset: int
    address: int
    size: int


def read_elf(descriptor: int) -> Elf:
    """Return what an open ELF file says of itself. Raises DamagedElf, OSError."""
    return _Reader(descriptor).read()


class _Reader:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._size = os.fstat(descriptor).st_size
        ident = self._bytes(0, 16)
        if ident[4] not in (1, 2) or ident[5] not in (1, 2):
            raise DamagedElf("its ELF header names no known class or byte order")
        self._is_64_bit = ident[4] == 2
        self._order = "<" if ident[5] == 1 else ">"

    def read(self) -> Elf:
        header = self._unpack("HHIQQQIHHH" if self._is_64_bit else "HHIIIIIHHH", 16)
        type, machine, _, entry, table, _, _, _, entry_size, count = header
        segments = list(self._segments(table, entry_size, count))
        dynamic = next((segment for segment in segments if segment.kind == _PT_DYNAMIC), None)
        interpreter = next((segment for segment in segments if segment.kind == _PT_INTERP), None)
        loader = self._text(interpreter.offset, interpreter.size) if interpreter is not None else ""
        values = list(self._dynamic(dynamic)) if dynamic is not None else []
        texts = self._texts(values, segments)
        folders = [folder for tag, text in texts if tag != _DT_NEEDED for folder in text.split(":") if folder]
        return Elf(
            machine,
            type,
            self._is_64_bit,
            self._order == "<",
            entry,
            loader,
            tuple(text for tag, text in texts if tag == _DT_NEEDED),
            tuple(folders),
        )

    def _segments(self, table: int, entry_size: int, count: int) -> Iterator[_Segment]:
        layout = Struct(self._order + ("IIQQQQQQ" if self._is_64_bit else "IIIIIIII"))
        if count and entry_size != layout.size:
            raise DamagedElf(f"its program headers have {entry_size} bytes each instead of {layout.size}")
        if count * layout.size > MOST_SEGMENT_BYTES:
            raise DamagedElf(f"it has {count:,} program headers, more than Linux takes")
        for values in layout.iter_unpack(self._bytes(table, count * layout.size)):
            if self._is_64_bit:
                kind, _, offset, address, _, size, _, _ = values
            else:
                kind, offset, address, _, size, _, _, _ = values
            if offset + size > self._size and kind in (_PT_LOAD, _PT_DYNAMIC, _PT_INTERP):
                raise DamagedElf(f"it has {self._size:,} bytes and needs {offset + size:,}")
            yield _Segment(kind, offset, address, size)

    def _dynamic(self, segment: _Segment) -> Iterator[tuple[int, int]]:
        """Yield tags and values of the dynamic section."""
        layout = Struct(self._order + ("qQ" if self._is_64_bit else "iI"))
        size = min(segment.size, MOST_DYNAMIC_BYTES) // layout.size * layout.size
        for tag, value in layout.iter_unpack(self._bytes(segment.offset, size)):
            if tag == _DT_NULL:
                return
            yield tag, value

    def _texts(self, values: list[tuple[int, int]], segments: list[_Segment]) -> list[tuple[int, str]]:
        """Return the texts of the dynamic section that are needed here, with their tags."""
        wanted = [(tag, value) for tag, value in values if tag in (_DT_NEEDED, _DT_RPATH, _DT_RUNPATH)]
        address = next((value for tag, value in values if tag == _DT_STRTAB), None)
        if not wanted or address is None:
            return []
        if len(wanted) > MOST_LIBRARIES:
            raise DamagedElf(f"it needs {len(wanted):,} libraries")
        for segment in segments:
            if segment.kind == _PT_LOAD and segment.address <= address < segment.address + segment.size:
                start, end = segment.offset + address - segment.address, segment.offset + segment.size
                return [(tag, self._text(start + value, end - start - value)) for tag, value in wanted]
        raise DamagedElf("the names of its libraries are outside of it")

    def _text(self, offset: int, most: int) -> str:
        """Return the text at an offset, of at most `most` bytes with the zero behind it."""
        text, zero, _ = self._bytes(offset, max(0, min(most, LONGEST_TEXT, self._size - offset))).partition(b"\0")
        if not zero:
            raise DamagedElf("a name in it has no end")
        return text.decode(errors="replace")

    def _unpack(self, layout: str, offset: int) -> tuple[int, ...]:
        form = Struct(self._order + layout)
        return form.unpack(self._bytes(offset, form.size))

    def _bytes(self, offset: int, size: int) -> bytes:
        """Return bytes of the file. Raises DamagedElf if it does not have them."""
        if offset + size > self._size:
            raise DamagedElf(f"it has {self._size:,} bytes and needs {offset + size:,}")
        content = os.pread(self._descriptor, size, offset)
        if len(content) < size:  # it was cut off meanwhile
            raise DamagedElf(f"it ends after {offset + len(content):,} bytes")
        return content
