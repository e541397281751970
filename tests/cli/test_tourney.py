import json
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from tests.tournament.processes import Watched, descendants

pytestmark = pytest.mark.usefixtures("in_process")

BRISK = ["--game", "cambio", "-o", "chips=2", "--move-time", "0", "--jobs", "1"]
"""With one referee: another would mean more starts of bots, and what it may change is told by tests of its own."""

SHORT = [*BRISK, "--bots", "random,cautious"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make arena put what is temporary into an empty folder, with a path that is short enough for sockets."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


def arena(*words: str) -> Result:
    return CliRunner().invoke(main, words, prog_name="arena")


def tourney(*words: str) -> Result:
    return arena("tourney", *words)


def printed(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def kept_matches(database: str) -> int:
    """Return how many matches a database holds."""
    with closing(sqlite3.connect(database)) as connection:
        return int(connection.execute("select count(*) from matches").fetchone()[0])


@pytest.mark.promise
@pytest.mark.usefixtures("with_processes")
def test_a_tournament_from_one_command() -> None:
    result = tourney(*SHORT, "--rounds", "2", "--seed", "7", "--jobs", "1")
    assert result.exit_code == 0, result.output
    assert result.stderr.startswith("tournament 1: 4 matches to play, seed hash ")
    heading, mode, seed, blank, names, *_ = result.stdout.splitlines()
    assert heading.startswith("Tournament 1: cambio with chips=2, 2 rounds at tables of 2, 4 of 4 matches, ")
    assert heading.endswith(" decisions/s")
    assert mode.startswith("Mode fast, up to 512 matches at once; seed hash ")
    assert seed == "Development seed 7: bots could guess the cards, so this ranking proves nothing"
    assert blank == ""
    assert names.split()[:3] == ["rank", "bot", "Elo"]


def test_json_is_one_object_and_a_seed_gives_the_same_again() -> None:
    objects = [
        printed(tourney(*SHORT, "--rounds", "3", "--seed", "7", "--json", "--jobs", jobs)) for jobs in ("1", "2")
    ]
    first, second = objects
    assert list(first) == [
        "tournament", "game", "options", "rounds", "matches", "decisions", "seconds", "seed_hash", "log_entries",
        "log_hash", "ranking",
    ]  # fmt: skip
    assert (first["tournament"], first["game"], first["options"], first["rounds"]) == (1, "cambio", {"chips": "2"}, 3)
    assert first["matches"] == 6
    assert second["tournament"] == 2
    entry = first["ranking"][0]
    assert entry["rank"] == 1
    assert entry["bot"] in ("random", "cautious")
    assert {"elo", "bar", "score", "expected_place", "matches", "faults", "ms_per_decision"} <= set(entry)
    for each in objects:
        for varying in ("tournament", "seconds", "log_hash"):  # the log has the time of each decision
            del each[varying]
        for bot in each["ranking"]:
            del bot["ms_per_decision"]
    assert first == second


def test_the_deals_of_an_earlier_tournament_again() -> None:
    printed(tourney(*SHORT, "--rounds", "3", "--json"))
    words = [*BRISK, "--bots", "cautious,cautious", "--rounds", "3"]
    printed(tourney(*words, "--deals-of", "1", "--rotations", "none", "--json"))
    with closing(sqlite3.connect("arena.db")) as connection:
        first, second = (
            set(connection.execute("select deal, seed from matches where event_id = ?", (event,))) for event in (1, 2)
        )
    assert first == second
    assert (
        printed(arena("ranking", "1", "--json"))["seed_hash"] == printed(arena("ranking", "2", "--json"))["seed_hash"]
    )
    result = tourney(*words, "--deals-of", "9")
    assert result.stderr == "Error: the database arena.db has no tournament 9: it has numbers 1 to 2\n"
    assert "exclude each other" in tourney(*words, "--deals-of", "1", "--seed", "1").stderr


def test_resuming_what_is_finished_prints_it_again() -> None:
    first = printed(tourney(*SHORT, "--rounds", "1", "--json"))
    again = printed(tourney("resume", "1", "--json"))
    assert again["ranking"] == first["ranking"]
    assert again["seed_hash"] == first["seed_hash"]


def test_tournament_is_another_name_of_tourney() -> None:
    assert printed(arena("tournament", *SHORT, "--rounds", "1", "--json"))["matches"] == 2
    assert arena("tournament", "list", "--json").stdout == tourney("list", "--json").stdout
    assert "Usage: arena tournament " in arena("tournament", "--help").stdout
    assert "tournament" not in [line.split()[0] for line in arena("--help").stdout.splitlines() if line.strip()]


def test_rounds_times_tables_times_rotations_are_the_matches_planned_and_played() -> None:
    words = [*FIVE, "--seats", "2", "--rounds", "3", "--schedule", "gauntlet", "--challengers", "2"]
    planned = printed(tourney(*words, "--dry-run", "--json"))
    assert planned["matches"] == 3 * planned["tables"] * planned["rotations"]
    assert printed(tourney(*words, "--json"))["matches"] == planned["matches"]
    shown = printed(tourney("show", "--json"))
    assert (shown["matches"], shown["planned"], shown["definition"]["rounds"]) == (
        planned["matches"],
        planned["matches"],
        3,
    )


@pytest.mark.promise
@pytest.mark.usefixtures("with_processes")
def test_killed_with_all_its_session_nothing_outlives_it_and_resuming_ends_it(temporary: Path) -> None:
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "tourney", *SHORT, "--rounds", "2500", "--jobs", "2", "--db", "killed.db"],
        stdout=subprocess.DEVNULL,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    shown = b""
    while b" decisions/s" not in shown:
        shown += os.read(controller, 4096)
    watched = Watched(descendants(process.pid))
    assert list(temporary.iterdir())
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    os.close(controller)
    assert watched.survivors() == []
    assert list(temporary.iterdir()) == []

    assert 0 < kept_matches("killed.db") < 5000
    resumed = printed(tourney("resume", "1", "--db", "killed.db", "--json"))
    assert resumed["matches"] == kept_matches("killed.db") == 5000
    assert all(bot["faults"] == {} for bot in resumed["ranking"])


def test_a_test_ends_the_tournament_early_whatever_the_jobs_and_again_when_resumed() -> None:
    words = ["--rounds", "1500", "--seed", "1", "--sprt", "elo0=-50,elo1=0", "--json"]
    found = []
    for jobs in ("1", "2"):
        result = tourney(*SHORT, *words, "--jobs", jobs)
        assert result.exit_code == 5, result.output
        found.append(json.loads(result.stdout))
    again = tourney("resume", "1", "--json")
    assert again.exit_code == 5
    found.append(json.loads(again.stdout))
    assert {each["verdict"] for each in found} == {found[0]["verdict"]}
    assert found[0]["verdict"].startswith("H0 accepted, random is below +0 Elo against cautious: LLR -")
    assert found[0]["estimate"] == found[2]["estimate"]
    assert found[0]["estimate"]["high"] < 0
    assert {each["matches"] for each in found} == {found[0]["matches"]}
    assert found[0]["matches"] < 500, "long before the first block is over"
    scores = [[(bot["bot"], bot["elo"], bot["score"]) for bot in each["ranking"]] for each in found]
    assert scores[0] == scores[1] == scores[2]
    shown = arena("ranking", "1").stdout
    assert "Ended early: H0 accepted" in shown
    assert "Corrected for the stopping of the test, random against cautious: -" in shown
    refused = arena("tourney", "resume", "1", "--rounds", "3000")
    assert refused.exit_code == 2
    assert "tournament 1 is decided and cannot be extended: H0 accepted" in refused.stderr


def test_a_test_that_is_not_decided_says_where_it_stands() -> None:
    words = [*SHORT, "--rounds", "2", "--seed", "1", "--sprt", "elo0=0,elo1=5"]
    assert "round-robin of 2 bots at tables of 2: at most 4 matches" in tourney(*words, "--dry-run").stdout
    told = next(line for line in tourney(*words).stdout.splitlines() if line.startswith("Not decided"))
    assert told.startswith("Not decided: LLR ")
    assert told.endswith(" (-2.94 to 2.94)")
    assert told in arena("ranking", "1").stdout.splitlines()
    assert json.loads(arena("ranking", "1", "--json").stdout)["undecided"] == told.removeprefix("Not decided: ")


def test_an_undecided_test_is_extended_as_if_it_had_been_longer_from_the_start() -> None:
    words = [*SHORT, "--seed", "1", "--sprt", "elo0=-50,elo1=0", "--json"]
    whole = json.loads(tourney(*words, "--rounds", "500", "--db", "whole.db").stdout)
    short = tourney(*words, "--rounds", "20")
    assert short.exit_code == 0
    assert "undecided" in json.loads(short.stdout)
    remedy = "play on with: arena tourney resume 1 --rounds 40 --db arena.db"
    assert remedy in arena("ranking", "1").stdout
    assert arena("tourney", "export", "1", "--to", "short.arena").exit_code == 0
    tourney(*SHORT, "--rounds", "1")  # the next tournament leaves room for more matches of the first
    for rounds, sentence in (("20", "has 20 rounds already"), ("90", "the ids that its further matches need")):
        refused = arena("tourney", "resume", "1", "--rounds", rounds)
        assert refused.exit_code == 2
        assert sentence in refused.stderr
    longer = arena("tourney", "resume", "1", "--rounds", "24", "--jobs", "1", "--json")
    assert longer.exit_code == 0, longer.output
    assert (json.loads(longer.stdout)["rounds"], json.loads(longer.stdout)["matches"]) == (24, 48)
    assert "extended to 24 rounds, 48 matches" in arena("tourney", "log", "1").stdout
    assert arena("tourney", "verify", "1").exit_code == 0
    refused = arena("tourney", "import", "short.arena")
    assert refused.exit_code == 2
    assert "tournament 1 of arena.db is the same one with another log" in refused.stderr
    copied = arena("tourney", "export", "1", "--to", "one.arena")
    assert copied.exit_code == 0, copied.output
    assert arena("tourney", "import", "one.arena", "--db", "copy.db").exit_code == 0
    ended = arena("tourney", "resume", "1", "--rounds", "500", "--db", "copy.db", "--jobs", "1", "--json")
    assert ended.exit_code == 5, ended.output
    resumed = json.loads(ended.stdout)
    for key in ("verdict", "estimate", "matches"):
        assert resumed[key] == whole[key]
    assert [bot["elo"] for bot in resumed["ranking"]] == [bot["elo"] for bot in whole["ranking"]]
    assert arena("tourney", "verify", "1", "--db", "copy.db").exit_code == 0


def test_stages_cannot_be_extended() -> None:
    printed(tourney(*SHORT, "--seats", "2", "--rounds", "1", "--schedule", "swiss", "--stages", "1", "--json"))
    refused = arena("tourney", "resume", "1", "--rounds", "5")
    assert refused.exit_code == 2
    assert "is a swiss, whose later stages rest upon the rounds of the earlier ones" in refused.stderr


FIVE = [*BRISK, "--bots", "random,cautious,counter,bluffer,random"]


@pytest.mark.parametrize(
    ("words", "matches", "stages"),
    [
        (["--schedule", "swiss", "--stages", "2"], 16, ["Swiss round 1 of 2", "Swiss round 2 of 2"]),
        (["--schedule", "knockout"], 16, ["quarter-final", "semi-final", "final"]),
        (["--schedule", "ladder", "--challengers", "1"], 12, ["ladder round 1", "ladder round 2", "ladder round 3"]),
    ],
)
def test_events_in_stages_are_played_resumed_and_verified(words: list[str], matches: int, stages: list[str]) -> None:
    told = printed(tourney(*FIVE, "--seats", "2", "--rounds", "2", "--seed", "3", *words, "--json"))
    assert told["matches"] <= matches
    assert sorted(chain.from_iterable(told["placing"])) == ["bluffer", "cautious", "counter", "random", "random#2"]
    assert printed(tourney("resume", "1", "--json"))["ranking"] == told["ranking"]
    with closing(sqlite3.connect("arena.db")) as connection, connection:
        connection.execute("delete from notes where match_id > 5")
        connection.execute("delete from seats where match_id > 5")
        connection.execute("delete from loose where match_id > 5")
        connection.execute("delete from matches where id > 5")
        connection.execute("update events set finished = null")
    again = printed(tourney("resume", "1", "--json"))
    assert (again["placing"], again["matches"]) == (told["placing"], told["matches"])
    assert arena("verify", "--all").exit_code == 0
    assert "Placing: 1 " in arena("ranking").stdout
    listed = printed(arena("matches", "--limit", "0", "--json"))["matches"]
    begun = list(dict.fromkeys(match["stage"] for match in reversed(listed)))
    assert begun == stages[: len(begun)], "a ladder may place its bot sooner"
    last = listed[0]["stage"]
    assert printed(arena("ranking", "--json"))["stage"] == last
    assert last in arena("matches").stdout.splitlines()[2]
    shown = arena("match", "show", str(listed[0]["id"]))
    assert shown.stdout.splitlines()[0].endswith(f" of tournament 1, {last}")
    assert f" of tournament 1, {last}: " in arena("replay", str(listed[0]["id"]), "--text").stdout.splitlines()[0]


def test_a_knockout_says_where_bots_were_out() -> None:
    told = printed(tourney(*FIVE, "--seats", "2", "--rounds", "1", "--seed", "3", "--schedule", "knockout", "--json"))
    first, second, *others = told["placing"]
    assert [told["out_in"].get(bot) for place in (first, second) for bot in place] == [None, "final"]
    assert {told["out_in"][bot] for place in others for bot in place} == {"semi-final", "quarter-final"}
    assert f"2 {second[0]} (out in the final); " in arena("ranking").stdout


def test_events_name_the_stages_that_are_played() -> None:
    tourney(*FIVE, "--seats", "2", "--rounds", "1", "--schedule", "knockout", "--events", "events.jsonl")
    events = map(json.loads, Path("events.jsonl").read_text().splitlines())
    told = [event["text"] for event in events if event["event"] == "standing"]
    assert told == ["quarter-final", "semi-final", "final"]


def test_a_gauntlet_and_all_orders() -> None:
    told = printed(
        tourney(*FIVE, "--seats", "2", "--rounds", "3", "--schedule", "gauntlet", "--challengers", "2", "--json")
    )
    assert told["matches"] == 3 * 2 * 2
    told = printed(tourney(*FIVE, "--seats", "3", "--rounds", "2", "--rotations", "all", "--json"))
    assert told["matches"] == 2 * 6


def test_a_dry_run_shows_the_plan_and_makes_no_database() -> None:
    result = tourney(*FIVE, "--seats", "3", "--rounds", "10", "--dry-run")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("round-robin of 5 bots at tables of 3: 30 matches\n10 deals, each in 3 rotations")
    assert "matches in which two bots meet" in result.stdout
    assert "how often the bot of the column sits right after that of the row" in result.stdout
    assert not Path("arena.db").exists()
    printed(tourney(*FIVE, "--seats", "3", "--rounds", "1", "--json"))
    told = printed(tourney(*FIVE, "--seats", "3", "--rounds", "10", "--dry-run", "--json"))
    assert told["matches"] == 30
    assert told["seconds"] is not None


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--schedule", "swiss"], "a swiss has at least 1 stage, not 0: set their number with --stages"),
        (["--stages", "3"], "the stages of a round-robin follow from its field"),
        (["--schedule", "gauntlet", "--challengers", "5"], "a gauntlet has 1 to 4 challengers in a field of 5, not 5"),
        (["--challengers", "1"], "a round-robin has no challengers"),
        (["--schedule", "knockout", "--seats", "6"], "a knockout at tables of 6 needs at least 6 bots, not 5"),
        (["--schedule", "knockout", "--until-separated"], "need a round-robin, not a knockout"),
    ],
)
def test_schedules_that_cannot_be(words: list[str], sentence: str) -> None:
    result = tourney(*FIVE, *words)
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_tests_that_cannot_be() -> None:
    assert "exclude each other" in tourney(*SHORT, "--sprt", "elo0=0,elo1=5", "--until-separated").stderr
    assert "a test needs elo1" in tourney(*SHORT, "--sprt", "elo0=0").stderr


@pytest.mark.processes
def test_ctrl_c_prints_the_table_so_far_and_how_to_go_on() -> None:
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "tourney", *SHORT, "--rounds", "5000", "--seed", "3", "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    shown = b""
    while b" decisions/s" not in shown:
        shown += os.read(controller, 4096)
    watched = Watched(descendants(process.pid))
    process.send_signal(signal.SIGINT)
    while b"tourney resume 1" not in shown:
        shown += os.read(controller, 4096)
    stdout, _ = process.communicate()
    os.close(controller)
    assert process.returncode == 130
    assert b"stopped early; resume with: arena tourney resume 1 --db arena.db" in shown
    assert b" of 10,000 matches, " in stdout
    assert b"cautious" in stdout
    assert watched.survivors() == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "no game is named: add --game GAME"),
        (["--game", "cambyo"], 'there is no game "cambyo"; did you mean "cambio"?'),
        (["--game", "cambio", "-o", "chip=3"], 'there is no option "chip"; did you mean "chips"?'),
        (["--game", "cambio", "-o", "chips"], '"chips" is not NAME=VALUE'),
        (["--game", "cambio", "-o", "chips=2", "-o", "chips=3"], "chips has two values, 2 and 3: give one"),
        (["--game", "cambio", "--bots", "random,nobody"], "there is no bot nobody"),
        (["--game", "cambio", "--bots", "random"], "a tournament needs at least 2 bots, not 1"),
        (["--game", "cambio", "--bots", "random, ,random"], "a bot has no name"),
        (["--game", "cambio", "--rounds", "0"], "'--rounds': it must be 1 or more, not \"0\""),
        (["--game", "cambio", "--rounds", "-5"], "'--rounds': it must be 1 or more, not \"-5\""),
        (["--game", "cambio", "--rounds", "2147483648"], "'--rounds': it must be at most 2147483647"),
        (["--game", "cambio", "--block", "many"], "'--block': it must be a whole number, 1 or more, not \"many\""),
        (["--game", "cambio", "--entropy", ""], "'--entropy': it must be a text of at least one character"),
        (["--game", "cambio", "--tie-break", "seed,seed"], "repeats a rule: name each at most once"),
        (["--game", "cambio", "--seats", "99"], "99"),
        (["--game", "cambio", "--seats", "1"], "1"),
        (["--game", "cambio", "--teams", "mixed"], "cambio has no teams at tables of"),
        (["--game", "coch", "--teams", "two"], "Invalid value for '--teams'"),
        (["--game", "cambio", "--jobs", "0"], "Invalid value for '--jobs'"),
        (["--game", "cambio", "--seed", "-1"], "Invalid value for '--seed'"),
        (["--game", "cambio", "--move-time", "soon"], "'soon' is not a duration"),
        (["--game", "cambio", "--db", "."], "."),
        (["resume", "1"], "arena.db"),
        (["resume", "1", "--teams", "one"], "No such option '--teams'"),
    ],
)
def test_wrong_input_is_told_in_a_sentence(words: list[str], sentence: str) -> None:
    result = tourney(*words)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stdout == ""
    assert not Path("arena.db").exists()


def test_the_database_of_a_resumed_tournament() -> None:
    Path("notes.db").write_text("not a database at all, but long enough to look at " * 20)
    assert "not a database" in tourney("resume", "1", "--db", "notes.db").stderr
    tourney(*SHORT, "--rounds", "1")
    missing = tourney("resume", "9")
    assert missing.exit_code == 2
    assert "9" in missing.stderr


def test_a_changed_bot_is_not_resumed() -> None:
    bot = Path("mine.py")
    bot.write_text("raise SystemExit(1)\n")
    first = printed(tourney("--game", "cambio", "--bots", "random,./mine.py", "--rounds", "1", "--json"))
    assert any(entry["faults"] for entry in first["ranking"] if entry["bot"] == "mine")
    bot.write_text("raise SystemExit(2)\n")
    result = tourney("resume", "1")
    assert result.exit_code == 2
    assert "mine has changed since the tournament began" in result.stderr


def test_bots_that_nobody_confines_are_rated_only_where_they_are_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARENA_TRUST_BOTS", raising=False)
    result = tourney(*SHORT, "--rounds", "1", "--sandbox", "off")
    assert result.exit_code == 2
    assert "--sandbox off needs --trust-bots where matches are rated" in result.stderr
    trusted = tourney(*SHORT, "--rounds", "1", "--sandbox", "off", "--trust-bots", "--seed", "7", "--json")
    assert printed(trusted)["matches"] == 2
    assert "bots are not confined (--sandbox off): they may do whatever you may" in trusted.stderr


def test_bots_that_reach_each_other_without_bubblewrap_are_rated_only_where_they_are_trusted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ARENA_TRUST_BOTS", raising=False)
    monkeypatch.setattr("referee.sandbox.choice.new_user", lambda: None)  # as if a plain user ran arena
    words = [*SHORT, "--rounds", "1", "--sandbox", "rlimits"]
    for again in (words, ["resume", "1", "--sandbox", "rlimits"]):
        result = tourney(*again)
        assert result.exit_code == 2
        assert "random is not kept from other bots, and matches are not rated then: they " in result.stderr
        assert "(--trust-bots)" in result.stderr
        assert printed(tourney(*again, "--trust-bots", "--json"))["matches"] == 2
    monkeypatch.setenv("ARENA_TRUST_BOTS", "1")
    assert tourney(*words).exit_code == 0


@pytest.mark.processes
@pytest.mark.usefixtures("with_processes")
def test_how_bots_are_run_changes_no_result() -> None:
    words = [*SHORT, "--rounds", "2", "--seed", "7", "--json"]
    results = [printed(tourney(*words, *more)) for more in ([], ["--sandbox", "rlimits", "--trust-bots", "--affinity"])]
    for each in results:
        del each["tournament"], each["seconds"], each["log_hash"]  # the log has the time of each decision
        for bot in each["ranking"]:
            del bot["ms_per_decision"]
    assert results[0] == results[1]
    with closing(sqlite3.connect("arena.db")) as connection:
        stored = [
            json.loads(row[0])["sandbox"] for row in connection.execute("select versions from events order by id")
        ]
    assert stored[0] in ("bwrap", "rlimits")
    assert stored[1] == "rlimits"


def test_a_sandbox_by_name_must_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.sandbox.choice.probe", lambda: "it is not installed")
    result = tourney(*SHORT, "--rounds", "1", "--sandbox", "bwrap")
    assert result.exit_code == 2
    assert "bubblewrap does not work here: it is not installed (`arena doctor` says how to fix it)" in result.stderr
    assert not Path("arena.db").exists()


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_all_that_happens_as_lines_of_json() -> None:
    result = tourney(*SHORT, "--rounds", "2", "--seed", "7", "--jobs", "1", "--events", "-")
    assert result.exit_code == 0, result.output
    began, *matches, ended = events(result.stdout)
    assert (began["event"], began["tournament"], began["matches"], began["stored"]) == ("tournament_began", 1, 4, 0)
    assert began["field"] == ["random", "cautious"]
    assert sorted(each["match"] for each in matches) == [1, 2, 3, 4]
    with closing(sqlite3.connect("arena.db")) as connection:
        for each in matches:
            assert each["event"] == "match_ended"
            stored = connection.execute("select rank from seats where match_id = ? order by seat", (each["match"],))
            assert each["ranks"] == [rank for (rank,) in stored]
    assert (ended["event"], ended["state"], ended["matches"]) == ("tournament_ended", "finished", 4)
    assert ended["ranking"] == printed(tourney("resume", "1", "--json"))["ranking"]


def test_events_are_added_to_a_file() -> None:
    first = tourney(*SHORT, "--rounds", "1", "--events", "new/happened.jsonl", "--json")
    assert printed(first)["matches"] == 2
    assert tourney("resume", "1", "--events", "new/happened.jsonl").exit_code == 0
    told = events(Path("new/happened.jsonl").read_text())
    assert [each["event"] for each in told] == [
        "tournament_began", "match_ended", "match_ended", "tournament_ended", "tournament_began", "tournament_ended",
    ]  # fmt: skip
    assert [each["stored"] for each in told if each["event"] == "tournament_began"] == [0, 2]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--events", "/dev/null/no/such.jsonl"], "cannot write events to /dev/null/no/such.jsonl: Not a directory"),
        (["--events", "-", "--json"], "--json and --events - exclude each other"),
        (["--live"], "--live needs a terminal on stderr"),
    ],
)
def test_what_cannot_be_told_is_a_sentence(words: list[str], sentence: str) -> None:
    result = tourney(*SHORT, "--rounds", "1", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


def test_a_full_disk_under_the_events_stops_in_good_order() -> None:
    result = tourney(*SHORT, "--rounds", "2", "--events", "/dev/full")
    assert result.exit_code == 2
    assert "Error: cannot write events to /dev/full any more: No space left on device" in result.stderr


@pytest.mark.processes
@pytest.mark.usefixtures("with_processes")
def test_mode_clock_plays_the_same_with_clocks_that_are_fair() -> None:
    words = ["--game", "cambio", "-o", "chips=2", "--bots", "random,cautious,counter", "--rounds", "2", "--seed", "7"]
    fast = printed(tourney(*words, "--json"))
    clocks = ["--mode", "clock", "--lag", "0", "--slot", "1ms"]
    clock = tourney(*words, *clocks, "--jobs", "2", "--events", "happened.jsonl", "--json")
    ranking = printed(clock)["ranking"]
    told = ("rank", "bot", "elo", "bar", "score", "matches", "faults")
    assert [[row[key] for key in told] for row in ranking] == [[row[key] for key in told] for row in fast["ranking"]]
    assert all(row["ms_waited"] is None for row in fast["ranking"])
    assert all(row["ms_waited"] >= 0 for row in ranking)
    shown = arena("ranking", "2").stdout
    mode = "\nMode clock, one match on each core, without pondering, a slot of 1 ms before each turn; referee delay "
    assert mode in shown
    assert "ms waited" in shown
    event = tourney("show", "2", "--toml").stdout
    assert 'mode = "clock"' in event
    assert 'slot = "1ms"' in event


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--ponder"], "--ponder, --lag and --slot keep clocks fair: they need --mode clock"),
        (["--lag", "50ms"], "they need --mode clock"),
        (["--slot", "5ms"], "they need --mode clock"),
        (["--mode", "clock", "--jobs", "5000"], "--mode clock plays one match per core: use --jobs "),
    ],
)
def test_modes_that_cannot_be(words: list[str], sentence: str) -> None:
    result = tourney(*SHORT, "--rounds", "1", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr


def test_time_odds_are_stored_resumed_and_said() -> None:
    odds = ["--bot", "cautious,move-time=5s,bank=50s", "--db", "a.db"]
    table = tourney(*SHORT, "--rounds", "2", "--seed", "1", *odds)
    assert table.exit_code == 0, table.output
    assert "Time odds: random no limit; cautious 5s, bank 50s" in table.stdout
    assert "Elo with time odds" in table.stdout
    assert "time odds: the organiser gave bots different clocks" in table.stdout
    assert tourney("resume", "1", "--rounds", "3", "--jobs", "1", "--db", "a.db").exit_code == 0
    values = printed(arena("ranking", "1", "--json", "--db", "a.db"))
    clocks = {row["bot"]: row["clock"] for row in values["ranking"]}
    assert clocks == {"random": "no limit", "cautious": "5s, bank 50s"}
    assert all(row["matches"] == 6 for row in values["ranking"])
    shown = arena("tourney", "show", "1", "--db", "a.db").stdout
    assert "cautious has the clock 5s, bank 50s" in shown
    question = printed(arena("question", "export", "1", "0", "--db", "a.db"))["match"]
    assert len(question["clocks"]) == question["seats"]
    own = question["clocks"][question["seat"]]
    assert (own["move_time_ms"], own["bank_ms"]) == (question["move_time_ms"], question["bank_ms"])
    assert arena("tourney", "export", "1", "--to", "a.jsonl", "--db", "a.db").exit_code == 0
    assert arena("tourney", "import", "a.jsonl", "--db", "b.db").exit_code == 0
    again = printed(arena("ranking", "1", "--json", "--db", "b.db"))
    assert {row["bot"]: row["clock"] for row in again["ranking"]} == clocks
    plain = tourney(*SHORT, "--rounds", "1", "--seed", "1", "--db", "a.db").stdout
    assert "odds" not in plain
    pooled = printed(arena("ranking", "1", "2", "--json", "--db", "a.db"))
    assert {row["bot"]: row["clock"] for row in pooled["ranking"]}["cautious"] == "5s, bank 50s; no limit"
