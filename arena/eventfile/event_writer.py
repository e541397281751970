"""A definition as an event file, of which reading makes the same definition again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.durations import format_duration
from arena.eventfile.errors import EventError
from arena.eventfile.field_table import MEBIBYTE
from arena.texts import toml_text
from arena.tournament.plan.definition import DEFAULT_READY_MS, Definition, Entrant
from arena.tournament.plan.field import samples


def event_text(definition: Definition, seed: str | None = None) -> str:
    """Return the text of an event file. seed: the number of a development seed, which is not part of the definition.

    Raises EventError for a bot that is no program of this machine: no event file can name it.
    """
    lines = [_line("game", definition.game)]
    lines += [_line("entropy", definition.entropy), ""] if definition.entropy else [""]
    if definition.options:
        lines += ["[options]", *(_line(name, value) for name, value in sorted(definition.options.items())), ""]
    lines += ["[schedule]", _line("kind", definition.schedule), _line("rounds", definition.rounds)]
    lines += [
        _line("seats", definition.seats),
        _line("rotations", definition.rotations),
        _line("teams", definition.teams),
    ]
    if definition.challengers:
        lines.append(_line("challengers", definition.challengers))
    if definition.stages:
        lines.append(_line("stages", definition.stages))
    if definition.tie_break:
        lines.append(_line("tie_break", list(definition.tie_break)))
    if definition.same_author != "any":
        lines.append(_line("same_author", definition.same_author))
    if definition.names:
        lines.append(_line("names", definition.names))
    lines += [_line("block", definition.block), _line("matches_at_once", definition.matches_at_once), ""]
    time = definition.time
    lines += ["[time]", _line("move", format_duration(time.move_time_ms)), _line("bank", format_duration(time.bank_ms))]
    lines += [_line("start", format_duration(time.start_time_ms)), _line("memory_mb", time.memory_bytes // MEBIBYTE)]
    if time.ready_time_ms != DEFAULT_READY_MS:
        lines.append(_line("ready", format_duration(time.ready_time_ms)))
    if time.fischer:
        lines.append(_line("fischer", time.fischer))
    lines.append(_line("strikes", time.strikes))
    if time.mode == "clock":
        lines += [
            _line("mode", time.mode),
            _line("ponder", time.ponder),
            _line("lag", format_duration(time.most_lag_ms)),
        ]
        if time.slot_ms:
            lines.append(_line("slot", format_duration(time.slot_ms)))
    lines.append("")
    if definition.stop is not None:
        lines += ["[stop]", *(_line(key, value) for key, value in definition.stop.to_json().items()), ""]
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
    """Return the lines of a bot, as `arena.eventfile.field_table` reads them. Raises EventError as `event_text`."""
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
    named = bot.submission or sample
    if named is not None:
        lines = [_line("bot", named)]
    else:
        lines = [_line("command", list(bot.command)), _line("folder", bot.folder), _line("files", list(bot.files))]
        if bot.memory_bytes:
            lines.append(_line("memory_mb", bot.memory_bytes // MEBIBYTE))
        if bot.matches_at_once:
            lines.append(_line("matches_at_once", bot.matches_at_once))
        if bot.games:
            lines.append(_line("games", list(bot.games)))
        if bot.author:
            lines.append(_line("author", bot.author))
    if bot.grants:
        lines.append(_line("grants", list(bot.grants)))
    if bot.start_time_ms:
        lines.append(_line("start", format_duration(bot.start_time_ms)))
    return ["[[bot]]", _line("name", bot.name), *lines, _line("sha256", bot.sha256)]
