"""Compiles a part of arena to extension modules, for tools/build_hook.py.

In the root of the repository:

    python tools/compile_extensions.py codec FOLDER MODULE ...
    python tools/compile_extensions.py rules FOLDER
    python tools/compile_extensions.py referee FOLDER

What is built goes to FOLDER/built.
"""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext

GROUPS = {
    "rules": (
        "referee/engine/chance.py", "referee/engine/clean_text.py", "referee/engine/draws.py",
        "referee/engine/events.py", "referee/engine/game.py", "referee/engine/options.py", "referee/engine/record.py",
        "referee/games/[!_]*.py",
    ),
    "referee": (
        "referee/connection/grpc_server.py", "referee/connection/stream.py",
        "referee/match/match.py",
        "referee/session/crash_attribution.py", "referee/session/inbox.py", "referee/session/outbox.py",
        "referee/session/player.py", "referee/session/readiness.py", "referee/session/recovery.py",
        "referee/session/service_clock.py",
        "referee/wire.py",
    ),
}  # fmt: skip
"""The modules that mypyc compiles, by what they are part of: those that run for every decision.

The modules of a group call each other as C functions, those of another as Python does. So a group fits any build of the
other, which comes in another distribution.
"""

FLAGS = ["-O2", "-g0", "-fno-lto", "-fvisibility=hidden"]
"""Without debug information and link-time optimisation, whatever Python itself was built with."""

JOBS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def codec_extensions(folder: Path, modules: list[str]) -> list[Extension]:
    """Return the modules in Cython, translated to C."""
    sources = {module: (f"{module.replace('.', '/')}.pyx", f"{folder}/{module}.c") for module in modules}
    translators = [
        subprocess.Popen(
            [sys.executable, "-m", "cython", "-3", "-I", ".", "--module-name", module, "-o", target, source]
        )
        for module, (source, target) in sources.items()
    ]
    if sum(translator.wait() != 0 for translator in translators):
        raise SystemExit(1)
    return [Extension(module, [target], extra_compile_args=FLAGS) for module, (_, target) in sources.items()]


def group_extensions(folder: Path, group: str) -> list[Extension]:
    """Return the modules of a group, translated to C: one library with all of them, and a small module for each."""
    from mypyc.build import mypycify

    matched = {pattern: sorted(Path().glob(pattern)) for pattern in GROUPS[group]}
    if unmatched := [pattern for pattern, paths in matched.items() if not paths]:
        raise SystemExit(f"there is nothing to compile at {', '.join(unmatched)}: correct GROUPS in {__file__}")
    sources = [str(path) for paths in matched.values() for path in paths]
    # Where mypy may leave its cache, and without any settings: it would look for some in the folders above, too.
    shutil.copytree("referee", folder / "referee", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    os.chdir(folder)
    Path("referee/__init__.py").touch()  # an sdist of the rules has none
    extensions: list[Extension] = mypycify(
        ["--config-file=", "--ignore-missing-imports", *sources],
        group_name=f"referee.native_{group}",
        target_dir="c",
        multi_file=True,
    )
    for extension in extensions:
        extension.include_dirs += ["c/referee"]  # the headers of the group, which its files in c/ include by name
        extension.extra_compile_args += FLAGS
    return extensions


class ParallelBuild(build_ext):
    """Compiles all files of all modules on all cores, the largest first."""

    def build_extensions(self) -> None:
        pairs = [(extension, source) for extension in self.extensions for source in extension.sources]
        pairs.sort(key=lambda pair: -os.path.getsize(pair[1]))
        objects: dict[str, list[str]] = {}
        with ThreadPoolExecutor(JOBS) as pool:
            for (extension, _), object_file in zip(pairs, pool.map(self._compile, pairs), strict=True):
                objects.setdefault(extension.name, []).append(object_file)
            for _ in pool.map(self._link, self.extensions, [objects[extension.name] for extension in self.extensions]):
                pass

    def _compile(self, pair: tuple[Extension, str]) -> str:
        extension, source = pair
        compiled: list[str] = self.compiler.compile(
            [source], self.build_temp, include_dirs=extension.include_dirs, extra_postargs=extension.extra_compile_args
        )
        return compiled[0]

    def _link(self, extension: Extension, objects: list[str]) -> None:
        self.compiler.link_shared_object(
            objects, self.get_ext_fullpath(extension.name), libraries=self.get_libraries(extension)
        )


def build(extensions: list[Extension], target: Path) -> None:
    """Compile and link modules into a folder."""
    distribution = Distribution({"name": "arena-extensions", "packages": [], "ext_modules": extensions})
    command: Any = ParallelBuild(distribution)
    command.build_lib, command.build_temp = str(target), str(target.with_name("objects"))
    command.ensure_finalized()
    command.run()


def main() -> None:
    """Compile one part."""
    part, folder = sys.argv[1], Path(sys.argv[2]).absolute()
    folder.mkdir(parents=True)
    extensions = codec_extensions(folder, sys.argv[3:]) if part == "codec" else group_extensions(folder, part)
    build(extensions, folder / "built")


if __name__ == "__main__":
    main()
