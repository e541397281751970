"""`arena games`: list the games, or describe one."""

from textwrap import wrap
from typing import Any

import click

from arena.cli import game_description as describe
from arena.cli.output import echo, print_table, table_text, table_width
from arena.values.tables import player_counts
from arena.values.terminal_width import fold_to_cells
from arena.values.text_table import Column, text_column, word_column
from arena.values.texts import json_text
from referee.engine.errors import EngineError
from referee.engine.family import SEPARATOR, GameFamily
from referee.engine.game import Game
from referee.engine.registry import family, family_names, installed
from referee.engine.registry import game as find_game
from referee.engine.registry import names as registered

GAMES = (
    word_column("game"),
    text_column("what"),
    text_column("players"),
    Column("best", drop=3),
    word_column("scores in", drop=2),
    Column("options", drop=1),
)
WIDE, MEANING = 116, 84
"""Characters of a line, and of what it says an option, a line or a field means, where there is room."""

LEAST, INDENT = 24, 6
"""Characters that a meaning has beside the others at least, and those before it where it stands below them."""

FAMILY = (word_column("game"), text_column("what"))


@click.command("games")
@click.argument("name", metavar="[GAME]", required=False)
@click.option("--log", is_flag=True, help="Print the grammar of GAME's log: every line, and who sees it.")
@click.option("--view", is_flag=True, help="Print the fields of GAME's view message: what a seat sees.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object instead.")
def command(name: str | None, log: bool, view: bool, as_json: bool) -> None:
    """List the games, or describe one: its options, moves and log.

    Set the options of GAME with `-o NAME=VALUE` in commands that play it. For a family of games (openspiel:*) list its
    games with `arena games openspiel`, or `arena games chess:` where a game has the name of its family.
    """
    if name is None:
        if log or view:
            raise click.UsageError(f"name the game: arena games GAME --{'log' if log else 'view'}")
        games, broken = installed()
        families, broken_families = _families()
        for sentence in broken + broken_families:
            echo(f"warning: {sentence}", err=True)
        if as_json:
            known = [{"family": family.name, "title": family.title} for family in families]
            echo(_json({"games": [describe.summary(game) for game in games], "families": known}))
        else:
            echo("\n".join([_list(games), *([""] if families else []), *map(_line, families)]))
        return
    prefix = name.removesuffix("*").removesuffix(SEPARATOR)
    if prefix in family_names() and name not in registered():
        titles = family(prefix).games()
        names = [{"game": prefix + SEPARATOR + short, "title": title} for short, title in sorted(titles.items())]
        if as_json:
            echo(_json({"games": names}))
        else:
            print_table(FAMILY, [(game["game"], game["title"]) for game in names])
        return
    game = find_game(name)
    if as_json:
        echo(_json(describe.full(game)))
    elif log or view:
        echo("\n\n".join([_log(game)] * log + [_view(game)] * view))
    else:
        echo(_explain(game))


def _json(value: object) -> str:
    return json_text(value, indent=2)


def _list(games: list[Game]) -> str:
    rows = [(game.name, game.title, player_counts(game), game.recommended, game.unit, _many(game)) for game in games]
    return table_text(GAMES, rows)


def _families() -> tuple[list[GameFamily], list[str]]:
    """Return the installed families of games, and a sentence for each entry point that gives none."""
    families, broken = [], []
    for name in family_names():
        try:
            families.append(family(name))
        except EngineError as error:
            broken.append(str(error))
    return families, broken


def _line(family: GameFamily) -> str:
    return f"{family.name}{SEPARATOR}*  {family.title} (list them: arena games {_asked_for(family.name)})"


def _asked_for(family: str) -> str:
    """Return how the games of a family are asked for: with a colon where a game has the same name."""
    return family + SEPARATOR if family in registered() else family


def _many(game: Game) -> int:
    return sum(1 for _ in describe.options(game))


def _explain(game: Game) -> str:
    options = [_option(option) for option in describe.options(game)]
    return "\n".join(
        [
            f"{game.name}: {game.title}",
            f"{player_counts(game)} players, best with {game.recommended}; scores in {game.unit}; "
            f"behaviour version {game.behaviour}",
            "",
            "Options (-o name=value):",
            _columns(options) if options else "  none",
            "",
            "Moves:",
            *(line for move in game.moves.strip().splitlines() for line in _folded_move(move)),
            "",
            f"Without a legal answer in time: {describe.default(game)}",
            "",
            f"More: arena games {game.name} --log, arena games {game.name} --view"
            + (f", arena games {game.name}{SEPARATOR}" if game.name in family_names() else ""),
        ]
    )


def _folded_move(line: str) -> list[str]:
    """Return what the game says of a move, folded below its meaning where it is longer than the terminal is wide."""
    width = table_width()
    if width is None:
        return [f"  {line}"]
    at = len(line) - len(line.partition("  ")[2].lstrip()) + 2 if "  " in line else INDENT
    return wrap(f"  {line}", width, subsequent_indent=" " * (at if width - at >= LEAST else INDENT))


def _option(option: dict[str, Any]) -> tuple[str, str, str]:
    default, choices = option["default"], option["choices"] or {}
    meaning = [option["help"] + _span(option["low"], option["high"])]
    meaning += [f"  {name}: {what}" for name, what in choices.items()]
    return f"  {option['name']}", describe.value_text(default), "\n".join(meaning)


def _span(low: int | None, high: int | None) -> str:
    if low is None:
        return "" if high is None else f" (at most {high})"
    return f" (at least {low})" if high is None else f" ({low} to {high})"


def _log(game: Game) -> str:
    rows = [(f"  {line['line']}", line["to"], line["meaning"]) for line in describe.log(game)]
    audiences = {
        "all": "everybody",
        "that seat": "only the seat that the line names first",
        "all others": "everybody but the seat that the line names first",
        "nobody": "nobody before the match is over",
    }
    used = [f"  {word}: {who}" for word, who in audiences.items() if any(row[1] == word for row in rows)]
    legend = [line for entry in used for line in wrap(entry, table_width() or WIDE, subsequent_indent=" " * INDENT)]
    return "\n".join(
        [
            f"The log of {game.name}: each line ({{}} stands for a value), who sees it, and its meaning.",
            "",
            _columns(rows),
            "",
            "Who sees it:",
            *legend,
        ]
    )


def _view(game: Game) -> str:
    shown = describe.view(game)
    parts = [
        _part(message, [(f"  {field['name']}", field["type"], field["meaning"]) for field in message["fields"]])
        for message in shown["messages"]
    ] + [
        _part(enum, [(f"  {value['name']}", str(value["number"]), value["meaning"]) for value in enum["values"]])
        for enum in shown["enums"]
    ]
    return "\n\n".join(parts)


def _part(type_: dict[str, Any], rows: list[tuple[str, str, str]]) -> str:
    return "\n".join([*wrap(f"{type_['name']}: {type_['meaning']}", min(WIDE, table_width() or WIDE)), _columns(rows)])


def _columns(rows: list[tuple[str, str, str]]) -> str:
    """Return rows as three columns, the last one wrapped line by line, and below the others where there is no room."""
    wide, wider = (max(len(row[i]) for row in rows) for i in (0, 1))
    width = table_width() or WIDE
    at = wide + wider + 4
    is_below = width - at < LEAST
    at = INDENT if is_below else at
    lines = []
    for name, short, text in rows:
        folded = [
            part
            for line in text.split("\n")
            for part in wrap(line, min(MEANING, width - at), subsequent_indent="    " if line.startswith(" ") else "")
            or [""]
        ]
        head = f"{name}  {short}" if is_below else f"{name:{wide}}  {short:{wider}}  {folded.pop(0)}"
        lines += fold_to_cells(head.rstrip(), width)
        lines += [" " * at + part for part in folded]
    return "\n".join(lines)
