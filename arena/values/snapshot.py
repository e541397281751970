"""Deep snapshots of values, to detect mutation."""

from collections import deque
from enum import Enum
from typing import Any

from referee.engine.chance import Chance

_PLAIN = (int, str, bytes, float, type(None), Enum)


def take_snapshot(value: Any) -> Any:
    """Take a deep snapshot of a value; equal values have equal snapshots.

    Lists, dictionaries, sets and attributes are followed. All `Chance` objects are equal, since copies may share one.
    """
    return _snapshot(value, ())


def _snapshot(value: Any, parents: tuple[int, ...]) -> Any:
    """Take a snapshot of a part of a value.

    parents: the ids of the objects that contain it, to stop at cycles.
    """
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, Chance):
        return Chance
    if id(value) in parents:
        return "itself"
    parents = (*parents, id(value))
    if isinstance(value, (tuple, list, deque)):
        return tuple([item if isinstance(item, _PLAIN) else _snapshot(item, parents) for item in value])
    if isinstance(value, dict):
        return {key: _snapshot(item, parents) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return frozenset(_snapshot(item, parents) for item in value)
    if isinstance(value, bytearray):
        return bytes(value)
    if callable(value):
        return id(value)
    return {name: _snapshot(item, parents) for name, item in attributes(value).items()}


def attributes(value: Any) -> dict[str, Any]:
    """Return the attributes of an object, in slots or not."""
    slots = [name for kind in type(value).__mro__ for name in _slots(kind)]
    slot_values = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return {**slot_values, **getattr(value, "__dict__", {})}


def _slots(kind: type[Any]) -> tuple[str, ...]:
    # Classes compiled by mypyc list their attributes in __mypyc_attrs__ instead.
    slots = kind.__dict__.get("__mypyc_attrs__") or kind.__dict__.get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    return tuple(name for name in names if name not in ("__dict__", "__weakref__"))


def difference(before: Any, after: Any, path: str = "state") -> str:
    """Describe the first difference of two snapshots, e.g. `hands[2] was (3, 5) and is (3,)`; "" if they are equal."""
    if before == after:
        return ""
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        parts = ((f"{path}.{key}", before[key], after[key]) for key in before)
    elif isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after):
        parts = ((f"{path}[{index}]", *pair) for index, pair in enumerate(zip(before, after, strict=True)))
    else:
        return f"{path} was {short_repr(before)} and is {short_repr(after)}"
    return next(text for name, old, new in parts if (text := difference(old, new, name)))


def short_repr(value: Any) -> str:
    """Return a value as text of bounded length."""
    text = repr(value)
    return text if len(text) <= 200 else text[:197] + "..."
