"""Mistakes that are planted in a copy of the tree: `make mutants`."""

from collections import Counter
from pathlib import Path

import pytest

from tools import mutants
from tools.mutants import BadList, Mutant, run

CODE = """def larger(a, b):
    return a if a > b else b


LIMIT = 3
"""

TESTS = """import os
from pathlib import Path

from room import LIMIT, larger


def test_larger():
    assert larger(1, 2) == larger(2, 1) == 2


def test_limit():
    assert 'def larger' in Path(__file__).with_name('room.py').read_text()
    if LIMIT == 9:
        os._exit(124)  # as `timeout` ends a test that hangs
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with a module and its tests, and what is not copied."""
    (tmp_path / "room.py").write_text(CODE)
    (tmp_path / "test_room.py").write_text(TESTS)
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "test_broken.py").write_text("no Python")
    return tmp_path


def mutant(old: str, new: str, *tests: str) -> Mutant:
    return Mutant("rules", "room.py", old, new, tests or ("test_room.py",))


def test_the_list_fits_the_tree() -> None:
    listed = mutants.mutants()
    mutants.check(listed)
    counts = Counter(each.area for each in listed)
    assert list(counts) == ["rules", "referee", "store", "league", "server"]
    assert min(counts.values()) >= 20
    assert len({(each.file, each.old, each.new) for each in listed}) == len(listed)


@pytest.mark.processes
def test_those_that_no_test_notices_survive(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dies = mutant("a > b", "a < b")
    equal = mutant("a > b", "a >= b")
    elsewhere = mutant("a > b", "b", "test_room.py::test_limit")
    hangs = mutant("LIMIT = 3", "LIMIT = 9", "test_room.py::test_limit")
    assert run([dies, equal, elsewhere, hangs], 2, tree) == [equal, elsewhere]
    assert (tree / "room.py").read_text() == CODE
    told = sorted(line.partition(" s  ")[2] for line in capsys.readouterr().out.splitlines())
    assert told == [
        "rules: room.py: LIMIT = 3 -> LIMIT = 9  noticed by one that hangs",
        "rules: room.py: a > b -> a < b  noticed by test_room.py::test_larger",
        "rules: room.py: a > b -> a >= b  SURVIVES",
        "rules: room.py: a > b -> b  SURVIVES",
    ]


@pytest.mark.processes
def test_tests_that_fail_anyway_notice_nothing(tree: Path) -> None:
    (tree / "test_room.py").write_text(TESTS.replace("== 2", "== 3"))
    with pytest.raises(BadList, match="test_room.py: they fail without a mistake, too"):
        run([mutant("a > b", "a < b")], 1, tree)


@pytest.mark.processes
def test_a_mistake_with_which_no_test_can_be_read_is_none(tree: Path) -> None:
    with pytest.raises(BadList, match=r"the tests cannot run with it[\s\S]*cannot import name 'larger'"):
        run([mutant("def larger", "def bigger")], 1, tree)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (Mutant("rules", "hall.py", "a", "b", ("test_room.py",)), "there is no such file"),
        (mutant("a < b", "a > b"), "the old text stands there 0 times"),
        (mutant("larger", "smaller", "test_hall.py"), "there are no tests test_hall.py"),
        (mutant("LIMIT", "MOST", "test_room.py::test_most[x]"), r"there are no tests test_room.py::test_most\[x\]"),
        (mutant("a if", "b if", "test_room.py::test_large"), "there are no tests test_room.py::test_large"),
        (mutant(" b\n\n\n", " a"), "a mistake changes one line"),
        (mutant("a if", "a if"), "a mistake changes one line"),
        (mutant("b", "c"), "the old text stands there 3 times"),
    ],
)
def test_a_list_that_is_out_of_date_says_where(tree: Path, wrong: Mutant, sentence: str) -> None:
    with pytest.raises(BadList, match=sentence):
        run([mutant("a > b", "a < b"), wrong], 1, tree)


def test_all_that_is_out_of_date_is_said_at_once(tree: Path) -> None:
    with pytest.raises(BadList) as error:
        mutants.check([mutant("x", "y"), mutant("z", "y")], tree)
    assert [line.split(" -> ")[0] for line in str(error.value).splitlines()] == [
        "rules: room.py: x",
        "rules: room.py: z",
    ]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert mutants.main(["rules", "--check"]) == 0
    assert mutants.main(["cellar"]) == 2
    told = "error: there is no area cellar; the areas are: rules, referee, store, league, server\n"
    assert capsys.readouterr().err == told
