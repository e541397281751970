"""`arena init`: create a new bot."""

from pathlib import Path

import click

from arena.cli.options import PathType, json_option
from arena.cli.output import echo
from arena.values.texts import json_text, shell_line


@click.command("init")
@click.argument("folder", metavar="NAME", type=PathType(path_type=Path))
@click.option(
    "--lang", "language", metavar="LANGUAGE", default="python", show_default=True, help="Language of the bot."
)
@click.option("--game", metavar="GAME", help="Game of the bot  [default: cambio, or the first of the sample bot]")
@click.option(
    "--from", "sample", metavar="BOT", help="Begin with the source of a sample bot in Python (`arena samples`)."
)
@json_option
def command(folder: Path, language: str, game: str | None, sample: str | None, as_json: bool) -> None:
    """Create a new bot.

    NAME is the folder to create. It gets a complete project in the usual layout of the language, with the protos where
    needed; the bot plays at once, choosing moves at random, and the README says what to edit. Languages: python,
    c, cpp, go, java, rust, shell, typescript; and llm, a Python bot for every game that asks a language model.

    With --from, a bot in Python plays as that sample bot does.
    """
    from arena.bots.templates.project import LLM, languages, make, others
    from referee.engine import registry

    if language not in (names := [*languages(), LLM]):
        raise click.BadParameter(f'there is no "{language}"; there are {", ".join(names)}', param_hint="--lang")
    if sample is not None and language != "python":
        raise click.UsageError("--from is for bots in Python; --lang alone copies the sample bot of another language")
    project = make(folder, language, registry.game(game) if game is not None else None, sample)
    build = " ".join(project.manifest.build)
    network = " --build-network" if project.manifest.build_network else ""
    against = others(registry.game(project.game))
    path = shell_line(_path(folder))
    commands = [
        *([f"cd {path} && {build} && cd -"] if build else []),
        f"arena check {path} --game {project.game}",
        *([] if build else [f"arena match --game {project.game} {path} {against}"]),
        f"arena submit {path} --name {project.name}{network}",
    ]
    if as_json:
        project_json = {"folder": str(folder), "name": project.name, "game": project.game, "commands": commands}
        echo(json_text(project_json))
        return
    echo(f"{folder} is a bot in {project.manifest.language}; {folder}/README.md says what to edit. Next:")
    for line in commands:
        echo(f"    {line}")


def _path(folder: Path) -> str:
    """Return a folder as commands take it: with a slash, so that it is no sample bot."""
    return str(folder) if "/" in str(folder) else f"./{folder}"
