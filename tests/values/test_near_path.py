"""The near miss of a path."""

from pathlib import Path

import pytest

from arena.values.near_path import did_you_mean_path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with bots and an event file, in which the test runs."""
    (tmp_path / "bots/python").mkdir(parents=True)
    for name in ("bots/python/cautious.py", "bots/python/counter.py", "event.toml", "pyproject.toml"):
        (tmp_path / name).touch()
    (tmp_path / "dangling").symlink_to("nowhere")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("evnt.toml", "event.toml"),
        ("./evnt.toml", "./event.toml"),
        ("event.tml", "event.toml"),
        ("bots/python/cautios.py", "bots/python/cautious.py"),
        ("bot/pyton/couter.py", "bots/python/counter.py"),
        ("bots/pyton", "bots/python"),
        ("bots/../evnt.toml", "bots/../event.toml"),
    ],
)
def test_the_path_most_alike_is_named(given: str, meant: str) -> None:
    assert did_you_mean_path(given) == f'; did you mean "{meant}"?'
    assert did_you_mean_path(Path(given)) == f'; did you mean "{meant.removeprefix("./")}"?'


def test_absolute_paths_stay_absolute(folder: Path) -> None:
    assert did_you_mean_path(folder / "evnt.toml") == f'; did you mean "{folder / "event.toml"}"?'


@pytest.mark.parametrize(
    "given", ["results.toml", "event.toml/x", "nowhere/at/all", "bots.db", "dangling", "event.toml", ""]
)
def test_where_nothing_is_alike_nothing_is_said(given: str) -> None:
    assert did_you_mean_path(given) == ""
