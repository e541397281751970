"""Makes small ELF files: a header, a segment of everything, and what the dynamic loader reads."""

import struct
from collections.abc import Sequence

PT_LOAD, PT_DYNAMIC, PT_INTERP = 1, 2, 3
DT_NEEDED, DT_STRTAB, DT_RUNPATH = 1, 5, 29
BASE = 0x1000
"""The address at which the file is loaded: not its offset."""


def elf(
    machine: int,
    loader: bytes = b"",
    libraries: Sequence[bytes] = (),
    folders: bytes = b"",
    *,
    type: int = 2,
    entry: int = 1,
    bits: int = 64,
    order: str = "<",
) -> bytes:
    """Return a file.

    libraries: of the dynamic section.
    folders: of its DT_RUNPATH.
    order: of bytes.
    """
    is_64 = bits == 64
    header_size, segment_size, word = (64, 56, "Q") if is_64 else (52, 32, "I")
    count = 3
    texts, offsets = b"\0", []
    for text in (*libraries, *([folders] if folders else [])):
        offsets.append(len(texts))
        texts += text + b"\0"
    interpreter_at = header_size + count * segment_size
    texts_at = interpreter_at + len(loader) + 1
    dynamic_at = texts_at + len(texts)
    tags = [*zip([DT_NEEDED] * len(libraries), offsets, strict=False), (DT_STRTAB, BASE + texts_at)]
    if folders:
        tags.append((DT_RUNPATH, offsets[-1]))
    dynamic = b"".join(struct.pack(order + word * 2, *tag) for tag in [*tags, (0, 0)])
    whole = dynamic_at + len(dynamic)

    def segment(kind: int, offset: int, size: int) -> bytes:
        if is_64:
            return struct.pack(order + "IIQQQQQQ", kind, 4, offset, BASE + offset, 0, size, size, 1)
        return struct.pack(order + "IIIIIIII", kind, offset, BASE + offset, 0, size, size, 4, 1)

    header = b"\x7fELF" + bytes([2 if is_64 else 1, 1 if order == "<" else 2, 1]) + bytes(9)
    header += struct.pack(
        f"{order}HHI{word * 3}IHHHHHH",
        type,
        machine,
        1,
        entry,
        header_size,
        0,
        0,
        header_size,
        segment_size,
        count,
        0,
        0,
        0,
    )
    segments = [
        segment(PT_LOAD, 0, whole),
        segment(PT_INTERP if loader else 0, interpreter_at, len(loader) + 1),
        segment(PT_DYNAMIC if libraries else 0, dynamic_at, len(dynamic)),
    ]
    return header + b"".join(segments) + loader + b"\0" + texts + dynamic
