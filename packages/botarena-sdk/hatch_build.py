"""Collects the files of botarena-sdk for hatchling, and has its codec compiled.

They lie in the tree that botarena is built from; in an sdist they lie beside this file, at the same paths.
"""

import sys
from pathlib import Path

_HERE = Path(__file__).parent
TREE = _HERE if (_HERE / "arena").is_dir() else _HERE.parents[1]

sys.path.insert(0, str(TREE))
from tools.build_hook import PartBuildHook  # noqa: E402


class SdkBuildHook(PartBuildHook):
    """Adds the files from the tree."""

    tree = TREE
    modules = ("arena.sdk.native",)
    group = ""
    packaged = (
        "arena/sdk/*.py", "arena/sdk/py.typed",
        "referee/v1/*.py", "referee/v1/*.pyi", "referee/v1/py.typed",
        "referee/extensions.py",
    )  # fmt: skip
    """What botarena-sdk consists of. pyproject.toml of botarena excludes the same files."""
    built_from = ("arena/sdk/*.pyx", "referee/codec/protobuf.pxd", "tools/build_hook.py", "tools/compile_extensions.py")


def get_build_hook() -> type[SdkBuildHook]:
    """Return the hook; hatchling would find several classes."""
    return SdkBuildHook
