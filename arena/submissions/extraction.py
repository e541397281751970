"""Reads archives from strangers in a confined process with limits of memory and time."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from select import poll
from time import monotonic

from arena.submissions import extractor
from arena.submissions.errors import PackError
from arena.submissions.pack import LONGEST_PATH, File, checked
from referee.sandbox import Confinement, confined, environment
from referee.wire import clean

MEMORY_BYTES = 256 * 1024**2
"""What reading an archive may take."""

SECONDS = 20.0
"""How long it may take, on the clock of the wall."""

CPU_SECONDS = 10

SENTENCE = 300
"""Characters of what the process says is wrong."""

_HEADER = 8 * LONGEST_PATH
"""Bytes of a file's header at the most."""


def extract(kind: str, content: bytes, most_files: int, most_bytes: int, confinement: Confinement) -> list[File]:
    """Return the files in an archive.

    kind: "zip" or "tar", the latter compressed or not. content: the archive. most_files, most_bytes: what may come
    out of it. confinement: how the process is confined that reads it.

    Raises PackError where it cannot be read, or holds what is not taken.
    """
    with tempfile.TemporaryDirectory(prefix="arena-extract-") as temporary:
        folder = Path(temporary)
        folder.chmod(0o755)
        archive = folder / "archive"
        archive.write_bytes(content)
        archive.chmod(0o644)
        limits = (most_files, most_bytes, MEMORY_BYTES, CPU_SECONDS)
        command = [sys.executable, "-I", "-S", extractor.__file__, kind, str(archive), *map(str, limits)]
        said = _run(command, temporary, most_bytes + most_files * _HEADER, confinement)
    return list(_files(said))


def _run(command: list[str], folder: str, most: int, confinement: Confinement) -> bytes:
    """Run the process and return what it printed. Raises PackError where that is too much or takes too long."""
    try:
        launch = confined(
            command,
            folder,
            sockets=folder,
            env=environment("", ""),
            memory_bytes=MEMORY_BYTES,
            confinement=confinement,
        )
    except OSError as error:
        raise PackError(f"no archive can be unpacked here: {error.strerror}") from None
    process = None
    try:
        process = launch.start(folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return _collect(process, most)
    except OSError as error:
        raise PackError(f"no archive can be unpacked here: {error.strerror}") from None
    finally:
        launch.close()
        if process is not None:
            _end(process)
        launch.end()


def _collect(process: "subprocess.Popen[bytes]", most: int) -> bytes:
    assert process.stdout is not None
    said, until, waiting = bytearray(), monotonic() + SECONDS, poll()
    waiting.register(process.stdout)
    while (left := until - monotonic()) > 0:
        if waiting.poll(left * 1000):
            data = os.read(process.stdout.fileno(), 1 << 20)
            if not data:
                return bytes(said)
            said += data
            if len(said) > most:
                raise PackError("the archive holds more than can be taken")
    raise PackError(f"unpacking takes longer than {SECONDS:g} s")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the process; a guardian ends what it guards when its input closes, and must not be killed before that."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    try:
        process.wait(0 if process.stdin is None else 5.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _files(said: bytes) -> Iterator[File]:
    """Yield the files that the process wrote. Raises PackError where it tells of an error, or came to no end."""
    place = 0
    while (end := said.find(b"\n", place, place + _HEADER)) >= 0:
        header = json.loads(said[place:end])
        if "error" in header:
            raise PackError(clean(header["error"], SENTENCE))
        if "end" in header:
            return
        place = end + 1 + header["size"]
        content = said[end + 1 : place]
        yield File(checked(header["path"]), header["executable"], content)
    raise PackError("the archive cannot be read within the limits of memory and time")
