"""A bot that notes whether it has the network, and prints and notes the variable THE_KEY of its environment."""

from pathlib import Path

import pytest

KEY = "a-key-of-the-organiser"
"""The value of THE_KEY, where a test sets it."""

LOOKER = """
import os
import socket

from arena.sdk import Bot


class Looker(Bot):
    def choose(self, question):
        try:
            socket.socket(socket.AF_INET).close()
            has_network = "network"
        except OSError:
            has_network = "nothing"
        key = os.environ.get("THE_KEY", "none")
        print(key, flush=True)
        question.note(f"has {has_network} and a key of {len(key)}: {key}")
        return question.legal[0]


Looker().run()
"""
"""The source of the bot."""


def go_among_lookers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change into a folder with two of the bots, a.py and b.py, set the key, and return the folder."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("THE_KEY", KEY)
    for name in ("a", "b"):
        (folder / f"{name}.py").write_text(LOOKER)
    return folder
