"""Pack a bot for its way to a server: a Python file as it is, a folder as a compressed archive."""

import gzip
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from arena.packs.candidate import read_candidate
from arena.packs.errors import PackError
from arena.packs.manifest import FILE

MOST_BYTES = 8 * 1024 * 1024
"""Bytes that servers accept."""


class PackedBot(NamedTuple):
    """A bot as it is sent."""

    file: str
    """The name of the file that is sent, which tells its kind."""
    media_type: str
    content: bytes
    sentence: str
    """How big the bot is and what was left out."""


def pack_bot(path: Path, include: Collection[str] = ()) -> PackedBot:
    """Return the bot at a path, packed as `arena submit` packs it.

    include: paths in its folder that are packed although they look like secrets, are large or would be left out.

    Raises ManifestError, PackError.
    """
    candidate = read_candidate(path, include)
    candidate.refuse_unexpected(include)
    files = candidate.source.files
    if path.suffix == ".py" and len(files) == 1:
        packed = PackedBot(path.name, "text/x-python", files[0].content, candidate.packed)
    elif FILE in (file.path for file in files):
        # Without a date, so that the same files make the same archive.
        content = gzip.compress(candidate.source.to_bytes(), mtime=0)
        packed = PackedBot("bot.tar.gz", "application/gzip", content, candidate.packed)
    else:
        raise PackError(f"{path} cannot be sent: put it into a folder with a {FILE} that says how to start it")
    if len(packed.content) > MOST_BYTES:
        raise PackError(
            f"{path} is too large to be sent, {len(packed.content):,} bytes when compressed of at most {MOST_BYTES:,}: "
            f'leave out what the bot does not need (ignore = ["NAME"] in {FILE})'
        )
    return packed
