"""bot.toml: how a bot is started, which games it plays and which limits it accepts.

language = "go"              # python, typescript, go, rust, cpp, java, or any other word
command = ["./bot"]          # relative to the folder, or a program in the bots' PATH
author = "club"              # who wrote it; absent: the owner in the name under which it is submitted
games = ["perudo"]           # absent: any game
protocol = "grpc"            # or "stdio": lines of JSON
dependencies = ["networkx>=3"]   # Python packages, fetched when it is submitted; or a requirements.txt
build = ["go", "build"]      # one command, run once when it is submitted
build_network = true         # the build fetches libraries, which the organiser must grant
needs = ["network"]          # what it asks the organisers of tournaments to grant, which gives nothing by itself
ignore = ["notes"]           # names that are not packed
keep = ["bot"]               # only these are packed after the build; absent: everything
[limits]                     # may only lower the organiser's
memory_mb = 128
matches_at_once = 1
"""

import re
import stat
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Self

from arena.packs.errors import ManifestError
from referee.engine.near import did_you_mean
from referee.engine.toml import TomlTable, read_table
from referee.sandbox.grants import GrantError, read_grants

FILE = "bot.toml"

PROTOCOLS = ("grpc", "stdio")

PYTHONS = ("python", "python3")
"""Programs that stand for the Python of arena, which has `arena.sdk` installed."""

LONGEST_FILE = 64 * 1024
"""Bytes of a bot.toml."""

_REQUIRED = {"language": '"python"', "command": '["./bot"]'}
"""Key to an example."""

_KEYS = (
    "language",
    "command",
    "author",
    "games",
    "protocol",
    "dependencies",
    "build",
    "build_network",
    "needs",
    "ignore",
    "keep",
    "limits",
)
_LIMITS = {"memory_mb": 16, "matches_at_once": 1}
"""Key to the least value that makes sense."""

_WORD = re.compile(r"[a-z][a-z0-9+#.-]{0,31}")


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits that a bot asks for, below the organiser's. None: the organiser's."""

    memory_mb: int | None = None
    matches_at_once: int | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """The values of a bot.toml."""

    language: str
    """The language in one word; it is listed, and decides which files are not packed."""
    command: tuple[str, ...]
    """The program and its arguments."""
    games: tuple[str, ...] = ()
    """The ids of the games it plays; empty: any."""
    protocol: str = "grpc"
    """The protocol that it speaks: one of `PROTOCOLS`."""
    build: tuple[str, ...] = ()
    """The command that builds the program; empty: there is nothing to build."""
    ignore: tuple[str, ...] = ()
    """The names of files and folders that are not packed."""
    keep: tuple[str, ...] = ()
    """The paths that alone are packed after the build; empty: all."""
    limits: Limits = Limits()
    author: str = ""
    """Who wrote the bot; empty if the file does not say."""
    build_network: bool = False
    """Whether the build needs the network."""
    dependencies: tuple[str, ...] = ()
    """The Python packages that it needs, as requirements (PEP 508)."""
    needs: tuple[str, ...] = ()
    """The grants that it asks organisers for, in the words of `referee.sandbox.grants`."""

    def plays(self, game: str) -> bool:
        """Tell whether it plays the game."""
        return not self.games or game in self.games

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values that `from_json` reads; `needs` only if it is not empty, as older ones have none."""
        values = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}
        return {key: value for key, value in values.items() if value or key != "needs"}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the manifest that `to_json` wrote. Raises ManifestError if these are other values."""
        fields: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in values.items()
        }
        try:
            fields["limits"] = Limits(**values["limits"])
            return cls(**fields)
        except (KeyError, TypeError) as error:
            raise ManifestError(
                f"a stored {FILE} cannot be read ({error}): retire its bot (`arena bots retire`), or submit it again"
            ) from None


def read_manifest(path: Path) -> Manifest:
    """Return the manifest in the file at `path`. Raises ManifestError."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # to read a pipe would take for ever
            raise ManifestError(f"{path} is not a file: write a bot.toml as `arena init` makes one")
        if status.st_size > LONGEST_FILE:
            raise ManifestError(f"{path} is too large for a bot.toml: it has more than {LONGEST_FILE // 1024} KiB")
        content = path.read_bytes()
    except FileNotFoundError:
        raise ManifestError(f"there is no {path.name} in {path.parent}: `arena init` makes a bot with one") from None
    except OSError as error:
        raise ManifestError(f"{path} cannot be read: {error.strerror}") from None
    return parse_manifest(content, path.name)


def parse_manifest(text: str | bytes, name: str = FILE) -> Manifest:
    """Return the manifest of a text.

    name: what errors call the file.

    Raises ManifestError for the first mistake.
    """
    table = read_table(text, ManifestError, name)
    table.check_keys(_KEYS)
    limits = table.table("limits")
    limits.check_keys(tuple(_LIMITS))
    for key, example in _REQUIRED.items():
        if key not in table:
            raise table.mistake(key, f"is missing: add a line {key} = {example}")
    language = table.text("language")
    if not _WORD.fullmatch(language):
        raise table.mismatch("language", 'one word in lower case, such as "python" or "go"')
    author = table.text("author", "", may_be_empty="author" not in table)
    if not author.isprintable() or len(author) > 64:
        raise table.mismatch("author", "a text of up to 64 printable characters")
    return Manifest(
        language=language,
        command=_command(table, "command"),
        author=author,
        games=_games(table),
        protocol=table.word("protocol", PROTOCOLS, PROTOCOLS[0]),
        build=_command(table, "build") if "build" in table else (),
        ignore=_paths(table, "ignore", single=True),
        keep=_paths(table, "keep", single=False),
        build_network=table.flag("build_network"),
        dependencies=_texts(table, "dependencies"),
        needs=_needs(table),
        limits=Limits(**{key: limits.integer(key, least=_LIMITS[key]) for key in limits}),
    )


def _texts(table: TomlTable, key: str) -> tuple[str, ...]:
    texts = table.texts(key)
    if any(not text or not text.isprintable() for text in texts):
        raise table.mistake(key, "has an empty text, or one with characters that cannot be printed")
    return texts


def _needs(table: TomlTable) -> tuple[str, ...]:
    try:
        return read_grants(table.texts("needs")).texts
    except GrantError as error:
        raise table.mistake("needs", f"is wrong: {error}") from None


def _command(table: TomlTable, key: str) -> tuple[str, ...]:
    words = _texts(table, key)
    if not words:
        raise table.mistake(key, "names no program: its first text is the program, the others are its arguments")
    program = PurePosixPath(words[0])
    if program.is_absolute():
        raise table.mistake(key, f"names {words[0]}: use a program in the bot's folder (./bot) or in PATH (node)")
    if ".." in program.parts:
        raise table.mistake(key, f"names {words[0]}, which is outside the bot's folder: put the program into it")
    return words


def _games(table: TomlTable) -> tuple[str, ...]:
    one = table.values.get("games")
    # One game may stand without a list.
    games = (one.strip(),) if isinstance(one, str) and _WORD.fullmatch(one.strip()) else _texts(table, "games")
    if "games" in table and not games:
        raise table.mistake("games", "is empty: leave it out if the bot plays any game")
    for place, game in enumerate(games):
        if game in games[:place]:
            raise table.mistake("games", f'names "{game}" twice')
    return games


def _paths(table: TomlTable, key: str, *, single: bool) -> tuple[str, ...]:
    """Return paths in the bot's folder.

    single: whether they must be names without a slash.
    """
    paths = _texts(table, key)
    for path in paths:
        parts = PurePosixPath(path).parts
        if path.startswith("/") or ".." in parts or not parts:
            raise table.mistake(key, f'names "{path}", which is not inside the bot\'s folder')
        if single and len(parts) > 1:
            raise table.mistake(key, f'names "{path}": it takes names without a slash, which match in any folder')
    return paths


def check_games(manifest: Manifest, installed: list[str]) -> None:
    """Raise ManifestError for a game that is not installed here."""
    for game in manifest.games:
        if game not in installed and ":" in game:
            raise ManifestError(
                f'{FILE}: games names "{game}", which no installed family of games lists: name its games without '
                "parameters, or leave out games if the bot plays any"
            )
        if game not in installed:
            hint = did_you_mean(game, installed)
            raise ManifestError(f'{FILE}: games names "{game}", which is not installed{hint} ({", ".join(installed)})')
