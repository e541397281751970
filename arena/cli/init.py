"""`arena init`: make a new bot."""

from pathlib import Path

import click

from arena.cli.options import json_option
from arena.cli.output import echo
from arena.texts import json_text


@click.command("init")
@click.argument("folder", metavar="NAME", type=click.Path(path_type=Path))
@click.option(
    "--lang", "language", metavar="LANGUAGE", default="python", show_default=True, help="What it is written in."
)
@click.option("--game", metavar="GAME", help="The game it plays  [default: cambio, or that of the language's sample]")
@json_option
def command(folder: Path, language: str, game: str | None, as_json: bool) -> None:
    """Make a new bot.

    NAME is the folder to be made. It holds a whole project of the language's usual shape, with the protos where they
    are needed, that plays at once; what to edit is told in its README. Languages: python, and those of the sample bots.
    """
    from arena.templates.project import languages, make, others
    from referee.engine import registry

    if language not in (known := languages()):
        raise click.BadParameter(f'there is no "{language}"; there are {", ".join(known)}', param_hint="--lang")
    project = make(folder, language, registry.game(game) if game is not None else None)
    build = " ".join(project.manifest.build)
    network = " --build-network" if any((folder / name).exists() for name in _FETCHING) else ""
    against = others(registry.game(project.game))
    commands = [
        *([f"cd {folder} && {build} && cd -"] if build else []),
        f"arena check {_path(folder)} --game {project.game}",
        *([] if build else [f"arena match --game {project.game} {_path(folder)} {against}"]),
        f"arena submit {_path(folder)} --name {project.name}{network}",
    ]
    if as_json:
        told = {"folder": str(folder), "name": project.name, "game": project.game, "commands": commands}
        echo(json_text(told))
        return
    echo(f"{folder} is a bot in {language}; {folder}/README.md tells what to edit. Next:")
    for line in commands:
        echo(f"    {line}")


_FETCHING = ("go.mod", "Cargo.toml", "package.json", "pom.xml")
"""Files of tools that fetch libraries when they build."""


def _path(folder: Path) -> str:
    """Return a folder as commands take it: with a slash, or it could be the name of a sample bot."""
    return str(folder) if "/" in str(folder) else f"./{folder}"
