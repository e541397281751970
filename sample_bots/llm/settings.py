"""The settings of the bot: a TOML file, and environment variables that come before it."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any


class SettingsError(Exception):
    """A setting is wrong; the sentence says which, and never what a key is."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What settings.toml explains."""

    url: str = "http://127.0.0.1:8080/v1"
    model: str = "default"
    api_key_file: str = ""
    requests: int = 400
    tokens: int = 400_000
    reply_tokens: int = 1000
    attempts: int = 3
    clock_share: float = 0.8
    bank_share: float = 0.05
    seconds: float = 60.0
    fallback: str = "random"
    rules: str = ""
    structured: bool = True
    limit_field: str = "max_tokens"
    extra: Mapping[str, Any] = field(default_factory=dict)
    api_key: str = field(default="", repr=False)
    """The API key itself; empty: none is sent."""
    folder: Path = Path()
    """The folder of settings.toml."""


_DERIVED = ("api_key", "folder")
_TYPES: dict[str, type | tuple[type, ...]] = {"int": int, "float": (int, float), "str": str, "bool": bool}


def read_settings(path: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings of a file. Raises SettingsError."""
    try:
        values = tomllib.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from None
    known = {setting.name: setting for setting in fields(Settings) if setting.name not in _DERIVED}
    for key, value in values.items():
        if key not in known:
            raise SettingsError(f"{path} has an unknown key {key}: it may have {', '.join(known)}")
        wanted = _TYPES.get(str(getattr(known[key].type, "__name__", known[key].type)), dict)
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            raise SettingsError(f"{path}: {key} has a value of the wrong type")
        if isinstance(value, int | float) and value < 0:
            raise SettingsError(f"{path}: {key} is below 0")
    settings = replace(Settings(**values), folder=path.parent)
    if settings.rules and not (settings.folder / settings.rules).is_file():
        raise SettingsError(f"there is no file of rules {settings.folder / settings.rules}")
    return replace(
        settings,
        url=environment.get("LLM_URL") or settings.url,
        model=environment.get("LLM_MODEL") or settings.model,
        api_key=_key(settings, environment),
    )


def _key(settings: Settings, environment: Mapping[str, str]) -> str:
    key = environment.get("LLM_API_KEY", "")
    if not key and settings.api_key_file:
        try:
            key = (settings.folder / settings.api_key_file).read_text()
        except (OSError, ValueError):
            raise SettingsError(f"the file of the key, {settings.api_key_file}, cannot be read") from None
    key = key.strip()
    if not (key.isascii() and key.isprintable()):
        raise SettingsError("the key has characters that no header may hold")
    return key
