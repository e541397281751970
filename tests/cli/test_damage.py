"""Databases that somebody damaged or made up: a sentence with the place, and nothing that a terminal obeys."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.store import open_store
from referee.games.cambio import CAMBIO
from tests import played

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a tournament of four matches."""
    path = tmp_path_factory.mktemp("stored") / "arena.db"
    with open_store(path, create=True) as store:
        store.add_tournament(played.tournament(CAMBIO, matches=8))
        store.add_matches(1, [played.match(CAMBIO, number, notes=True) for number in range(4)])
    return path


@pytest.fixture(autouse=True)
def database(stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(stored, "arena.db")


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def change(sql: str, *values: object) -> None:
    with closing(sqlite3.connect("arena.db")) as connection, connection:
        connection.execute(sql, values)


@pytest.mark.parametrize(
    ("sql", "words", "place"),
    [
        ("UPDATE events SET options = '['", "ranking 1", "events 1: options cannot be '[' (JSONDecodeError)"),
        ("UPDATE events SET definition = '[]'", "tourney show 1", "events 1: definition cannot be read (this version"),
        ("UPDATE events SET secret = 'x'", "tourney list", "events 1: secret cannot be 'x'"),
        ("UPDATE events SET matches = 'many'", "tourney show 1", "events 1: matches is text, not a whole number"),
        ("UPDATE entrants SET command = '7' WHERE place = 2", "ranking 1", "entrants 1, 2: command cannot be '7'"),
        ("UPDATE seats SET score = 'x' WHERE match_id = 2 AND seat = 1", "ranking 1", "seats 2, 1: score is text"),
        ("UPDATE seats SET entrant = 9 WHERE match_id = 2", "ranking 1", "seats of match 2: a bot sits there that is"),
        (
            "DELETE FROM seats WHERE match_id = 3 AND seat > 0",
            "ranking 1",
            "seats of match 3: a single bot sat there",
        ),
        ("UPDATE notes SET packed = x'00ff' WHERE match_id = 1", "replay 1 --text", "notes 1, 0: packed cannot be"),
        ("UPDATE seats SET score = 2147483650", "tourney export 1", "seats 1, 0: score cannot be 2147483650"),
        ("UPDATE matches SET duration_ms = 4294967296", "tourney export 1", "matches 1: duration_ms cannot be 429496"),
        ("UPDATE matches SET answers = 5 WHERE id = 1", "verify 1", "matches 1: answers is integer, not bytes"),
    ],
)
def test_the_place_is_named(sql: str, words: str, place: str) -> None:
    change(sql)
    done = run(*words.split())
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith(f"Error: the database arena.db is damaged ({place}")
    assert done.stderr.endswith("): restore it from a copy, or use another --db\n")
    checked = run("db", "check")
    assert checked.exit_code == 1
    assert place in checked.stdout


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("UPDATE alembic_version SET version_num = 'x'", "is damaged (its schema has no version)"),
        ("UPDATE alembic_version SET version_num = 7", "is damaged (its schema has no version)"),
        ("DELETE FROM alembic_version", "is damaged (its schema has no version)"),
        ("DROP TABLE says", "is damaged (the table says is missing)"),
        ("ALTER TABLE seats RENAME score TO points", "is damaged: restore it from a copy"),
        ("UPDATE events SET game = CAST(x'ff' AS TEXT)", "is damaged: restore it from a copy"),
    ],
)
def test_a_schema_that_is_not_ours_is_a_sentence(sql: str, sentence: str) -> None:
    change(sql)
    done = run("ranking", "1")
    assert done.exit_code == 2
    assert f"the database arena.db {sentence}" in done.stderr


def test_a_schema_that_is_no_text_is_a_sentence() -> None:
    with closing(sqlite3.connect("arena.db")) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = CAST(x'43524541544520f4' AS TEXT) WHERE name = 'says'")
        connection.commit()
    done = run("ranking", "1")
    assert done.exit_code == 2, done.exception
    assert "the database arena.db is damaged: restore it from a copy" in done.stderr


def test_a_mistake_of_ours_stays_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("arena.store.Store.tournaments", broken)
    assert isinstance(run("tourney", "list").exception, ZeroDivisionError)


def test_a_mistake_of_ours_stays_a_traceback_where_no_database_is_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("arena.cli.doctor_checks.run_checks", broken)
    assert isinstance(run("doctor", "--db", "none.db").exception, ZeroDivisionError)


def test_what_names_and_notes_hold_never_reaches_the_terminal() -> None:
    change("UPDATE entrants SET name = ? WHERE place = 0", "a\u202e\x1b[2J\x9b31m\nb")
    for words in ("ranking 1", "matches", "match show 1", "replay 1 --text", "ranking 1 --json", "ranking 1 --csv"):
        done = run(*words.split())
        assert done.exit_code == 0, done.output
        assert "\\u202e" in done.stdout
        assert done.stdout.replace("\n", "").replace("\t", "").isprintable()


@pytest.mark.parametrize(
    "words",
    [
        "replay N", "replay N --text", "match show N", "verify N", "tourney show N", "tourney log N",
        "tourney verify N",
        "tourney audit N", "tourney export N", "tourney resume N", "tourney pause N", "tourney void N 1 --reason x",
        "tourney void 1 N --reason x", "tourney withdraw N a --reason x", "ranking N", "db rebuild N",
        "matches --tourney N", "verify --all --tourney N", "match --from N --move 1", "play --from N --move 1",
        "tourney enter N random", "match --from 1 --move N", "play --from 1 --move N",
    ],
)  # fmt: skip
def test_a_number_that_no_database_holds_is_a_sentence(words: str) -> None:
    for number in ("99999999999999999999999", str(2**63)):
        done = run(*words.replace("N", number).split())
        assert done.exit_code == 2, done.output
        assert isinstance(done.exception, SystemExit), done.exception
        assert "Error: " in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("tourney --game cambio --dry-run --rounds N", "'--rounds': it must be at most 2147483647, not "),
        ("tourney --game cambio --dry-run --block N", "'--block': it must be at most 2147483647, not "),
        (
            "tourney --game cambio --dry-run --schedule swiss --stages N",
            "'--stages': it must be at most 2147483647, not ",
        ),
        (
            "tourney --game cambio --dry-run --sprt elo0=0,elo1=N",
            "elo1 is a difference of Elo, below 100,000, not 1e+23",
        ),
        (
            "tourney --game cambio --dry-run --sprt elo0=nan,elo1=1",
            "elo0 is a difference of Elo, below 100,000, not nan",
        ),
        ("ranking 1 --anchor a=1e999", '"a=1e999" is not BOT=ELO'),
        ("ranking 1 --anchor a=nan", '"a=nan" is not BOT=ELO'),
        ("tourney --game cambio --deals-of N", "the database arena.db has no number that large"),
        ("matches --limit N", "the database arena.db has no number that large"),
    ],
)
def test_other_numbers_beyond_reason_are_sentences(words: str, sentence: str) -> None:
    done = run(*words.replace("N", "99999999999999999999999").split())
    assert done.exit_code == 2, done.output
    assert sentence in done.stderr
