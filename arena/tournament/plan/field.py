"""The field: bots as users name them, looked at before the tournament begins.

    random            a sample bot
    club/owl          a submitted bot, its newest version; club/owl@3: that one
    ./bots/mine       a program, or a folder with a bot.toml (which may be named itself)
    ./bots/mine.py    a Python file, run by the Python that runs arena
    "node mine.js"    a command line, started in the current folder
    remote:ann/owl    a bot that plays from its owner's machine, by the name of its token

In a single match seats may also be left to attached bots, which somebody else starts.

Programs and Python files are started in their own folder. The bot's files are fingerprinted: a
tournament is resumed only with the bots that began it. Submitted bots never change.
"""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from arena.submissions.command import command_line, own_files
from arena.submissions.errors import SubmissionError
from arena.submissions.manifest import FILE, Manifest, read_manifest
from arena.submissions.names import owner
from arena.submissions.roster import Roster
from arena.tournament.errors import FieldError
from arena.tournament.plan.definition import Entrant
from arena.tournament.plan.program_check import check_file, check_program
from sample_bots import SAMPLES

if TYPE_CHECKING:
    from arena.store.submissions import SubmissionRow

REMOTE = "remote:"
"""What stands before the name of a remote bot."""

_BETWEEN_COMMAS = re.compile(r"""(?:[^,"']|"[^"]*"|'[^']*')+""")

_SCRIPT = re.compile(r"[^-].*\.(py|js|mjs|rb|jar|lua|pl|sh|ts)")
"""A first argument that can only be meant as a file; others may be anything."""


def split_names(text: str) -> list[str]:
    """Return the bots of a list with commas; commas inside quotes belong to a command line."""
    return [name.strip() for name in _BETWEEN_COMMAS.findall(text)]


def samples(game: str | None) -> dict[str, Path]:
    """Return the files of the sample bots that play a game, by name; of all sample bots for None."""
    return {name: sample.path for name, sample in SAMPLES.items() if game is None or sample.plays(game)}


def enter(
    names: Iterable[str],
    samples: Mapping[str, Path],
    roster: Roster | None = None,
    *,
    game: str | None = None,
    remote: bool = False,
) -> tuple[Entrant, ...]:
    """Return the field of the bots that users named. `samples`: the files of the sample bots, by name.

    roster: the submitted bots; none by default. game: what they are to play, where that is known.
    remote: bots that play from elsewhere may be among them.

    Bots that come to the same name are numbered: random, random#2.

    Raises FieldError for the first that is unknown or cannot be started.
    """
    known = roster or Roster()
    names = list(names)
    if not remote and (elsewhere := [name for name in names if name.startswith(REMOTE)]):
        raise FieldError(f"{elsewhere[0]} plays from elsewhere, which it does in tournaments: arena tourney --listen")
    return numbered(_entrant(name, samples, known, game) for name in names)


def attach(field: Sequence[Entrant], seats: Iterable[int], name: str) -> tuple[Entrant, ...]:
    """Return the bots of `field` in their order with attached bots of that name between them, at `seats`.

    Raises FieldError where the table has no such seat, or a seat is named twice.
    """
    table = list(field)
    wanted = sorted(seats)
    for place, seat in enumerate(wanted):
        if seat > len(table):
            last = len(field) + len(wanted) - 1
            raise FieldError(f"there is no seat {seat} at this table: the seats are 0 to {last}")
        if seat in wanted[:place]:
            raise FieldError(f"seat {seat} is given away twice")
        table.insert(seat, Entrant(name, (), "", (), fingerprint(())))
    return numbered(table)


def numbered(bots: Iterable[Entrant]) -> tuple[Entrant, ...]:
    """Return the bots under names that differ: x, x#2."""
    field: dict[str, Entrant] = {}
    for bot in bots:
        numbered = (f"{bot.name}#{number}" for number in count(2))
        free = next(each for each in chain([bot.name], numbered) if each not in field)
        field[free] = replace(bot, name=free)
    return tuple(field.values())


def unpack_again(field: Iterable[Entrant], roster: Roster) -> tuple[Entrant, ...]:
    """Return the field with its submitted bots where they lie on this machine now.

    Raises FieldError where the database has no such version any more, or another under its name.
    """
    return tuple(_unpacked(bot, roster) if bot.submission else bot for bot in field)


def _unpacked(bot: Entrant, roster: Roster) -> Entrant:
    row = roster.version(bot.submission)
    if row is None or row.content != bot.sha256:
        raise FieldError(
            f"{bot.submission}, which began the tournament, is not in its database any more: restore it from a copy"
        )
    return replace(submitted(row, roster), name=bot.name)


def submitted(row: "SubmissionRow", roster: Roster) -> Entrant:
    """Return a submitted bot, unpacked. Raises FieldError where this machine cannot start it."""
    folder = roster.folder(row)
    manifest = Manifest.from_json(row.manifest)
    bot = with_manifest(manifest, folder, row.name)
    author = owner(row.name) if "/" in row.name else bot.author or row.name  # versions of a bot have one author too
    return replace(bot, files=(), sha256=row.content, submission=row.title, author=author)


def check_unchanged(field: Iterable[Entrant]) -> None:
    """Raise FieldError where a bot's files are not those that began the tournament."""
    for bot in field:
        for file in bot.files:
            if problem := check_file(Path(file)):
                raise FieldError(f"{file}, a file of {bot.name}, {problem}; the tournament goes on only with it")
        if not bot.submission and fingerprint(bot.files) != bot.sha256:
            raise FieldError(
                f"{bot.name} has changed since the tournament began ({', '.join(bot.files)}): "
                "put the old files back, or begin a new tournament"
            )


def fingerprint(files: Sequence[str]) -> str:
    """Return the SHA-256, in hex, of the SHA-256 of each file."""
    whole = sha256()
    for file in files:
        whole.update(sha256(Path(file).read_bytes()).digest())
    return whole.hexdigest()


def _entrant(name: str, samples: Mapping[str, Path], roster: Roster, game: str | None) -> Entrant:
    if not name:
        raise FieldError("a bot has no name: look for a comma too many in the list of bots")
    if name.startswith(REMOTE):
        return _remote(name.removeprefix(REMOTE), roster)
    if name in samples:
        return _python_file(samples[name], name, name)
    try:
        row = roster.find(name)
    except SubmissionError as error:
        raise FieldError(str(error)) from None
    if row is not None:
        _check_plays(Manifest.from_json(row.manifest), name, game)
        return submitted(row, roster)
    if name in SAMPLES:
        raise FieldError(f"the sample bot {name} plays only {', '.join(SAMPLES[name].games)}")
    path = Path(name).expanduser()
    if path.exists() or path.is_symlink() or (os.sep in name and not re.search(r"\s", name)):
        return _file(path, name, samples, roster, game)
    return _command(name, samples, roster)


def _remote(name: str, roster: Roster) -> Entrant:
    if name not in roster.remotes:
        near = get_close_matches(name, roster.remotes, n=1)
        hint = f'; did you mean "{REMOTE}{near[0]}"?' if near else ""
        raise FieldError(f"no remote bot {name} has a token{hint} (arena tokens create {name})")
    return Entrant(name, (), "", (), fingerprint(()), remote=name, author=owner(name) if "/" in name else "")


def _file(path: Path, name: str, samples: Mapping[str, Path], roster: Roster, game: str | None) -> Entrant:
    path = Path(os.path.abspath(path))
    if (path / FILE).is_file():
        path /= FILE
    if path.suffix == ".toml" and path.is_file():
        return _project(path, game)
    if path.suffix == ".py":
        return _python_file(path, path.stem, name)
    if problem := check_program(path):
        raise FieldError(f"the bot {name} {problem}{'' if path.exists() else _near(name, samples, roster)}")
    return _made(path.stem, (str(path),), path.parent, (path,))


def _python_file(path: Path, name: str, given: str) -> Entrant:
    if problem := check_file(path):
        raise FieldError(f"the bot {given} {problem}")
    return _made(name, (sys.executable, str(path)), path.parent, (path,))


def _project(path: Path, game: str | None) -> Entrant:
    """Return the bot of a bot.toml, played where it lies."""
    manifest = read_manifest(path)
    name = path.parent.name if path.name == FILE else path.stem
    _check_plays(manifest, str(path), game)
    return with_manifest(manifest, path.parent, name, (path, *own_files(manifest, path.parent)))


def with_manifest(manifest: Manifest, folder: Path, name: str, files: Sequence[Path] = ()) -> Entrant:
    """Return the bot of a manifest that lies in `folder`; files: those to be fingerprinted.

    Raises ManifestError where there is no such program.
    """
    limits = manifest.limits
    return replace(
        _made(name, command_line(manifest, folder), folder, files),
        memory_bytes=(limits.memory_mb or 0) * 1024 * 1024,
        matches_at_once=limits.matches_at_once or 0,
        games=manifest.games,
        author=manifest.author,
    )


def _check_plays(manifest: Manifest, name: str, game: str | None) -> None:
    if game is not None and not manifest.plays(game):
        raise FieldError(f"{name} plays only {', '.join(manifest.games)}, and this is {game}")


def _command(line: str, samples: Mapping[str, Path], roster: Roster) -> Entrant:
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise FieldError(f"the bot's command line {line} cannot be read ({error}): look at its quotes") from None
    if len(words) < 2:
        raise FieldError(
            f"there is no bot {line}{_near(line, samples, roster)}; a program is named by its path, like ./{line}"
        )
    found = shutil.which(words[0])
    if os.sep not in words[0] and found is None:
        raise FieldError(f'the program {words[0]} of the bot "{line}" is not installed, or not in your PATH')
    program = Path(os.path.abspath(found or words[0]))
    if problem := check_program(program):
        raise FieldError(f'the program {words[0]} of the bot "{line}" {problem}')
    if _SCRIPT.fullmatch(words[1]) and (problem := check_file(Path(words[1]))):
        raise FieldError(f'the file {words[1]} of the bot "{line}" {problem}')
    files = [Path(os.path.abspath(word)) for word in words[1:] if Path(word).is_file()]
    # What is found by PATH and runs a file is the machine's interpreter, not a part of the bot.
    own = files if files and os.sep not in words[0] else [program, *files]
    return _made(own[-1].stem if files else program.stem, (str(program), *words[1:]), Path.cwd(), own)


def _made(name: str, command: tuple[str, ...], folder: Path, files: Sequence[Path]) -> Entrant:
    paths = tuple(map(str, files))
    printable = "".join(letter if letter.isprintable() else "?" for letter in name)[:64]
    return Entrant(printable, command, str(folder), paths, fingerprint(paths))


def _near(name: str, samples: Mapping[str, Path], roster: Roster) -> str:
    near = roster.near(name) or get_close_matches(Path(name).name, samples, n=1)
    hint = f'; did you mean "{near[0]}"?' if near else ""
    return f"{hint} (sample bots: {', '.join(samples)})"
