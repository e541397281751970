"""Changes start values in a bot.toml, and nothing else of it."""

import os
import tempfile
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from arena.packs.manifest import parse_manifest, read_manifest
from arena_tune.errors import TuneError
from arena_tune.parameters import Values
from arena_tune.stored_runs import StoredRun


def write_starts(run: StoredRun, values: Values) -> None:
    """Write values into the bot.toml of a run's bot; comments, order and layout stay.

    Raises ManifestError for a file that is no bot.toml any more, TuneError where it does not declare the parameters, or
    other bounds.
    """
    path = Path(run.plan.manifest)
    manifest = read_manifest(path)
    try:
        document = tomlkit.parse(path.read_bytes().decode("utf-8-sig"))
        declared = document["parameters"] if manifest.parameters else {}
        for parameter, value in zip(run.plan.parameters, values, strict=True):
            if parameter.name not in manifest.parameters:
                raise TuneError(
                    f"{path} no longer declares the parameter {parameter.name} of run {run.id}: add its table"
                )
            declared[parameter.name]["start"] = parameter.played(value)
        text = tomlkit.dumps(document)
    except TOMLKitError as error:
        raise TuneError(
            f"{path} cannot be changed ({error}): write the values of `arena tune show {run.id}` yourself"
        ) from None
    parse_manifest(text, str(path))
    _replace(path, text)


def _replace(path: Path, text: str) -> None:
    """Replace a file in one step. Raises TuneError where that fails."""
    path = Path(os.path.realpath(path))
    try:
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8", newline="") as file:
            file.write(text)
        os.chmod(file.name, path.stat().st_mode & 0o7777)
        os.replace(file.name, path)
    except OSError as error:
        raise TuneError(f"{path} cannot be written: {error.strerror}") from None
