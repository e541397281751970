"""TOML as people write it, and a ValueError for whatever else somebody sends."""

import tomllib
from typing import Any

_MOST_DOTS = 1000
"""In one line. tomllib takes time that grows with the square of the parts of a key: seconds for 30,000 of them."""


def parse_toml(text: str) -> dict[str, Any]:
    """Return the values in a text. Raises ValueError, with the place where there is one."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > _MOST_DOTS:
            raise ValueError(f"more than {_MOST_DOTS:,} dots in line {number}")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("brackets are nested too deeply") from None
