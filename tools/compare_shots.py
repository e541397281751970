"""Tell which pictures of pages in two folders look different, after a change that is to leave the pages as they are.

    python -m tools.compare_shots OLD NEW

`make shots SHOTS_IN=OLD` takes the pictures before the change, and `make shots SHOTS_IN=NEW SHOTS="--data OLD"` those
of the same matches after it. What happens while they are taken (in folders `live`) is left out. The exit code is 1 if
any differs or is in one folder alone, and 2 if there is nothing to compare.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageChops

LIVE = "live"
"""The folder, in that of a language, of pictures that show what happens while they are taken: no two are the same."""

CLEAR, FAINT = 32, 8
"""A pixel differs clearly if a colour, from 0 to 255, does by more than that; faintly."""

EDGES = 1 / 1000
"""The part of all pixels that may differ faintly: chromium does not draw all edges in the same way each time."""


def difference(old: Path, new: Path) -> str:
    """Return how two pictures differ; "" if they look the same."""
    if old.read_bytes() == new.read_bytes():
        return ""
    with Image.open(old) as before, Image.open(new) as after:
        if before.size != after.size:
            return f"{after.width} x {after.height} pixels instead of {before.width} x {before.height}"
        red, green, blue = ImageChops.difference(before.convert("RGB"), after.convert("RGB")).split()
        levels = ImageChops.lighter(ImageChops.lighter(red, green), blue)
        pixels = before.width * before.height
    counts = levels.histogram()
    if not sum(counts[CLEAR + 1 :]) and sum(counts[FAINT + 1 :]) <= pixels * EDGES:
        return ""
    box = levels.point([level > FAINT and 255 for level in range(256)]).getbbox()
    assert box is not None
    left, top, right, bottom = box
    return f"differs within {right - left} x {bottom - top} pixels at {left}, {top}"


def pictures(folder: Path) -> set[Path]:
    """Return the paths within a folder of the pictures that can be compared."""
    found = {path.relative_to(folder) for kind in ("*.png", "*.jpg") for path in folder.rglob(kind)}
    return {path for path in found if LIVE not in path.parts}


def main(words: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description="Tell which pictures in two folders look different.")
    parser.add_argument("old", type=Path, metavar="OLD")
    parser.add_argument("new", type=Path, metavar="NEW")
    given = parser.parse_args(words)
    old, new = pictures(given.old), pictures(given.new)
    if not old & new:
        print(f"error: no picture is in both {given.old} and {given.new}", file=sys.stderr)
        return 2
    told = {path: difference(given.old / path, given.new / path) for path in old & new}
    told |= dict.fromkeys(old - new, f"is in {given.old} alone") | dict.fromkeys(new - old, f"is in {given.new} alone")
    different = {path: how for path, how in sorted(told.items()) if how}
    for path, how in different.items():
        print(f"{path}: {how}")
    print(f"{len(told) - len(different)} of {len(told)} pictures look the same")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
