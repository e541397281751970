"""The near miss of a path, for messages about a file that does not exist."""

import os
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

_MOST_NAMES = 10_000
"""A folder with more names is not searched."""


def did_you_mean_path(text: str | Path) -> str:
    """Return `; did you mean "PATH"?` with the existing path most like one that does not exist, or nothing."""
    path = Path(text).expanduser()
    found = Path(path.anchor)
    for part in path.parts[1:] if path.anchor else path.parts:
        if os.path.lexists(found / part):
            found /= part
            continue
        close = _closest(part, _names(found))
        if not close:
            return ""
        found /= close
    if found == path or (path.suffix and found.is_dir()):
        return ""
    # Without a slash a bot's name stands for something else than a file.
    start = f".{os.sep}" if str(text).startswith(f".{os.sep}") else ""
    return f'; did you mean "{start}{found}"?'


def _closest(name: str, others: Iterable[str]) -> str:
    """Return the name most like another one, or nothing; names that end alike are compared without their ends."""
    _, end = os.path.splitext(name)
    alike = [other for other in others if other.endswith(end)]
    stems = {other.removesuffix(end): other for other in alike}
    if close := get_close_matches(name.removesuffix(end), stems, n=1):
        return stems[close[0]]
    return next(iter(get_close_matches(name, set(others).difference(alike), n=1)), "")


def _names(folder: Path) -> list[str]:
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return names if len(names) <= _MOST_NAMES else []
