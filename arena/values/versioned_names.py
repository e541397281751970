"""The names of submitted bots: with their versions (club/owl@3), and copies with a number (club/owl@3#2)."""

import re


def base_name(name: str) -> str:
    """Return the name of a bot without version and number of its copy."""
    return re.split("[@#]", name, maxsplit=1)[0]


def is_version_of(name: str, wanted: str) -> bool:
    """Return whether a bot is meant by a name: its own, or that of a submission, which means all its versions."""
    return name == wanted or name.startswith(f"{wanted}@")


def owner(name: str) -> str:
    """Return the owner of a bot: the part before the slash, or else the whole name."""
    return re.split("[/#@]", name, maxsplit=1)[0]
