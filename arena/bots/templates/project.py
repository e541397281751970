"""Create the folder of a new bot, completely or not at all."""

import re
import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from string import Template

import arena
import sample_bots
from arena.packs.errors import SubmissionError
from arena.packs.left_out import PRODUCTS, gitignore
from arena.packs.manifest import FILE, Manifest, read_manifest
from arena.packs.names import name_for
from arena.packs.pack import File, make_pack, pack_folder
from referee.engine.game import Game
from referee.engine.near import did_you_mean
from sample_bots import Sample

_HERE = Path(__file__).parent

SAMPLES_FOLDER = Path(sample_bots.__file__).parent

_LEFT_OUT = ("node_modules", "vendor", "generated", "gen")
"""Build products of sample bots beside `PRODUCTS`."""

_STUBS = "v1"
"""The name of the folder of sample bots with the stubs of all games."""

_CONFORMANCE = "conformance"
"""The name of the files of sample bots that play in our test of all languages."""

_PROTOS = ("referee", "vectors/vectors.json")
"""The protos that are copied into a project: the messages, and the vectors for its test."""

SAMPLE_PROTOS = "../../protos"
"""The path of the protos in the builds of sample bots; in a project it becomes `protos`."""

_NAMES_GAME = {
    FILE: (rb"^games\s*=\s*\[.*?\]", b'games = ["%s"]'),
    "CMakeLists.txt": (rb"^set\(GAME \w+\)", b"set(GAME %s)"),
}
"""The files of sample bots that name their game: where, and what takes its place."""

DEFAULT_GAME = "cambio"

LLM = "llm"
"""The name, among the languages, of a Python bot that asks a language model: a copy of the sample bot."""

_LLM_MATCH = b"arena match --game cambio ./owl random random --grant owl=network"
"""The command in the README of that sample bot, in which game and name are replaced."""

_OWN_MESSAGES = "referee.v1."
"""The package of the messages whose protos are copied."""


class ProjectError(SubmissionError):
    """A project cannot be created."""


@dataclass(frozen=True, slots=True)
class Project:
    """A new project, the folder of a bot."""

    folder: Path
    """The path of the folder."""
    name: str
    """The name to submit the bot under."""
    manifest: Manifest
    """The values of its `bot.toml`."""
    game: str
    """The id of the game that it plays."""


def languages() -> list[str]:
    """Return the languages of projects, Python first."""
    names = {path.relative_to(_HERE).parts[0] for path in _HERE.rglob("*.tmpl")}
    return sorted(names, key=lambda name: (name != "python", name))


def make(folder: Path, language: str, game: Game | None, sample: str | None = None) -> Project:
    """Create a project in `folder`, which must not exist.

    game: the game that the bot plays; None for `DEFAULT_GAME`, or the first game of `sample`.
    sample: the name of a sample bot in Python, whose source the project gets; None for a bot that plays at random.

    Raises ProjectError if the folder exists or cannot be written, the language has no messages for the game, or
    there is no such sample bot or it does not play the game; BadName if its name is not a valid bot name.
    """
    from referee.engine import registry

    name = name_for(folder)
    begun = _sample(sample) if sample is not None else None
    rules = game or registry.game(begun.games[0] if begun is not None and begun.games else DEFAULT_GAME)
    if begun is not None and not begun.plays(rules.name):
        raise ProjectError(f"the sample bot {sample} plays {', '.join(begun.games)}, not {rules.name}")
    if folder.exists() or folder.is_symlink():
        raise ProjectError(f"{folder} exists: choose another folder")
    if not folder.absolute().parent.is_dir():
        raise ProjectError(f"the folder {folder.absolute().parent} does not exist: create it first")
    try:
        room = Path(tempfile.mkdtemp(prefix=".arena-init-", dir=folder.absolute().parent))
    except OSError as error:
        raise ProjectError(f"cannot create {folder}: {error.strerror}") from None
    try:
        files = _project_files(language, name, rules)
        if begun is not None:
            files = [_with_source(file, begun, name) for file in files]
        files += [File(".gitignore", False, gitignore().encode())]
        make_pack(files).write(room, writable=True)
        manifest = read_manifest(room / FILE)
        room.chmod(0o755)
        room.rename(folder)
    except OSError as error:
        raise ProjectError(f"cannot create {folder}: {error.strerror}") from None
    finally:
        shutil.rmtree(room, ignore_errors=True)
    return Project(folder, name, manifest, rules.name)


def _sample(name: str) -> Sample:
    """Return the sample bot of a name. Raises ProjectError where there is none in Python."""
    if name in sample_bots.SAMPLES:
        return sample_bots.SAMPLES[name]
    if name in sample_bots.IN_OTHER_LANGUAGES:
        raise ProjectError(f"the sample bot {name} is copied by --lang {name}")
    near = did_you_mean(name, sample_bots.SAMPLES)
    raise ProjectError(f'there is no sample bot "{name}"{near} (they are {", ".join(sample_bots.SAMPLES)})')


def _with_source(file: File, sample: Sample, name: str) -> File:
    """Return a file of a project in Python, with the way to play and the games of a sample bot.

    name: what the bot calls itself.
    """
    if file.path == "main.py":
        called = f'    name = "{name}"'.encode()
        return replace(file, content=re.sub(rb'(?m)^    name = ".*"$', called, sample.path.read_bytes(), count=1))
    if file.path == FILE and sample.games:
        games = ", ".join(f'"{game}"' for game in sample.games)
        return replace(file, content=re.sub(rb"(?m)^games = .*$", f"games = [{games}]".encode(), file.content))
    return file


def others(game: Game) -> str:
    """Return random bots for the other seats of the smallest table with more than two seats, or of the largest one."""
    tables = game.tables(game.options())
    seats = next((seats for seats in tables if seats > 2), tables[-1])
    return " ".join(["random"] * (seats - 1))


def _project_files(language: str, name: str, game: Game) -> list[File]:
    if language == LLM:  # it plays every game as it is; its README starts a match of the sample bot
        sample = pack_folder(SAMPLES_FOLDER / LLM, skip=PRODUCTS)
        match = f"arena match --game {game.name} ./{name} {others(game)} --grant {name}=network"
        return [replace(file, content=file.content.replace(_LLM_MATCH, match.encode())) for file in sample.files]
    files = _template_files(language, name, game)
    return files if language == "python" else _with_sample(language, files, game)


def _template_files(language: str, name: str, game: Game) -> list[File]:
    """Return the files of a language's template, filled in for a bot and a game."""
    module, _, view = game.message.partition(":")
    proto = module.rpartition(".")[2].removesuffix("_pb2")
    values = {
        "name": name,
        "class_name": "".join(part.capitalize() for part in re.split(r"[-/]", name)),
        "game": game.name,
        "others": others(game),
        "module": module,
        "view": view,
        "proto": proto,
        "outer_class": "".join(part.capitalize() for part in proto.split("_")),
    }
    folder = _HERE / language
    return [
        File(
            str(path.relative_to(folder)).removesuffix(".tmpl"),
            path.name.endswith(".sh.tmpl"),
            _align_comments(Template(path.read_text()).substitute(values)).encode(),
        )
        for path in sorted(folder.rglob("*.tmpl"))
    ]


def _align_comments(text: str) -> str:
    """Return a text in which comments that stand two blanks or more behind commands begin in the same column."""
    width = max((len(match[1]) for match in _COMMENT.finditer(text)), default=0)
    return _COMMENT.sub(lambda match: f"{match[1]:<{width}}  {match[2]}", text)


_COMMENT = re.compile(r"^((?:arena |\./|python3 |go |cargo |npm |mvn ).*?) {2,}(# .*)$", re.MULTILINE)
"""A command of a README with its comment."""


def _with_sample(language: str, files: list[File], game: Game) -> list[File]:
    """Return the files of a template and, of the language's sample bot, those that talk to the referee and build.

    The files of a sample that hold its way to play are named after its game; the template takes their place. Those for
    our own test are left out.
    """
    source = SAMPLES_FOLDER / language
    manifest = read_manifest(source / FILE)
    if manifest.protocol != "stdio" and not game.message.startswith(_OWN_MESSAGES):
        raise ProjectError(
            f"the messages of {game.name} are not among arena's protos, which a bot in {language} is built with: "
            "choose --lang python, c or shell"
        )
    paths = {file.path for file in files}
    sample = pack_folder(source, ignore=(*_LEFT_OUT, *manifest.ignore), skip=PRODUCTS)
    for file in sample.files:
        path = Path(file.path)
        plays = path.stem.lower() in (*manifest.games, _CONFORMANCE) and _STUBS not in path.parts
        if file.path not in paths and not plays:
            content = _with_project_protos(_with_game(file, game.name))
            files.append(File(file.path, file.executable, content))
    if manifest.protocol == "stdio":  # it needs no protos
        return files
    protos = pack_folder(protos_folder(), keep=_PROTOS)
    return [*files, *(File(f"protos/{file.path}", False, file.content) for file in protos.files)]


def _with_project_protos(content: bytes) -> bytes:
    """Adapt the path of the protos in a file of a sample bot to that in a project."""
    return content.replace(SAMPLE_PROTOS.encode(), b"protos")


def _with_game(file: File, game: str) -> bytes:
    """Return a file of a sample bot with another game, where it names one."""
    if file.path not in _NAMES_GAME:
        return file.content
    pattern, replacement = _NAMES_GAME[file.path]
    return re.sub(pattern, replacement % game.encode(), file.content, flags=re.MULTILINE | re.DOTALL)


def protos_folder() -> Path:
    """Return the folder of the protocol's source files, in the installed package or in the checkout."""
    package = Path(arena.__file__).parent
    inside = package / "protos"
    return inside if inside.is_dir() else package.parent / "protos"
