"""What the OpenAPI document says of the fields of a class: the docstring under each field, read from its source."""

import ast
import inspect
import sys
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Struct


def describe_fields(components: dict[str, Any], types: Sequence[type[Struct]]) -> None:
    """Add to each property of schemas what the docstring under its field says.

    components: the schemas of the classes and of those that they hold, by name; changed in place.
    types: the classes.
    """
    for cls in _structs(msgspec.inspect.multi_type_info(types)):
        properties = components[cls.__name__]["properties"]
        for name, words in _field_docs(cls).items():
            properties[name].setdefault("description", words)


def _structs(types: Sequence[msgspec.inspect.Type]) -> set[type[Struct]]:
    """Return the classes among types, and those that their fields hold."""
    found: set[type[Struct]] = set()
    left: list[Any] = list(types)
    while left:
        kind = left.pop()
        if isinstance(kind, list | tuple):
            left += kind
        elif isinstance(kind, msgspec.inspect.StructType):
            if kind.cls not in found:
                found.add(kind.cls)
                left += (field.type for field in kind.fields)
        elif isinstance(kind, msgspec.inspect.Type):
            left += (getattr(kind, name) for name in kind.__struct_fields__)
    return found


def _field_docs(cls: type[Struct]) -> dict[str, str]:
    """Return the docstrings under the fields of a class and of those that it extends, each in one line, by field."""
    docs: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        docs |= _docs_in(base.__module__).get(base.__qualname__, {})
    return docs


@cache
def _docs_in(module: str) -> dict[str, dict[str, str]]:
    """Return the docstrings under the fields of the classes of a module, by class and field."""
    found: dict[str, dict[str, str]] = {}
    if module.partition(".")[0] in ("builtins", "msgspec"):
        return found
    for node in ast.parse(inspect.getsource(sys.modules[module])).body:
        if isinstance(node, ast.ClassDef):
            docs = found[node.name] = {}
            for field, after in pairwise(node.body):
                match field, after:
                    case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                        docs[name] = " ".join(words.split())
    return found
