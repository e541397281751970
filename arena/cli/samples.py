"""`arena samples`: list the sample bots, describe one, or print its source."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import json_option
from arena.cli.output import echo, print_table
from arena.values.text_table import text_column, word_column
from arena.values.texts import json_text, shell_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sample_bots import Sample

COLUMNS = (word_column("bot"), word_column("language", drop=1), text_column("plays"), text_column("how it plays"))


@click.command("samples")
@click.argument("name", metavar="[GAME|BOT]", required=False)
@click.option("--source", is_flag=True, help="Print the source of the bot: the file in which it chooses its moves.")
@json_option
def command(name: str | None, source: bool, as_json: bool) -> None:
    """List the sample bots, describe one, or print its source.

    With the name of a game, list those that play it. Bots in Python play by their names, wherever a bot is named;
    those in other languages are folders to read and to build.

    \b
        arena samples cambio
        arena samples counter --source
        arena init mybot --from counter
    """
    from sample_bots import IN_OTHER_LANGUAGES, SAMPLES

    every = SAMPLES | IN_OTHER_LANGUAGES
    if name in every:
        _show(name, every[name], source, as_json)
        return
    if source:
        raise click.UsageError("--source needs the name of a sample bot, as in `arena samples counter --source`")
    game = _game(name, every) if name is not None else None
    found = {bot: sample for bot, sample in every.items() if game is None or sample.plays(game)}
    if as_json:
        echo(json_text({"samples": [_values(bot, sample) for bot, sample in found.items()]}))
        return
    rows = [(bot, sample.language, _games(sample), sample.about) for bot, sample in found.items()]
    print_table(COLUMNS, rows)
    echo("\n`arena samples BOT` describes one, `arena samples BOT --source` prints its source.")


def _game(name: str, every: "Mapping[str, Sample]") -> str:
    """Return the id of a game. Raises UsageError where there is neither such a game nor such a bot."""
    from referee.engine.near import did_you_mean
    from referee.engine.registry import game, is_listed, names

    if not is_listed(name):
        near = did_you_mean(name, [*every, *names()])
        raise click.UsageError(f'there is no sample bot and no game "{name}"{near} (bots: {", ".join(every)})')
    return game(name).name


def _show(name: str, sample: "Sample", source: bool, as_json: bool) -> None:
    text = sample.path.read_text("utf-8")
    if as_json:
        echo(json_text(_values(name, sample) | ({"source": text} if source else {})))
    elif source:
        echo(text, nl=False)
    else:
        _describe(name, sample)


def _describe(name: str, sample: "Sample") -> None:
    import sample_bots
    from arena.bots.templates.project import DEFAULT_GAME, others
    from referee.engine.registry import game

    plays = f"plays {_games(sample)}; {sample.strength}" if sample.strength else f"plays {_games(sample)}"
    echo(f"{name}, in {sample.language}: {sample.about}")
    echo(plays)
    echo(str(sample.path))
    echo("")
    echo(f"    arena samples {name} --source")
    if name in sample_bots.SAMPLES:
        rules = game((*sample.games, DEFAULT_GAME)[0])
        echo(f"    arena match --game {rules.name} {name} {others(rules)}")
        echo(f"    arena init mybot --from {name}")
    else:
        readme = Path(sample_bots.__file__).parent / name / "README.md"
        echo(f"    less {shell_line(str(readme))}")
        echo(f"    arena init mybot --lang {name}")


def _games(sample: "Sample") -> str:
    return ", ".join(sample.games) or "any game"


def _values(name: str, sample: "Sample") -> dict[str, Any]:
    return {
        "name": name,
        "language": sample.language,
        "games": list(sample.games),
        "about": sample.about,
        "strength": sample.strength,
        "path": str(sample.path),
    }
