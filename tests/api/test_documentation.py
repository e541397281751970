"""The Python of docs/library.md and of the README runs as it stands."""

import re
from pathlib import Path

import pytest

from arena import api

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.toolchain


def block(page: str, language: str) -> str:
    """Return the first block of a page in a language."""
    found = re.search(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(("page", "language"), [("docs/library.md", "python"), ("README.md", "py")])
def test_the_first_example_runs(
    page: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (bot,) = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "bot.py").write_text(bot)
    exec(compile(block(page, language), page, "exec"), {})
    assert "± 95 %" in capsys.readouterr().out


def test_every_name_of_the_library_is_there_and_documented() -> None:
    for name in api.__all__:
        assert getattr(api, name).__doc__, name
    page = (ROOT / "docs/library.md").read_text()
    assert {name for name in api.__all__ if name[0].islower() and f"`{name}" not in page} == set()
