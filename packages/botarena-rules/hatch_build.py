"""Collects the files of botarena-rules for hatchling, and has chance and the rules compiled.

They lie in the tree that botarena is built from; in an sdist they lie beside this file, at the same paths.
"""

import sys
from pathlib import Path

_HERE = Path(__file__).parent
TREE = _HERE if (_HERE / "referee").is_dir() else _HERE.parents[1]

sys.path.insert(0, str(TREE))
from tools.build_hook import PartBuildHook  # noqa: E402


class RulesBuildHook(PartBuildHook):
    """Adds the files from the tree."""

    tree = TREE
    modules = ("referee.engine.native",)
    group = "rules"
    packaged = (
        "referee/engine/**/*.py", "referee/engine/py.typed",
        "referee/games/*.py", "referee/games/py.typed",
        "arena/positions/*.py", "arena/positions/py.typed",
        "arena/search/*.py", "arena/search/py.typed",
    )  # fmt: skip
    """What botarena-rules consists of. pyproject.toml of botarena excludes the same files."""
    built_from = (
        "referee/engine/*.pyx", "referee/extensions.py", "tools/build_hook.py", "tools/compile_extensions.py",
    )  # fmt: skip


def get_build_hook() -> type[RulesBuildHook]:
    """Return the hook; hatchling would find several classes."""
    return RulesBuildHook
