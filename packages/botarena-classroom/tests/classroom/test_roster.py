"""`arena accounts import`: accounts of a class."""

import csv
import stat
from pathlib import Path

import pytest

from arena.run.remote.tokens import token_hash
from arena.store import open_store
from tests.cli.test_accounts import run


@pytest.fixture
def db(tmp_path: Path) -> str:
    return str(tmp_path / "arena.db")


def test_a_roster_makes_an_account_for_each_row(db: str, tmp_path: Path) -> None:
    roster, tokens = tmp_path / "roster.csv", tmp_path / "new" / "folder" / "tokens.csv"
    roster.write_text('email;name\nj@x.example;"Müller, Jörg"\na@x.example;Ada\n', encoding="utf-8")
    run(db, "create", "ada")
    assert "accounts created: 1, there already: 1" in run(db, "import", str(roster), "--tokens", str(tokens)).stdout
    assert stat.S_IMODE(tokens.stat().st_mode) == 0o600
    (row,) = csv.DictReader(tokens.read_text(encoding="utf-8").splitlines())
    assert (row["name"], row["account"]) == ("Müller, Jörg", "muller-jorg")
    with open_store(db) as store:
        identity = store.account_tokens.identify(token_hash(row["token"]))
        assert identity is not None
        assert identity.account.name == "muller-jorg"
    assert "cannot be made" in run(db, "import", str(roster), "--tokens", str(tokens), code=2).output


def test_no_name_of_a_roster_runs_as_a_formula_beside_the_tokens(db: str, tmp_path: Path) -> None:
    roster, tokens = tmp_path / "roster.csv", tmp_path / "tokens.csv"
    names = ['=HYPERLINK("http://evil","Ann")', "@SUM(A1)", "+Bob", "Ada"]
    with roster.open("w", newline="") as file:
        csv.writer(file).writerows([["name"], *([name] for name in names)])
    run(db, "import", str(roster), "--tokens", str(tokens))
    rows = csv.DictReader(tokens.read_text().splitlines())
    assert [row["name"] for row in rows] == [*(f"'{name}" for name in names[:3]), "Ada"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", 'has no column "name"'),
        ("who\nada\n", 'has no column "name"'),
        ("name\n", "has no row below its titles"),
        ("name\nAda\nADA\n", 'row 3: "ADA" and "Ada" both become ada'),
        ("name\n!!\n", 'row 2: no account can be named "!!"'),
        ("\nname\n\n!!\n", 'row 4: no account can be named "!!"'),
        (
            "name\nAda\n!!\n??\nADA\n",
            "has mistakes, so no account was created:\n"
            '    row 3: no account can be named "!!": use letters from a to z\n'
            '    row 4: no account can be named "??": use letters from a to z\n'
            '    row 5: "ADA" and "Ada" both become ada: change one\n',
        ),
        ("name\n" + "!!\n" * 12, "\n    and 2 more\n"),
    ],
)
def test_a_roster_with_mistakes_makes_no_account(db: str, tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "roster.csv").write_text(text)
    result = run(db, "import", str(tmp_path / "roster.csv"), "--tokens", str(tmp_path / "tokens.csv"), code=2)
    assert sentence in result.output
    assert not (tmp_path / "tokens.csv").exists()
