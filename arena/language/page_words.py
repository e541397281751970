"""A catalogue as a script, for what the scripts of pages draw."""

import json

from arena.language.languages import ENGLISH, LANGUAGES
from arena.language.messages import catalogue

SCRIPTS = {f"words.{language}.js": language for language in LANGUAGES if language != ENGLISH}
"""The languages by the names of their scripts."""


def script_name(language: str) -> list[str]:
    """Return the script that a page in a language loads after words.js: none for English."""
    return [name for name, spoken in SCRIPTS.items() if spoken == language]


def script(name: str) -> str:
    """Return the content of a script."""
    words = json.dumps(catalogue(SCRIPTS[name]), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return f"Words.load({words});\n"
