"""What of this installation runs as C: the rules and a referee's work for each decision, and the codec.

`python -m referee.build_info` prints a line if the codec does not, as `make` does after an installation.
"""

import os
import sys

from referee import codec
from referee.engine import game
from referee.extensions import ROOT, missing_tools, source_time


def compiled() -> bool:
    """Tell whether rules and referee are compiled; otherwise Python interprets them, and does the same more slowly."""
    return not str(game.__file__).endswith(".py")


def codec_name() -> str:
    """Return which codec is in use: native, in C, or pure, in Python, which does the same more slowly."""
    return "native" if codec.NATIVE else "pure"


def codec_remedy() -> str:
    """Return what to do to get the native codec; empty if it is in use."""
    if codec.NATIVE:
        return ""
    if os.environ.get("ARENA_CODEC") == "pure":
        return "unset ARENA_CODEC"
    install = "install botarena again"
    if source_time() is not None:
        by_make = os.path.realpath(sys.prefix) == os.path.realpath(os.path.join(ROOT, ".venv"))
        install = "make -B .venv/.run" if by_make else f"pip install -e {ROOT}"
    if missing := missing_tools():
        return f"install {missing} (Debian: apt-get install gcc libc6-dev python3-dev), then: {install}"
    return f"ARENA_COMPILE=codec {install}" if source_time() is not None else install


if __name__ == "__main__" and not codec.NATIVE:
    print(f"The codec runs in Python, not in C: matches take longer. For the other: {codec_remedy()}")
