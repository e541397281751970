"""The field: finds and checks the bots that users name.

    random            a sample bot
    club/owl          the newest version of a submitted bot; club/owl@3: version 3
    ./bots/mine       a program, a bot.toml, or a folder with one
    ./bots/mine.py    a Python file, run by the Python that runs arena
    "node mine.js"    a command line, started in the current folder
    remote:ann/owl    a bot that plays from its owner's machine, by the name of its token

A single match can also have attached bots, which somebody else starts.

Programs and Python files are started in their own folder. The bot's files are fingerprinted: a tournament can be
resumed only with unchanged bots. Submitted bots never change.
"""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from hashlib import sha256
from itertools import chain, count, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from arena.packs.command import SCRIPT, command_line, own_files
from arena.packs.dependencies import check_installed, in_file, in_folder
from arena.packs.errors import SubmissionError
from arena.packs.manifest import FILE, Manifest, read_manifest
from arena.packs.program_check import check_file, check_program
from arena.packs.roster import Roster
from arena.values.definition import OWN_CLOCK, Entrant
from arena.values.near_path import did_you_mean_path
from arena.values.pseudonyms import is_pseudonym
from arena.values.texts import shell_line
from arena.values.tournament_errors import FieldError, NotUtf8
from arena.values.versioned_names import owner
from referee.paths import is_utf8
from sample_bots import SAMPLES

if TYPE_CHECKING:
    from arena.store.people.submissions import SubmissionRow

REMOTE = "remote:"
"""The prefix of the name of a remote bot."""

_QUOTED_OR_COMMA = re.compile(r""""[^"]*"|'[^']*'|,""")


def split_names(text: str) -> list[str]:
    """Split a comma-separated list of bots; commas inside quotes belong to a command line."""
    commas = [match.start() for match in _QUOTED_OR_COMMA.finditer(text) if match.group() == ","]
    return [text[before + 1 : after].strip() for before, after in pairwise([-1, *commas, len(text)])]


def samples(game: str | None) -> dict[str, Path]:
    """Return the files of the sample bots that play a game, by name; None: of all sample bots."""
    return {name: sample.path for name, sample in SAMPLES.items() if game is None or sample.plays(game)}


def usual_samples(game: str) -> dict[str, Path]:
    """Return the files of the sample bots that play a game where nobody names any: those that answer at once."""
    return {name: path for name, path in samples(game).items() if not SAMPLES[name].thinks}


def find_bots(
    names: Iterable[str],
    samples: Mapping[str, Path],
    roster: Roster | None = None,
    *,
    game: str | None = None,
    remote: bool = False,
    any_path: bool = False,
) -> tuple[Entrant, ...]:
    """Return the bots that a user named, as a field with unique names: random, random#2.

    samples: the files of the sample bots, by name.
    roster: the submitted bots; none by default.
    game: the game that they will play, if known.
    remote: whether remote bots are allowed.
    any_path: whether paths may be other than UTF-8, as no referee and no database is told of the bots.

    Raises FieldError for the first bot that is unknown or cannot be started, NotUtf8 where only its path is in the way.
    """
    roster = roster or Roster()
    names = list(names)
    if not remote and (remote_names := [name for name in names if name.startswith(REMOTE)]):
        raise FieldError(f"{remote_names[0]} is a remote bot, which plays only in tournaments: arena tourney --listen")
    field = make_names_unique(_find_bot(name, samples, roster, game) for name in names)
    if not any_path:
        _check_paths(field)
    return field


def _check_paths(field: Iterable[Entrant]) -> None:
    for bot in field:
        for path in (bot.folder, *bot.files, *bot.command):
            if not is_utf8(path):
                raise NotUtf8(
                    f"{path} is not UTF-8, and cannot be stored with the matches of the bot {bot.name}: rename it, or "
                    "submit the bot from there (arena submit)"
                )


def seat_attached(field: Sequence[Entrant], seats: Iterable[int], name: str) -> tuple[Entrant, ...]:
    """Return a table with attached bots of that name at `seats`, and the bots of `field` in order at the others.

    Raises FieldError if the table has no such seat, or a seat is named twice.
    """
    table = list(field)
    attached_seats = sorted(seats)
    for index, seat in enumerate(attached_seats):
        if seat > len(table):
            last = len(field) + len(attached_seats) - 1
            raise FieldError(f"there is no seat {seat} at this table: the seats are 0 to {last}")
        if seat in attached_seats[:index]:
            raise FieldError(f"seat {seat} is attached twice")
        table.insert(seat, Entrant(name, (), "", (), fingerprint(())))
    return make_names_unique(table)


def make_names_unique(bots: Iterable[Entrant]) -> tuple[Entrant, ...]:
    """Return the bots with unique names: x, x#2."""
    field: dict[str, Entrant] = {}
    for bot in bots:
        candidates = chain([bot.name], (f"{bot.name}#{number}" for number in count(2)))
        unique_name = next(name for name in candidates if name not in field)
        field[unique_name] = replace(bot, name=unique_name)
    return tuple(field.values())


def unpack_submissions(field: Iterable[Entrant], roster: Roster) -> tuple[Entrant, ...]:
    """Unpack the submitted bots of a stored field and return the field with their paths on this machine.

    Raises FieldError if the database no longer has the version of a bot, or has other files under its name.
    """
    return tuple(_unpack_submission(bot, roster) if bot.submission else bot for bot in field)


def _unpack_submission(bot: Entrant, roster: Roster) -> Entrant:
    row = roster.version(bot.submission)
    if is_pseudonym(bot.submission):
        raise FieldError(
            f"the files of {bot.submission} were wiped as the account of its owner was closed: play without it"
        )
    if row is None or row.content != bot.sha256:
        raise FieldError(
            f"{bot.submission} began the tournament but is no longer in its database: restore it from a backup"
        )
    entrant = entrant_from_submission(row, roster)
    own = {name: getattr(bot, name) for name in ("name", "grants", "start_time_ms", *OWN_CLOCK)}
    return replace(entrant, **own)


def entrant_from_submission(row: "SubmissionRow", roster: Roster) -> Entrant:
    """Unpack a submitted bot and return it. Raises FieldError if this machine cannot start it."""
    folder = roster.folder(row)
    manifest = Manifest.from_json(row.manifest)
    bot = entrant_from_manifest(manifest, folder, row.name)
    author = owner(row.name) if "/" in row.name else bot.author or row.name  # all versions of a bot have one author
    return replace(bot, name=row.title, files=(), sha256=row.content, submission=row.title, author=author)


def check_unchanged(field: Iterable[Entrant], in_process: Mapping[str, str] = {}) -> None:
    """Raise FieldError if a bot's files have changed since the tournament began.

    in_process: the fingerprints of the in-process bots of this program, by name.
    """
    for bot in field:
        if bot.in_process:
            _check_in_process(bot, in_process)
            continue
        for file in bot.files:
            if problem := check_file(Path(file)):
                raise FieldError(
                    f"{file}, a file of {bot.name}, {problem}: the tournament cannot be resumed without it"
                )
        if not bot.submission and fingerprint(bot.files) != bot.sha256:
            raise FieldError(
                f"{bot.name} has changed since the tournament began ({', '.join(bot.files)}): "
                "restore the old files, or begin a new tournament"
            )


def _check_in_process(bot: Entrant, in_process: Mapping[str, str]) -> None:
    if bot.name not in in_process:
        raise FieldError(
            f"{bot.name} is a function or class of the program that began the tournament: resume it from Python, with "
            f'resume_tournament of arena.api, and give it there as bots={{"{bot.name}": ...}}'
        )
    if in_process[bot.name] != bot.sha256:
        raise FieldError(
            f"the source of {bot.name} has changed since the tournament began: restore it, or begin a new tournament"
        )


def fingerprint(files: Sequence[str]) -> str:
    """Return the SHA-256, in hex, of the SHA-256 of each file."""
    digest = sha256()
    for file in files:
        digest.update(sha256(Path(file).read_bytes()).digest())
    return digest.hexdigest()


def _find_bot(name: str, samples: Mapping[str, Path], roster: Roster, game: str | None) -> Entrant:
    if not name:
        raise FieldError("a bot has no name: remove the extra comma from the list of bots")
    if name.startswith(REMOTE):
        return _remote_bot(name.removeprefix(REMOTE), roster)
    if name in samples:
        return _python_file(samples[name], name, name)
    try:
        row = roster.find(name)
    except SubmissionError as error:
        raise FieldError(str(error)) from None
    if row is not None:
        _check_plays(Manifest.from_json(row.manifest), name, game)
        return entrant_from_submission(row, roster)
    if name in SAMPLES:
        raise FieldError(f"the sample bot {name} plays only {', '.join(SAMPLES[name].games)}")
    path = Path(name).expanduser()
    if path.exists() or path.is_symlink() or (os.sep in name and not re.search(r"\s", name)):
        return _program(path, name, samples, roster, game)
    return _command_line(name, samples, roster)


def _remote_bot(name: str, roster: Roster) -> Entrant:
    if not name:
        raise FieldError(f"{REMOTE} lacks the name of a bot with a token: write {REMOTE}NAME")
    if name not in roster.remotes:
        similar = get_close_matches(name, roster.remotes, n=1)
        hint = f'; did you mean "{REMOTE}{similar[0]}"?' if similar else ""
        raise FieldError(f"no remote bot {name} has a token{hint} (arena tokens create {shell_line(name)})")
    return Entrant(name, (), "", (), fingerprint(()), remote=name, author=owner(name) if "/" in name else "")


def _program(path: Path, name: str, samples: Mapping[str, Path], roster: Roster, game: str | None) -> Entrant:
    path = Path(os.path.abspath(path))
    if (path / FILE).is_file():
        path /= FILE
    if path.suffix == ".toml" and path.is_file():
        return _project(path, game)
    if path.suffix == ".py":
        bot = _python_file(path, path.stem, name)
        check_installed(Manifest("python", ("python3", path.name)), path.parent, in_file(path))
        return bot
    if problem := check_program(path):
        hint = "" if path.exists() else did_you_mean_path(name) or _suggest(name, samples, roster)
        raise FieldError(f"the bot {name} {problem}{hint}")
    return _local_bot(path.stem, (str(path),), path.parent, (path,))


def _python_file(path: Path, name: str, given_name: str) -> Entrant:
    if problem := check_file(path):
        raise FieldError(f"the bot {given_name} {problem}{'' if path.exists() else did_you_mean_path(given_name)}")
    return _local_bot(name, (sys.executable, str(path)), path.parent, (path,))


def _project(path: Path, game: str | None) -> Entrant:
    """Return the bot of a bot.toml, played in its own folder."""
    manifest = read_manifest(path)
    name = path.parent.name if path.name == FILE else path.stem
    _check_plays(manifest, str(path), game)
    check_installed(manifest, path.parent, in_folder(path.parent))
    return entrant_from_manifest(manifest, path.parent, name, (path, *own_files(manifest, path.parent)))


def entrant_from_manifest(manifest: Manifest, folder: Path, name: str, files: Sequence[Path] = ()) -> Entrant:
    """Return the bot of a manifest in `folder`.

    files: the files to fingerprint.

    Raises ManifestError if its program does not exist.
    """
    limits = manifest.limits
    return replace(
        _local_bot(name, command_line(manifest, folder), folder, files),
        memory_bytes=(limits.memory_mb or 0) * 1024 * 1024,
        matches_at_once=limits.matches_at_once or 0,
        games=manifest.games,
        author=manifest.author,
    )


def _check_plays(manifest: Manifest, name: str, game: str | None) -> None:
    if game is not None and not manifest.plays(game):
        raise FieldError(f"{name} plays only {', '.join(manifest.games)}, not {game}")


def _command_line(line: str, samples: Mapping[str, Path], roster: Roster) -> Entrant:
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise FieldError(f"cannot parse the bot's command line {line} ({error}): check its quotes") from None
    if len(words) < 2:
        path_hint = did_you_mean_path(line) if Path(line).suffix else ""
        raise FieldError(
            f"there is no bot {line}{path_hint or _suggest(line, samples, roster)}; "
            f"name a program by its path, like ./{line}"
        )
    in_path = shutil.which(words[0])
    if os.sep not in words[0] and in_path is None:
        raise FieldError(f'the program {words[0]} of the bot "{line}" is not installed, or not in your PATH')
    program = Path(os.path.abspath(in_path or words[0]))
    if problem := check_program(program):
        raise FieldError(f'the program {words[0]} of the bot "{line}" {problem}')
    if SCRIPT.fullmatch(words[1]) and (problem := check_file(Path(words[1]))):
        hint = "" if Path(words[1]).exists() else did_you_mean_path(words[1])
        raise FieldError(f'the file {words[1]} of the bot "{line}" {problem}{hint}')
    files = [Path(os.path.abspath(word)) for word in words[1:] if Path(word).is_file()]
    # A program from PATH that runs a file is an interpreter of this machine, not a part of the bot.
    own = files if files and os.sep not in words[0] else [program, *files]
    return _local_bot(own[-1].stem if files else program.stem, (str(program), *words[1:]), Path.cwd(), own)


def _local_bot(name: str, command: tuple[str, ...], folder: Path, files: Sequence[Path]) -> Entrant:
    paths = tuple(map(str, files))
    printable = "".join(letter if letter.isprintable() else "?" for letter in name)[:64]
    return Entrant(printable, command, str(folder), paths, fingerprint(paths))


def _suggest(name: str, samples: Mapping[str, Path], roster: Roster) -> str:
    similar = roster.near(name) or get_close_matches(Path(name).name, samples, n=1)
    hint = f'; did you mean "{similar[0]}"?' if similar else ""
    return f"{hint} (sample bots: {', '.join(samples)})"
