"""The packages that are installed: loaded when a room first calls a hook."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from pluggy import PluginManager

from arena.hooks import specifications
from arena.values.server_log import report_bug

GROUP = "arena.plugins"


@cache
def plugins() -> PluginManager:
    """Return what calls hooks: `plugins().hook.NAME(...)` returns the answers of all packages.

    A package that cannot be imported is reported, and left out.
    """
    manager = PluginManager("arena")
    manager.add_hookspecs(specifications)
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        _load(manager, entry)
    return manager


def _load(manager: PluginManager, entry: EntryPoint) -> None:
    try:
        manager.register(entry.load(), entry.name)
    except Exception as error:
        report_bug(error)


def loaded() -> list[str]:
    """Return the names of the packages that are loaded."""
    return sorted(name for name, _ in plugins().list_name_plugin())


def notify(hook: str, **what: Any) -> None:
    """Tell all packages what has happened. One that fails is reported, and harms neither others nor the caller."""
    for answer in getattr(plugins().hook, hook).get_hookimpls():
        try:
            answer.function(**{name: what[name] for name in answer.argnames})
        except Exception as error:
            report_bug(error)
