"""Imports the protobuf library, but not the parts that bots do not use.

`arena.sdk` imports it first: the module of a view, which most bots import next, would load everything.
"""

from arena.sdk.lazy_import import lazy_import

# The first is the pure Python fallback, which is not used; the second is for dates.
with lazy_import("google.protobuf.internal.python_message", "calendar"):
    import google.protobuf.internal.builder
    import google.protobuf.internal.well_known_types  # noqa: F401
