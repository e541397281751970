"""The table of releases is the switch of all commands that install arena by pip."""

from pathlib import Path

import pytest

from arena.values.installing import ON_INDEX
from tools.install_lines import ROOT, corrected, corrections, is_on_index

BEFORE = "pip install --find-links dist 'botarena[web]'; (`pip install --find-links dist botarena-sdk`); pip install uv"
AFTER = "pip install 'botarena[web]'; (`pip install botarena-sdk`); pip install uv"


def test_every_command_of_this_tree_says_what_works() -> None:
    assert is_on_index(ROOT) == ON_INDEX
    assert [str(path) for path, _ in corrections(ROOT)] == [], "run `make docs`"


def test_commands_change_with_the_first_release_and_nothing_else_does() -> None:
    assert corrected(BEFORE, on_index=True) == corrected(AFTER, on_index=True) == AFTER
    assert corrected(BEFORE, on_index=False) == corrected(AFTER, on_index=False) == BEFORE
    assert corrected("a\nON_INDEX = False\n", on_index=True) == "a\nON_INDEX = True\n"


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("| none yet | | |", False),
        ("| 0.1.0 | not yet | |", False),
        ("| 0.1.0 | 2026-12-24 | |", True),
        ("## Versions\n\n| 0.1.0 | 2026-12-24 | |", False),
    ],
)
def test_a_release_has_a_version_and_a_date(table: str, expected: bool, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/releases.md").write_text(f"# Releases\n\n## Releases\n\n| version | date | |\n| --- |\n{table}\n")
    assert is_on_index(tmp_path) == expected


def test_each_file_that_says_something_else_is_corrected(tmp_path: Path) -> None:
    for name, text in {
        "README.md": BEFORE, "docs/releases.md": "\n## Releases\n| 0.1.0 | 2026-12-24 | |\n", "docs/right.md": AFTER,
        "packages/one/README.md": BEFORE, "packages/one/tests/test_one.py": BEFORE,
        "arena/values/installing.py": "ON_INDEX = False\n",
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert {str(path.relative_to(tmp_path)): text for path, text in corrections(tmp_path)} == {
        "README.md": AFTER, "packages/one/README.md": AFTER, "arena/values/installing.py": "ON_INDEX = True\n",
    }  # fmt: skip
