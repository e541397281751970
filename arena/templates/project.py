"""A folder with a new bot, made whole or not at all."""

import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from string import Template

import arena
import sample_bots
from arena.submissions.errors import SubmissionError
from arena.submissions.manifest import FILE, Manifest, read_manifest
from arena.submissions.names import name_for
from arena.submissions.pack import PRODUCTS, File, made, pack_folder
from referee.engine.game import Game

_HERE = Path(__file__).parent

SAMPLES_FOLDER = Path(sample_bots.__file__).parent

_LEFT_OUT = ("node_modules", "generated", "gen")
"""What a sample bot's build makes beside `PRODUCTS`."""

_PROTOS = ("referee", "vectors/vectors.json")
"""What of the protos a project gets: the messages, and the vectors that its own test reads."""

SAMPLE_PROTOS = "../../protos"
"""Where the builds of sample bots look for the protos; a project has its own in `protos`."""

DEFAULT_GAME = "cambio"


class ProjectError(SubmissionError):
    """A project cannot be made."""


@dataclass(frozen=True, slots=True)
class Project:
    """A bot that was made: its folder, the name to submit it under, what its bot.toml says, and the game it plays."""

    folder: Path
    name: str
    manifest: Manifest
    game: str


def languages() -> list[str]:
    """Return the languages in which a project can be made."""
    found = (path.parent.name for path in SAMPLES_FOLDER.glob(f"*/{FILE}"))
    return ["python", *sorted(set(found) - {"python", "naughty"})]


def make(folder: Path, language: str, game: Game | None) -> Project:
    """Make a project in `folder`, which must not exist. game: what it plays; None: what suits the language's sample.

    Raises ProjectError, BadName.
    """
    name = name_for(folder)
    if folder.exists() or folder.is_symlink():
        raise ProjectError(f"{folder} exists already, and nothing of it is overwritten: name another folder")
    if not folder.absolute().parent.is_dir():
        raise ProjectError(f"the folder {folder.absolute().parent} does not exist: make it first")
    try:
        room = Path(tempfile.mkdtemp(prefix=".arena-init-", dir=folder.absolute().parent))
    except OSError as error:
        raise ProjectError(f"{folder} cannot be made: {error.strerror}") from None
    try:
        files = _python(name, game) if language == "python" else _copied(language, game)
        made(files).write(room, writable=True)
        manifest = read_manifest(room / FILE)
        room.chmod(0o755)
        room.rename(folder)
    except OSError as error:
        raise ProjectError(f"{folder} cannot be made: {error.strerror}") from None
    finally:
        shutil.rmtree(room, ignore_errors=True)
    plays = game.name if game is not None else next(iter(manifest.games), DEFAULT_GAME)
    return Project(folder, name, manifest, plays)


def others(game: Game) -> str:
    """Return bots for the other seats of a table as small as the game has them, but for tables of two."""
    tables = game.tables(game.options())
    seats = next((seats for seats in tables if seats > 2), tables[-1])
    return " ".join(["random"] * (seats - 1))


def _python(name: str, game: Game | None) -> list[File]:
    from referee.engine import registry

    rules = game or registry.game(DEFAULT_GAME)
    module, _, view = rules.message.partition(":")
    filled = {
        "name": name,
        "class_name": "".join(part.capitalize() for part in re.split(r"[-/]", name)),
        "game": rules.name,
        "others": others(rules),
        "module": module,
        "view": view,
    }
    return [
        File(path.name.removesuffix(".tmpl"), False, Template(path.read_text()).substitute(filled).encode())
        for path in sorted((_HERE / "python").glob("*.tmpl"))
    ]


def _copied(language: str, game: Game | None) -> list[File]:
    """Return the files of a language's sample bots, and the protos where their build reads them."""
    source = SAMPLES_FOLDER / language
    manifest = read_manifest(source / FILE)
    sample = pack_folder(source, ignore=(*_LEFT_OUT, *manifest.ignore), skip=PRODUCTS)
    files = [File(file.path, file.executable, _moved(file.content)) for file in sample.files]
    if game is not None and not manifest.plays(game.name):
        files = [_at_random(file, manifest, game.name) if file.path == FILE else file for file in files]
    if manifest.protocol == "stdio":  # it never sees a message
        return files
    protos = pack_folder(protos_folder(), keep=_PROTOS)
    return [*files, *(File(f"protos/{file.path}", False, file.content) for file in protos.files)]


def _moved(content: bytes) -> bytes:
    """Return a file of a sample bot with the protos where a project has them."""
    return content.replace(SAMPLE_PROTOS.encode(), b"protos")


def _at_random(file: File, manifest: Manifest, game: str) -> File:
    """Return the bot.toml of a sample that does not know the game: its bot that plays anything at random."""
    text = file.content.decode()
    command = ", ".join(f'"{word}"' for word in (*manifest.command, "random"))
    text = re.sub(r"^command\s*=\s*\[.*?\]", lambda _: f"command = [{command}]", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^games\s*=\s*\[.*?\]", lambda _: f'games = ["{game}"]', text, flags=re.MULTILINE | re.DOTALL)
    return File(file.path, file.executable, text.encode())


def protos_folder() -> Path:
    """Return the folder of the protocol's source files: in the installed package, or in the checkout it runs from."""
    package = Path(arena.__file__).parent
    inside = package / "protos"
    return inside if inside.is_dir() else package.parent / "protos"
