"""Faults: what a bot does wrong at a seat. A fault is a result, never an exception that ends a tournament."""

from dataclasses import dataclass
from enum import IntEnum

from referee.v1 import work_pb2


class FaultKind(IntEnum):
    """The kinds of faults, with their numbers in the protocol."""

    ILLEGAL = work_pb2.Fault.KIND_ILLEGAL
    TIMEOUT = work_pb2.Fault.KIND_TIMEOUT
    CRASH = work_pb2.Fault.KIND_CRASH
    HUNG = work_pb2.Fault.KIND_HUNG
    MEMORY = work_pb2.Fault.KIND_MEMORY
    PROTOCOL = work_pb2.Fault.KIND_PROTOCOL
    START = work_pb2.Fault.KIND_START
    WITHDRAWN = work_pb2.Fault.KIND_WITHDRAWN


def in_seconds(seconds: float) -> str:
    """Return a time as people write it, with milliseconds at most."""
    return f"{round(seconds, 2 if seconds >= 1 else 3):g} s"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a match."""

    seat: int
    """The number of the seat."""
    ply: int
    """The number of the answer that is replaced, from 0."""
    kind: FaultKind
    sentence: str
    """What happened, in a sentence that is already cleaned."""
    forfeit: bool
    """Whether the seat is played by default moves from here on and ranked last."""
