"""Prompts and completion, without a terminal."""

import io
import sys

import pytest

from arena.run.people.terminal import Terminal


def terminal_with_input(text: bytes, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text), encoding="utf-8"))
    return Terminal()


def test_lines_from_a_pipe_are_echoed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    terminal = terminal_with_input(b"keep\n\xff\n", monkeypatch)
    assert terminal.ask("seat 0> ", ()) == "keep"
    assert terminal.ask("seat 0> ", ()) == "\ufffd", "invalid UTF-8 is replaced"
    assert capsys.readouterr().out == "seat 0> keep\nseat 0> \ufffd\n"


def test_the_end_of_the_input_interrupts(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyboardInterrupt):
        terminal_with_input(b"", monkeypatch).ask("seat 0> ", ())


def test_tab_completes_to_moves_and_words(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_with_input(b"x\n", monkeypatch)
    terminal.ask("", ["bid 2x3", "bid 2x4", "no", "log"])
    assert [terminal._complete("BID 2", state) for state in range(3)] == ["bid 2x3", "bid 2x4", None]
    assert [terminal._complete("", state) for state in range(5)] == ["bid 2x3", "bid 2x4", "no", "log", None]
    assert terminal._complete("z", 0) is None
