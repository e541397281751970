"""Executors of packages: named by entry points of the group `arena.executors`, and described as data.

An entry point has the name that --executor takes, and leads to a `PluginExecutor`.
"""

from typing import Any, NamedTuple

from arena.hooks.installed_entries import load, targets

GROUP = "arena.executors"


class PluginExecutor(NamedTuple):
    """Where else than on this machine referees run, in a module that is quick to import."""

    metavar: str
    """How --executor takes it: the name, and what may follow a colon."""
    forms: str
    """The same in words, for an error: "NAME or NAME:HOST:PORT"."""
    place: str
    """Where that is, for the help: "on a cluster"."""
    target: str
    """What opens it, as `module:object`: a context manager that yields an `arena.run.executor.Executor`, and takes what
    follows the colon, or None, the open database, and what prints progress.
    """

    def load(self) -> Any:
        """Import what opens it."""
        return load(self.target)


def executors() -> dict[str, PluginExecutor]:
    """Return the executors of the packages that are installed, by name."""
    return {name: load(target) for name, target in sorted(targets(GROUP).items())}
