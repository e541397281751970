"""The names under which bots are shown: submitted bots by name and version (club/owl@3).

Earlier versions of arena stored a submitted bot without its version (club/owl, club/owl#2). Where such an event is
read, its bots get the names that they would have today; nothing stored changes.
"""

import re
from collections.abc import Iterable
from itertools import chain, count

_COPY = re.compile(r"(#\d+)?")


def versioned_names(bots: Iterable[tuple[str, str]]) -> list[str]:
    """Return the names of a field as they are shown, all different.

    bots: the stored name of each bot, and its submission (club/owl@3), empty if it is none. A submission that the
    organiser gave a name of its own keeps that.
    """
    names: list[str] = []
    for name, submission in bots:
        base = submission.partition("@")[0]
        is_plain = bool(submission) and name.startswith(base) and _COPY.fullmatch(name.removeprefix(base))
        wanted = submission if is_plain else name
        candidates = chain([wanted], (f"{wanted}#{number}" for number in count(2)))
        names.append(next(candidate for candidate in candidates if candidate not in names))
    return names


def base_name(name: str) -> str:
    """Return the name of a bot without version and number of its copy."""
    return re.split("[@#]", name, maxsplit=1)[0]


def is_version_of(name: str, wanted: str) -> bool:
    """Return whether a bot is meant by a name: its own, or that of a submission, which means all its versions."""
    return name == wanted or name.startswith(f"{wanted}@")
