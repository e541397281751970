"""What games say is known by ids, never by its English words: nothing between rules and browser takes a text apart."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.replay import static
from arena.server import files

REPLAY = Path(static.__file__).parent.parent
SITE = Path(files.__file__).parent
MODULES = sorted(path for path in REPLAY.rglob("*.py") if "terminal" not in path.parts)
OF_TABLES = {"live-page.js": "the classes of rows"}
"""Scripts whose regular expressions have words that no game says."""
SCRIPTS = [
    path
    for folder in (Path(static.__file__).parent, SITE)
    for path in sorted(folder.glob("*.js"))
    if path.name not in OF_TABLES
]

NOT_OF_GAMES = {
    "rule_pages.py": "reads Markdown",
    "html.py": "cuts the end tag off an element",
    "renderer.py": "finds the page in the heading of a section of the rules",
    "sheets.py": "reads style sheets and drawings",
    "readable.py": "puts names in place of what stands for seats in messages, in any language",
    "words.py": "breaks lines where pictures have no room, and leaves out letters that no file may hold",
}
"""Modules that take apart what no game says."""
BY_TABLE = {
    "refusals.py": "moves are the language of bots: some are known by their first words",
    "log_lines.py": "values whose words are those of the game are divided into words",
    "phrases.py": "moves are the language of bots: they are read by the phrases that the game declares",
}
TAKES_APART = {"startswith", "endswith", "removesuffix", "split", "rsplit", "partition", "rpartition", "splitlines"}
CODES = {("scopa.py", "split"), ("scopa_story.py", "split"), ("perudo.py", "split"), ("items.py", "split")}
"""Values of events that list cards and dice: "C7 U3"."""
CODES |= {("board.py", "split"), ("board_lines.py", "split"), ("faces.py", "partition"), ("glyphs.py", "partition")}
"""Ranks of boards, and pieces with their signs: "r . k", "P 歩"."""

LITERAL = re.compile(r"(?<=[(=,:?\s])/(?![/*\s>])((?:\\.|\[(?:\\.|[^\]])*\]|[^/\n\\\[])+)/[a-z]*(?=[.,;)\s])")
"""A regular expression of a script."""


def taken_apart(path: Path) -> Iterator[str]:
    """Yield the methods by which a module takes texts apart, and "re"."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in TAKES_APART:
            yield node.func.attr
        if isinstance(node, ast.Import) and any(alias.name == "re" for alias in node.names):
            yield "re"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_module_of_replays_takes_texts_of_games_apart(path: Path) -> None:
    if path.name in NOT_OF_GAMES or path.name in BY_TABLE:
        assert list(taken_apart(path)), "it is no exception any more"
        return
    assert [method for method in taken_apart(path) if (path.name, method) not in CODES] == []


def words_in(script: str) -> list[str]:
    """Return the regular expressions of a script that have words."""
    return [
        found[0]
        for found in LITERAL.finditer(script)
        if re.search("[A-Za-z]{2}", re.sub(r"\[(?:\\.|[^\]])*\]|\\.", "", found[1]))
    ]


def test_words_in_a_regular_expression_are_found() -> None:
    assert words_in(r"const SEAT = /^seat (\d+)/;") == [r"/^seat (\d+)/"]
    assert words_in(r"rest.replace(/^[, ]+/, '') / 2; word.match(/won/);") == ["/won/"]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_regular_expression_of_a_script_has_words(path: Path) -> None:
    assert words_in(path.read_text("utf-8")) == []
