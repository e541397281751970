"""Pause, withdraw, void and enter, while another process plays the tournament."""

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from tests.tournament.processes import Watched, descendants

pytestmark = pytest.mark.usefixtures("in_process")

SHORT = ["--game", "cambio", "-o", "chips=2", "--move-time", "0", "--seed", "3", "--jobs", "1"]

GATE = '''
import os
from pathlib import Path
from arena.sdk import Bot, Question

class Gate(Bot[object]):
    """Plays the first move, and after some waits until somebody holds the gate open."""
    asked = 0

    def choose(self, question: Question[object]) -> str:
        self.asked += 1
        if self.asked == 20:
            os.close(os.open(Path(__file__).with_name("open"), os.O_RDONLY))
        return question.legal[0]

Gate().run()
'''

EVENT = """
game = "cambio"
options = {{chips = 2}}
[schedule]
{schedule}
seats = 2
matches_at_once = 4
[time]
move = "0s"
start = "120s"
[seed]
number = 3
"""


def event(schedule: str, *bots: str) -> list[str]:
    """Write an event file in which a bot waits at a gate; return the words that run it."""
    folder = Path("gate")
    folder.mkdir()
    (folder / "bot.toml").write_text('language = "python"\ncommand = ["python", "gate.py"]\n')
    (folder / "gate.py").write_text(GATE)
    os.mkfifo(folder / "open")
    field = "".join(f'[[bot]]\nbot = "{bot}"\n' for bot in ("./gate", *bots))
    Path("event.toml").write_text(EVENT.format(schedule=schedule) + field)
    return ["run", "event.toml", "--jobs", "1"]


@contextmanager
def opened() -> Iterator[None]:
    """Let all bots through the gate."""
    gate = os.open("gate/open", os.O_RDWR)
    try:
        yield
    finally:
        os.close(gate)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)


def arena(*words: str) -> Result:
    return CliRunner().invoke(main, words, prog_name="arena", catch_exceptions=False)


def tourney(*words: str) -> Result:
    return arena("tourney", *words)


def done(*words: str) -> Result:
    result = tourney(*words)
    assert result.exit_code == 0, result.output
    return result


def printed(*words: str) -> Any:
    return json.loads(done(*words, "--json").stdout)


def asked(sql: str) -> int:
    with closing(sqlite3.connect("arena.db")) as connection:
        return int(connection.execute(sql).fetchone()[0])


@contextmanager
def playing(words: list[str], bot: str = "gate") -> Iterator["subprocess.Popen[bytes]"]:
    """Run a tournament in a process of its own, whose first bot waits at a gate; wait until it has stored a match.

    Args:
        words: What follows `arena tourney`.
        bot: Who has played in that match.
    """
    command = [sys.executable, "-m", "arena", "tourney", *words, "--events", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout is not None
            while b'"match_ended"' not in (line := process.stdout.readline()) or f'"{bot}"'.encode() not in line:
                assert process.poll() is None
            yield process
        finally:
            process.kill()
            process.communicate()


def ended(process: "subprocess.Popen[bytes]") -> str:
    """Wait for the end of a process at the open gate; return the ranking."""
    with opened():
        process.communicate(timeout=240)
    assert process.returncode == 0
    return arena("ranking", "--csv").stdout


@pytest.mark.processes
def test_a_process_that_plays_heeds_a_pause_and_resuming_is_exact() -> None:
    words = event("rounds = 60", "random", "cautious")
    with playing(words) as process:
        watched = Watched(descendants(process.pid))
        done("pause", "1", "--reason", "lunch", "--by", "Ada")
        process.communicate(timeout=240)
        assert process.returncode == 6
    assert watched.survivors() == []
    assert 0 < asked("select count(*) from matches") < 120
    assert printed("list")["tournaments"][0]["state"] == "paused"
    assert "tournament 1 is paused already, by Ada" in tourney("pause", "1").stderr
    with opened():
        done("resume", "1", "--by", "Bob", "--json")
        done(*words, "--json", "--db", "whole.db")
    told = [(line["what"], line["who"], line["reason"]) for line in printed("log")["log"]]
    assert told == [("leg 0 begins", "arena", ""), ("paused", "Ada", "lunch"), ("resumed", "Bob", "")]
    results = [done("export", "--results", "--db", db).stdout_bytes for db in ("arena.db", "whole.db")]
    assert results[0] == results[1]
    assert tourney("pause", "1").stderr == "Error: tournament 1 is finished, so it cannot be paused\n"


@pytest.mark.processes
def test_a_process_that_plays_heeds_a_withdrawal_and_goes_on_without_the_bot() -> None:
    with playing(event("rounds = 60\nblock = 30", "random", "random"), "random#2") as process:
        told = done("withdraw", "1", "random#2", "--reason", "the same bot").stdout
        assert re.match(
            r"tournament 1: random#2 is withdrawn: it plays no more, its complete sets count, "
            r"\d+ matches of unfinished sets are void\n",
            told,
        )
        assert told.endswith("start one with: arena tourney resume 1 --db arena.db\n")
        sat = asked("select count(*) from seats where entrant = 2")
        assert "random#2" not in ended(process), "it has no complete set"
    assert asked("select count(*) from seats where entrant = 2") == sat > 0, "nothing of it was stored afterwards"
    void = r"(\d+) matches of unfinished sets are void"
    log = done("log", "1").stdout
    (left_out,) = re.findall(void, log)
    assert asked("select count(*) from matches where id > 0") == 120 - int(left_out)
    held = "select count(distinct n) from (select count(*) as n from seats where match_id > 0 group by entrant, seat)"
    assert asked(held) == 1, "both hold both seats equally often"
    assert "is void, as a withdrawn bot has not finished its set" not in log
    assert "is void, as a withdrawn bot has not finished its set" in done("log", "1", "--all").stdout
    assert done("verify", "1").stdout.endswith("matches checked, no errors\n")
    with opened():
        assert printed("resume", "1", "--jobs", "1")["matches"] == 120 - int(left_out)
    shown = printed("show")
    assert shown["state"] == "finished"
    assert shown["field"][2]["withdrawn"] == "the same bot"


@pytest.mark.processes
def test_a_bot_may_forfeit_what_remains() -> None:
    with playing(event("rounds = 60\nblock = 30", "random")) as process:
        told = done("withdraw", "1", "random", "--reason", "cheats", "--remaining", "forfeit").stdout
        assert told.startswith(
            "tournament 1: random is withdrawn: it forfeits what is left, what it has played counts\n"
        )
        ended(process)
    assert asked("select count(*) from matches") == 120
    forfeited = "select count(*) from faults join matches on match_id = id where kind = 'withdrawn' and round"
    assert asked(f"{forfeited} >= 30") == 60, "every match of what came after"
    assert asked(f"{forfeited} < 30") < 60
    done("verify", "1")


@pytest.mark.processes
def test_a_swiss_follows_from_its_log_alone() -> None:
    """Who meets whom is the same after all but the first stage was lost and played again."""
    with playing(event('kind = "swiss"\nstages = 3\nrounds = 15', "random", "counter", "bluffer")) as process:
        done("enter", "1", "cautious")
        done("withdraw", "1", "bluffer", "--reason", "tired", "--results", "omit")
        table = ended(process)
    assert "cautious" in table
    assert "bluffer" not in table
    assert asked("select count(*) from seats where entrant = 4") > 0
    done("verify", "1")
    exported = done("export", "--results").stdout_bytes
    with closing(sqlite3.connect("arena.db")) as connection, connection:
        for name in ("seats", "faults", "notes", "says", "loose"):
            connection.execute(f"delete from {name} where match_id in (select id from matches where round >= 15)")
        connection.execute("delete from matches where round >= 15")
    with opened():
        done("resume", "1", "--jobs", "1", "--json")
    assert done("export", "--results").stdout_bytes == exported


@pytest.mark.processes
def test_late_entrants_and_void_matches_from_beginning_to_end() -> None:
    with playing(event("rounds = 60\nblock = 20", "random")) as process:
        done("enter", "1", "counter", "--reason", "overslept", "--start", "30s")
        ended(process)
    assert asked("select json_extract(details, '$.bot.start_time_ms') from actions where kind = 'enter'") == 30_000
    assert asked("select count(*) from matches") == 120
    sat = "select count(distinct entrant) from seats join matches on match_id = id where round"
    assert [asked(f"{sat} between {first} and {first + 19}") for first in (0, 20, 40)] == [2, 3, 3]
    before = done("export", "--results").stdout_bytes

    done("void", "1", "5", "--reason", "a power cut")
    assert printed("list")["tournaments"][0]["state"] == "unfinished"
    assert done("log").stdout.splitlines()[-1].endswith("match 5 is void and is played again  a power cut")
    assert len(json.loads(arena("matches", "--limit", "0", "--json").stdout)["matches"]) == 119
    with opened():
        done("resume", "1", "--jobs", "1", "--json")
    assert done("export", "--results").stdout_bytes == before, "the same deal again"
    done("void", "1", "7", "--reason", "a wrong bot", "--no-replay")
    with opened():
        assert printed("resume", "1", "--jobs", "1")["matches"] == 119
    assert printed("show")["state"] == "finished"

    done("export", "--to", "x.jsonl")
    kinds = [json.loads(line)["kind"] for line in Path("x.jsonl").read_text().splitlines()]
    assert (kinds.count("match"), kinds.count("void")) == (119, 2)
    done("import", "x.jsonl", "--db", "other.db")
    logs = [done("log", "1", "--json", "--db", db).stdout for db in ("arena.db", "other.db")]
    assert logs[0] == logs[1]
    done("export", "--to", "y.jsonl", "--db", "other.db")
    assert Path("x.jsonl").read_bytes() == Path("y.jsonl").read_bytes()
    tables = [arena("ranking", "--csv", "--db", db).stdout for db in ("arena.db", "other.db")]
    assert tables[0] == tables[1]
    elo = [line.split(",")[:6] for line in arena("ratings", "x.jsonl", "--csv").stdout.splitlines()]
    assert elo == [line.split(",")[:6] for line in tables[0].splitlines()]
    assert done("verify", "1", "--db", "other.db").stdout.endswith("119 matches checked, no errors\n")
    done(*SHORT, "--bots", "random,counter", "--rounds", "10")
    assert "counter" in arena("ranking", "1", "2", "--csv").stdout, "who came late is rated with others too"
    late = json.loads(arena("matches", "--bot", "counter", "--tourney", "1", "--json").stdout)["matches"][0]
    log = json.loads(arena("replay", str(late["id"]), "--json").stdout)["log"]
    seat = late["players"].index("counter")
    ply = next(entry["ply"] for entry in log if entry["type"] == "decision" and entry["seat"] == seat)
    assert (
        json.loads(arena("match", "--from", str(late["id"]), "--move", str(ply), "--json").stdout)["bot"] == "counter"
    )


def test_a_log_that_was_changed_is_not_true() -> None:
    done(*SHORT, "--bots", "random,cautious", "--rounds", "2")
    done("void", "1", "1", "--reason", "rain", "--by", "Ada")
    done("resume", "1", "--jobs", "1")
    with closing(sqlite3.connect("arena.db")) as connection, connection:
        connection.execute("update actions set who = 'Bob' where kind = 'void'")
    result = tourney("verify", "1")
    assert result.exit_code == 1
    assert "tournament 1: entry 2 of its log is not as it was written, or one before it is missing" in result.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["withdraw", "1", "randon", "--reason", "x"], 'no bot "randon" takes part in tournament 1; did you'),
        (["withdraw", "1", "random", "--reason", "x"], "random is withdrawn already"),
        (["withdraw", "2", "random", "--reason", "x"], "withdraw random with --remaining forfeit"),
        (["withdraw", "2", "random", "--reason", "x", "--remaining", "forfeit", "--results", "omit"], "none can be"),
        (["void", "1", "99", "--reason", "x"], "tournament 1 has no stored match 99: `arena matches"),
        (["void", "1", "1", "--reason", "x"], "match 1 cannot be played again, as random is withdrawn: void it with"),
        (["void", "3", "21", "--reason", "x"], "match 21 belongs to a stage that is over, and later stages rest upon"),
        (["enter", "1", "counter"], "tournament 1 is finished, so it cannot be entered"),
        (["enter", "2", "counter"], "nobody enters --sprt or --until-separated late"),
        (["enter", "4", "counter"], "the last block of 1000 rounds of tournament 4 has begun"),
        (["enter", "5", "counter"], "nobody enters a knockout late"),
        (["withdraw", "1", "random"], "Missing option '--reason'"),
        (["pause", "9"], "has no tournament 9"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_a_sentence(decided: Path, words: list[str], sentence: str) -> None:
    Path("arena.db").write_bytes(decided.read_bytes())
    result = tourney(*words)
    assert result.exit_code == 2
    assert sentence in result.stderr.replace("\n", " ")


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with five tournaments, in some of which something was decided."""
    path = tmp_path_factory.mktemp("decided") / "arena.db"
    db = ["--db", str(path)]
    kinds: list[list[str]] = [
        [],
        ["--until-separated"],
        ["--schedule", "swiss", "--stages", "2", "--seats", "2"],
        [],
        ["--schedule", "knockout", "--seats", "2"],
    ]
    for kind in kinds:
        done(*SHORT, "--bots", "random,cautious", "--rounds", "2", *kind, *db)
    done("withdraw", "1", "random", "--reason", "x", *db)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("update events set finished = null where tournament > 1")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")
    return path
