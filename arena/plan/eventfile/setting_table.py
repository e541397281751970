"""Settings in event files: read from a table of the file, and written."""

from collections.abc import Iterator
from typing import Any

from arena.values.settings import Setting, SettingError, Stored, settings_of
from arena.values.texts import toml_text
from referee.engine.toml import TomlTable, shown


def keys_of(kind: type[Stored], table: str = "") -> tuple[str, ...]:
    """Return the keys that the settings of a struct have in a table; those at the top of the file for ""."""
    return tuple(_by_key(kind, table))


def read_settings(table: TomlTable, kind: type[Stored]) -> dict[str, Any]:
    """Return the values of the settings of a struct that a table holds, by field.

    Raises the error of the file for what a setting cannot be.
    """
    settings = _by_key(kind, table.path.partition("[")[0])
    return {setting.name: _value(table, key, setting) for key, setting in settings.items() if key in table}


def setting_lines(value: Stored, kind: type[Stored], table: str = "") -> Iterator[str]:
    """Yield the lines of a struct's settings in a table: those without which reading would not make the same struct.

    Those of the first release are written even if they are as usual, so that a file shows what a tournament is like.

    kind: the struct that declares them, from which that of the value may be derived.
    """
    for key, setting in _by_key(kind, table).items():
        held = getattr(value, setting.name)
        differs = held != setting.default or setting.usual
        if held != setting.unset and (differs or (held and setting.name in value.always_stored)):
            yield f"{key} = {toml_text(setting.shown(held))}"


def _by_key(kind: type[Stored], table: str) -> dict[str, Setting]:
    """Return the settings of a struct that a table has, by their keys in it."""
    places = {setting.key.rpartition(".")[::2]: setting for setting in settings_of(kind) if setting.key}
    return {key: setting for (place, key), setting in places.items() if place == table}


def _value(table: TomlTable, key: str, setting: Setting) -> Any:
    try:
        return setting.read(table.values[key])
    except SettingError as error:
        if error.item is None:
            raise table.mismatch(key, error.expected) from None
        item = table.values[key][error.item]
        raise table.mistake(f"{key}[{error.item + 1}]", f"must be {error.expected}, not {shown(item)}") from None
