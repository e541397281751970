"""Whether JSON values have the types of a dataclass's fields: those of an archive were written by anybody."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct, structs

from arena.values.canonical_json import HASH_VERSION
from arena.values.definition import Definition

LARGEST = 2**63 - 1
"""A database holds no larger number."""


MOST_SEATS = 1000
"""The most seats at a table; no game has as many."""

_NEEDED = ("game", "rounds", "seats")


def definition_misfit(definition: object) -> str:
    """Return a sentence on what is wrong with the definition of a tournament; "" if it is valid."""
    if not isinstance(definition, dict):
        return "it is not an object"
    if missing := [key for key in _NEEDED if key not in definition]:
        return f"it has no {missing[0]}"
    if (version := definition.get("hash_version")) != HASH_VERSION:
        return f"it is hashed by version {version} of the rule, and this arena knows version {HASH_VERSION}"
    if wrong := misfit(definition, Definition):
        return wrong
    seats, team_of = definition["seats"], definition.get("team_of", [])
    if not 1 <= seats <= MOST_SEATS or definition["rounds"] < 0:
        return f"it has {seats} seats and {definition['rounds']} rounds"
    if team_of and (len(team_of) != seats or set(team_of) != set(range(len(set(team_of))))):
        return f"the teams of {seats} seats are {team_of[:20]}"
    return ""


def misfit(value: object, kind: Any, place: str = "") -> str:
    """Return a sentence on the first value that is not of its type; "" if all are.

    kind: a dataclass or struct, or the type of one of its fields.
    place: where the value stands. Fields that are absent, or that it does not know, are not looked at.
    """
    origin, args = get_origin(kind), get_args(kind)
    if is_dataclass(kind) or (isinstance(kind, type) and issubclass(kind, Struct)):
        if not isinstance(value, dict):
            return _wrong(value, "an object", place)
        hints = get_type_hints(kind)
        names = [each.name for each in (fields(kind) if is_dataclass(kind) else structs.fields(kind))]
        return _first(misfit(value[name], hints[name], f"{place}.{name}") for name in names if name in value)
    if origin in (Union, UnionType):
        faults = [misfit(value, arg, place) for arg in args if arg is not NoneType]
        return "" if "" in faults or (value is None and NoneType in args) else faults[0]
    if origin is Literal:
        return "" if value in args else _wrong(value, " or ".join(map(str, args)), place)
    if origin is tuple:
        if not isinstance(value, list):
            return _wrong(value, "a list", place)
        if args[-1] is not Ellipsis and len(value) != len(args):
            return _wrong(value, f"a list of {len(args)}", place)
        kinds = [args[0]] * len(value) if args[-1] is Ellipsis else args
        return _first(misfit(each, of, f"{place}[{n}]") for n, (each, of) in enumerate(zip(value, kinds, strict=True)))
    if origin is not None and issubclass(origin, Mapping):
        if not isinstance(value, dict):
            return _wrong(value, "an object", place)
        return _first(misfit(each, args[1], f"{place}.{name}") for name, each in value.items())
    return _of_type(value, kind, place)


def _of_type(value: object, kind: Any, place: str) -> str:
    if kind is int:
        fits = type(value) is int and abs(value) <= LARGEST
        return "" if fits else _wrong(value, "a whole number", place)
    if kind is float:
        fits = type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]
        return "" if fits else _wrong(value, "a number", place)
    names = {str: "a text", bool: "true or false"}
    return "" if kind not in names or type(value) is kind else _wrong(value, names[kind], place)


def _first(faults: Iterable[str]) -> str:
    return next(filter(None, faults), "")


def _wrong(value: object, wanted: str, place: str) -> str:
    return f"{place.lstrip('.') or 'it'} is {str(value)[:60]!r} and not {wanted}"
