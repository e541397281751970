"""Which functions print tables, and what they print: for tests of how wide tables are."""

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from arena.values.text_table import TextTable

PRINTERS = {"table_text", "print_table", "print_holders", "matrix_text", "TextTable"}
"""What prints or makes a table."""

OWN = ("text_table.py", "output.py")
"""The modules of these themselves."""


def printing_functions(*folders: Path) -> set[tuple[str, str]]:
    """Return all functions of some folders that print a table: the names of the file and of the function."""
    return {
        (file.name, function.name)
        for folder in folders
        for file in folder.rglob("*.py")
        if file.name not in OWN
        for function in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(function, ast.FunctionDef)
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in PRINTERS
    }


@contextmanager
def watched_tables() -> Iterator[tuple[list[str], set[tuple[str, str]]]]:
    """Collect the texts of all tables that are printed in the block, and by which functions."""
    texts: list[str] = []
    printers: set[tuple[str, str]] = set()
    render, blocks = TextTable.render, TextTable.blocks

    def note(text: str, frame: FrameType | None) -> str:
        texts.append(text)
        while frame is not None and Path(frame.f_code.co_filename).name in OWN:
            frame = frame.f_back
        if frame is not None:
            printers.add((Path(frame.f_code.co_filename).name, frame.f_code.co_name))
        return text

    def watched_render(table: TextTable, form: str = "text", width: int | None = None) -> str:
        return note(render(table, form, width), sys._getframe(1))

    def watched_blocks(table: TextTable, width: int | None = None) -> Iterator[str]:
        caller = sys._getframe(1)
        return (note(block, caller) for block in blocks(table, width))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TextTable, "render", watched_render)
        patch.setattr(TextTable, "blocks", watched_blocks)
        yield texts, printers
