"""bot.toml: how a bot is started, which games it plays and which limits it accepts.

Its keys are the fields of `Manifest`.
"""

import re
import stat
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, Self, get_args

import msgspec
from msgspec import Meta, Struct, ValidationError

from arena.packs.errors import ManifestError
from arena.packs.parameters import Parameters, fill, mismatch, number_text
from arena.values.checking import Text, only, read_toml, rule, written_as
from arena.values.settings import MOST
from arena.values.struct_types import ready
from referee.engine.near import did_you_mean
from referee.engine.toml import read_table
from referee.sandbox.grants import GrantError, read_grants

FILE = "bot.toml"

Protocol = Literal["grpc", "stdio"]

PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)

PYTHONS = ("python", "python3")
"""Programs that stand for the Python of arena, which has `arena.sdk` installed."""

LONGEST_FILE = 64 * 1024
"""Bytes of a bot.toml."""

WORD = re.compile(r"[a-z][a-z0-9+#.-]{0,31}")
"""A language, and a game that stands without a list."""


def _printable(texts: tuple[str, ...]) -> str:
    if all(text and text.isprintable() for text in texts):
        return ""
    return "has an empty text, or one with characters that cannot be printed"


def _program(words: tuple[str, ...]) -> str:
    if not words:
        return "names no program: its first text is the program, the others are its arguments"
    program = PurePosixPath(words[0])
    if program.is_absolute():
        return f"names {words[0]}: use a program in the bot's folder (./bot) or in PATH (node)"
    return (
        f"names {words[0]}, which is outside the bot's folder: put the program into it" if ".." in program.parts else ""
    )


def _one_game(written: object) -> object:
    """Return the games that are written: one may stand without a list."""
    return (written.strip(),) if isinstance(written, str) and WORD.fullmatch(written.strip()) else written


def _different(games: tuple[str, ...]) -> str:
    if not games:
        return "is empty: leave it out if the bot plays any game"
    twice = [game for place, game in enumerate(games) if game in games[:place]]
    return f'names "{twice[0]}" twice' if twice else ""


def _inside(paths: tuple[str, ...]) -> str:
    for path in paths:
        parts = PurePosixPath(path).parts
        if path.startswith("/") or ".." in parts or not parts:
            return f'names "{path}", which is not inside the bot\'s folder'
    return ""


def _without_slash(names: tuple[str, ...]) -> str:
    paths = [name for name in names if len(PurePosixPath(name).parts) > 1]
    return f'names "{paths[0]}": it takes names without a slash, which match in any folder' if paths else ""


def _grants(words: tuple[str, ...]) -> str:
    try:
        read_grants(words)
    except GrantError as error:
        return f"is wrong: {error}"
    return ""


def _is_author(author: str) -> bool:
    return author.isprintable() and len(author) <= 64


_Texts = Annotated[tuple[str, ...], rule(_printable)]


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """The limits that a bot asks for, below the organiser's. None: the organiser's."""

    memory_mb: Annotated[int, Meta(ge=16, le=MOST)] | None = None
    matches_at_once: Annotated[int, Meta(ge=1, le=MOST)] | None = None


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """The values of a bot.toml."""

    language: Annotated[
        Text,
        Meta(description="python, typescript, go, rust, cpp, java, or any other word", examples=["python"]),
        only(WORD.fullmatch, 'one word in lower case, such as "python" or "go"'),
    ]
    """It is listed, and decides which files are not packed."""
    command: Annotated[
        _Texts,
        Meta(description="relative to the folder, or a program in the bots' PATH", examples=[["./bot"]]),
        rule(_program),
    ]
    """The program and its arguments."""
    author: Annotated[
        Text,
        Meta(description="who wrote it; absent: the owner in the name under which it is submitted"),
        only(_is_author, "a text of up to 64 printable characters"),
    ] = ""
    games: Annotated[_Texts, Meta(description="absent: any game"), written_as(_one_game), rule(_different)] = ()
    """The ids of the games it plays; empty: any."""
    protocol: Annotated[Protocol, Meta(description='or "stdio": lines of JSON')] = "grpc"
    """The protocol that it speaks."""
    dependencies: Annotated[
        _Texts, Meta(description="Python packages, fetched when it is submitted; or a requirements.txt")
    ] = ()
    """As requirements (PEP 508)."""
    build: Annotated[_Texts, Meta(description="one command, run once when it is submitted"), rule(_program)] = ()
    """Empty: there is nothing to build."""
    build_network: Annotated[bool, Meta(description="the build fetches libraries, which the organiser must grant")] = (
        False
    )
    needs: Annotated[
        tuple[str, ...],
        Meta(description="what it asks the organisers of tournaments to grant, which gives nothing by itself"),
        rule(_grants),
    ] = ()
    """In the words of `referee.sandbox.grants`."""
    ignore: Annotated[_Texts, Meta(description="names that are not packed"), rule(_inside), rule(_without_slash)] = ()
    """The names of files and folders."""
    keep: Annotated[
        _Texts, Meta(description="only these are packed after the build; absent: everything"), rule(_inside)
    ] = ()
    limits: Annotated[Limits, Meta(description="they may only lower the organiser's")] = Limits()
    parameters: Annotated[
        Parameters, Meta(description="numbers that stand in the command as {NAME}, for `arena tune`")
    ] = {}  # msgspec copies it
    """By name."""

    def plays(self, game: str) -> bool:
        """Tell whether it plays the game."""
        return not self.games or game in self.games

    def with_values(self, values: Mapping[str, str] = {}) -> Self:
        """Return it without parameters, as it plays: values for these, or else what they start with, in its command."""
        starts = {name: number_text(parameter.start) for name, parameter in self.parameters.items()}
        return msgspec.structs.replace(self, command=fill(self.command, {**starts, **values}), parameters={})

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values that `from_json` reads, without empty keys that older ones do not have."""
        values = msgspec.to_builtins(self)
        return {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in values.items()
            if value or key not in ("needs", "parameters")
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the manifest that `to_json` wrote. Raises ManifestError if these are other values."""
        try:
            return msgspec.convert(values, ready(cls))
        except ValidationError as error:
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
    manifest = read_toml(table, Manifest)
    if (found := mismatch(manifest.command, manifest.parameters)) is not None:
        raise table.error(*found)
    return manifest


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
