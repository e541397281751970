"""A file that somebody sends: a Python file, or an archive of a bot's folder, unpacked with care.

What it says of itself is not believed: a confined process reads it, sizes are counted as bytes come out, paths must
stay below the folder, and links, devices and whatever else is no file are refused.
"""

from pathlib import Path, PurePosixPath

from arena.submissions.errors import PackError
from arena.submissions.extraction import extract
from arena.submissions.pack import MOST_FILES, File, make_pack
from referee.sandbox import Confinement, choose

MOST_BYTES = 32 * 1024 * 1024
"""Bytes of all files of an uploaded archive together."""


def unpack_upload(name: str, content: bytes, folder: Path, confinement: Confinement | None = None) -> Path:
    """Write an uploaded file below an empty folder; return what is to be submitted there.

    name: what the file was called. confinement: of the process that reads an archive; None: the best of this machine.

    Raises PackError where it is none that can be taken.
    """
    file = PurePosixPath(name.replace("\\", "/")).name
    if file.endswith(".py"):
        files = [File(file, False, content)]
    elif file.endswith(".zip"):
        files = extract("zip", content, MOST_FILES, MOST_BYTES, confinement or choose())
    elif file.endswith((".tar", ".tar.gz", ".tgz")):
        files = extract("tar", content, MOST_FILES, MOST_BYTES, confinement or choose())
    else:
        raise PackError("send a Python file (.py), or a folder with a bot.toml as .zip, .tar or .tar.gz")
    if not files:
        raise PackError(f"{file} has no files")
    if len({each.path for each in files}) < len(files):
        raise PackError(f"{file} has two files of one name")
    try:
        make_pack(files).write(folder, writable=True)
    except OSError as error:  # a file where another one needs a folder
        raise PackError(f"{file} cannot be unpacked: {error.strerror}") from None
    if file.endswith(".py"):
        return folder / file
    entries = list(folder.iterdir())
    alone = len(entries) == 1 and entries[0].is_dir()
    return entries[0] if alone else folder  # archives of a folder as a rule have it as their only entry
