"""A definition as an event file, of which reading makes the same definition again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.plan.eventfile.errors import EventError
from arena.plan.eventfile.field_table import OF_ANY_BOT
from arena.plan.eventfile.setting_table import setting_lines
from arena.plan.field import samples
from arena.values.definition import Definition, Entrant, Settings, TimeControl
from arena.values.stop_rule import keys_of
from arena.values.texts import toml_text


def event_text(definition: Definition, seed: str | None = None) -> str:
    """Return the text of an event file.

    seed: the number of a development seed, which is not part of the definition.

    Raises EventError for a bot that is no program of this machine: no event file can name it.
    """
    lines = [_line("game", definition.game), *setting_lines(definition, Settings), ""]
    if definition.options:
        lines += ["[options]", *(_line(name, value) for name, value in sorted(definition.options.items())), ""]
    lines += ["[schedule]", *setting_lines(definition, Settings, "schedule"), ""]
    lines += ["[time]", *setting_lines(definition.time, TimeControl, "time"), ""]
    if definition.stop is not None:
        lines += ["[stop]", *(_line(key, getattr(definition.stop, key)) for key in keys_of(definition.stop.kind)), ""]
    if seed is not None:
        lines += ["[seed]", _line("number", int(seed)), ""]
    known = samples(definition.game)
    for bot in definition.field:
        lines += [*_bot(bot, known), ""]
    return "\n".join(lines)


def _line(key: str, value: Any) -> str:
    """Return `key = value`."""
    return f"{key} = {toml_text(value)}"


def _bot(bot: Entrant, samples: Mapping[str, Path]) -> list[str]:
    """Return the lines of a bot, as `field_table` reads them. Raises EventError as `event_text`."""
    if bot.in_process:
        raise EventError(
            f"{bot.name} is a function or class of the program that began the tournament, which no event file can "
            "name: play such a tournament again with `tournament` of arena.api, from Python"
        )
    if bot.remote:
        raise EventError(
            f"{bot.name} is a remote bot, which no event file can name: play such a tournament again with "
            f"`arena tourney --bots remote:{bot.remote}`"
        )
    sample = next((name for name, path in samples.items() if bot.files == (str(path),)), None)
    lines = setting_lines(bot, Entrant, "bot")
    if (named := bot.submission or sample) is not None:
        written = {*OF_ANY_BOT}
        lines = (line for line in lines if line.partition(" ")[0] in written)
        return ["[[bot]]", _line("bot", named), *lines]
    return ["[[bot]]", *lines]
