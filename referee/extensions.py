"""What is compiled: where there is a C compiler it is built, and where there is none Python does the same more slowly.

Modules in Cython (`MODULES`) have a counterpart in Python, and lie beside their sources. Modules in Python that mypyc
compiles as they are (`GROUPS`) lie beside their sources in a wheel; there they would hide changes of these, so a
checkout has them in a folder of their own. In a checkout what is compiled is used only if it was built from the present
sources: whoever edits one, or gets another with git, plays with what Python interprets until the next `make fast`.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec

MODULES = ("referee.codec.native", "referee.engine.native", "arena.sdk.native")
"""The extension modules. Their sources, .pyx, and what these share, .pxd, lie in the same folders."""

GROUPS = {
    "rules": (
        "referee/engine/chance.py", "referee/engine/clean_text.py", "referee/engine/draws.py",
        "referee/engine/events.py", "referee/engine/game.py", "referee/engine/options.py", "referee/engine/record.py",
        "referee/games/*.py",
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

A file, or *.py for all of a folder but __init__.py. The modules of a group call each other as C functions, those of
another as Python does. So a group fits any build of the other, which comes in another distribution.
"""

RELIED_ON = {"rules": ("referee/engine", "referee/games"), "referee": ("referee",)}
"""The folders with the sources that a group depends on: its own, and those whose constants mypyc copies into it."""

NOT_RELIED_ON = {"rules": (), "referee": ("referee/games", "referee/v1")}
"""Folders below these that it does not depend on."""

COMPILED_AS = 1
"""Raise it where tools/compile_extensions.py makes something else of the same sources, so what it made is left."""

INTERPRETED = "ARENA_RULES"
"""The variable that, as `interpreted`, turns off what mypyc compiled, in a checkout."""

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder with the packages."""


def extension_path(module: str, root: str | None = None) -> str:
    """Return where an extension module lies, for the Python that runs.

    root: the folder with the packages of the distribution that the module belongs to; None: `ROOT`.
    """
    return os.path.join(root or ROOT, *module.split(".")) + EXTENSION_SUFFIXES[0]


def source_path(module: str, root: str | None = None) -> str:
    """Return where the source of an extension module lies, where there are sources."""
    return os.path.join(root or ROOT, *module.split(".")) + ".pyx"


def source_time(modules: Sequence[str] | None = None, root: str | None = None) -> int | None:
    """Return the time of the latest change of a source, in nanoseconds; None in an installation without sources.

    The builder gives it to the modules that it builds.
    """
    folders = {os.path.dirname(source_path(module, root)) for module in modules or MODULES}
    times = [
        entry.stat().st_mtime_ns
        for folder in folders
        if os.path.isdir(folder)
        for entry in os.scandir(folder)
        if entry.name.endswith((".pyx", ".pxd"))
    ]
    return max(times, default=None)


def is_current(module: str, root: str | None = None) -> bool:
    """Tell whether an extension module was built, and from the present source."""
    try:
        built = os.stat(extension_path(module, root)).st_mtime_ns
    except FileNotFoundError:
        return False
    return source_time([module] if root else None, root) in (None, built)


def is_enabled(module: str, root: str | None = None) -> bool:
    """Tell whether to use an extension module: it is current, and ARENA_CODEC=pure in the environment is not set."""
    return os.environ.get("ARENA_CODEC") != "pure" and is_current(module, root)


def native_library(group: str) -> str:
    """Return the module with the code of a group; the modules of the group are found in it."""
    return f"referee.native_{group}__mypyc"


def group_of(module: str) -> str | None:
    """Return the group that a module belongs to, also its library; None for a module that is not compiled."""
    path = module.replace(".", "/") + ".py"
    folder, _, name = path.rpartition("/")
    for group, patterns in GROUPS.items():
        if (
            path in patterns
            or (f"{folder}/*.py" in patterns and name != "__init__.py")
            or module == native_library(group)
        ):
            return group
    return None


def group_sources(group: str) -> list[str]:
    """Return the files of a group, sorted, as paths from ROOT.

    Raises FileNotFoundError for a pattern that fits none.
    """
    found: list[str] = []
    for pattern in GROUPS[group]:
        folder, _, name = pattern.rpartition("/")
        there = sorted(entry for entry in os.listdir(os.path.join(ROOT, folder)) if entry.endswith(".py"))
        names = [each for each in there if each == name or (name == "*.py" and each != "__init__.py")]
        if not names:
            raise FileNotFoundError(f"there is nothing to compile at {pattern}: correct GROUPS in {__file__}")
        found += [f"{folder}/{each}" for each in names]
    return found


def _relied_on(folder: str, left_out: Sequence[str]) -> Iterator[str]:
    with os.scandir(os.path.join(ROOT, folder)) as entries:
        below = sorted((entry.name, entry.is_dir()) for entry in entries)
    for name, is_folder in below:
        path = f"{folder}/{name}"
        if is_folder:
            if name[0] not in "._" and path not in left_out:
                yield from _relied_on(path, left_out)
        elif name.endswith(".py"):
            yield path


def group_hash(group: str) -> str:
    """Return what tells the present sources of a group from others, and the way in which they are compiled.

    It reads below `referee` only, which a bot in a sandbox sees, too. Raises OSError where it may not even do that.
    """
    from hashlib import sha256  # here: every bot that starts imports this module

    paths = [path for folder in RELIED_ON[group] for path in _relied_on(folder, NOT_RELIED_ON[group])]
    total = sha256(b"%d" % COMPILED_AS)
    for path in (*paths, "referee/extensions.py"):
        with open(os.path.join(ROOT, path), "rb", buffering=0) as file:
            source = file.readall()
        total.update(b"%s %d\0%s" % (path.encode(), len(source), source))
    return total.hexdigest()[:16]


def compiled_home() -> str:
    """Return the folder for what is compiled in a checkout, for the Python that runs; bots in a sandbox see it too."""
    return os.path.join(ROOT, "referee", ".compiled", EXTENSION_SUFFIXES[0].split(".")[1])


def compiled_folder(group: str) -> str:
    """Return the folder with what is compiled of the present sources of a group, where it was."""
    return os.path.join(compiled_home(), f"{group}-{group_hash(group)}")


class CompiledFinder:
    """Finds the modules that mypyc compiled from the present sources of a checkout. Others it leaves to Python."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}
        """The folder of each group that was asked for; empty where what is interpreted is to be used."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return where a module is. Whether a group is up to date is decided when its first module is imported."""
        if not name.startswith("referee.") or (group := group_of(name)) is None:
            return None
        if group not in self._folders:
            try:
                folder = compiled_folder(group)
            except OSError:  # where a source is hidden, nobody knows what it holds
                folder = ""
            self._folders[group] = folder if os.path.isdir(folder) else ""
        folder = self._folders[group]
        if not folder:
            return None
        file = os.path.join(folder, *name.split(".")) + EXTENSION_SUFFIXES[0]
        spec = ModuleSpec(name, ExtensionFileLoader(name, file), origin=file)
        spec.has_location = True
        return spec


def use_compiled() -> None:
    """Let Python find what mypyc compiled, where this is a checkout, and ARENA_RULES=interpreted is not set."""
    if os.environ.get(INTERPRETED) != "interpreted" and os.path.isdir(compiled_home()):
        sys.meta_path.insert(0, CompiledFinder())


def find_compiler() -> str | None:
    """Return the command of the C compiler: $CC, the one that Python was built with, or the usual ones."""
    import shutil  # here: every bot that starts imports this module
    import sysconfig

    names = [os.environ["CC"]] if os.environ.get("CC") else [sysconfig.get_config_var("CC") or "", "cc", "gcc", "clang"]
    return next((name for name in names if name and shutil.which(name.split()[0])), None)


def missing_tools() -> str:
    """Return what is missing to build extension modules with the Python that runs; empty if nothing is."""
    import sysconfig

    missing = [] if find_compiler() else ["a C compiler"]
    if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
        missing.append("Python's headers")
    return " and ".join(missing)
