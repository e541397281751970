"""What a check prints while it runs, on a terminal and elsewhere."""

import fcntl
import os
import pty
import struct
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from arena.bots.report import CheckStep
from arena.bots.trial_pace import TrialProgress
from arena.cli import check_printer
from arena.cli.check_printer import CheckPrinter

LONG = CheckStep(13, "cambio at odd tables", "passed", "2 and 15 seats, preset overtime, preset anti, preset indian")


@contextmanager
def narrow(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Have standard output and error be a terminal of 40 columns; yield the other end."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm")
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        monkeypatch.setattr(sys, "stderr", terminal)
        yield ours
    monkeypatch.undo()
    os.close(ours)


def test_a_step_is_one_line_where_no_terminal_reads(capsys: pytest.CaptureFixture[str]) -> None:
    with CheckPrinter(steps_aside=False) as printer:
        printer.step(LONG)
    printed = capsys.readouterr()
    assert printed.out == f" 13. passed  cambio at odd tables: {LONG.sentence}\n"
    assert not printed.err


def test_beside_json_the_steps_are_printed_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    with CheckPrinter(steps_aside=True) as printer:
        printer.step(CheckStep(1, "starts", "passed", "it runs"))
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "  1. passed  starts: it runs\n")


def test_elsewhere_progress_is_a_line_every_few_seconds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(check_printer, "monotonic", lambda: now[0])
    with CheckPrinter(steps_aside=False) as printer:
        for now[0] in (1.0, 9.9, 10.0, 19.9):
            printer.progress(TrialProgress("plays cambio", 1, 4, 95.4))
        now[0] = 20.0
        printer.progress(TrialProgress("plays cambio", 2, 4, None))
    printed = capsys.readouterr()
    assert not printed.out
    assert printed.err == "plays cambio: 1 of 4 matches, about 1:35 left\nplays cambio: 2 of 4 matches\n"


def test_a_narrow_terminal_gets_whole_words_and_one_line_of_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    with narrow(monkeypatch) as terminal:
        with CheckPrinter(steps_aside=False) as printer:
            printer.progress(TrialProgress("plays cambio", 1, 4, 95.4))
            printer.step(LONG)
        sys.stdout.flush()
        written = ""
        while not written.endswith("indian\r\n"):
            written += os.read(terminal, 10_000).decode()
    shown, steps = written.split(" 13. ")
    assert "plays cambio: 1 of 4 matches" in shown
    assert "left" not in shown, "it is cut at the width"
    assert shown.endswith("\x1b[2K"), "it is gone before the step is printed"
    assert steps.replace("\r", "").splitlines() == [
        "passed  cambio at odd tables: 2 and",
        "     15 seats, preset overtime, preset",
        "     anti, preset indian",
    ]
