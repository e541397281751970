"""Reads untrusted archives in a sandboxed process with limits of memory and time."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from select import poll

from arena.packs import extractor
from arena.packs.errors import PackError
from arena.packs.pack import LONGEST_PATH, File, checked_path
from referee.engine.clean_text import clean
from referee.process.awake_clock import AwakeClock
from referee.process.memory_watch import LEAST_SECONDS, MemoryWatch
from referee.sandbox import Confinement, confined, environment
from referee.sandbox.limits import PROCESSES

MEMORY_BYTES = 256 * 1024**2
"""Memory limit of the process."""

SECONDS = 20.0
"""Time limit, in wall-clock time."""

CPU_SECONDS = 10

SENTENCE = 300
"""Most characters of an error that the process reports."""

_HEADER = 8 * LONGEST_PATH
"""Most bytes of a file's header."""


def extract(kind: str, content: bytes, most_files: int, most_bytes: int, confinement: Confinement) -> list[File]:
    """Return the files in an archive.

    kind: "zip" or "tar", the latter compressed or not.
    content: the bytes of the archive.
    most_files, most_bytes: limits of the unpacked files.
    confinement: the sandbox of the process that reads it.

    Raises PackError if it cannot be read, or holds something that is refused.
    """
    with tempfile.TemporaryDirectory(prefix="arena-extract-") as temporary:
        folder = Path(temporary)
        folder.chmod(0o755)
        archive = folder / "archive"
        archive.write_bytes(content)
        archive.chmod(0o644)
        limits = (most_files, most_bytes, MEMORY_BYTES, CPU_SECONDS)
        command = [sys.executable, "-I", "-S", extractor.__file__, kind, str(archive), *map(str, limits)]
        output = _run(command, temporary, most_bytes + most_files * _HEADER, confinement)
    return list(_files(output))


def _run(command: list[str], folder: str, most: int, confinement: Confinement) -> bytes:
    """Run the process and return its output, at most `most` bytes. Raises PackError beyond that or the time limit."""
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
        watch = MemoryWatch(process.pid, MEMORY_BYTES)
        return _collect(process, most, launch.out_of_memory if launch.limits_memory else watch.find_excess)
    except OSError as error:
        raise PackError(f"no archive can be unpacked here: {error.strerror}") from None
    finally:
        launch.close()
        if process is not None:
            _end(process)
        launch.end()


def _collect(process: "subprocess.Popen[bytes]", most: int, find_excess: Callable[[], object]) -> bytes:
    assert process.stdout is not None
    output, poller = bytearray(), poll()
    poller.register(process.stdout)
    with AwakeClock() as clock:
        deadline = clock.current_time() + SECONDS
        while (left := clock.deadline_to_sleep_time(deadline)) > 0:
            if find_excess():
                memory = f"{MEMORY_BYTES // 1024**2} MiB of memory"
                raise PackError(f"reading it takes more than {memory} or {PROCESSES} processes")
            if poller.poll(min(left, LEAST_SECONDS) * 1000):
                data = os.read(process.stdout.fileno(), 1 << 20)
                if not data:
                    return bytes(output)
                output += data
                if len(output) > most:
                    raise PackError("the archive is too large when unpacked")
    raise PackError(f"unpacking took longer than {SECONDS:g} s")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the process. A guardian must see its standard input close first, to end its child."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    try:
        process.wait(0 if process.stdin is None else 5.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _files(output: bytes) -> Iterator[File]:
    """Yield the files in the output of the process. Raises PackError if it reports an error or is incomplete."""
    place = 0
    while (end := output.find(b"\n", place, place + _HEADER)) >= 0:
        header = json.loads(output[place:end])
        if "error" in header:
            raise PackError(clean(header["error"], SENTENCE))
        if "end" in header:
            return
        place = end + 1 + header["size"]
        content = output[end + 1 : place]
        yield File(checked_path(header["path"]), header["executable"], content)
    raise PackError("the archive cannot be read within the limits of memory and time")
