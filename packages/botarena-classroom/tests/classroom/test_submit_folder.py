"""The way of a class into tournaments, with real processes, as the organiser goes it."""

from pathlib import Path

import pytest

from tests.cli.test_submit import FIRST, RUN, SHORT, WRONG, arena, printed, project

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "name the PATH of a bot, or a folder of bots with --from"),
        (["owl", "--from", "owl"], "name the PATH of a bot, or a folder"),
        (["owl", "--owner", "x"], "--owner needs --from"),
        (["owl", "--owners", "x", "--jobs", "2", "--reports", "r"], "--owners and --jobs and --reports need"),
        (["--from", "owl", "--owner", "x", "--owners", "folders"], "--owner and --owners exclude each other"),
        (["--from", "owl", "--owners", "none.csv"], "none.csv is not a file: name a CSV file, or"),
        (["--from", "owl", "--deadline", "noon"], "'noon' is not a point in time: write 2026-05-01T18:00"),
        (["--from", "owl", "--deadline", "2026-05-01"], "is not a point in time"),
        (["--from", "owl", "--owners", "folders", "--must-beat", "nobody"], "there is no bot nobody"),
        (["--from", "owl", "--name", "x"], "--name needs a PATH"),
        (["--from", "owl", "--to", "https://arena.example"], "--from and --to exclude each other"),
    ],
)
def test_what_cannot_be_submitted_is_told_in_a_sentence(words: list[str], sentence: str) -> None:
    project("owl")
    assert sentence in arena("submit", *words, code=2).stderr


@pytest.mark.processes
def test_a_class_hands_in() -> None:
    Path("class").mkdir()
    project("class/Good Owl")
    project("class/bad", "raise SystemExit(3)\n")
    project("class/good-owl")
    Path("class/readme").write_text("x")
    words = ["submit", "--from", "class", "--owner", "lab", "--reports", "reports"]
    told = arena(*words, code=1).stdout.splitlines()
    assert [line.split()[:3] for line in told[:3]] == [
        ["lab/good-owl", "is", "accepted"],
        ["lab/bad", "is", "refused:"],
        ["good-owl", "is", "refused:"],
    ]
    assert "Good Owl has the same name" in told[2]
    assert told[3:] == ["3 handed in: 1 accepted, 2 refused", "ignored, as no bots: readme"]
    assert "the process exited with code 3" in Path("reports/lab/bad.txt").read_text()
    assert sorted(str(path) for path in Path("reports").rglob("*.txt")) == [
        "reports/good-owl.refused.txt", "reports/lab/bad.txt", "reports/lab/good-owl.txt"
    ]  # fmt: skip
    assert [row["name"] for row in printed("bots", "--json")["bots"]] == ["lab/good-owl"]


@pytest.mark.processes
def test_a_class_of_owners_keeps_its_secrets() -> None:
    """With an owner each, bots sit apart, and nobody reads the notes of a classmate."""
    for owner in ("ann", "ben"):
        Path("class", owner).mkdir(parents=True)
        source = FIRST.replace("return", f"question.note('idea of {owner}')\n        return") + RUN
        Path("class", owner, "bot.py").write_text(source.replace("(Bot):", "(Bot):\n    games = ('coch',)"))
    Path("owners.csv").write_text("\ufefffolder;owner;name\r\nann;Ännchen Müller;owl\r\nben;Ben;\r\ncleo;Cleo;\r\n")
    words = ["submit", "--from", "class", "--owners", "owners.csv", "--reports", "reports", "--jobs", "2"]
    told = arena(*words).stdout.splitlines()
    assert [line.split()[0] for line in told[:2]] == ["annchen-muller/owl", "ben/bot"]
    assert told[2:] == [
        "2 handed in: 2 accepted", 'owners.csv, row 4: nothing was handed in as "cleo" (cleo)'
    ]  # fmt: skip
    assert sorted(str(path) for path in Path("reports").rglob("*.txt")) == [
        "reports/annchen-muller/owl.txt", "reports/ben/bot.txt"
    ]  # fmt: skip
    again = printed(*words, "--json")
    assert [(bot["name"], bot["new"]) for bot in again["submissions"]] == [
        ("annchen-muller/owl", False),
        ("ben/bot", False),
    ]
    assert (again["near_copies"], again["ignored"], len(again["not_handed_in"])) == ([], [], 1)

    arena("tourney", "--game", "coch", "--bots", "annchen-muller/owl,ben/bot", *SHORT)
    for owner in ("annchen-muller", "ben"):
        shown = printed("match", "show", "1", "--owner", owner, "--json")
        seats = {seat["seat"]: seat["bot"] for seat in shown["seats"]}
        assert {seats[note["seat"]].split("/")[0] for note in shown["notes"]} == {owner}
    apart = arena(
        "tourney", "--game", "coch", "--bots", "annchen-muller/owl,ben/bot", "--same-author", "apart", "--dry-run"
    )
    assert "bots of one author never share a table" in apart.stdout


@pytest.mark.processes
def test_the_questions_at_which_a_bot_failed_lie_beside_its_report() -> None:
    project("class/owl", WRONG)
    assert "owl is refused" in arena("submit", "--from", "class", "--reports", "reports", code=1).stdout
    assert Path("reports/owl-1-plays-coch.json").exists()
