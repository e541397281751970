"""The bots in a folder that several people handed in: which they are, and whose.

Files of every kind lie in such folders, and what Moodle and Canvas put into a download. A folder, a Python file, a
program and an archive are hand-ins; any other file is ignored. A hand-in without a bot is one that is refused: its
owner should hear of it.
"""

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from arena.packs.errors import BadName, PackError, SubmissionError
from arena.packs.left_out import JUNK
from arena.packs.manifest import FILE
from arena.packs.names import check_name, name_for, word_from
from arena.packs.upload import ARCHIVES
from arena_classroom.owners_file import OwnersRow
from referee.engine.near import did_you_mean

DESKTOP_FILES = frozenset({"__MACOSX", "desktop.ini", "ehthumbs.db", "Thumbs.db", "$RECYCLE.BIN"})
"""What macOS and Windows leave in folders and archives."""

ONLY_BOT = "bot"
"""The name of a bot that its owner gave no name."""

DEEPEST = 4
"""Folders in one another that are opened in search of a bot.toml."""

_MOODLE = re.compile(r"(?P<person>.+)_(?P<id>\d+)_assignsubmission_(?P<kind>file|onlinetext)(?:_(?P<file>.*))?")
"""FULL NAME_ID_assignsubmission_file_: a folder, or with the name of the file behind it a file."""

_CANVAS = re.compile(r"(?P<person>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_(?P<file>.+)")
"""name_USER_SUBMISSION_FILE, with LATE_ where it was late: a file."""

_OTHER_ARCHIVES = (".7z", ".rar", ".gz", ".xz", ".bz2", ".zst", ".tbz2", ".txz")

_PROGRAM_HEADS = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe")


@dataclass(frozen=True, slots=True)
class HandIn:
    """A bot that was handed in."""

    label: str
    """Its path below the folder."""
    path: Path
    """The path where it is."""
    name: str = ""
    """The name to submit it under; empty if it has none."""
    problem: str = ""
    """Why it cannot be submitted; empty if no reason is known."""
    handed_in: datetime | None = None
    """When it was handed in, if the owners file says so; None otherwise."""


@dataclass(slots=True)
class ClassFolder:
    """The hand-ins of a folder, in the order of their names."""

    hand_ins: list[HandIn] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    """The paths of stray files, below the folder."""
    remarks: list[str] = field(default_factory=list)
    """Sentences on rows of the owners file to which nothing was handed in."""


def read_folder(folder: Path, owner: str | None) -> ClassFolder:
    """Return the hand-ins of a folder: each entry is a bot.

    owner: the owner of all of them; None for none.

    Raises PackError if the folder cannot be read or holds no bot.
    """
    found = ClassFolder()
    for path in _entries(folder, found):
        try:
            stem = check_name(word_from(archive_stem(path))) if is_archive(path) else name_for(path)
            hand_in = HandIn(path.name, path, f"{owner}/{stem}" if owner else stem)
        except BadName as error:
            hand_in = HandIn(path.name, path, problem=str(error))
        found.hand_ins.append(hand_in)
    return _with_unique_names(found)


def read_owner_folders(folder: Path) -> ClassFolder:
    """Return the hand-ins of a folder in which each entry is named after its owner.

    An entry is a bot, or a folder of bots: OWNER/BOT. Raises PackError as `read_folder` does.
    """
    found = ClassFolder()
    people: dict[str, tuple[str, str]] = {}
    for path in _entries(folder, found, shared=False):
        person, kind = _person(path)
        if kind == "onlinetext":
            found.ignored.append(path.name)
            continue
        owner = word_from(person[0])
        if not owner:
            problem = f'no owner can be made of "{path.name}": name one in an owners file (--owners FILE.csv)'
            found.hand_ins.append(HandIn(path.name, path, problem=problem))
            continue
        if people.setdefault(owner, person) != person:
            problem = f"somebody else has the owner {owner} already: name both in an owners file (--owners FILE.csv)"
            found.hand_ins.append(HandIn(path.name, path, problem=problem))
            continue
        found.hand_ins += _of_owner(path, owner, "", found)
    return _with_unique_names(found)


def read_listed(folder: Path, rows: Iterable[OwnersRow], file: str) -> ClassFolder:
    """Return the hand-ins of a folder whose owners are listed.

    rows: those of the owners file.
    file: the name of that file, for errors.

    Raises PackError as `read_folder` does.
    """
    found = ClassFolder()
    listed = {_normal(row.folder): row for row in rows}
    for path in _entries(folder, found, shared=False):
        row = listed.pop(_normal(path.name), None)
        if row is None:
            problem = f"no row of {file} names it: add one with its folder and owner"
            found.hand_ins.append(HandIn(path.name, path, problem=problem))
        else:
            bots = _of_owner(path, row.owner, row.name, found)
            found.hand_ins += [replace(hand_in, handed_in=row.handed_in) for hand_in in bots]
    names = [path.name for path in folder.iterdir()]
    for row in listed.values():
        hint = did_you_mean(row.folder, names)
        found.remarks.append(f'{file}, row {row.number}: nothing was handed in as "{row.folder}" ({row.owner}){hint}')
    return _with_unique_names(found)


def is_archive(path: Path) -> bool:
    """Tell whether a path is a file that is named as an archive, of a kind that is unpacked here or not."""
    return path.name.lower().endswith((*ARCHIVES, *_OTHER_ARCHIVES)) and path.is_file()


def archive_stem(path: Path) -> str:
    """Return the name of a file without its ending, and without both of a .tar.gz."""
    return path.stem.removesuffix(".tar")


def locate_bot(folder: Path) -> Path:
    """Return the only bot in a folder, such as that of an archive. Raises PackError if there is none, or several."""
    bots = list(_bots(folder, [], DEEPEST))
    if len(bots) != 1:
        raise PackError(f"it holds {len(bots)} bots: hand in each in a folder or an archive of its own")
    return bots[0]


def is_desktop_file(name: str) -> bool:
    """Tell whether macOS or Windows makes files of that name."""
    return name in DESKTOP_FILES or name.startswith("._")


def _entries(folder: Path, found: ClassFolder, *, shared: bool = True) -> list[Path]:
    """Return the entries of a folder that may be hand-ins; note the others as ignored.

    shared: bots may share the folder itself, each with a manifest of its own there.

    Raises PackError if the folder cannot be read, or holds none.
    """
    if not folder.is_dir():
        first = "unpack it, and " if is_archive(folder) else ""
        raise PackError(f"{folder} is not a folder: {first}name a folder that holds one folder or file per bot")
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise PackError(f"the folder {folder} cannot be read: {error.strerror}") from None
    entries = [path for path in paths if not _is_stray(path) and (shared or path.suffix != ".toml" or path.is_dir())]
    taken = set(entries)
    found.ignored += [path.name for path in paths if path not in taken]
    if not entries:
        what = f"holds no bot, only {', '.join(found.ignored[:5])}" if paths else "is empty"
        raise PackError(f"{folder} {what}: name a folder that holds one folder or file per bot")
    return entries


def _is_stray(path: Path) -> bool:
    """Tell whether an entry is no hand-in, but some other file."""
    if path.name in JUNK or path.name.startswith(".") or is_desktop_file(path.name):
        return True
    if path.is_symlink() or not path.is_file():
        return False
    return not (path.suffix in (".py", ".toml") or is_archive(path) or _is_program(path))


def _is_program(path: Path) -> bool:
    """Tell whether a file looks like a program: on some disks every file is executable, on others and in archives none.

    A script must be executable too, as there are many beside bots.
    """
    try:
        with path.open("rb") as file:
            head = file.read(4)
            return head.startswith(_PROGRAM_HEADS) or (head.startswith(b"#!") and bool(path.stat().st_mode & 0o111))
    except OSError:
        return False


def _person(path: Path) -> tuple[tuple[str, str], str]:
    """Return who handed in an entry, as the name and what tells namesakes apart, and the kind of the hand-in."""
    name = _normal(path.name)
    if match := _MOODLE.fullmatch(name):
        return (match["person"], match["id"]), match["kind"]
    if path.is_file() and (match := _CANVAS.fullmatch(name)):
        return (match["person"], match["id"]), "file"
    stem = archive_stem(path) if path.is_file() else name
    return (stem, name), "file"


def _of_owner(path: Path, owner: str, name: str, found: ClassFolder) -> Iterator[HandIn]:
    """Yield the bots in an entry of one owner.

    name: the name of its only bot; empty: it is made of the path.
    """
    label = path.name
    ignored: list[Path] = []
    try:
        bots = list(_bots(path, ignored, DEEPEST)) if path.is_dir() and not path.is_symlink() else [path]
        if not bots:
            raise PackError(_no_bot(path, ignored))
        if name and len(bots) > 1:
            raise PackError(f"it holds {len(bots)} bots, and its row gives one name: leave the name out")
    except SubmissionError as error:
        yield HandIn(label, path, f"{owner}/{name or ONLY_BOT}", str(error))
        return
    found.ignored += [str(stray.relative_to(path.parent)) for stray in ignored]
    for bot in bots:
        title = name or _bot_name(bot, path, owner, alone=len(bots) == 1)
        try:
            yield HandIn(str(bot.relative_to(path.parent)), bot, check_name(f"{owner}/{title}"))
        except BadName as error:
            yield HandIn(str(bot.relative_to(path.parent)), bot, problem=str(error))


def _bot_name(bot: Path, entry: Path, owner: str, *, alone: bool) -> str:
    """Return the name of a bot without its owner: after its folder or file, if that is a name its owner chose."""
    platform = _MOODLE.fullmatch(_normal(entry.name)) or (
        _CANVAS.fullmatch(_normal(entry.name)) if entry.is_file() else None
    )
    if alone and platform:
        return ONLY_BOT
    file = (platform["file"] or bot.name) if platform and bot == entry else bot.name
    word = word_from(archive_stem(Path(file)) if bot.is_file() else file)
    return ONLY_BOT if word == owner else word


def _bots(folder: Path, ignored: list[Path], deepest: int) -> Iterator[Path]:
    """Yield the bots in a folder: itself, or what lies in it.

    ignored: gets the files that are no bots.

    Raises PackError for several Python files without a bot.toml, as nobody knows which of them is to be started.
    """
    if os.path.lexists(folder / FILE):
        yield folder
        return
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise PackError(f"the folder {folder.name} cannot be read: {error.strerror}") from None
    inside = [path for path in paths if path.is_dir() and not path.is_symlink() and not _is_stray(path)]
    files = [path for path in paths if path.is_file() and not path.is_symlink() and not _is_stray(path)]
    files = [path for path in files if path.suffix != ".toml"]
    sources = [path for path in files if path.suffix == ".py"]
    if len(sources) > 1:
        raise PackError(
            f"it has {len(sources)} Python files and no {FILE}: add a {FILE} that says which is to be started, or put "
            "each bot into a folder of its own"
        )
    taken = {*inside, *files}
    ignored += [path for path in paths if path not in taken]
    yield from files
    for path in inside:
        if os.path.lexists(path / FILE) or (deepest and not files):
            yield from _bots(path, ignored, deepest - 1)
        else:
            ignored.append(path)  # what lies beside a bot: documents, data, modules


def _no_bot(path: Path, ignored: list[Path]) -> str:
    if not path.is_dir() or not any(path.iterdir()):
        return f"it is empty: hand in a Python file, a program, a folder with a {FILE}, or an archive of one"
    names = ", ".join(stray.name for stray in ignored[:3])
    return f"it holds no {FILE}, Python file, program or archive" + (f", only {names}" if names else "")


def _normal(name: str) -> str:
    """Return a name with composed letters: macOS decomposes those of its files."""
    return unicodedata.normalize("NFC", name)


def _with_unique_names(found: ClassFolder) -> ClassFolder:
    """Refuse all but the first hand-in of each name."""
    first: dict[str, str] = {}
    for place, hand_in in enumerate(found.hand_ins):
        if not hand_in.name:
            continue
        other = first.setdefault(hand_in.name, hand_in.label)
        if other != hand_in.label:
            problem = f"{other} has the same name, {hand_in.name}: rename one of them"
            found.hand_ins[place] = replace(hand_in, name="", problem=problem)
    return found
