"""Check the fields of a dataclass against its annotations, for values read from JSON."""

from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


def check_types(value: Any) -> None:
    """Raise TypeError with the name of the first field that holds something else, in dataclasses below too."""
    kind: Any = type(value)
    for name, hint in _hints(kind).items():
        if not _fits(held := getattr(value, name), hint):
            raise TypeError(f"{name} is {held!a:.60}")


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _fits(value: Any, hint: Any) -> bool:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, each) for each in arguments)
    if origin is Literal:
        return isinstance(value, str) and value in arguments
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        kinds = [arguments[0]] * len(value) if arguments[-1] is ... else arguments
        return len(kinds) == len(value) and all(map(_fits, value, kinds))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        named, held = arguments
        return isinstance(value, Mapping) and all(_fits(k, named) and _fits(v, held) for k, v in value.items())
    if hint in (int, float, bool, None, NoneType):  # a truth value is no number here
        return type(value) in {float: (int, float), None: (NoneType,)}.get(hint, (hint,))
    if not isinstance(value, hint):
        return False
    if is_dataclass(value):
        check_types(value)
    return True
