"""Has the module in C of botarena-envs compiled, where that is possible.

It is built by what builds botarena: in a checkout that lies two folders above, in an sdist beside this file.
"""

import sys
from pathlib import Path

_HERE = Path(__file__).parent
TREE = _HERE if (_HERE / "referee").is_dir() else _HERE.parents[1]

sys.path.insert(0, str(TREE))
from tools.build_hook import PartBuildHook  # noqa: E402


class EnvsBuildHook(PartBuildHook):
    """Adds to an sdist what builds the module."""

    tree = TREE
    sources = _HERE
    modules = ("arena.envs.native",)
    group = ""
    packaged = ()
    built_from = ("referee/extensions.py", "tools/build_hook.py", "tools/compile_extensions.py")


def get_build_hook() -> type[EnvsBuildHook]:
    """Return the hook; hatchling would find several classes."""
    return EnvsBuildHook
