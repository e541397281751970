"""`arena failures`, and what other commands tell of processes that failed."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.store import open_store
from arena.values.failure_rows import ProcessFailureRow
from referee.games.cambio import CAMBIO
from tests import played

MOMENT = 1_700_000_000_000_000
TRACE = "Traceback\n  line 1\nKeyError: 7\n"


@pytest.fixture(autouse=True)
def _database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database in which processes of bot b failed in tournament 1, and one of bot a in the single match 9."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    with open_store("arena.db", create=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, matches=8))
        failures = [
            ProcessFailureRow(0, 1, 1, MOMENT, "crash", "it ended", None, 9, (0, 1, 2, 3, 4), None, TRACE, True),
            ProcessFailureRow(0, 1, 1, MOMENT + 1_500_000, "start", "it said nothing", 3, None, (4,), 4, "x" * 99),
        ]
        store.add_matches(number, [played.match(CAMBIO, number) for number in range(8)], failures=failures)
        idle = ProcessFailureRow(0, 0, 0, MOMENT - 1, "hung", "it runs but has not answered")
        store.add_single(played.tournament(CAMBIO, matches=1), played.match(CAMBIO), (), [idle])


def arena(*words: str) -> Result:
    result = CliRunner().invoke(main, words, prog_name="arena")
    assert result.exit_code == 0, result.output
    return result


def test_they_are_listed_the_newest_first() -> None:
    heading, _, *rows = arena("failures").stdout.splitlines()
    assert heading.split("  ")[0] == "when (UTC)"
    assert [" ".join(row.split()) for row in rows] == [
        f"2023-11-14 22:13:21.500 1 b start exit code 3 5 (guilty) {'x' * 39}…",
        "2023-11-14 22:13:20.000 1 b crash SIGKILL 1, 2, 3 and 2 more KeyError: 7",
        "2023-11-14 22:13:19.999 - a hung - -",
    ]
    short = arena("failures", "--limit", "1")
    assert len(short.stdout.splitlines()) == 3
    assert "more than 1 failures: list all with --limit 0" in short.stderr


def test_all_that_is_known_is_printed() -> None:
    start, crash, hung = arena("failures", "--output").stdout.split("\n\n")
    assert start.splitlines()[:3] == [
        "2023-11-14 22:13:21.500 UTC, tournament 1, phase 0: a process of b failed (start)",
        "it said nothing",
        "only match 5 had an open question: it is guilty",
    ]
    assert "5 matches had open questions, so no single match is guilty: 1, 2, 3, 4, 5" in crash
    assert crash.endswith("last output (its beginning is cut off):\n    Traceback\n      line 1\n    KeyError: 7")
    assert hung.splitlines()[0].endswith("a single match: a process of a failed (hung)")
    assert hung.splitlines()[-1] == "no question was open"


def test_they_are_chosen_and_told_as_json() -> None:
    told = json.loads(arena("failures", "--tourney", "1", "--json").stdout)
    assert not told["more"]
    assert [each["bot"] for each in told["failures"]] == ["b", "b"]
    assert told["failures"][1] == {
        "tournament": 1, "bot": "b", "time": "2023-11-14T22:13:20.000+00:00", "time_us": MOMENT, "phase": 0,
        "kind": "crash", "sentence": "it ended", "exit_code": None, "signal": 9, "output": TRACE, "truncated": True,
        "matches": [1, 2, 3, 4, 5], "guilty": None,
    }  # fmt: skip
    for words in (["--bot", "a"], ["--owner", "a"]):
        (one,) = json.loads(arena("failures", *words, "--json").stdout)["failures"]
        assert (one["bot"], one["tournament"]) == ("a", None)
    assert json.loads(arena("failures", "--owner", "a", "--bot", "b", "--json").stdout)["failures"] == []
    assert arena("failures", "--bot", "c").stderr == "no process has failed\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--bot", "bb"], 'no bot "bb" has played in arena.db'),
        (["--owner", "club"], "no bot of club has played in arena.db"),
        (["--tourney", "7"], "has no tournament 7: it has numbers 1 to 1"),
    ],
)
def test_who_is_not_there_is_said(words: list[str], sentence: str) -> None:
    result = CliRunner().invoke(main, ["failures", *words], prog_name="arena")
    assert result.exit_code == 2
    assert sentence in result.output


def test_the_table_counts_them_and_so_does_a_tournament() -> None:
    lines = arena("ranking").stdout.splitlines()
    (heading,) = (line for line in lines if line.lstrip().startswith("rank"))
    assert heading.index("faults") < heading.index("process failures") < heading.index("ms/decision")
    (row,) = (line for line in lines if " b " in line)
    assert "crash 1, start 1" in row
    told = {each["bot"]: each for each in json.loads(arena("ranking", "--json").stdout)["ranking"]}
    assert told["b"]["process_failures"] == {"crash": 1, "start": 1}
    assert told["a"]["process_failures"] == {}
    csv = arena("ranking", "--csv").stdout.splitlines()
    assert csv[0].endswith("ms_waited,process_failures,grants,clock")
    assert any(line.startswith(("1,b", "2,b", "3,b", "4,b")) and line.endswith("crash=1 start=1,,") for line in csv)
    show = arena("tourney", "show", "1").stdout
    assert "processes that failed: b crash 1, start 1; `arena failures --tourney 1` lists them" in show
    field = json.loads(arena("tourney", "show", "1", "--json").stdout)["field"]
    assert [each["process_failures"] for each in field] == [{}, {"crash": 1, "start": 1}, {}, {}]


def test_a_match_tells_those_that_bear_upon_it_to_whom_they_belong() -> None:
    guilty = arena("match", "show", "5").stdout
    assert "a process of b failed (start): it said nothing\nlast output:\n    xxx" in guilty
    assert "a process of b failed (crash): it ended" in guilty
    others = arena("match", "show", "5", "--owner", "c").stdout
    assert "a process of b failed (start): it said nothing" in others
    assert "last output" not in others
    assert "failed" not in arena("match", "show", "8").stdout
    told = json.loads(arena("match", "show", "5", "--json").stdout)["process_failures"]
    assert [(each["bot"], each["kind"], each["matches"], each["guilty"]) for each in told] == [
        ("b", "crash", 5, False),
        ("b", "start", 1, True),
    ]
    assert "a process of a failed (hung)" in arena("match", "show", "9").stdout
