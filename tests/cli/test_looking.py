"""`arena matches`, `match show`, `replay`, `verify` and `ranking` on a database of Cambio matches."""

import json
import re
import shutil
import sqlite3
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.ratings import Tally
from arena.ratings import source as module
from arena.replay.log_lines import log_line
from arena.replay.readable import Reader
from arena.store import open_store
from arena.values.rows import MatchRow, OutputRow
from referee.engine.chance import Chance
from referee.engine.events import Audience
from referee.engine.record import replay, unpack_answers
from referee.games.cambio import CAMBIO
from tests import played
from tests.packed import unpacked

pytestmark = pytest.mark.usefixtures("in_process")


@cache
def record(number: int) -> MatchRow:
    return played.match(CAMBIO, number, faults={3: "timeout", 4: "illegal"} if number == 5 else {}, notes=number == 5)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with tournament 1, of 48 matches without one, and the single match 49."""
    path = tmp_path_factory.mktemp("made") / "arena.db"
    with open_store(path, create=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, matches=48))
        outputs = [
            OutputRow(1, 2, 3, "".join(f"line {n}\n" for n in range(9)), truncated=True, name="Bot", version="2")
        ]
        store.add_matches(number, [record(number) for number in range(47)], outputs)
        store.add_single(played.tournament(CAMBIO, matches=1), record(0))
    return path


@pytest.fixture(autouse=True)
def _folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    shutil.copy(made, "arena.db")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


def tampered(sql: str) -> None:
    with sqlite3.connect("arena.db") as connection:
        connection.execute(sql)
    connection.close()


def test_matches_lists_the_newest_first() -> None:
    result = run("matches", "--limit", "2")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["id", "tourney", "game", "deal", "players", "by", "seat", "scores", "ranks", "faults"]
    assert [line.split()[:4] for line in lines[2:]] == [["49", "-", "cambio", "0"], ["47", "1", "cambio", "11"]]
    assert "list all with --limit 0" in result.stderr


def test_matches_are_filtered_and_printed_as_json() -> None:
    result = run("matches", "--fault", "timeout", "--json")
    (listed,) = json.loads(result.stdout)["matches"]
    assert (listed["id"], listed["faults"]) == (6, [{"illegal": 1}, {}, {}, {"timeout": 1}])
    whole = json.loads(run("matches", "--tourney", "1", "--limit", "0", "--json").stdout)
    assert (len(whole["matches"]), whole["more"]) == (47, False)
    exact = json.loads(run("matches", "--tourney", "1", "--limit", "47", "--json").stdout)
    assert (len(exact["matches"]), exact["more"]) == (47, False)
    assert run("matches", "--fault", "hung").stderr == "no matches found\n"


def listed(*arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("matches", "--json", "--limit", "0", *arguments).stdout)["matches"]
    return found


def test_matches_of_a_bot_in_a_seat() -> None:
    everything = [each for each in listed() if each["tournament"] == 1]
    expected = [each["id"] for each in everything if each["players"][3] == "b"]
    assert [each["id"] for each in listed("--tourney", "1", "--bot", "b", "--seat", "3")] == expected
    assert 0 < len(expected) < len(everything)
    assert listed("--seat", "4") == []
    (faulty,) = listed("--fault", "illegal")
    seat = next(fault.seat for fault in record(5).faults if fault.kind == "illegal")
    others = {0, 1, 2, 3} - {fault.seat for fault in record(5).faults}
    assert listed("--fault", "illegal", "--seat", str(seat)) == [faulty]
    assert listed("--fault", "illegal", "--seat", str(min(others))) == []


def test_matches_against_another_bot() -> None:
    with open_store("arena.db") as store:
        number = store.add_tournament(played.tournament(CAMBIO, bots=6, matches=8))
        row = record(7)
        store.add_matches(
            number, [replace(row, seats=tuple(replace(seat, entrant=seat.entrant + 2) for seat in row.seats))]
        )
    assert [each["id"] for each in listed("--bot", "c", "--against", "f")] == [listed()[0]["id"]]
    assert listed("--bot", "a", "--against", "f") == []


def test_the_worst_matches_of_a_bot() -> None:
    def score(match: dict[str, Any]) -> float:
        value: float = match["scores"][match["players"].index("c")]
        return value

    everything = listed("--bot", "c")
    worst = json.loads(run("matches", "--bot", "c", "--worst", "5", "--json").stdout)
    assert list(map(score, worst["matches"])) == sorted(map(score, everything))[:5]
    assert worst["more"] is True
    assert "--limit" not in run("matches", "--bot", "c", "--worst", "5").stderr
    assert "--worst lists the scores of one bot" in run("matches", "--worst", "5").stderr


def test_an_unknown_bot_or_tournament_is_a_sentence() -> None:
    result = run("matches", "--bot", "B")
    assert (result.exit_code, result.stdout) == (2, "")
    assert 'no bot "B" has played in arena.db' in result.stderr
    assert 'no bot "A" has played in arena.db' in run("matches", "--bot", "a", "--against", "A").stderr
    result = run("matches", "--tourney", "3")
    assert (result.exit_code, result.stderr) == (
        2,
        "Error: the database arena.db has no tournament 3: it has numbers 1 to 1\n",
    )


def test_show_tells_all_of_a_match() -> None:
    lines = run("match", "show", "6").stdout.splitlines()
    assert lines[:3] == [
        "match 6: cambio, match 5 of tournament 1",
        "round 1, table 0, deal 1, rotation 1",
        f"seed {record(5).seed.hex()} (from --seed 1)",
    ]
    assert any(line.startswith("answer 3, seat ") and "timeout" in line for line in lines)
    assert lines[-7:] == [
        "seat 2 calls itself Bot 2",
        "seat 2 printed, the last 5 of 9 lines (not all was kept):",
        *(f"    line {number}" for number in range(4, 9)),
    ]
    assert "    line 0" in run("match", "show", "6", "--output").stdout


def test_show_as_json() -> None:
    told = json.loads(run("match", "show", "6", "--json").stdout)
    row = record(5)
    assert (told["id"], told["tournament"], told["deal"], told["seed"]) == (6, 1, 1, row.seed.hex())
    assert [seat["score"] for seat in told["seats"]] == [seat.score for seat in row.seats]
    assert [seat["bot"] for seat in told["seats"]] == ["b", "c", "d", "a"]
    assert told["seats"][2]["output"]["text"].startswith("line 0\n")
    assert [fault["kind"] for fault in told["faults"]] == ["timeout", "illegal"]
    assert json.loads(run("match", "show", "49", "--json").stdout)["tournament"] is None


def test_show_of_a_match_that_is_not_there() -> None:
    result = run("match", "show", "48")
    assert result.exit_code == 2
    assert "has no match 48: `arena matches` lists those it has" in result.stderr


def test_match_without_show_wants_a_game_and_bots() -> None:
    assert "Missing option '--game'" in run("match", "random", "random").stderr
    assert "Missing argument 'BOT BOT...'" in run("match", "--game", "cambio").stderr
    assert "show  " in run("match", "--help").stdout


def test_replay_tells_the_story_to_everybody() -> None:
    result = run("replay", "6", "--text")
    lines = result.stdout.splitlines()
    assert lines[0] == "match 6 of tournament 1: cambio, 4 seats, deal 1, rotation 1"
    assert "the whole log" in lines
    assert any(re.match("    !  [abcd]: timeout", line) for line in lines)
    assert any("default move" in line for line in lines)
    story = lines.index("", lines.index("the machine stood still for 2.0 s meanwhile, which nobody is charged for"))
    assert lines[story - 2].startswith("seat 3: a, rank ")
    winner = next(line.split(": ")[1].split(",")[0] for line in lines if re.match("seat .: .*, rank 1,", line))
    assert lines[story + 1].startswith(f"{winner} wins the match: ")
    assert lines[story + 2] == "the match in 5 moments, by move (*: the lead changed for good):"
    assert len(lines) == story + 8


NAMES = ["b", "c", "d", "a"]
"""The bots of match 6 by seat."""


@pytest.mark.parametrize("seat", range(4))
def test_replay_for_a_seat_leaks_nothing_of_the_others(seat: int) -> None:
    row = record(5)
    state, _ = list(replay(CAMBIO, CAMBIO.options(), 4, Chance(row.seed), unpack_answers(row.answers)))[-1]
    reader, granted, withheld = Reader("cambio", NAMES), [], 0
    for event in state.events:
        line = CAMBIO.lines[int(event[0] or 0)]
        own = len(event) > 1 and event[1] == seat
        if line.to is Audience.ALL or (line.to is Audience.SEAT and own) or (line.to is Audience.OTHERS and not own):
            granted.append(reader.of(log_line(CAMBIO.lines, event)))
        else:
            withheld += 1
    _, told, *_ = run("replay", "6", "--text", "--seat", str(seat)).stdout.split("\n\n")
    assert withheld
    assert [line for line in told.splitlines() if not line.startswith("    ")] == granted
    indented = [line for line in told.splitlines() if line.startswith("    ")]
    told_of = [re.match(r" +(\d+\.|!)  ?(.): |.* of seat (\d)", line) for line in indented]
    assert {found[2] or NAMES[int(found[3])] for found in told_of if found} == {NAMES[seat]}
    assert None not in told_of


def test_replay_as_json_of_a_seat() -> None:
    told = json.loads(run("replay", "6", "--seat", "1", "--json").stdout)
    assert (told["match"], told["seat"], told["players"]) == (6, 1, ["b", "c", "d", "a"])
    assert {entry["seat"] for entry in told["log"] if entry["type"] != "event"} == {1}
    assert {entry["type"] for entry in told["log"]} >= {"event", "decision"}
    assert told["story"]["title"].endswith("wins the match")


def test_replay_as_a_page_of_a_seat() -> None:
    assert "wrote match.html" in run("replay", "6", "--seat", "1", "--html", "match.html").stderr
    page = Path("match.html").read_text()
    data = unpacked(page)
    assert set(re.findall(r"thought \d+ of seat (\d+)", page + data)) <= {"1"}
    assert '"seat":1' in data


def test_replay_as_a_picture_of_a_move_or_a_round() -> None:
    assert "wrote table.svg" in run("replay", "6", "--svg", "table.svg", "--at", "3").stderr
    assert ">move 3 of " in Path("table.svg").read_text()
    run("replay", "6", "--svg", "end.svg")
    assert "wins the match" in Path("end.svg").read_text()
    run("replay", "6", "--svg", "round.svg", "--round", "2")
    assert "<animate" in Path("round.svg").read_text()


@pytest.mark.parametrize(
    "words",
    [
        ("--html", "/dev/null/x.html"),
        ("--html", "x.html", "--json"),
        ("--text", "--json"),
        ("--svg", "x.svg", "--at", "99999"),
        ("--svg", "x.svg", "--round", "99999"),
        ("--svg", "x.svg", "--round", "1", "--at", "1"),
        ("--round", "1"),
    ],
)
def test_replay_that_cannot_be_is_a_sentence(words: tuple[str, ...]) -> None:
    result = run("replay", "6", *words)
    assert result.exit_code == 2
    assert "Error: " in result.stderr


def test_replay_of_a_seat_that_is_not_there() -> None:
    result = run("replay", "6", "--seat", "4")
    assert result.exit_code == 2
    assert "match 6 has the seats 0 to 3" in result.stderr


def test_verify_finds_true_records_true() -> None:
    result = run("verify", "6", "49")
    assert (result.exit_code, result.stdout) == (0, "match 6: true\nmatch 49: true\n")
    result = run("verify", "--all", "--tourney", "1")
    assert (result.exit_code, result.stdout) == (0, "47 matches checked: no errors\n")


def test_verify_says_what_is_wrong() -> None:
    tampered("UPDATE seats SET score = score + 1 WHERE match_id = 6 AND seat = 0")
    tampered("UPDATE matches SET seed = zeroblob(32) WHERE id = 7")
    result = run("verify", "6")
    assert result.exit_code == 1
    assert result.stdout.startswith("match 6: by the rules its scores are ")
    result = run("verify", "--all", "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["matches"], told["wrong"]) == (1, 47, 2)
    assert [each["subject"] for each in told["checked"]] == ["match 6", "match 7"]


def test_verify_holds_the_published_hash_against_the_secret() -> None:
    with open_store("arena.db") as store:
        published = store.tournament(1).secret_hash
    assert run("verify", "6", "--hash", published).exit_code == 0
    result = run("verify", "6", "--hash", "abc")
    assert result.exit_code == 1
    assert result.stdout == f"tournament 1: the seed hash is {published}, not abc\nmatch 6: true\n"
    tampered(f"UPDATE events SET secret = '{'00' * 32}' WHERE tournament = 1")
    assert "the secret is not the one whose hash was published" in run("verify", "6").stdout


def test_verify_says_that_the_rules_are_of_another_version() -> None:
    tampered("UPDATE matches SET behaviour = 99 WHERE id = 6")
    result = run("verify", "6")
    assert "version 99 of cambio's rules" in result.stderr
    assert result.exit_code == 0


@pytest.mark.parametrize("arguments", [[], ["6", "--all"], ["6", "--tourney", "1"]])
def test_verify_wants_ids_or_all(arguments: list[str]) -> None:
    assert run("verify", *arguments).exit_code == 2


def test_ranking_prints_the_latest_tournament() -> None:
    result = run("ranking")
    assert result.exit_code == 0
    assert result.stdout.startswith("Tournament 1: cambio, 5 rounds at tables of 4, 47 of 48 matches")
    assert "Development seed 1" in result.stdout
    assert result.stderr == "resume with: arena tourney resume 1 --db arena.db\n"
    assert result.stdout == run("ranking", "1").stdout
    assert "better than" in run("ranking", "--los").stdout


def test_ranking_as_json_and_csv() -> None:
    told = json.loads(run("ranking", "--json").stdout)
    assert (told["tournament"], told["matches"], told["planned"]) == (1, 47, 48)
    assert sorted(row["bot"] for row in told["ranking"]) == ["a", "b", "c", "d"]
    assert sum(sum(row["faults"].values()) for row in told["ranking"]) == 2
    assert len(told["los"]) == 4
    assert run("ranking", "--csv").stdout.startswith("rank,bot,elo")
    assert run("ranking", "--csv", "--los").stdout.startswith("bot,")
    assert run("ranking", "--csv", "--json").exit_code == 2


@pytest.fixture
def two() -> None:
    """A second tournament in the database, of other deals."""
    with open_store("arena.db") as store:
        number = store.add_tournament(replace(played.tournament(CAMBIO, matches=40), secret=bytes(32)))
        store.add_matches(number, [record(number) for number in range(40)])


@pytest.mark.usefixtures("two")
def test_ranking_of_several_tournaments() -> None:
    result = run("ranking", "1", "2")
    assert result.stdout.startswith("Tournaments 1, 2: cambio, 87 matches of 22 deals, ")
    assert result.stderr == ""
    assert run("ranking", "--game", "cambio").stdout == run("ranking", "2", "1", "2").stdout == result.stdout
    told = json.loads(run("ranking", "--game", "cambio", "--crosstable", "--json").stdout)
    assert (told["tournaments"], told["matches"], len(told["crosstable"]["bots"])) == ([1, 2], 87, 4)
    assert run("ranking", "1", "2", "--seats").exit_code == 0


@pytest.mark.usefixtures("two")
def test_history_of_a_ranking() -> None:
    header, _, *lines = run("ranking", "--game", "cambio", "--history").stdout.splitlines()
    assert [word for word in header.split() if word.isdigit()] == ["1", "2"]
    assert sorted(line.split()[0] for line in lines[:4]) == ["a", "b", "c", "d"]
    first, both = json.loads(run("ranking", "1", "2", "--history", "--json").stdout)["history"]
    assert (first["matches"], both["matches"]) == (47, 87)
    alone = {row["bot"]: row["elo"] for row in json.loads(run("ranking", "1", "--json").stdout)["ranking"]}
    assert {bot: each["elo"] for bot, each in first["bots"].items()} == alone
    assert len(run("ranking", "1", "2", "--history", "--csv").stdout.splitlines()) == 1 + 2 * 4


def test_savings_of_a_tournament() -> None:
    assert "by common deals" in run("ranking", "--savings").stdout
    told = json.loads(run("ranking", "--savings", "--json").stdout)["savings"]
    assert [(each["bot"], each["matches"], each["reference"]) for each in told] == [(bot, 47, None) for bot in "abcd"]


def test_a_reference_takes_luck_away() -> None:
    with open_store("arena.db") as store:
        number = store.add_tournament(replace(played.tournament(CAMBIO, matches=48)))
        store.add_matches(number, [record(number) for number in range(48)])
    plain, better = (json.loads(run("ranking", "1", *more, "--json").stdout) for more in ((), ("--reference", "2")))
    assert [row["matches"] for row in better["ranking"]] == [row["matches"] for row in plain["ranking"]]
    assert better["ranking"] != plain["ranking"]
    assert "by reference" in run("ranking", "1", "--reference", "2", "--savings").stdout


@pytest.mark.parametrize("bots", [4, 5], ids=["known", "entered meanwhile"])
@pytest.mark.parametrize(
    "arguments", [("--reference", "2"), ("--reference", "2", "--savings"), ("--savings",), ("--seats",)], ids=" ".join
)
def test_what_is_stored_while_a_tournament_is_ranked_is_left_out(
    arguments: tuple[str, ...], bots: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = [record(number) for number in range(4, 48)]
    more = [played.match(CAMBIO, number, bots=bots) for number in (0, 1, 2, 3, 48, 49, 50, 51)]
    Path("arena.db").unlink()
    with open_store("arena.db", create=True) as store:
        for stored in (first, [*first, *more]):
            store.add_matches(store.add_tournament(played.tournament(CAMBIO, bots=bots, matches=52)), stored)
    expected = run("ranking", "1", *arguments, "--json")
    read = module.ResultSource.tally

    def meanwhile(source: module.ResultSource) -> Tally:
        found = read(source)
        with open_store("arena.db") as store:
            store.add_matches(1, more)
        return found

    monkeypatch.setattr(module.ResultSource, "tally", meanwhile)
    told = run("ranking", "1", *arguments, "--json")
    with open_store("arena.db") as store:
        assert store.count(1) == 52
    assert (told.exit_code, told.stdout) == (0, expected.stdout)


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("1", "--reference", "2"), "tournament 2 has other deals than tournament 1: play it with --deals-of 1"),
        (("1", "2", "--reference", "1"), "--reference needs a single tournament"),
        (
            ("1", "--reference", "1", "--davidson"),
            "--reference needs a single tournament and cannot be combined with --davidson",
        ),
    ],
)
def test_a_reference_that_does_not_fit_is_a_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    result = run("ranking", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("1", "--game", "cambio"), "give either --game or numbers"),
        (("--game", "perudo"), "arena.db has no tournament of perudo"),
        (("--game", "cambo"), 'did you mean "cambio"?'),
        (("1", "7"), "the database arena.db has no tournament 7"),
        (("--history", "--los"), "--history and --los exclude each other"),
    ],
)
def test_what_cannot_be_ranked_is_a_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    result = run("ranking", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr


COMMANDS = [("matches",), ("match", "show", "1"), ("replay", "1"), ("verify", "1"), ("ranking",)]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_no_database_is_a_sentence(arguments: tuple[str, ...]) -> None:
    result = run(*arguments, "--db", "none.db")
    assert (result.exit_code, result.stdout) == (2, "")
    assert (
        result.stderr
        == "Error: there is no database at none.db: run a tournament or a league first, or name one with --db\n"
    )
    assert not Path("none.db").exists()


def test_a_database_without_a_tournament_has_no_ranking() -> None:
    open_store("new.db", create=True).close()
    result = run("ranking", "--db", "new.db")
    assert result.exit_code == 2
    assert "has no tournament yet: run one with `arena tourney`" in result.stderr


def test_the_database_may_be_named_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_DB", "elsewhere.db")
    assert "there is no database at elsewhere.db" in run("matches").stderr


def test_a_record_that_does_not_fit_the_rules_is_a_sentence() -> None:
    with open_store("arena.db") as store:
        broken = replace(record(47), answers=b"\x7f" * 9)
        store.add_matches(1, [broken])
    result = run("replay", "48")
    assert result.exit_code == 2
    assert "answer 0 of seat" in result.stderr
