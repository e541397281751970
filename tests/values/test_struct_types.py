"""Types that msgspec converts to are made ready by one thread at a time."""

import ast
from threading import Event, Thread

import msgspec

from arena.values import struct_types
from arena.values.struct_types import ready
from tests.test_imports import ALL_MODULES

ENTERED, GO_ON = Event(), Event()


def whole_number() -> type[int]:
    ENTERED.set()
    assert GO_ON.wait(60)
    return int


class Slow(msgspec.Struct):
    """A struct whose annotations take their time."""

    number: "whole_number()"  # type: ignore[valid-type]


def test_a_thread_waits_while_another_one_reads_the_annotations_of_a_struct() -> None:
    first = Thread(target=ready, args=(Slow,))
    first.start()
    assert ENTERED.wait(60)
    assert not struct_types._reading.acquire(blocking=False)
    GO_ON.set()
    first.join()
    assert ready(Slow) is Slow
    assert msgspec.convert({"number": 3}, Slow) == Slow(3)


def test_nothing_is_converted_to_a_type_that_is_not_ready() -> None:
    for name, path in ALL_MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("msgspec.convert", "msgspec.json.decode"):
                types = [ast.unparse(part) for part in (*node.args[1:], *(keyword.value for keyword in node.keywords))]
                is_ready = any(type.startswith("ready(") for type in types)
                assert is_ready or name == "arena.values.struct_types", f"{name}:{node.lineno}: write ready(type)"
            assert not (isinstance(node, ast.Attribute) and ast.unparse(node) == "msgspec.json.Decoder"), name
