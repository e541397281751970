"""Compiles a part of arena to extension modules, for tools/build_hook.py.

In the root of the repository:

    python tools/compile_extensions.py codec FOLDER MODULE ...
    python tools/compile_extensions.py rules FOLDER
    python tools/compile_extensions.py referee FOLDER

What is built goes to FOLDER/built. ARENA_OBJECTS in the environment names a folder where object files are kept, by what
they are made of, so that after a change only what differs is compiled; ARENA_OPTIMISATION=-O1 is for who waits for it.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext

sys.path.append(str(Path(__file__).resolve().parents[1]))
from referee.extensions import group_sources, native_library

FLAGS = ["-O2", "-g0", "-fno-lto", "-fvisibility=hidden"]
"""Without debug information and link-time optimisation, whatever Python itself was built with."""

LEVEL = os.environ.get("ARENA_OPTIMISATION", "-O2")
"""How far what mypyc translated is optimised: with -O1 it compiles in two thirds of the time, and is 2 % slower."""

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

    try:
        sources = group_sources(group)
    except FileNotFoundError as error:
        raise SystemExit(str(error)) from None
    # Where mypy may leave its cache, and without any settings: it would look for some in the folders above, too.
    shutil.copytree("referee", folder / "referee", ignore=shutil.ignore_patterns("*.so", ".compiled", "__pycache__"))
    os.chdir(folder)
    Path("referee/__init__.py").touch()  # an sdist of the rules has none
    extensions: list[Extension] = mypycify(
        ["--config-file=", "--ignore-missing-imports", *sources],
        group_name=native_library(group).removesuffix("__mypyc"),
        target_dir="c",
        multi_file=True,
    )
    for extension in extensions:
        extension.include_dirs += ["c/referee"]  # the headers of the group, which its files in c/ include by name
        extension.extra_compile_args += [*FLAGS, LEVEL]
    return extensions


KEPT = Path(os.environ["ARENA_OBJECTS"]).absolute() if os.environ.get("ARENA_OBJECTS") else None
"""Where object files are kept, if anywhere."""

KEPT_SECONDS = 30 * 86400
"""How long an object file is kept that no build uses."""


@cache
def compiler_identity() -> bytes:
    """Return what an object file depends on besides its source: compiler, Python, and what translated it."""
    from importlib.metadata import version

    compiler = (os.environ.get("CC") or "cc").split()
    told = subprocess.run([*compiler, "--version"], capture_output=True, check=False).stdout
    versions = [sys.version, sysconfig.get_config_var("CFLAGS") or "", version("setuptools")]
    for name in ("mypy", "cython"):
        try:
            versions.append(version(name))
        except ModuleNotFoundError:
            versions.append("none")
    return told + repr([*versions, os.environ.get("CFLAGS")]).encode()


@cache
def with_includes(path: Path, folders: tuple[str, ...]) -> frozenset[Path]:
    """Return a file in C, and those of ours that it includes, directly or not."""
    found = {path}
    waiting = [path]
    while waiting:
        file = waiting.pop()
        for name in re.findall(rb'^#include ["<](.+?)[">]', file.read_bytes(), re.MULTILINE):
            for folder in (str(file.parent), *folders):
                there = Path(folder, name.decode())
                if there.exists() and there not in found:
                    found.add(there)
                    waiting.append(there)
    return frozenset(found)


def object_hash(extension: Extension, source: str) -> str:
    """Return what tells the object file of a source from all that differ."""
    total = sha256(compiler_identity())
    total.update(repr(extension.extra_compile_args).encode())
    files = with_includes(Path(source), tuple(extension.include_dirs))
    for name, content in sorted((path.name, path.read_bytes()) for path in files):  # they lie in temporary folders
        total.update(b"%s %d\0%s" % (name.encode(), len(content), content))
    return total.hexdigest()


def keep(compiled: str, kept: Path) -> None:
    """Keep an object file, and drop those that no build has used for long."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=kept.parent, prefix=".", delete=False) as file:
        shutil.copyfile(compiled, file.name)
    os.replace(file.name, kept)
    for path in kept.parent.iterdir():
        try:
            if path.stat().st_mtime < time.time() - KEPT_SECONDS:
                path.unlink()
        except FileNotFoundError:
            pass  # another build has dropped it


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
        kept = KEPT and KEPT / f"{object_hash(extension, source)}.o"
        if kept and kept.exists():
            os.utime(kept)
            return str(kept)
        compiled: list[str] = self.compiler.compile(
            [source], self.build_temp, include_dirs=extension.include_dirs, extra_postargs=extension.extra_compile_args
        )
        if kept:
            keep(compiled[0], kept)
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
