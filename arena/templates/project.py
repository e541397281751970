"""Create the folder of a new bot, completely or not at all."""

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
from arena.submissions.pack import PRODUCTS, File, make_pack, pack_folder
from referee.engine.game import Game

_HERE = Path(__file__).parent

SAMPLES_FOLDER = Path(sample_bots.__file__).parent

_LEFT_OUT = ("node_modules", "generated", "gen")
"""Build products of sample bots beside `PRODUCTS`."""

_PROTOS = ("referee", "vectors/vectors.json")
"""The protos that are copied into a project: the messages, and the vectors for its test."""

SAMPLE_PROTOS = "../../protos"
"""The path of the protos in the builds of sample bots; in a project it becomes `protos`."""

DEFAULT_GAME = "cambio"


class ProjectError(SubmissionError):
    """A project cannot be created."""


@dataclass(frozen=True, slots=True)
class Project:
    """A new project. folder: its path. name: to submit it under. manifest: its bot.toml. game: the id of its game."""

    folder: Path
    name: str
    manifest: Manifest
    game: str


def languages() -> list[str]:
    """Return the languages of projects."""
    folders = (path.parent.name for path in SAMPLES_FOLDER.glob(f"*/{FILE}"))
    return ["python", *sorted(set(folders) - {"python", "naughty"})]


def make(folder: Path, language: str, game: Game | None) -> Project:
    """Create a project in `folder`, which must not exist.

    game: the game that the bot plays; None for the game of the language's sample bot.

    Raises ProjectError if the folder exists or cannot be written, BadName if its name is not a valid bot name.
    """
    name = name_for(folder)
    if folder.exists() or folder.is_symlink():
        raise ProjectError(f"{folder} exists: choose another folder")
    if not folder.absolute().parent.is_dir():
        raise ProjectError(f"the folder {folder.absolute().parent} does not exist: create it first")
    try:
        room = Path(tempfile.mkdtemp(prefix=".arena-init-", dir=folder.absolute().parent))
    except OSError as error:
        raise ProjectError(f"cannot create {folder}: {error.strerror}") from None
    try:
        files = _python_files(name, game) if language == "python" else _sample_files(language, game)
        make_pack(files).write(room, writable=True)
        manifest = read_manifest(room / FILE)
        room.chmod(0o755)
        room.rename(folder)
    except OSError as error:
        raise ProjectError(f"cannot create {folder}: {error.strerror}") from None
    finally:
        shutil.rmtree(room, ignore_errors=True)
    plays = game.name if game is not None else next(iter(manifest.games), DEFAULT_GAME)
    return Project(folder, name, manifest, plays)


def others(game: Game) -> str:
    """Return random bots for the other seats of the smallest table with more than two seats, or of the largest one."""
    tables = game.tables(game.options())
    seats = next((seats for seats in tables if seats > 2), tables[-1])
    return " ".join(["random"] * (seats - 1))


def _python_files(name: str, game: Game | None) -> list[File]:
    from referee.engine import registry

    rules = game or registry.game(DEFAULT_GAME)
    module, _, view = rules.message.partition(":")
    values = {
        "name": name,
        "class_name": "".join(part.capitalize() for part in re.split(r"[-/]", name)),
        "game": rules.name,
        "others": others(rules),
        "module": module,
        "view": view,
    }
    return [
        File(path.name.removesuffix(".tmpl"), False, Template(path.read_text()).substitute(values).encode())
        for path in sorted((_HERE / "python").glob("*.tmpl"))
    ]


def _sample_files(language: str, game: Game | None) -> list[File]:
    """Return the files of a language's sample bots, with the protos that their build needs."""
    source = SAMPLES_FOLDER / language
    manifest = read_manifest(source / FILE)
    sample = pack_folder(source, ignore=(*_LEFT_OUT, *manifest.ignore), skip=PRODUCTS)
    files = [File(file.path, file.executable, _with_project_protos(file.content)) for file in sample.files]
    if game is not None and not manifest.plays(game.name):
        files = [_at_random(file, manifest, game.name) if file.path == FILE else file for file in files]
    if manifest.protocol == "stdio":  # it needs no protos
        return files
    protos = pack_folder(protos_folder(), keep=_PROTOS)
    return [*files, *(File(f"protos/{file.path}", False, file.content) for file in protos.files)]


def _with_project_protos(content: bytes) -> bytes:
    """Adapt the path of the protos in a file of a sample bot to that in a project."""
    return content.replace(SAMPLE_PROTOS.encode(), b"protos")


def _at_random(file: File, manifest: Manifest, game: str) -> File:
    """Adapt the bot.toml of a sample that does not play the game: start its random bot instead."""
    text = file.content.decode()
    command = ", ".join(f'"{word}"' for word in (*manifest.command, "random"))
    text = re.sub(r"^command\s*=\s*\[.*?\]", lambda _: f"command = [{command}]", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^games\s*=\s*\[.*?\]", lambda _: f'games = ["{game}"]', text, flags=re.MULTILINE | re.DOTALL)
    return File(file.path, file.executable, text.encode())


def protos_folder() -> Path:
    """Return the folder of the protocol's source files, in the installed package or in the checkout."""
    package = Path(arena.__file__).parent
    inside = package / "protos"
    return inside if inside.is_dir() else package.parent / "protos"
