"""`python -m arena.cli.options_page`: the options of all games of arena as one Markdown page, docs/options.md."""

from typing import Any

from arena.cli import game_description as describe
from arena.cli.output import echo
from arena.values.tables import player_counts
from referee.engine.game import Game
from referee.engine.registry import installed

_HEAD = """\
# Options of games

Generated from the games by `make docs`. `-o name=value` sets an option in a match or a tournament, `[options]` in an
[event file](events.md) or a [scenario](scenarios.md). `arena games GAME` prints the same.

"""


def page() -> str:
    """Return the whole page. It has arena's own games only: others may be installed here."""
    return _HEAD + "\n".join(_section(game) for game in installed()[0] if type(game).__module__.startswith("referee."))


def _section(game: Game) -> str:
    head = f"## {game.name}\n\n{game.title}. {player_counts(game)} players; [rules](rules/{game.name}.md).\n\n"
    rows = "".join(
        f"| `{option['name']}` | {_values(option)} | `{describe.value_text(option['default'])}` | {_means(option)} |\n"
        for option in describe.options(game)
    )
    table = "| option | values | default | meaning |\n| --- | --- | --- | --- |\n" + rows
    return head + (table if rows else "It has no options.\n")


def _values(option: dict[str, Any]) -> str:
    if isinstance(option["default"], bool):
        return "`on`, `off`"
    if option["choices"]:
        return ", ".join(f"`{choice}`" for choice in option["choices"])
    low, high = option["low"], option["high"]
    return f"{low} to {high}" if high is not None else f"from {low}"


def _means(option: dict[str, Any]) -> str:
    choices = option["choices"] or {}
    listed = "; ".join(f"`{choice}`: {meaning}" for choice, meaning in choices.items() if meaning)
    meaning: str = option["help"]
    return (f"{meaning} ({listed})" if listed else meaning).replace("|", "\\|")


if __name__ == "__main__":
    echo(page(), nl=False)
