"""Put off an import of protobuf that its C implementation does not need: it costs a quarter of a bot's start.

`google.protobuf` imports its pure Python implementation also where it does not use it. A stand-in
with that name imports the real module when anything asks it for an attribute.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_NAME = "google.protobuf.internal.python_message"


class _Deferred(ModuleType):
    """A module that is imported when it is first used."""

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):  # the import system looking at what it finds, not anybody using it
            raise AttributeError(attribute)
        if sys.modules.get(_NAME) is self:
            del sys.modules[_NAME]
        return getattr(import_module(_NAME), attribute)


sys.modules.setdefault(_NAME, _Deferred(_NAME))
