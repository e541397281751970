"""The codec of a referee's hot path: views, questions, answers and the log, between Python values and bytes.

pure     in Python, on the protobuf library: what the other one must agree with
native   the same in C, where it was built (Cython); it leaves whatever is out of the ordinary to `pure`
layout   the fields of a view message, as `native` writes them

The rest of arena takes the codec from here.
"""

from typing import TYPE_CHECKING

from referee.codec.pure import UnexpectedHello
from referee.extensions import is_enabled

NATIVE = False
"""Whether the native codec is in use. The environment variable ARENA_CODEC=pure turns it off, to compare the two."""

if not TYPE_CHECKING and is_enabled("referee.codec.native"):
    from referee.codec.native import EventLog, TurnsWriter, ViewEncoder, read_answers

    NATIVE = True
else:
    from referee.codec.pure import EventLog, TurnsWriter, ViewEncoder, read_answers

__all__ = ["NATIVE", "EventLog", "TurnsWriter", "UnexpectedHello", "ViewEncoder", "read_answers"]
