"""What one bot could signal to another by, where both are confined, and share nothing but files that neither writes."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.sandbox import choice, launch

Start = Callable[..., Any]

SIGNALLER = Path(__file__).parents[2] / "sample_bots/naughty/signaller.py"
SHARED = os.__file__
"""A file of the Python that both are run by."""

LOCKS = {"lock", "lock of an open file", "lock of a whole file"}


def attempts(start: Start) -> tuple[list[str], list[str]]:
    """Return what the sender says that it signals by, and what the other one, meanwhile, that it sees."""

    def printed(process: Any) -> list[str]:
        return [line.decode().strip() for line in iter(process.stdout.readline, b"done\n")]

    words = [sys.executable, str(SIGNALLER)]
    with start([*words, "send", SHARED], folder=SIGNALLER.parent) as (_, sender):
        sent = printed(sender)
        with start([*words, "look", SHARED], folder=SIGNALLER.parent) as (_, looker):
            return sent, printed(looker)


@pytest.mark.promise
def test_no_bot_signals_to_another_by_what_the_kernel_keeps(start: Start) -> None:
    sent, seen = attempts(start)
    assert "lock: EPERM" in sent
    assert "lock: EPERM" in seen
    assert not [line for line in sent + seen if line.startswith("GOT")]


@pytest.mark.promise
@pytest.mark.skipif(bool(choice.probe()), reason="what they make would stay on this machine")
@pytest.mark.parametrize("mode", ["bwrap"], indirect=True)
def test_without_the_filter_they_would(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "_filter", lambda mode, grants: ())
    sent, seen = attempts(start)
    assert {f"GOT {name}" for name in LOCKS} <= set(sent) & set(seen)
