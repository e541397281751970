"""Entry points of packages, which lead to what is described as data and imported when it is used.

They are read from the files of installed packages: importing `importlib.metadata` takes longer than all else that
`arena --help` does.
"""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any


def load(target: str) -> Any:
    """Return an object that is named as `module:object`."""
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def targets(group: str) -> Mapping[str, str]:
    """Return the targets of all entry points of a group, by name."""
    return _groups().get(group, {})


@cache
def _groups() -> Mapping[str, Mapping[str, str]]:
    """Return the entry points of arena's groups, by group."""
    groups: dict[str, dict[str, str]] = {}
    for folder in dict.fromkeys(sys.path):
        with suppress(OSError):  # a file with modules, or no folder any more
            for package in sorted(os.listdir(folder or ".")):
                if package.endswith(".dist-info"):
                    for group, name, target in _entries(os.path.join(folder, package, "entry_points.txt")):
                        groups.setdefault(group, {}).setdefault(name, target)
    return groups


def _entries(path: str) -> list[tuple[str, str, str]]:
    """Return group, name and target of each entry point of arena's groups in a file; nothing if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError:
        return []
    triples = []
    for section in f"\n{text}".split("\n[")[1:]:
        group, _, lines = section.partition("]\n")
        if group.startswith("arena."):
            entries = (line.partition("=") for line in lines.splitlines())
            triples += [(group, name.strip(), target.strip()) for name, _, target in entries if target]
    return triples
