"""The command line that starts a bot with a manifest."""

import os
import re
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from arena.packs.errors import ManifestError, NotBuilt
from arena.packs.manifest import PYTHONS, Manifest
from arena.packs.program_check import check_program
from arena.values.near_path import did_you_mean_path
from referee.sandbox import environment
from referee.sandbox.environment import PACKAGES
from referee.sandbox.filesystem_view import is_system

SCRIPT = re.compile(r"[^-].*\.(py|js|mjs|rb|jar|lua|pl|sh|ts)")
"""A first argument that must be the name of a file; others may be anything."""


def command_line(manifest: Manifest, folder: Path) -> tuple[str, ...]:
    """Return the program and arguments that start a bot in its folder.

    A bare `python` or `python3` becomes the Python that runs arena, so that bots find `arena.sdk`; another bare word
    becomes the path of that program in the bots' PATH. With the protocol "stdio" the command runs under
    `arena.bridge`.

    Its parameters have their start values.

    Raises ManifestError if there is no such program, NotBuilt if a build makes it.
    """
    manifest = manifest.with_values()
    program, *arguments = manifest.command
    for word in manifest.command:
        _check_inside(word, folder)
    _check_script(manifest, folder)
    if program in PYTHONS:
        line = (sys.executable, *arguments)
    elif "/" in program:
        if not os.path.lexists(folder / program):
            if manifest.build:
                command = " ".join(manifest.build)
                raise NotBuilt(f"there is no program {program} in {folder}: build it first ({command})")
            raise ManifestError(f"there is no program {program} in {folder}")
        if problem := check_program(folder / program):
            # The folder may be a copy that is gone when the message is read.
            raise ManifestError(f"the program {program} {problem.replace(str(folder / program), program)}")
        # Stay relative: the folder may be elsewhere later.
        line = (program, *arguments)
    else:
        line = (_find_program(program, folder), *arguments)
    if manifest.protocol == "grpc":
        return line
    return (sys.executable, "-P", "-m", "arena.bridge", "--", *line)


def _check_inside(word: str, folder: Path) -> None:
    """Raise ManifestError if a word names a file outside the folder: the sandbox makes files of the command visible."""
    real = os.path.realpath(folder / word)
    if os.path.isfile(real) and not Path(real).is_relative_to(folder.resolve()) and not is_system(real):
        raise ManifestError(f"the command names {word}, which is not in {folder}: put the bot's files into its folder")


def _check_script(manifest: Manifest, folder: Path) -> None:
    """Raise ManifestError if the script that an interpreter is to run is missing, NotBuilt if a build makes it."""
    program, *arguments = manifest.command
    if "/" in program:
        return
    _check_module(manifest, folder)
    script = next((word for word in arguments if not word.startswith("-")), "")
    if not SCRIPT.fullmatch(script) or os.path.lexists(folder / script):
        return
    if manifest.build:
        raise NotBuilt(f"there is no file {script} in {folder}: build it first ({' '.join(manifest.build)})")
    hint = did_you_mean_path(folder / script).replace(f"{folder}{os.sep}", "")
    raise ManifestError(f"the command names {script}, and there is no such file in {folder}{hint}")


def _check_module(manifest: Manifest, folder: Path) -> None:
    """Raise ManifestError if the module that Python is to run (-m) is nowhere, as far as that can be told."""
    program, *arguments = manifest.command
    if program not in PYTHONS or "-m" not in arguments[:-1] or manifest.build or manifest.dependencies:
        return
    name = arguments[arguments.index("-m") + 1].partition(".")[0]
    places = (folder / f"{name}.py", folder / name, folder / PACKAGES / name, folder / PACKAGES / f"{name}.py")
    if not any(map(os.path.lexists, places)) and name.isidentifier() and find_spec(name) is None:
        raise ManifestError(f"the command runs the module {name}, which is neither in {folder} nor installed")


def own_files(manifest: Manifest, folder: Path) -> tuple[Path, ...]:
    """Return the files in `folder` that its command line names."""
    return tuple(folder / word for word in manifest.command if os.path.isfile(folder / word))


def _find_program(program: str, folder: Path) -> str:
    path = environment("", "")["PATH"]
    resolved = shutil.which(program, path=path)
    if resolved is None:
        hint = f'; did you mean "./{program}", which is in its folder?' if (folder / program).is_file() else ""
        raise ManifestError(f"the program {program} is not in the bots' PATH ({path}){hint}")
    return resolved
