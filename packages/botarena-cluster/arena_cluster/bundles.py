"""Bots for machines that do not have their files: packed, named by hash, and unpacked where they play.

A submitted bot is its pack. Of a folder with a bot.toml goes what `arena submit` would take, of any other bot the
files that its command line names. Programs outside, such as interpreters, must be on the other machine by the same
path; a Python is the one that runs arena there.
"""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from arena.packs.cache import cached_folder
from arena.packs.left_out import JUNK, JUNK_ENDINGS, Selection
from arena.packs.manifest import read_manifest
from arena.packs.pack import INTERMEDIATE, File, Pack, make_pack, pack_file, pack_folder
from arena.packs.program_check import check_program
from arena.values.definition import Entrant
from arena.values.tournament_errors import FieldError


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a command line: text, a path inside the pack, or (neither) the Python that runs arena."""

    text: str = ""
    inside: str = ""

    def here(self, folder: Path) -> str:
        """Return the word where the pack lies in `folder`."""
        return str(folder / self.inside) if self.inside else self.text or sys.executable


@dataclass(frozen=True, slots=True)
class Parcel:
    """A bot on its way: the hash of its pack, and its command line."""

    name: str
    sha256: str
    command: tuple[Word, ...]

    def unpack(self, archive: Callable[[], bytes]) -> tuple[str, list[str]]:
        """Return the folder and the command line by which this machine starts the bot.

        archive: called for the pack, where it is not unpacked here already.

        Raises FieldError where this machine has no such program, PackError where the pack cannot be unpacked.
        """
        folder = cached_folder(self.sha256, archive)
        command = [word.here(folder) for word in self.command]
        if problem := check_program(folder / command[0]):
            raise FieldError(f"the program {command[0]} of the bot {self.name} {problem} on {os.uname().nodename}")
        return str(folder), command


def ship(bot: Entrant, submitted: Callable[[str], bytes]) -> tuple[Parcel, bytes]:
    """Return a bot as it is sent, and the archive of its pack. `submitted`: returns that of a submission, by hash.

    Raises FieldError where it cannot be sent, PackError where its files cannot be packed.
    """
    if not bot.command:
        raise FieldError(f"{bot.name} is started by somebody else, so it cannot play on another machine")
    if bot.submission:
        return Parcel(bot.name, bot.sha256, tuple(map(_text, bot.command))), submitted(bot.sha256)
    inside, pack = _pack(bot)
    command = tuple(_word(word, inside.get(_path(bot, word))) for word in bot.command)
    return Parcel(bot.name, pack.sha256, command), pack.to_bytes()


def _text(word: str) -> Word:
    return Word() if word == sys.executable else Word(word)


def _word(word: str, inside: str | None) -> Word:
    """Return a word of a command line.

    inside: the path in the pack, where the word names a file of it; None where it does not.
    """
    # What holds wherever the pack lies stays as it is.
    return _text(word) if inside in (None, os.path.normpath(word)) else Word(inside=inside)


def _path(bot: Entrant, word: str) -> str:
    """Return the path that a word of a command line names, if it names one."""
    return os.path.abspath(os.path.join(bot.folder, word))


def _pack(bot: Entrant) -> tuple[Mapping[str, str], Pack]:
    """Return the files of a bot, and where those of its command line lie in the pack."""
    folder = Path(bot.folder)
    if _is_project(bot):
        manifest = read_manifest(Path(bot.files[0]))
        pack = pack_folder(folder, ignore=manifest.ignore, keep=manifest.keep, selection=Selection())
        return {str(folder / file.path): file.path for file in pack.files}, pack
    inside: dict[str, str] = {}
    files: list[File] = []
    for place, file in enumerate(dict.fromkeys(bot.files)):
        path = Path(file)
        if file == sys.executable:
            continue
        if _is_junk(path.name):
            raise FieldError(f"{file}, a file of {bot.name}, is never packed because of its name: give it another one")
        # One that lies elsewhere gets a folder of its own, so that no two of the same name meet.
        inside[file] = f"elsewhere/{place}/{path.name}"
        if path.is_relative_to(folder) and not any(map(_is_junk, path.relative_to(folder).parts)):
            inside[file] = str(path.relative_to(folder))
        files.append(replace(pack_file(path.resolve()).files[0], path=inside[file]))
    if not files:
        raise FieldError(f"{bot.name} has no file of its own that could be sent to another machine")
    return inside, make_pack(files)


def _is_junk(name: str) -> bool:
    """Tell whether a file or folder of that name is left out of packs."""
    return name in JUNK | INTERMEDIATE or name.endswith(JUNK_ENDINGS)


def _is_project(bot: Entrant) -> bool:
    """Tell whether a bot is that of a bot.toml, which is then its first file and none that its command line names."""
    first = Path(bot.files[0]) if bot.files else Path()
    named = {_path(bot, word) for word in bot.command}
    return first.suffix == ".toml" and str(first.parent) == bot.folder and str(first) not in named
