"""bot.toml: how a bot is started, what it plays and what it is content with.

language = "go"              # python, typescript, go, rust, cpp, java, or any other word
command = ["./bot"]          # relative to the folder, or a program in the bots' PATH
author = "club"              # who made it; absent: the owner in the name under which it is submitted
games = ["perudo"]           # absent: whatever it is given
protocol = "grpc"            # or "stdio": lines of JSON
build = ["go", "build"]      # one command, run once when it is submitted
ignore = ["notes"]           # names that are not packed
keep = ["bot"]               # what alone is packed, once it is built; absent: everything
[limits]                     # may only lower the organiser's
memory_mb = 128
matches_at_once = 1
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Self

from arena.submissions.errors import ManifestError
from referee.engine.near import did_you_mean
from referee.engine.toml import parse_toml

FILE = "bot.toml"

PROTOCOLS = ("grpc", "stdio")

PYTHONS = ("python", "python3")
"""Programs that stand for the Python of arena, which has `arena.sdk` installed."""

LONGEST_FILE = 64 * 1024
"""Bytes of a bot.toml."""

_KEYS = ("language", "command", "author", "games", "protocol", "build", "ignore", "keep", "limits")
_LIMITS = {"memory_mb": 16, "matches_at_once": 1}
"""Key to the least value that makes sense."""

_WORD = re.compile(r"[a-z][a-z0-9+#.-]{0,31}")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a bot is content with; it can only lower what the organiser grants. None: the organiser's."""

    memory_mb: int | None = None
    matches_at_once: int | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a bot.toml says.

    language: a word, for lists and for what need not be packed. command: the program and its arguments.
    author: who made it; empty where it does not say.
    games: the ids of the games it plays; empty: whatever it is given. protocol: one of `PROTOCOLS`.
    build: the command that makes the program; empty: there is nothing to build.
    ignore: names of files and folders that are not packed. keep: what alone is packed, once it is built; empty: all.
    """

    language: str
    command: tuple[str, ...]
    games: tuple[str, ...] = ()
    protocol: str = "grpc"
    build: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    limits: Limits = Limits()
    author: str = ""

    def plays(self, game: str) -> bool:
        """Tell whether it plays the game."""
        return not self.games or game in self.games

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values that `from_json` reads."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the manifest that `to_json` wrote."""
        fields: dict[str, Any] = {key: tuple(each) if isinstance(each, list) else each for key, each in values.items()}
        fields["limits"] = Limits(**values["limits"])
        return cls(**fields)


def read_manifest(path: Path) -> Manifest:
    """Return the manifest in the file at `path`. Raises ManifestError."""
    try:
        if path.stat().st_size > LONGEST_FILE:
            raise ManifestError(f"{path} is no bot.toml: it has more than {LONGEST_FILE // 1024} KiB")
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise ManifestError(f"there is no {path.name} in {path.parent}: `arena init` makes a bot with one") from None
    except UnicodeDecodeError:
        raise ManifestError(f"{path} is not a text in UTF-8") from None
    except OSError as error:
        raise ManifestError(f"{path} cannot be read: {error.strerror}") from None
    return parse_manifest(text, path.name)


def parse_manifest(text: str, where: str = FILE) -> Manifest:
    """Return the manifest of a text; `where`: what errors call it. Raises ManifestError for the first mistake."""
    try:
        values = parse_toml(text)
    except ValueError as error:
        raise ManifestError(f"{where} is no TOML: {error}") from None
    return _Reading(text, where, values).manifest()


class _Reading:
    """A manifest being read: where each key stands, for the errors."""

    def __init__(self, text: str, where: str, values: dict[str, Any]) -> None:
        self._lines = text.splitlines()
        self._where = where
        self._values = values

    def manifest(self) -> Manifest:
        self._known(self._values, _KEYS)
        limits = self._values.get("limits", {})
        if not isinstance(limits, dict):
            raise self._wrong("limits", "is a table: a line [limits], and below it memory_mb = 128")
        self._known(limits, tuple(_LIMITS))
        for needed in ("language", "command"):
            if needed not in self._values:
                example = 'language = "python"' if needed == "language" else 'command = ["./bot"]'
                raise ManifestError(f"{self._where} does not say its {needed}: add a line {example}")
        return Manifest(
            language=self._language(),
            command=self._command("command"),
            author=self._author() if "author" in self._values else "",
            games=self._games(),
            protocol=self._protocol(),
            build=self._command("build") if "build" in self._values else (),
            ignore=self._paths("ignore", single=True),
            keep=self._paths("keep", single=False),
            limits=Limits(**{key: self._limit(key, limits[key]) for key in limits}),
        )

    def _known(self, values: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for key in values:
            if key not in known:
                hint = did_you_mean(key, known)
                raise ManifestError(f'{self._at(key)}: there is no key "{key}"{hint} (keys: {", ".join(known)})')

    def _language(self) -> str:
        language = self._values["language"]
        if not isinstance(language, str) or not _WORD.fullmatch(language):
            raise self._wrong("language", 'is one word in lower case, such as "python" or "go"')
        return language

    def _author(self) -> str:
        author = self._values["author"]
        if not isinstance(author, str) or not author.strip() or not author.isprintable() or len(author) > 64:
            raise self._wrong("author", "is a text of up to 64 characters that can be printed")
        return author

    def _protocol(self) -> str:
        protocol = self._values.get("protocol", PROTOCOLS[0])
        if protocol not in PROTOCOLS:
            raise self._wrong("protocol", 'is "grpc", or "stdio" for a bot that speaks lines of JSON')
        return str(protocol)

    def _strings(self, key: str, example: str) -> tuple[str, ...]:
        values = self._values.get(key, [])
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            raise self._wrong(key, f"is a list of texts: {example}")
        if any(not each or not each.isprintable() for each in values):
            raise self._wrong(key, "has an empty text, or one with characters that cannot be printed")
        return tuple(values)

    def _command(self, key: str) -> tuple[str, ...]:
        words = self._strings(key, f'{key} = ["./bot", "--fast"]')
        if not words:
            raise self._wrong(key, "names no program: its first text is the program, the others its arguments")
        program = PurePosixPath(words[0])
        if program.is_absolute():
            raise self._wrong(key, f"names {words[0]}: a program lies in the bot's folder (./bot) or in PATH (node)")
        if ".." in program.parts:
            raise self._wrong(key, f"names {words[0]}, which leaves the bot's folder: put the program into it")
        return words

    def _games(self) -> tuple[str, ...]:
        games = self._strings("games", 'games = ["cambio", "cucco"]')
        if "games" in self._values and not games:
            raise self._wrong("games", "is empty: leave it out where the bot plays whatever it is given")
        for place, each in enumerate(games):
            if each in games[:place]:
                raise self._wrong("games", f'names "{each}" twice')
        return games

    def _paths(self, key: str, *, single: bool) -> tuple[str, ...]:
        paths = self._strings(key, f'{key} = ["notes"]')
        for each in paths:
            parts = PurePosixPath(each).parts
            if each.startswith("/") or ".." in parts or not parts:
                raise self._wrong(key, f'names "{each}", which is not inside the bot\'s folder')
            if single and len(parts) > 1:
                raise self._wrong(key, f'names "{each}": it holds names without a slash, wherever they are')
        return paths

    def _limit(self, key: str, value: Any) -> int:
        least = _LIMITS[key]
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self._wrong(key, f"is a whole number, {least} or more")
        return value

    def _wrong(self, key: str, what: str) -> ManifestError:
        return ManifestError(f"{self._at(key)}: {key} {what}")

    def _at(self, key: str) -> str:
        """Return the place of a key: the file, and the line on which it seems to stand."""
        header = re.compile(rf"\s*(?:\[\s*{re.escape(key)}\s*\]|[\"']?{re.escape(key)}[\"']?\s*=)")
        for number, line in enumerate(self._lines, 1):
            if header.match(line):
                return f"{self._where}, line {number}"
        return self._where


def check_games(manifest: Manifest, installed: list[str], where: str = FILE) -> None:
    """Raise ManifestError where it claims a game that is not installed here."""
    for each in manifest.games:
        if each not in installed:
            hint = did_you_mean(each, installed)
            raise ManifestError(f'{where}: games names "{each}", which is no game here{hint} ({", ".join(installed)})')
