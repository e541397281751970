"""Settings in event files: read from a table of the file, and written."""

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType, field

from arena.values.checking import written_as
from arena.values.settings import Setting, Stored, settings_of
from arena.values.texts import toml_text


def keys_of(kind: type[Stored], table: str = "") -> tuple[str, ...]:
    """Return the keys that the settings of a struct have in a table; those at the top of the file for ""."""
    return tuple(_by_key(kind, table))


def setting_fields(kind: type[Stored], table: str = "") -> list[tuple[str, Any, Any]]:
    """Return the fields, for `msgspec.defstruct`, of a struct of what a table says of the settings of a struct.

    They are named as the settings are and have the keys of the file. What the file does not say is unset.
    """
    return [
        (setting.name, Annotated[setting.type, written_as(setting.read)] | UnsetType, field(name=key, default=UNSET))
        for key, setting in _by_key(kind, table).items()
    ]


def chosen(said: Struct, kind: type[Stored], table: str = "") -> dict[str, Any]:
    """Return the values of the settings of a struct among what a table says, by field."""
    values = {setting.name: getattr(said, setting.name) for setting in _by_key(kind, table).values()}
    return {name: value for name, value in values.items() if value is not UNSET}


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
