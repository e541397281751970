"""An uploaded file: a Python file, or an archive of a bot's folder.

Archives are not trusted: a sandboxed process reads them, sizes are counted as bytes are unpacked, paths must stay
below the folder, and links, devices and other special files are refused.
"""

from collections.abc import Callable
from pathlib import Path, PurePosixPath

from arena.packs.errors import PackError
from arena.packs.extraction import extract
from arena.packs.pack import MOST_FILES, File, make_pack
from referee.sandbox import Confinement, choose

MOST_BYTES = 32 * 1024 * 1024
"""Bytes of all files of an uploaded archive together."""


ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
"""Endings of the archives that are unpacked."""


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
