"""What of this installation runs as C: the rules and a referee's work for each decision, the codec, and chance.

`python -m referee.build_info` prints a line if one of these does not, as `make` does after an installation.
"""

import os
import sys
from importlib.util import find_spec

from referee import codec
from referee.engine import draws
from referee.extensions import GROUPS, INTERPRETED, ROOT, compiled_home, is_enabled, missing_tools, source_time

LOOKED_AT = ("referee.engine.game", "referee.match.match")
"""A module of each distribution that has compiled ones."""


def compiled() -> bool:
    """Tell whether rules and referee are compiled; otherwise Python interprets them, and does the same more slowly."""
    specs = map(find_spec, LOOKED_AT)
    return all(spec is not None and not str(spec.origin).endswith(".py") for spec in specs)


def rules_remedy() -> str:
    """Return what to do to have rules and referee compiled; empty if they are, or are interpreted on purpose."""
    if compiled() or os.environ.get(INTERPRETED) == "interpreted":
        return ""
    if source_time() is None:
        return "install botarena and botarena-rules again, where there are a C compiler and Python's headers"
    by_make = os.path.realpath(sys.prefix) == os.path.realpath(os.path.join(ROOT, ".venv"))
    install = "make fast" if by_make else f"pip install -e {ROOT} -e {os.path.join(ROOT, 'packages', 'botarena-rules')}"
    if missing := missing_tools():
        return f"install {missing} (Debian: apt-get install gcc libc6-dev python3-dev), then: {install}"
    return install


def is_outdated() -> bool:
    """Tell whether rules or referee are interpreted because a source has changed since they were compiled."""
    if compiled() or not os.path.isdir(compiled_home()):
        return False
    built = {name.rpartition("-")[0] for name in os.listdir(compiled_home())}
    return GROUPS.keys() <= built


def codec_name() -> str:
    """Return which codec is in use: native, in C, or pure, in Python, which does the same more slowly."""
    return "native" if codec.NATIVE else "pure"


def codec_remedy() -> str:
    """Return what to do to get the native codec; empty if it is in use."""
    return "" if codec.NATIVE else _build_remedy("botarena", ROOT)


def chance_name() -> str:
    """Return how chance is drawn: native, in C, or pure, by Python's hashlib, which draws the same more slowly."""
    return "pure" if draws.find_draws() is draws.Draws else "native"


def chance_remedy() -> str:
    """Return what to do to have chance drawn in C; empty if it is."""
    if chance_name() == "native":
        return ""
    if is_enabled("referee.engine.native"):
        return "use a Python with OpenSSL as a shared library, such as that of Debian, python.org or pyenv"
    return _build_remedy("botarena-rules", os.path.join(ROOT, "packages", "botarena-rules"))


def _build_remedy(distribution: str, project: str) -> str:
    """Return what to do to get the extension modules of a distribution.

    project: the folder that it is built from, in a checkout.
    """
    if os.environ.get("ARENA_CODEC") == "pure":
        return "unset ARENA_CODEC"
    install = f"install {distribution} again"
    if source_time() is not None:
        by_make = os.path.realpath(sys.prefix) == os.path.realpath(os.path.join(ROOT, ".venv"))
        install = "make -B .venv/.run" if by_make else f"pip install -e {project}"
    if missing := missing_tools():
        return f"install {missing} (Debian: apt-get install gcc libc6-dev python3-dev), then: {install}"
    return f"ARENA_COMPILE=codec {install}" if source_time() is not None else install


if __name__ == "__main__":
    if codec_remedy():
        print(f"The codec runs in Python, not in C: matches take longer. For the other: {codec_remedy()}")
    elif chance_remedy():
        print(f"Chance is drawn in Python, not in C: matches take longer. For the other: {chance_remedy()}")
    elif rules_remedy():
        why = ", as a source has changed since they were compiled" if is_outdated() else ""
        print(f"The rules are interpreted{why}: matches take longer. For compiled ones: {rules_remedy()}")
