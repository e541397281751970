"""Deep snapshots of values, to detect mutation."""

from collections import deque
from enum import Enum
from typing import Any

from referee.engine.chance import Chance

_PLAIN = (int, str, bytes, float, type(None), Enum)


def take_snapshot(value: Any) -> Any:
    """Take a deep snapshot of a value, which compares equal to that of an equal value.

    Lists, dictionaries, sets and attributes are followed. All `Chance` objects are equal, since copies may share one.
    """
    return _frozen(value, ())


def _frozen(value: Any, above: tuple[int, ...]) -> Any:
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, Chance):
        return Chance
    if id(value) in above:
        return "itself"
    above = (*above, id(value))
    if isinstance(value, (tuple, list, deque)):
        return tuple([item if isinstance(item, _PLAIN) else _frozen(item, above) for item in value])
    if isinstance(value, dict):
        return {key: _frozen(item, above) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return frozenset(_frozen(item, above) for item in value)
    if isinstance(value, bytearray):
        return bytes(value)
    if callable(value):
        return id(value)
    return {name: _frozen(item, above) for name, item in attributes(value).items()}


def attributes(value: Any) -> dict[str, Any]:
    """Return the attributes of an object: those in slots, and the others."""
    slots = [name for kind in type(value).__mro__ for name in _slots(kind)]
    found = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return {**found, **getattr(value, "__dict__", {})}


def _slots(kind: type[Any]) -> tuple[str, ...]:
    # Compiled classes have no slots, but a list of their own.
    slots = kind.__dict__.get("__mypyc_attrs__") or kind.__dict__.get("__slots__", ())
    named = (slots,) if isinstance(slots, str) else tuple(slots)
    return tuple(name for name in named if name not in ("__dict__", "__weakref__"))


def difference(before: Any, after: Any, path: str = "state") -> str:
    """Return where two snapshots first differ, e.g. `hands[2] was (3, 5) and is (3,)`; "" where they are equal."""
    if before == after:
        return ""
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        inner = ((f"{path}.{key}", before[key], after[key]) for key in before)
    elif isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after):
        inner = ((f"{path}[{place}]", *pair) for place, pair in enumerate(zip(before, after, strict=True)))
    else:
        return f"{path} was {short_repr(before)} and is {short_repr(after)}"
    return next(found for name, one, other in inner if (found := difference(one, other, name)))


def short_repr(value: Any) -> str:
    """Return a value as text of bounded length."""
    text = repr(value)
    return text if len(text) <= 200 else text[:197] + "..."
