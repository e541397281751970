"""The yardstick: always the same work, whatever becomes of arena."""

import ast
import hashlib
import inspect

from arena.bench import yardstick
from arena.bench.yardstick import CardTable, Yardstick, play


def test_the_same_matches_are_played_everywhere() -> None:
    assert play() == (3351, 935161)


def test_the_yardstick_is_never_changed() -> None:
    source = inspect.getsource(CardTable) + inspect.getsource(play)
    assert (yardstick.VERSION, hashlib.sha256(source.encode()).hexdigest()[:16]) == (1, "e4efa5faeb74b2fb"), (
        "ratios of before are not comparable any more: undo the change, or raise VERSION and put the new hash here"
    )


def test_the_yardstick_uses_nothing_of_arena() -> None:
    tree = ast.parse(inspect.getsource(yardstick))
    imported = {name.asname or name.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
                for name in node.names if (node.module or "").startswith(("arena", "referee"))}  # fmt: skip
    used = {name.id for node in tree.body for name in ast.walk(node)
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name in ("CardTable", "play")
            and isinstance(name, ast.Name)}  # fmt: skip
    assert imported == {"pinned", "spare_core"}
    assert not imported & used


def test_a_run_is_compared_with_the_readings_before_and_after_it() -> None:
    readings = Yardstick(0.0)
    assert not readings.beside
    readings.read()
    readings.read()
    readings._readings = [2.0, 4.0, 8.0]
    assert readings.beside == (3.0, 6.0)


def test_a_reading_is_the_cpu_time_of_a_decision() -> None:
    readings = Yardstick(0.0)
    readings.read()
    (beside,) = readings.beside
    assert 0 < beside < 1000
