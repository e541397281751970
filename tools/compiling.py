"""Compiles the rules and what a referee does for every decision to C, by mypyc, while a wheel is built.

Off unless it is asked for, as it takes a C compiler, Python's headers and a minute or two:

    HATCH_BUILD_HOOKS_ENABLE=true uv build --wheel
"""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = (
    "referee/engine/chance.py", "referee/engine/events.py", "referee/engine/game.py", "referee/engine/options.py",
    "referee/engine/record.py", "referee/games/[!_]*.py",
    "referee/match/interning.py", "referee/match/match.py", "referee/match/seat.py",
    "referee/session/crash_attribution.py", "referee/session/inbox.py", "referee/session/outbox.py",
    "referee/session/player.py", "referee/session/recovery.py", "referee/session/service_clock.py",
    "referee/wire.py",
)  # fmt: skip
"""The modules that are compiled: those that run for every decision."""

SETUP = """
from mypyc.build import mypycify
from setuptools import setup

modules = mypycify(["--ignore-missing-imports", *{sources!r}], opt_level="2", group_name="referee.native")
setup(name="arena-compiled", packages=[], ext_modules=modules)
"""


class Compiling(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the compiled modules beside their sources; Python prefers them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile. Raises SystemExit with a sentence if that is not possible."""
        if not Path(sysconfig.get_path("include"), "Python.h").exists():
            raise SystemExit(f"{sys.executable} has no Python.h to compile with (Debian: apt-get install python3-dev)")
        self._folder = Path(mkdtemp(prefix="arena-compiling-"))
        shutil.copytree(Path(self.root, "referee"), self._folder / "referee", ignore=shutil.ignore_patterns("*.so"))
        matched = {pattern: sorted(Path(self.root).glob(pattern)) for pattern in COMPILED}
        if unmatched := [pattern for pattern, paths in matched.items() if not paths]:
            raise SystemExit(f"there is nothing to compile at {', '.join(unmatched)}: correct COMPILED in {__file__}")
        sources = [str(path.relative_to(self.root)) for paths in matched.values() for path in paths]
        (self._folder / "setup.py").write_text(SETUP.format(sources=sources))
        done = subprocess.run(
            [sys.executable, "setup.py", "build_ext", "--build-lib", "made"],
            cwd=self._folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        made = self._folder / "made"
        modules = {str(path): str(path.relative_to(made)) for path in made.rglob("*.so")}
        if done.returncode or len(modules) != len(sources) + 1:
            raise SystemExit(f"the rules could not be compiled:\n{done.stdout[-4000:]}")
        build_data["force_include"].update(modules)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was needed for it."""
        shutil.rmtree(self._folder)
