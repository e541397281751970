"""Secrets of a server, which are never on its command line: in the environment, or in a file that it names."""

from collections.abc import Mapping
from pathlib import Path

from arena.values.errors import ArenaError


def read_secret(environment: Mapping[str, str], name: str, file_name: str, error: type[ArenaError]) -> str:
    """Return a secret; empty where none is set.

    name: of the variable with the secret.
    file_name: of the variable with the path of a file with it, which comes first.
    error: what is raised where that file cannot be read.
    """
    path = environment.get(file_name)
    if path is None:
        return environment.get(name, "")
    try:
        return Path(path).read_text("utf-8").rstrip("\r\n")
    except (OSError, UnicodeError) as failure:
        why = failure.strerror if isinstance(failure, OSError) else "it is no text"
        raise error(f"{file_name}: {path} cannot be read ({why})") from None
