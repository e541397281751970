"""`arena accounts import`: accounts of a class."""

import csv
import stat
from pathlib import Path

import pytest
from arena_classroom.errors import RosterError

from arena.league.account_closing import close_account
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
    made = run(db, "import", str(roster), "--tokens", str(tokens)).stdout
    assert "accounts created: 1, changed: 1, as they were: 0" in made
    assert "row 2: muller-jorg: new; name Müller, Jörg; email j@x.example" in made
    assert stat.S_IMODE(tokens.stat().st_mode) == 0o600
    (row,) = csv.DictReader(tokens.read_text(encoding="utf-8").splitlines())
    assert (row["name"], row["account"]) == ("Müller, Jörg", "muller-jorg")
    with open_store(db) as store:
        identity = store.account_tokens.identify(token_hash(row["token"]))
        assert identity is not None
        assert identity.account.name == "muller-jorg"
    assert run(db, "import", str(roster)).stdout == "accounts created: 0, changed: 0, as they were: 2\n"
    roster.write_text("name\nBob\n")
    assert "cannot be made" in run(db, "import", str(roster), "--tokens", str(tokens), code=2).output
    assert "accounts that are new: 1; name a new file" in run(db, "import", str(roster), code=2).output
    with open_store(db) as store:
        assert [account.name for account in store.accounts.all()] == ["ada", "muller-jorg"]


def test_no_name_of_a_roster_runs_as_a_formula_beside_the_tokens(db: str, tmp_path: Path) -> None:
    roster, tokens = tmp_path / "roster.csv", tmp_path / "tokens.csv"
    for name in ('=HYPERLINK("http://evil","Ann")', "@SUM(A1)", "+Bob"):
        with roster.open("w", newline="") as file:
            csv.writer(file).writerows([["name"], [name]])
        assert "a display name may not have" in run(db, "import", str(roster), "--tokens", str(tokens), code=2).output
    roster.write_text("name\n-Ann\n")
    run(db, "import", str(roster), "--tokens", str(tokens))
    assert [row["name"] for row in csv.DictReader(tokens.read_text().splitlines())] == ["'-Ann"]


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
            '    row 3: no account can be named "!!": use letters from a to z, or name one in the column "account"\n'
            '    row 4: no account can be named "??": use letters from a to z, or name one in the column "account"\n'
            '    row 5: "ADA" and "Ada" both become ada: change one\n',
        ),
        ("name\n" + "!!\n" * 12, "\n    and 2 more\n"),
        ("name\n김민수\n", 'row 2: no account can be named "김민수": use letters from a to z, or name one in'),
        ("name,account\nAda,Ada L\n", 'row 2: an account cannot be named "Ada L"'),
        ("name,email\nAda,ada at home\n", 'row 2: "ada at home" is no e-mail address'),
        ("name,id\nAda,7\nBob,7\n", "row 3: the id 7 is in row 2 already"),
        ("name,email\nAda,a@b.cd\nBob,A@b.cd\n", "row 3: the email A@b.cd is in row 2 already"),
        ("name,team\nAda,!!\n", 'row 2: no team can be named "!!"'),
        ("name,team\nAda,Lab 1\nBob,lab-1\n", 'row 3: the teams "lab-1" and "Lab 1" both become lab-1'),
        ("name,team\nAda,Bob\nBob,Bob\n", 'row 3: bob is the name of a team ("Bob")'),
        ("name,team\nAda,Teacher\n", 'the team "Teacher": teacher is, or was, the account of a person'),
        ("name,account\nAda,lab\n", "row 2: lab is a team: give the person another account"),
        ("name,account\nAda,gone\n", "row 2: the account gone was closed"),
        ("name,id\nAda,99\n", "row 2: the id 99 is that of the account teacher"),
        ("name,team\nTeacher,Lab\n", "row 2: teacher is an organiser: only authors act for a team"),
        ("name,id,ID number\nAda,1,2\n", "has two columns for the same (id, ID number)"),
    ],
)
def test_a_roster_with_mistakes_makes_no_account(db: str, tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "roster.csv").write_text(text)
    with open_store(db, create=True) as store:
        store.accounts.add("teacher", "organiser", "1" * 64)
        store.accounts.describe("teacher", id_number="99")
        store.accounts.add("gone", "author", "2" * 64)
        close_account(store, "gone")
        store.teams.add("lab")
        before = store.accounts.all()
    result = run(db, "import", str(tmp_path / "roster.csv"), "--tokens", str(tmp_path / "tokens.csv"), code=2)
    assert sentence in result.output
    assert not (tmp_path / "tokens.csv").exists()
    with open_store(db) as store:
        assert store.accounts.all() == before


ROSTER = """First name;Last name;account;ID number;Email address;Groups;team;city
Jörg;Müller;;4711;j@x.example;B;Lab 3;Bonn
민수;김;minsu;4712;m@x.example;B;Lab 3;Seoul
Ada;Lovelace;;4713;a@x.example;A;;London
"""


def test_a_repeated_import_updates_what_changed_and_says_so(db: str, tmp_path: Path) -> None:
    roster, tokens = tmp_path / "roster.csv", tmp_path / "tokens.csv"
    roster.write_bytes(ROSTER.encode("utf-16"))
    assert "there is no database" in run(db, "import", str(roster), "--dry-run", code=2).output
    run(db, "create", "teacher", "--role", "organiser")
    tried = run(db, "import", str(roster), "--dry-run")
    assert "accounts would be created: 3, would be changed: 0, as they were: 0" in tried.stdout
    assert "columns that are ignored: city" in tried.stderr
    assert not tokens.exists()
    run(db, "import", str(roster), "--tokens", str(tokens))
    with open_store(db, write=True) as store:
        assert store.teams.members() == {"lab-3": ["jorg-muller", "minsu"]}
        ada, jorg, lab, minsu, _ = store.accounts.all()
        assert (ada.display_name, ada.group, ada.team) == ("Ada Lovelace", "A", None)
        assert (jorg.email, jorg.id_number, lab.display_name) == ("j@x.example", "4711", "Lab 3")
        assert minsu.display_name == "민수 김"
        store.accounts.choose_display_name("minsu", "민수")
    later = ROSTER.replace("4713;a@x.example;A;", "4713;;C;Lab 4").replace("4712", "4799")
    roster.write_text(later, encoding="utf-8-sig")
    assert run(db, "import", str(roster)).stdout.splitlines() == [
        "row 3: minsu: name 민수 -> 민수 김; id 4712 -> 4799",
        "row 4: ada-lovelace: group A -> C; team lab-4",
        "accounts created: 0, changed: 2, as they were: 1",
    ]
    with open_store(db) as store:
        ada = store.accounts.all()[0]
        assert (ada.email, ada.owner) == ("a@x.example", "lab-4"), "an empty cell changes nothing"


def test_an_import_that_fails_while_it_stores_leaves_neither_accounts_nor_tokens(
    db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    roster, tokens = tmp_path / "roster.csv", tmp_path / "tokens.csv"
    roster.write_text(ROSTER)

    def fail(*_: object) -> None:
        assert tokens.exists(), "tokens are written before their accounts are stored"
        raise RosterError("the disk is full")

    monkeypatch.setattr("arena_classroom.roster.join_team", fail)
    assert "the disk is full" in run(db, "import", str(roster), "--tokens", str(tokens), code=2).output
    assert not tokens.exists()
    with open_store(db) as store:
        assert store.accounts.all() == []
