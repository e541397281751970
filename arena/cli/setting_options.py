"""Options of commands, from the settings that they set (`arena.values.settings`)."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from arena.cli.options import Duration, add_options
from arena.values.settings import Setting, SettingError, Stored, settings_of

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class SettingType(click.ParamType):  # type: ignore[type-arg]  # generic in the newest click only
    """What a setting may be where click has no type for it: numbers within bounds, durations, lists of words, texts."""

    def __init__(self, setting: Setting) -> None:
        self.name = "word,word..." if setting.kind == "words" else setting.kind
        self._setting = setting

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value of a text. Raises BadParameter."""
        if not isinstance(value, str):
            return value
        if self._setting.kind == "duration":
            Duration().convert(value, param, ctx)
        typed = self._typed(value)
        try:
            return self._setting.read(typed)
        except SettingError as error:
            wrong = value if error.item is None else typed[error.item]
            self.fail(f'it must be {error.expected}, not "{wrong}"', param, ctx)

    def _typed(self, text: str) -> Any:
        if self._setting.kind == "words":
            return [word.strip() for word in text.split(",")]
        try:
            return int(text) if self._setting.kind == "integer" else text
        except ValueError:
            return text


def options_of(kind: type[Stored]) -> dict[str, Setting]:
    """Return the settings that commands have options for, by name."""
    return {setting.name: setting for setting in settings_of(kind) if setting.option}


def setting_option(kind: type[Stored], name: str, help: str = "") -> Decorator:
    """Return the option of a setting, without a value where its default follows from others.

    help: its help, where it is not the one that the setting declares.
    """
    setting = options_of(kind)[name]
    usual = f"  [default: {setting.usual}]" if setting.usual else ""
    attributes: dict[str, Any] = {"help": f"{help or setting.help}{usual}".replace(".  [", "  [")}
    if setting.kind == "flag":
        return click.option(setting.option, is_flag=True, **attributes)
    if not setting.usual and setting.default:
        attributes["default"] = setting.shown(setting.default) if setting.kind == "duration" else setting.default
        attributes["show_default"] = True
    type = click.Choice(setting.choices) if setting.kind == "word" else SettingType(setting)
    return click.option(setting.option, type=type, **attributes)


def struct_options(name: str, kind: type[Stored], *fields: str, **helps: str) -> Decorator:
    """Return what adds the options of a struct, which is handed on as the parameter `name`.

    fields: the settings that get an option, in this order.
    helps: by further settings, other helps than the declared ones.
    """
    names = {setting.option[2:].replace("-", "_"): field for field, setting in options_of(kind).items()}
    taken = {**dict.fromkeys(fields, ""), **helps}

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def command(*args: Any, **others: Any) -> Any:
            chosen = {
                field: others.pop(option) for option, field in names.items() if field in taken and option in others
            }
            given = {field: value for field, value in chosen.items() if value is not None}
            return function(*args, **others, **{name: kind.choose(given)})

        return add_options(command, *(setting_option(kind, field, help) for field, help in taken.items()))

    return decorate
