"""An uploaded file: a Python file, or an archive of a bot's folder.

Archives are not trusted: a sandboxed process reads them, sizes are counted as bytes are unpacked, paths must stay
below the folder, and links, devices and other special files are refused.
"""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path, PurePosixPath
from tarfile import HeaderError, TarInfo
from zipfile import is_zipfile

from arena.packs.errors import PackError
from arena.packs.extraction import extract
from arena.packs.pack import MOST_FILES, File, make_pack
from referee.engine.clean_text import clean
from referee.sandbox import Confinement, choose

MOST_BYTES = 32 * 1024 * 1024
"""Bytes of all files of an uploaded archive together."""


ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
"""Endings of the archives that are unpacked."""


SUBMISSION = "a submission is a Python file (.py), or a folder with the program and a bot.toml as .zip, .tar or .tar.gz"
"""What can be handed in, in words."""

_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00")
"""How compressed tar archives begin: gzip, bzip2, xz."""

_TAR_HEADER = 512
"""Bytes of the first header of a tar archive that is not compressed."""


def check_upload(name: str, content: bytes) -> None:
    """Refuse a file that can never be a bot, whatever its check would say. Nothing of it is unpacked or run.

    name: the name of the file.

    Raises PackError.
    """
    file = PurePosixPath(name.replace("\\", "/")).name
    if not content:
        problem = "it is empty"
    elif file.endswith(".py"):
        problem = _python_problem(content)
    elif not file.lower().endswith(ARCHIVES):
        problem = "it is neither a Python file nor an archive"
    elif file.lower().endswith(".zip"):
        problem = "" if is_zipfile(BytesIO(content)) else "it is no zip archive"
    else:
        problem = "" if _is_tar(content) else "it is no tar archive"
    if problem:
        raise PackError(f"{clean(file, 80) or 'the file'} cannot be a bot, as {problem}: {SUBMISSION}")


def _python_problem(content: bytes) -> str:
    """Return why a file is not the source of a bot in Python; empty if it may be."""
    if b"\0" in content:
        return "it is no text"
    if not any(b"coding" in line for line in content.splitlines()[:2]):  # of another encoding nothing is known here
        try:
            content.decode("utf-8")
        except UnicodeDecodeError:
            return "it is no text in UTF-8"
    # Whatever speaks with a referee imports a library for it.
    return "" if b"import" in content else "it imports nothing, and so cannot speak with a referee"


def _is_tar(content: bytes) -> bool:
    if content.startswith(_COMPRESSED):
        return True
    try:
        TarInfo.frombuf(content[:_TAR_HEADER], "utf-8", "surrogateescape")
    except HeaderError:
        return False
    return True


def unpack_upload(
    name: str,
    content: bytes,
    folder: Path,
    confinement: Confinement | None = None,
    ignore: Callable[[str], bool] = lambda name: False,
) -> Path:
    """Write an uploaded file below an empty folder; return the path to submit.

    name: the name of the uploaded file.
    confinement: that of the process that reads an archive; None: the best of this machine.
    ignore: tells which names of files and folders are left out.

    Raises PackError if it is not accepted.
    """
    file = PurePosixPath(name.replace("\\", "/")).name
    ending = file.lower()
    if file.endswith(".py"):
        files = [File(file, False, content)]
    elif ending.endswith(".zip"):
        files = extract("zip", content, MOST_FILES, MOST_BYTES, confinement or choose())
    elif ending.endswith(ARCHIVES):
        files = extract("tar", content, MOST_FILES, MOST_BYTES, confinement or choose())
    else:
        raise PackError("send a Python file (.py), or a folder with a bot.toml as .zip, .tar or .tar.gz")
    files = [member for member in files if not any(map(ignore, PurePosixPath(member.path).parts))]
    if not files:
        raise PackError(f"{file} has no files")
    if len({member.path for member in files}) < len(files):
        raise PackError(f"{file} has two files of the same name")
    try:
        make_pack(files).write(folder, writable=True)
    except OSError as error:  # the archive has a path both as a file and as a folder
        raise PackError(f"{file} cannot be unpacked: {error.strerror}") from None
    if file.endswith(".py"):
        return folder / file
    entries = list(folder.iterdir())
    has_one_folder = len(entries) == 1 and entries[0].is_dir()
    return entries[0] if has_one_folder else folder  # archives of a folder usually have it as their only entry
