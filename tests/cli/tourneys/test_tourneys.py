"""`arena tourney list`, `show`, `resume`, `export`, `import` and `verify`."""

import csv
import json
import shutil
import sqlite3
from contextlib import closing
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from typing import Any

import click
import pyarrow.parquet
import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.cli.tourneys import COMMANDS

pytestmark = pytest.mark.usefixtures("in_process")

BOTS = "random,cautious,counter"


def arena(*words: str) -> Result:
    return CliRunner().invoke(main, words, prog_name="arena", catch_exceptions=False)


def tourney(*words: str) -> Result:
    return arena("tourney", *words)


def printed(*words: str) -> Any:
    result = tourney(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def made(in_process: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a round-robin (1), the same again with another number of referees (2), and a Swiss (3)."""
    path = tmp_path_factory.mktemp("made") / "arena.db"
    common = ["--game", "cambio", "-o", "chips=2", "--move-time", "0", "--db", str(path), "--json"]
    for jobs in ("1", "2"):
        result = tourney(*common, "--bots", BOTS, "--rounds", "12", "--seed", "3", "--jobs", jobs)
        assert result.exit_code == 0, result.output
    swiss = ["--schedule", "swiss", "--stages", "2", "--seats", "2", "--rounds", "3", "--jobs", "1"]
    result = tourney(*common, *swiss, "--bots", f"{BOTS},bluffer")
    assert result.exit_code == 0, result.output
    return path


@pytest.fixture(autouse=True)
def _folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    shutil.copy(made, "arena.db")


def tampered(*sql: str) -> None:
    with closing(sqlite3.connect("arena.db")) as connection, connection:
        for statement in sql:
            connection.execute(statement)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_explains_itself(name: str) -> None:
    command = import_module(f"arena.cli.tourneys.{name}{'_' if iskeyword(name) else ''}").command
    assert command.name == name
    assert command.help.splitlines()[0] == COMMANDS[name]
    assert COMMANDS[name] in CliRunner().invoke(main, ["tourney", "--help"], terminal_width=200).stdout
    assert all(not isinstance(each, click.Option) or each.help for each in command.params)


def test_what_stands_before_a_command_is_refused_and_a_near_miss_is_told() -> None:
    result = tourney("--db", "x", "list")
    assert result.exit_code == 2
    assert "--db stands before the command list: put it after list" in result.stderr
    result = tourney("liste")
    assert result.exit_code == 2
    assert 'there is no command "liste"; did you mean "list"?' in result.stderr


def test_list_tells_all_tournaments_the_newest_first() -> None:
    lines = tourney("list").stdout.splitlines()
    assert lines[0].split() == ["id", "game", "schedule", "bots", "matches", "state", "begun", "finished"]
    assert [line.split()[:3] for line in lines[2:]] == [
        ["3", "cambio", "swiss"], ["2", "cambio", "round-robin"], ["1", "cambio", "round-robin"]
    ]  # fmt: skip
    assert " ".join(lines[3].split()[3:10]) == "random, cautious, counter 36 of 36 finished"
    told = printed("list")["tournaments"]
    assert told[0]["planned"] == told[0]["matches"] == 24
    assert told[2]["bots"] == BOTS.split(",")


def test_show_tells_what_was_fixed_and_reveals_the_secret_of_what_is_finished() -> None:
    told = printed("show", "1")
    assert told["state"] == "finished"
    assert told["definition"]["rounds"] == 12
    assert told["field"][0]["bot"] == "random"
    assert told["field"][0]["matches"] == 36
    assert told["meetings"] == [[0, 36, 36], [36, 0, 36], [36, 36, 0]]
    assert told["successors"] == [[0, 18, 18], [18, 0, 18], [18, 18, 0]]
    text = tourney("show", "1").stdout
    for expected in (told["definition_hash"], told["seed_hash"], f"secret          {told['secret']}", "rounds: 12"):
        assert expected in text
    tampered("update events set finished = null")
    assert printed("show", "1")["secret"] is None
    assert told["secret"] not in tourney("show", "1").stdout
    assert "is shown once the tournament is finished" in tourney("show").stdout


def test_resume_plays_what_is_missing() -> None:
    for table in ("seats", "faults", "notes", "says", "loose"):
        tampered(f"delete from {table} where match_id between 4 and 9")
    tampered("delete from matches where id between 4 and 9")
    tampered("update events set finished = null where tournament = 1")
    assert printed("list")["tournaments"][2]["state"] == "unfinished"
    assert printed("resume", "1", "--jobs", "1")["matches"] == 36
    results = [tourney("export", number, "--results").stdout_bytes for number in ("1", "2")]
    assert results[0] == results[1]


def test_results_are_equal_byte_for_byte_whatever_the_jobs() -> None:
    one, other = (tourney("export", number, "--results").stdout_bytes for number in ("1", "2"))
    assert one == other
    assert len(one) > 36 * 100


def test_ratings_of_an_export_are_the_table() -> None:
    assert tourney("export", "1", "--to", "x.jsonl").exit_code == 0
    columns = ("rank", "bot", "elo", "bar", "separated", "score", "score_bar", "expected_place", "matches", "deals")
    tables = [
        [[row[column] for column in columns] for row in csv.DictReader(arena(*words, "--csv").stdout.splitlines())]
        for words in (("ranking", "1"), ("ratings", "x.jsonl"))
    ]
    assert tables[0] == tables[1]
    assert len(tables[0]) == 3


def test_an_export_taken_in_elsewhere_is_complete() -> None:
    assert tourney("export", "3", "--to", "x").exit_code == 0
    result = tourney("import", "x", "--db", "other.db")
    assert (result.exit_code, result.stdout) == (0, "tournament 1: 24 matches imported from x\n")
    assert tourney("export", "1", "--to", "y", "--db", "other.db").exit_code == 0
    rankings = [arena("ranking", *words, "--csv").stdout for words in (["3"], ["1", "--db", "other.db"])]
    assert rankings[0] == rankings[1]
    result = tourney("verify", "1", "--db", "other.db")
    assert (result.exit_code, result.stdout) == (0, "tournament 1: 24 matches checked, no errors\n")
    again = tourney("import", "y", "--db", "third.db")
    assert again.exit_code == 0
    tourney("export", "--to", "z", "--db", "third.db")
    assert Path("y").read_bytes() == Path("z").read_bytes()


def test_matches_are_exported_as_tables() -> None:
    for form in ("csv", "parquet"):
        result = tourney("export", "3", "--format", form, "--to", f"x.{form}")
        assert (result.exit_code, result.stderr) == (0, f"tournament 3: 24 matches written to x.{form}\n")
        assert tourney("export", "3", "--format", form).stdout_bytes == Path(f"x.{form}").read_bytes()
    rows = list(csv.DictReader(Path("x.csv").read_text().splitlines()))
    assert len({row["match"] for row in rows}) == 24
    assert pyarrow.parquet.read_metadata("x.parquet").num_rows == len(rows)
    refused = tourney("import", "x.csv", "--db", "other.db")
    assert refused.exit_code == 2
    assert "x.csv" in refused.output


def test_what_is_there_already_is_not_taken_in_twice() -> None:
    tourney("export", "3", "--to", "x")
    told = [tourney("import", "x", "--db", "other.db").stdout for _ in range(2)]
    assert told[1] == "tournament 1: 0 matches imported from x, 24 were stored already\n"
    assert len(printed("list", "--db", "other.db")["tournaments"]) == 1


def test_bare_results_that_were_taken_in_are_true_without_times() -> None:
    assert tourney("export", "3", "--results", "--to", "x.jsonl").exit_code == 0
    assert tourney("import", "x.jsonl", "--db", "other.db").exit_code == 0
    result = tourney("verify", "--db", "other.db")
    assert (result.exit_code, result.stdout) == (0, "tournament 1: 24 matches checked, no errors\n")


def test_files_that_are_not_there_are_told() -> None:
    result = tourney("import", "nothing.jsonl")
    assert (result.exit_code, result.stderr) == (2, "Error: nothing.jsonl cannot be read: No such file or directory\n")
    result = tourney("export", "1", "--to", "/dev/null/file")
    assert result.exit_code == 2
    assert "/dev/null/file cannot be written: File exists" in result.stderr


def test_what_is_true_is_verified() -> None:
    for number in ("1", "3"):
        told = printed("show", number)
        words = ["--hash", told["seed_hash"], "--definition-hash", told["definition_hash"]]
        result = tourney("verify", number, *words)
        assert result.exit_code == 0
        assert result.stdout.endswith(" matches checked, no errors\n")


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("update events set secret = '00' || substr(secret, 3) where tournament = 1", "the secret is not the one"),
        ("update events set definition = replace(definition, '12', '11')", "the definition is not the one"),
        ("update matches set seed = zeroblob(32) where id = 7", "match 7: its seed does not follow"),
        ("update matches set deal = deal + 1 where id = 7", "match 7: it was played with deal 3, and by the schedule"),
        ("update matches set digest = zeroblob(16) where id = 7", "match 7: by the rules its log is different"),
        ("update matches set round = 9 where id = 7", "match 7: it is stored as round 9, table 0, rotation 0, and by"),
        (
            "update seats set entrant = 2 - entrant where match_id = 7",
            "match 7: at its table sit ",
        ),
        ("update seats set rank = 4 - rank where match_id = 7", "match 7: by the rules its ranks are "),
        (
            "delete from loose where match_id = 7",
            "summaries of tournament 1: its summaries are not the sums of its matches (of 35 instead of 36 matches",
        ),
    ],
)
def test_what_is_not_true_is_a_sentence(sql: str, sentence: str) -> None:
    tampered(sql)
    result = tourney("verify", "1")
    assert result.exit_code == 1
    *sentences, told = result.stdout.splitlines()
    assert sentence in "\n".join(sentences)
    assert told.endswith(" 1 error" if len(sentences) == 1 else f" {len(sentences)} errors")


def test_matches_that_were_taken_away_are_missed() -> None:
    tables = ("seats", "faults", "notes", "loose")
    tampered(*(f"delete from {table} where match_id > 34 and match_id <= 36" for table in tables))
    tampered("delete from matches where id > 34 and id <= 36")
    result = tourney("verify", "1")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0] == (
        "tournament 1: it is finished, and 2 matches of its schedule are not stored, from match 35 on"
    )
    tampered("update events set finished = null where tournament = 1")
    assert tourney("verify", "1").exit_code == 0, "what is not finished may lack matches"


def test_a_log_without_its_beginning_is_not_true() -> None:
    tampered("delete from actions where number = 1 and event_id = 3")
    result = tourney("verify", "3")
    assert result.exit_code == 1
    assert "tournament 3: entry 2 of its log is not as it was written, or one before it is missing" in result.stdout


def test_a_hash_that_was_written_down_is_compared() -> None:
    result = tourney("verify", "1", "--hash", "ab", "--definition-hash", "cd")
    assert result.exit_code == 1
    assert "tournament 1: the seed hash is " in result.stdout
    assert "tournament 1: the definition hash is " in result.stdout
    told = json.loads(tourney("verify", "1", "--hash", "ab", "--json").stdout)
    assert (told["matches"], len(told["wrong"])) == (36, 1)


@pytest.mark.parametrize("number", ["1", "3"])
def test_the_file_of_a_tournament_runs_as_the_same_tournament(number: str) -> None:
    Path("event.toml").write_text(tourney("show", number, "--toml").stdout)
    assert "4 bots" in tourney("run", "event.toml", "--dry-run").stdout or number == "1"
    result = tourney("run", "event.toml", "--json", "--db", "other.db")
    assert result.exit_code == 0, result.output
    told, again = printed("show", number), printed("show", "1", "--db", "other.db")
    assert again["definition_hash"] == told["definition_hash"]
    if number == "1":
        results = [tourney("export", "1", "--results", "--db", db).stdout_bytes for db in ("arena.db", "other.db")]
        assert results[0] == results[1]


def test_a_file_that_is_wrong_plays_nothing() -> None:
    Path("event.toml").write_text('game = "cambio"\n[schedule]\nrounds = "many"\n[[bot]]\nbot = "random"\n')
    result = tourney("run", "event.toml", "--db", "other.db")
    assert result.exit_code == 2
    assert "event.toml, line 3: schedule.rounds must be a whole number, 1 or more" in result.stderr
    assert not Path("other.db").exists()
    result = tourney("show", "--toml", "--json")
    assert (result.exit_code, "exclude each other" in result.stderr) == (2, True)
