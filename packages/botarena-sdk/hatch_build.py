"""Collects the files of botarena-sdk for hatchling, and has its codec compiled.

They lie in the tree that botarena is built from; in an sdist they lie beside this file, at the same paths.
"""

import sys
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
TREE = _HERE if (_HERE / "arena").is_dir() else _HERE.parents[1]

sys.path.insert(0, str(TREE))
from tools.build_hook import BuildHook  # noqa: E402

PACKAGED = (
    "arena/sdk/*.py", "arena/sdk/py.typed",
    "referee/v1/*.py", "referee/v1/*.pyi", "referee/v1/py.typed",
    "referee/extensions.py",
)  # fmt: skip
"""What botarena-sdk consists of. pyproject.toml of botarena excludes the same files."""

COMPILED = ("arena/sdk/*.pyx", "referee/codec/protobuf.pxd", "tools/build_hook.py", "tools/compile_extensions.py")
"""What its codec is compiled from, and with."""


class SdkBuildHook(BuildHook):
    """Adds the files from the tree."""

    tree = TREE
    modules = ("arena.sdk.native",)
    has_rules = False

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name == "sdist":
            self._include(build_data, (*PACKAGED, *COMPILED))
            return
        if version != "editable":
            self._include(build_data, PACKAGED)
        super().initialize(version, build_data)

    def _include(self, build_data: dict[str, Any], patterns: tuple[str, ...]) -> None:
        for pattern in patterns:
            paths = sorted(TREE.glob(pattern))
            if not paths:
                raise SystemExit(f"there is nothing at {pattern} in {TREE}")
            build_data["force_include"] |= {str(path): str(path.relative_to(TREE)) for path in paths}


def get_build_hook() -> type[BuildHook]:
    """Return the hook; hatchling would find two classes."""
    return SdkBuildHook
