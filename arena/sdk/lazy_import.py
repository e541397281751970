"""Deferred imports: a module is loaded when an attribute of it is first used.

A Python bot is started for every phase, and half of a start is imports; much of what grpcio and protobuf import is
needed in rare cases only.
"""

import sys
from _thread import RLock
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any


class _LazyModule(ModuleType):
    """A module that has not been loaded. Its submodules can be imported meanwhile, which `LazyLoader` cannot do."""

    def __getattr__(self, name: str) -> Any:  # only called for attributes that are not there yet
        _load(self)
        return ModuleType.__getattribute__(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(value, ModuleType) and name != "__class__":
            _load(self)  # or loading would overwrite what is set here
        ModuleType.__setattr__(self, name, value)

    def __dir__(self) -> list[str]:
        _load(self)
        return list(ModuleType.__dir__(self))


class _LazyLoader:
    """A loader that leaves the work to `loader`, for later."""

    def __init__(self, loader: Any) -> None:
        self.loader = loader
        self.lock = RLock()
        self.is_loading = False

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self.loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__class__ = _LazyModule


def _load(module: ModuleType) -> None:
    """Load a module unless it is loaded or being loaded by this thread. Other threads wait."""
    spec = module.__spec__
    lazy = spec and spec.loader
    if spec is None or not isinstance(lazy, _LazyLoader):
        return
    with lazy.lock:
        if spec.loader is not lazy:  # another thread was quicker
            return
        if lazy.is_loading:  # a circular import
            return
        lazy.is_loading = True
        try:
            vars(module)["__loader__"] = lazy.loader
            lazy.loader.exec_module(module)
        finally:
            lazy.is_loading = False
        spec.loader = lazy.loader
        module.__class__ = ModuleType


class _LazyFinder:
    """An import finder that makes the modules of some names load lazily."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in self._names:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _LazyLoader(spec.loader)  # type: ignore[assignment]
        return spec


@contextmanager
def lazy_import(*names: str) -> Iterator[None]:
    """Defer the loading of the modules `names` that are imported within the context and not loaded yet."""
    finder = _LazyFinder(frozenset(names))
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
