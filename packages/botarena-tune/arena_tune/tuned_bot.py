"""The bot that is tuned: found as any bot is, with the placeholders left in its command."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from arena.packs.manifest import FILE, read_manifest
from arena.packs.parameters import fill
from arena.packs.roster import open_roster
from arena.plan.field import entrant_from_manifest, find_bots, fingerprint, samples
from arena.values.definition import Entrant
from arena_tune.errors import TuneError
from arena_tune.parameters import Parameter, Values, check_all, of_manifest, texts
from arena_tune.stored_runs import StoredRun


@dataclass(frozen=True, slots=True)
class TunedBot:
    """A bot with what is tuned of it."""

    entrant: Entrant
    """With placeholders in its command."""
    parameters: tuple[Parameter, ...]
    manifest: str
    """The path of its bot.toml; empty if it has none."""


def find_tuned_bot(name: str, game: str, db: str, declared: Sequence[Parameter]) -> TunedBot:
    """Return the bot that a user named.

    declared: parameters of the command line and of files; those of its bot.toml that they name are replaced.

    Raises FieldError for a bot that cannot be started, TuneError where its parameters are not those of its command.
    """
    (entrant,) = find_bots([name], samples(game), open_roster(db), game=game)
    if entrant.submission:
        raise TuneError(
            f"{entrant.submission} is submitted, and stays as it is: tune the folder that it was submitted from"
        )
    parameters: list[Parameter] = []
    path = _manifest_path(name)
    if path is not None:
        manifest = read_manifest(path)
        parameters = of_manifest(manifest)
        template = entrant_from_manifest(replace(manifest, parameters={}), path.parent, entrant.name)
        files = tuple(file for file in entrant.files if file != str(path))  # it changes as values are applied
        entrant = replace(entrant, command=template.command, files=files, sha256=fingerprint(files))
    others = [each for each in parameters if each.name not in {given.name for given in declared}]
    parameters = [*others, *declared]
    check_all(parameters, entrant.command)
    return TunedBot(entrant, tuple(parameters), "" if path is None else str(path))


def check_unchanged(run: StoredRun) -> None:
    """Raise TuneError if the files of the bots of a run are not those that it began with."""
    for bot in run.definition.field:
        gone = [file for file in bot.files if not Path(file).is_file()]
        if gone:
            raise TuneError(f"{gone[0]}, a file of {bot.name}, is gone: run {run.id} cannot go on without it")
        if not bot.submission and fingerprint(bot.files) != bot.sha256:
            raise TuneError(
                f"{bot.name} has changed since run {run.id} began ({', '.join(bot.files)}): restore the old files, or "
                "begin a new run"
            )


def with_values(bot: Entrant, name: str, parameters: Sequence[Parameter], values: Values) -> Entrant:
    """Return the bot of a run with values for its parameters, and a name."""
    return replace(bot, name=name, command=fill(bot.command, texts(parameters, values)))


def _manifest_path(name: str) -> Path | None:
    """Return the bot.toml of a folder, or such a file, where that is what a user named."""
    path = Path(name).expanduser().absolute()
    path = path / FILE if (path / FILE).is_file() else path
    return path if path.suffix == ".toml" and path.is_file() else None
