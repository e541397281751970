"""`arena grades`: grades from boards, final tables and rankings, as Moodle imports them."""

import csv
import stat
from pathlib import Path

import pytest
from arena_classroom.errors import GradesError
from arena_classroom.grades import RatedBot, best_bots, linear, passed, percentiles
from click.testing import CliRunner, Result

from arena.cli import main
from arena.league.results.comparisons import LeagueComparisons
from arena.league.store.leagues import Leagues
from arena.store import open_store
from tests import leagues
from tests.server.api.conftest import fill


def bot(owner: str, elo: float, ci95: float | None = 30.0, bound: str = "") -> RatedBot:
    return RatedBot(f"{owner}/bot@1", owner, None, elo, bound, ci95)


def test_percentiles_of_ranks_are_shared_by_ties_and_tell_the_interval() -> None:
    grades = percentiles(0, 100)([bot("a", 90.2), bot("b", 50), bot("c", 49.8), bot("d", -20), bot("e", -30)])
    assert {owner: grade.value for owner, grade in grades.items()} == {"a": 100, "b": 62.5, "c": 62.5, "d": 25, "e": 0}
    assert grades["b"].words == "b/bot@1: Elo +50 ± 30 (95 %); place 2 of 5, shared by 2; percentile 62"
    assert percentiles(50, 100)([bot("a", 0, None)])["a"].value == 100
    assert "without an interval" in percentiles(50, 100)([bot("a", 0, None)])["a"].words


def test_a_line_between_two_points_is_level_beyond_them() -> None:
    rule = linear(("Elo +0", 0, 50), ("samples/x@1", 200, 100))
    grades = rule([bot("a", 300), bot("b", 100), bot("c", -5), bot("d", 200, None, ">")])
    assert [grade.value for grade in grades.values()] == [100, 75, 50, 100]
    assert grades["b"].words == "b/bot@1: Elo +100 ± 30 (95 %); Elo +0 (+0) is 50, samples/x@1 (+200) is 100"
    assert grades["d"].words.startswith("d/bot@1: Elo at least +200 without an interval;")
    with pytest.raises(GradesError, match="is not below that of"):
        linear(("y", 10, 50), ("x", 10, 100))


@pytest.mark.parametrize(
    ("chance", "value", "words"),
    [
        (0.95, 100, "stronger than x with 95.0 %: passed"),
        (0.9499, 0, "stronger than x with 95.0 %: not passed"),
        (1.0, 100, "stronger than x with more than 99.9 %: passed"),
        (0.0, 0, "stronger than x with less than 0.1 %: not passed"),
        (None, 0, "stronger than x not compared with it yet: not passed"),
    ],
)
def test_who_is_stronger_with_95_per_cent_has_passed(chance: float | None, value: float, words: str) -> None:
    grade = passed("x", lambda _: chance, 0, 100)([bot("a", 1)])["a"]
    assert grade.value == value
    assert grade.words.endswith(words)


def test_the_best_bot_of_each_owner_counts_if_its_elo_is_determined() -> None:
    bots = [bot("a", 1), bot("a", 5), bot("b", 9, None, "~"), bot("c", 3), bot("d", 7)]
    assert [(found.owner, found.elo) for found in best_bots(bots, {"a", "b", "c"})] == [("a", 5), ("c", 3)]


@pytest.fixture
def db(tmp_path: Path) -> str:
    """A league in which fox/hen stands above club/owl; fox is a team, and zoe has no bot."""
    path = str(tmp_path / "arena.db")
    with open_store(path, create=True) as store:
        fill(store)
        for number, (name, group) in enumerate((("club", "A"), ("ann", "A"), ("bob", "B"), ("zoe", "B")), 1):
            store.accounts.add(name, "author", f"{number}" * 64)
            store.accounts.describe(name, id_number=f"{4710 + number}", group=group)
        store.accounts.add("new", "author", "5" * 64)
        store.accounts.add("teacher", "organiser", "6" * 64)
        store.accounts.describe("teacher", id_number="1")
        store.teams.add("fox", None, ["ann", "bob"])
    return path


def grades(db: str, *words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["grades", *words, "--db", db])
    assert result.exit_code == code, result.output
    return result


def table(result: Result) -> dict[str, tuple[str, str]]:
    rows = csv.reader(result.stdout.splitlines())
    assert next(rows)[::2] == ["ID number", "Feedback"]
    return {number: (grade, words) for number, grade, words in rows}


def test_each_member_has_the_grade_of_the_team_and_who_has_no_bot_an_empty_one(db: str) -> None:
    result = grades(db, "cambio", "--percentile", "--item", "Bot league")
    assert result.stdout.splitlines()[0] == "ID number,Bot league,Feedback"
    assert result.stderr == "left out, as they have no ID number: new\n"
    found = table(result)
    words = "fox/hen@1: Elo +31 ± 30 (95 %); place 1 of 2; percentile 100"
    assert found["4712"] == found["4713"] == ("100", words)
    assert found["4711"][0] == "0"
    assert found["4714"] == ("", "no rated bot")
    assert set(found) == {"4711", "4712", "4713", "4714"}
    assert table(grades(db, "cambio", "--percentile", "--no-bot", "0"))["4714"][0] == "0"
    assert set(table(grades(db, "cambio", "--percentile", "--group", "B"))) == {"4713", "4714"}


def test_other_rules_and_tables(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = table(grades(db, "cambio", "--linear", "club/owl=40", "100=100"))
    assert (found["4711"][0], found["4712"][0]) == ("40", "62.67")
    monkeypatch.setattr(LeagueComparisons, "los", lambda _self, one, other: 0.97 if one > other else 0.03)
    found = table(grades(db, "cambio", "--beats", "club/owl", "--best", "1"))
    assert found["4712"] == ("1", "fox/hen@1: Elo +31 ± 30 (95 %); stronger than club/owl@1 with 97.0 %: passed")
    assert found["4711"][0] == "0"
    with open_store(db, write=True) as store:
        leagues.end_first_season(store, Leagues(store).named("cambio"))
        store.accounts.add("a", "author", "7" * 64)
        store.accounts.describe("a", id_number="9")
    found = table(grades(db, "cambio", "--season", "1", "--linear", "-10=0", "31=41"))
    assert (found["4711"][0], found["4712"][0]) == ("0", "41")
    assert table(grades(db, "--tournament", "1", "--percentile"))["9"][0] == "100"
    assert "tournament 2 is not over" in grades(db, "--tournament", "2", "--percentile").stderr


def test_no_cell_runs_as_a_formula(db: str, tmp_path: Path) -> None:
    with open_store(db, write=True) as store:
        store.accounts.describe("club", id_number='=HYPERLINK("x")')
    to = tmp_path / "grades.csv"
    assert grades(db, "cambio", "--percentile", "--item", "@x", "--worst", "-5", "--to", str(to)).stdout == ""
    assert stat.S_IMODE(to.stat().st_mode) == 0o600
    rows = list(csv.reader(to.read_text().splitlines()))
    assert rows[0] == ["ID number", "'@x", "Feedback"]
    assert next(row for row in rows if "HYPERLINK" in row[0])[:2] == ['\'=HYPERLINK("x")', "-5"]
    assert "cannot be made" in grades(db, "cambio", "--percentile", "--to", str(to), code=2).output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("cambio",), "choose one rule"),
        (("cambio", "--percentile", "--beats", "x"), "choose one rule"),
        (("--percentile",), "name a league, or a tournament"),
        (("cambio", "--tournament", "1", "--percentile"), "name a league, or a tournament"),
        (("elk", "--percentile"), "no league elk"),
        (("cambio", "--season", "1", "--percentile"), "season 1 of the league cambio has no final table"),
        (("--tournament", "1", "--beats", "a"), "--beats needs the board of a league"),
        (("cambio", "--beats", "elk"), "there is no rated bot elk: there are fox/hen@1, club/owl@1"),
        (("cambio", "--linear", "elk=1", "3=2"), "there is no rated bot elk"),
        (("cambio", "--linear", "3", "3=2"), "3 is no point of a line: write BOT=GRADE or ELO=GRADE"),
        (("cambio", "--linear", "fox/hen=50", "club/owl=100"), "is not below that of"),
        (("cambio", "--percentile", "--group", "C"), "no author in the group C has an ID number"),
        (("cambio", "--percentile", "--best", "nan"), "a grade is a number, not nan"),
    ],
)
def test_what_cannot_be_graded_is_said(db: str, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in grades(db, *words, code=2).output
