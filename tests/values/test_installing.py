"""The command that installs what is missing fits the way in which arena was installed."""

import json
import sys
from pathlib import Path

import pytest

from arena.values import installing
from arena.values.installing import how_to_install


class Installed:
    """A distribution with what an installer recorded of its origin (PEP 610)."""

    def __init__(self, url: str | None) -> None:
        self.url = url

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self.url is None else json.dumps({"url": self.url})


@pytest.mark.parametrize(
    ("url", "prefix", "requirement", "command"),
    [
        (None, "/venv", "botarena[web]",
         "pip install --find-links dist 'botarena[web]' (dist is the folder with the wheels of arena)"),
        ("https://example.org/botarena.whl", "/venv", "botarena[web]",
         "pip install --find-links dist 'botarena[web]' (dist is the folder with the wheels of arena)"),
        ("file:///media/w%20heels/botarena-0.1.0-cp311-cp311-linux_x86_64.whl", "/venv", "botarena[web]",
         "pip install --find-links '/media/w heels' 'botarena[web]'"),
        ("file:///src/arena", "/src/arena/.venv", "botarena[web]", "make -C /src/arena install EXTRAS=web"),
        ("file:///src/arena", "/src/arena/.venv", "botarena-chess",
         "make -C /src/arena dist, then pip install --find-links /src/arena/dist botarena-chess"),
        ("file:///src/arena", "/venv", "botarena[web]",
         "make -C /src/arena dist, then pip install --find-links /src/arena/dist 'botarena[web]'"),
        ("file://{here}", "/venv", "botarena[web]", "make dist, then pip install --find-links dist 'botarena[web]'"),
        ("file://{here}", "{here}/.venv", "botarena[web]", "make install EXTRAS=web"),
    ],
)  # fmt: skip
def test_before_the_first_release(
    url: str | None, prefix: str, requirement: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(installing, "ON_INDEX", False)
    monkeypatch.setattr(sys, "prefix", prefix.format(here=tmp_path))
    monkeypatch.setattr(installing, "distribution", lambda name: Installed(url and url.format(here=tmp_path)))
    assert how_to_install(requirement) == command


def test_after_the_first_release(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installing, "ON_INDEX", True)
    assert how_to_install("botarena[web]") == "pip install 'botarena[web]'"
    assert how_to_install("botarena-chess") == "pip install botarena-chess"
