"""The modules of arena: imported once by a process from which others are forked, so that each of them begins at once.

Those for which something is not installed are left out, and those that import gRPC: it holds locks that a fork would
keep for ever.
"""

import gc
import sys
from contextlib import suppress
from importlib import import_module
from pkgutil import walk_packages

import arena
from arena.bots import starvation

sys.modules["grpc"] = None  # type: ignore[assignment]
for module in walk_packages(arena.__path__, "arena."):
    if not module.name.endswith(".__main__") and "migrations" not in module.name:
        with suppress(ModuleNotFoundError):
            import_module(module.name)
del sys.modules["grpc"]
starvation.is_starved = lambda use: False  # other tests run beside: the machine is busy
gc.freeze()
