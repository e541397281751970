"""The extension modules: written in Cython, built where there is a C compiler, replaced by Python where there is none.

An editable installation has each beside its source. It is used only if it was built from the present source: whoever
edits a source, or gets another one with git, plays with the modules in Python until the next `make`.
"""

import os
from importlib.machinery import EXTENSION_SUFFIXES

MODULES = ("referee.codec.native", "referee.engine.native", "arena.sdk.native")
"""The extension modules. Their sources, .pyx, and what these share, .pxd, lie in the same folders."""

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder with the packages."""


def extension_path(module: str) -> str:
    """Return where an extension module lies, for the Python that runs."""
    return os.path.join(ROOT, *module.split(".")) + EXTENSION_SUFFIXES[0]


def source_path(module: str) -> str:
    """Return where the source of an extension module lies, where there are sources."""
    return os.path.join(ROOT, *module.split(".")) + ".pyx"


def source_time() -> int | None:
    """Return the time of the latest change of a source, in nanoseconds; None in an installation without sources.

    The builder gives it to the modules that it builds.
    """
    folders = {os.path.dirname(source_path(module)) for module in MODULES}
    times = [
        entry.stat().st_mtime_ns
        for folder in folders
        if os.path.isdir(folder)
        for entry in os.scandir(folder)
        if entry.name.endswith((".pyx", ".pxd"))
    ]
    return max(times, default=None)


def is_current(module: str) -> bool:
    """Tell whether an extension module was built, and from the present source."""
    try:
        built = os.stat(extension_path(module)).st_mtime_ns
    except FileNotFoundError:
        return False
    return source_time() in (None, built)


def is_enabled(module: str) -> bool:
    """Tell whether to use an extension module: it is current, and ARENA_CODEC=pure in the environment is not set."""
    return os.environ.get("ARENA_CODEC") != "pure" and is_current(module)


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
