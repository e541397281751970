"""Every scenario file, and the example that the format's page shows."""

import re
from pathlib import Path

import pytest

from referee.engine.scenario import judge

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.rglob("*.toml"))
PAGE = Path(__file__).parent.parent / "docs" / "scenarios.md"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_scenario(file: Path) -> None:
    verdict = judge(file.read_text(encoding="utf-8"))
    log = "\n".join(verdict.log)
    assert not verdict.wrong, f"{verdict.wrong}\n{log}"
    assert not verdict.differences, "\n".join([*verdict.differences, log])


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_it_says_in_one_line_what_it_shows(file: Path) -> None:
    assert len(judge(file.read_text(encoding="utf-8")).shows) > 20


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('game = "cambo"\nseats = 6', 'there is no game "cambo"; did you mean "cambio"?'),
        ('game = "cambio"\nseats = 16', "cambio is played by 2 to 15 seats, not 16"),
        ('game = "cambio"\nseats = 3\n[chance]\ndeck = [8, 8, 8]', "the deck's next card, 8, was not in the pack"),
        ('game = "cambio"\nseats = 3\n[chance]\ndice = [[8]]', "chance.dice is given, but cambio has not asked for it"),
        (
            'game = "cambio"\nseats = 3\n[chance]\nfirst = 0\ndeck = [8, 7, 6]\n[[play]]\nseat = 1\nmove = "kep"',
            'unknown move "kep" at play 1: seat 1 may "keep", "exchange"',
        ),
        (
            'game = "cambio"\nseats = 3\n[chance]\nfirst = 0\ndeck = [8, 7, 6]\n[[play]]\nseat = 1\nmove = "cuckoo"',
            '"cuckoo" is not legal at play 1: seat 1 may "keep", "exchange"',
        ),
    ],
)
def test_wrong_files_of_the_real_games(text: str, sentence: str) -> None:
    assert judge(text).wrong.startswith(sentence)


def test_examples_of_the_page() -> None:
    examples = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    whole = [example for example in examples if "game = " in example]
    assert whole
    for example in whole:
        verdict = judge(example)
        assert (verdict.wrong, verdict.differences) == ("", [])
