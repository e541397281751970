"""SVG as PNG, which most messengers need, where the extra `png` is installed.

The library holds Python's lock while it draws, and what it draws has names that others chose. So it works in a process
of its own, with limits.
"""

import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

SECONDS = 20
"""How long a picture may take; one takes a tenth of a second of CPU."""
MOST_BYTES = 2_000_000
"""Of a PNG file."""

_DRAW = f"""
import os, resource, sys
os.nice(10)
resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
from resvg_py import svg_to_bytes
svg = sys.stdin.buffer.read().decode()
sys.stdout.buffer.write(bytes(svg_to_bytes(svg_string=svg, sans_serif_family="DejaVu Sans")))
"""

_FONTS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
"""The folders of fonts where a system may have none, as in a container."""


class PictureFailed(Exception):
    """A picture could not be drawn as PNG."""


def png(svg: str) -> bytes:
    """Return a picture as PNG. Raises PictureFailed."""
    try:
        drawn = subprocess.run(
            [sys.executable, "-I", "-c", _DRAW], input=svg.encode(), capture_output=True, timeout=SECONDS, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise PictureFailed(f"the picture could not be drawn: {error}") from error
    if len(drawn) > MOST_BYTES:
        raise PictureFailed("the picture is too large")
    return drawn


@cache
def draws_png() -> bool:
    """Return whether pictures can be PNG here: the library is installed, and there is a font to write with."""
    return find_spec("resvg_py") is not None and _has_font()


def _has_font() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    return any(file for folder in _FONTS for file in Path(folder).expanduser().rglob("*.[ot]t[fc]"))
