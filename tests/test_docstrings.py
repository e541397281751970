"""The form of docstrings: a sentence; then each field under its field, and each parameter on a line of its own."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_ITEM = re.compile(r"(?:(?<=[.?!;] )|(?<=[.?!][)`\"] ))(\w+(?:(?:, | and )\w+)*): ")
"""An explanation that begins within a line: names and a colon after the end of a sentence."""


def _names(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Return the names that a docstring may explain: fields of a class, parameters of a function."""
    if isinstance(node, ast.ClassDef):
        return set(_fields(node))
    arguments = node.args
    rest = [each for each in (arguments.vararg, arguments.kwarg) if each]
    return {each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *rest)}


def _fields(node: ast.ClassDef) -> list[str]:
    annotated = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
    return [target.id for target in annotated if isinstance(target, ast.Name)]


def wrong(source: str) -> Iterator[str]:
    """Yield what stands elsewhere than it should, as LINE NAME: WHAT."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        names = _names(node)
        for line in (ast.get_docstring(node) or "").splitlines():
            for item in _ITEM.finditer(line):
                if names.issuperset(re.split(", | and ", item[1])):
                    yield f"{node.lineno} {node.name}: {item[1]} needs a line of its own"
            own = re.match(r"(\w+): ", line)
            if isinstance(node, ast.ClassDef) and own and own[1] in names:
                yield f"{node.lineno} {node.name}: {own[1]} is to be explained under the field"


@pytest.mark.parametrize("folder", ["arena", "bench", "referee", "packages", "sample_bots", "tests", "tools"])
def test_fields_stand_under_fields_and_parameters_on_lines(folder: str) -> None:
    paths = [path for path in (ROOT / folder).rglob("*.py") if "_pb2" not in path.name and "build" not in path.parts]
    assert paths
    found = [f"{path.relative_to(ROOT)}:{each}" for path in sorted(paths) for each in wrong(path.read_text("utf-8"))]
    assert not found, "\n".join(found)


def test_what_stands_in_a_paragraph_is_found() -> None:
    inline = 'class A:\n    """A thing. size: how big. a, b: more."""\n    size: int\n    a: int\n    b: int\n'
    assert list(wrong(inline)) == ["1 A: size needs a line of its own", "1 A: a, b needs a line of its own"]
    above = 'class A:\n    """A thing.\n\n    size: how big.\n    """\n    size: int\n'
    assert list(wrong(above)) == ["1 A: size is to be explained under the field"]
    assert not list(wrong('class A:\n    """A thing."""\n    size: int\n    """How big."""\n'))
    function = 'def f(size):\n    """Do it. size: how big."""\n'
    assert list(wrong(function)) == ["1 f: size needs a line of its own"]
    assert not list(wrong('def f(size):\n    """Do it.\n\n    size: how big.\n    """\n'))
