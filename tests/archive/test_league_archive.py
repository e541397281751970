"""Leagues that are exported and imported elsewhere."""

import io
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from arena.cli import main
from arena.league.archive import exporting
from arena.league.archive.checks import check_details, check_snapshot
from arena.league.grants import grant
from arena.league.plan.matchmaking.snapshot import RatedEntry, Snapshot
from arena.league.results.batch_report import batch_grants
from arena.league.results.board import load_board
from arena.league.results.season_report import places_json, report_season
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.league.verification import league_problems
from arena.results.archive.errors import ArchiveError
from arena.results.archive.files import check_results
from arena.store import open_store
from referee.games.cambio import Cambio
from sample_bots import SAMPLES
from tests import leagues

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league whose first season has ended with a final. One bot is granted a device after its first batch."""
    path = tmp_path_factory.mktemp("league") / "ended.db"
    with open_store(path, create=True) as store:
        league = leagues.cambio(store, final_top=2, final_deals=2)
        leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
        leagues.submit_file(store, "town/jay", SAMPLES["random"].path)
        leagues.play(store, 1)
        grant(store, "cambio", "club/owl", ["device:/dev/full"], by="ann")
        leagues.play(store, 1)
        for number in (5, 6):
            Leagues(store).change_entry(league.id, number, "standing", "test")
        assert arena("end-season", "cambio", "--yes", db=path).exit_code == 0
        while Leagues(store).seasons(league.id)[0].ended is None:
            leagues.play(store, 1)
    return path


@pytest.fixture(scope="module")
def lines(ended: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    file = tmp_path_factory.mktemp("file") / "season.jsonl"
    done = arena("export", "cambio", str(file), db=ended)
    assert done.output == f"league cambio is written to {file}, up to season 1\n"
    return file.read_text().splitlines()


@pytest.fixture
def file(lines: list[str], tmp_path: Path) -> Path:
    path = tmp_path / "season.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def arena(*words: str, db: Path, code: int = 0) -> Result:
    done = CliRunner().invoke(main, ["league", *words, "--db", str(db)], prog_name="arena")
    assert done.exit_code == code, done.output
    return done


def test_its_lines_are_valid_by_the_schema(lines: list[str]) -> None:
    schema = Path(__file__).parent.parent.parent / "docs/schemas/league-archive.schema.json"
    validator = Draft202012Validator(json.loads(schema.read_text()))
    values = [json.loads(line) for line in lines]
    assert {line["kind"] for line in values} >= {"league", "season", "entry", "batch", "attempt", "tournament", "match"}
    for line in values:
        validator.validate(line)


def test_ratings_refuse_matches_without_the_line_of_their_batch(lines: list[str]) -> None:
    def check(kept: list[str]) -> None:
        check_results(io.BytesIO("\n".join(kept).encode()), "x")

    check(lines)
    kinds = [json.loads(line)["kind"] for line in lines]
    heads = [place for place, kind in enumerate(kinds) if kind == "tournament" and kinds[place + 1] == "match"]
    assert len(heads) > 1
    for place in heads:
        with pytest.raises(ArchiveError, match=f"x:{place + 1}: "):
            check(lines[:place] + lines[place + 1 :])


def test_ratings_tell_a_match_of_a_batch_that_is_there_twice(lines: list[str]) -> None:
    kinds = [json.loads(line)["kind"] for line in lines]
    first = kinds.index("match")
    for place, number in ((first, 0), (first + 1, 1)):
        changed = [*lines[: place + 1], lines[place], *lines[place + 1 :]]
        with pytest.raises(ArchiveError, match=f"x:{place + 2}: match {number} is there twice"):
            check_results(io.BytesIO("\n".join(changed).encode()), "x")
    changed = [*lines[: first + 4], lines[first + 1], *lines[first + 4 :]]
    with pytest.raises(ArchiveError, match=f"x:{first + 5}: match 1 is there twice"):
        check_results(io.BytesIO("\n".join(changed).encode()), "x")


def test_a_season_is_verified_from_its_file(ended: Path, file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    assert "league cambio is imported: " in arena("import", str(file), db=other).output
    assert arena("verify", "cambio", db=other).stdout.startswith("league cambio: ")
    with open_store(ended) as store, open_store(other) as copy:
        league, imported = Leagues(store).named("cambio"), Leagues(copy).named("cambio")
        assert imported.state == "closed"
        assert places_json(report_season(copy, imported, 1)) == places_json(report_season(store, league, 1))
        first, _ = Leagues(store).seasons(league.id)
        assert Leagues(copy).seasons(imported.id) == [first], "and none that goes on"
        assert [row.digest for row in Leagues(copy).log(imported.id)] == [
            row.digest for row in Leagues(store).log(league.id)[: len(Leagues(copy).log(imported.id))]
        ]
        board = load_board(copy, "cambio")
        assert board.results == imported.results > 0
        assert all(row.elo is not None for row in board.rows if row.matches)
        assert copy.submissions.newest() == [], "there is no code, so nothing may play"
        [owl] = [each for each in Leagues(copy).entries(imported.id) if each.name == "club/owl@1"]
        assert owl.grants.words == ("device:/dev/full",)
        granted = {row.number: batch_grants(copy, row) for row in Batches(copy).of(imported.id)}
        assert granted.items() <= {row.number: batch_grants(store, row) for row in Batches(store).of(league.id)}.items()
        assert {owl.number: ("device:/dev/full",)} in granted.values()
    assert "has a league cambio already" in arena("import", str(file), db=other, code=2).output
    again = tmp_path / "again.jsonl"
    arena("export", "cambio", str(again), db=other)
    assert again.read_text().splitlines()[0] == file.read_text().splitlines()[0]


def test_a_season_is_imported_from_a_pipe(file: Path, tmp_path: Path) -> None:
    pipe, other = tmp_path / "pipe", tmp_path / "other.db"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as threads:
        threads.submit(pipe.write_bytes, file.read_bytes())
        assert "league cambio is imported: " in arena("import", str(pipe), db=other).output


@pytest.mark.parametrize("are_told", [True, False])
def test_an_import_tells_experiments_apart_as_the_file_does(
    are_told: bool, lines: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is of a league whose sums do or do not tell experiments apart; the game here has three openings."""
    assert {line["batch"]["experiments"] for line in map(json.loads, lines) if line["kind"] == "batch"} == {False}
    told = [line.replace('"experiments": false', f'"experiments": {json.dumps(are_told)}') for line in lines]
    file, db, again = tmp_path / "season.jsonl", tmp_path / "import.db", tmp_path / "again.jsonl"
    file.write_text("".join(f"{line}\n" for line in told))
    monkeypatch.setattr(Cambio, "opening", lambda self, options, seats, chance: f"{chance.pick(3, 'opening')}")
    arena("import", str(file), db=db)
    arena("export", "cambio", str(again), db=db)
    stored = '"state": "stored"'
    written = [line for line in again.read_text().splitlines() if stored in line]
    assert written == [line for line in told if stored in line]
    assert any(f'"experiments": {json.dumps(are_told)}' in line for line in written)
    with open_store(db) as store:
        repeats = load_board(store, "cambio").repeats
        found = list(league_problems(store, Leagues(store).named("cambio")))
    if are_told:
        assert repeats is not None
        assert repeats.openings == 3
    else:
        assert (repeats, found) == (None, [])


def test_a_league_is_created_after_an_import(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    arena("import", str(file), db=other)
    with open_store(other) as store:
        leagues.cambio(store, "second")
        second = Leagues(store).named("second")
        assert all(store.submissions.version(*e.submission).files for e in Leagues(store).entries(second.id))


def test_what_is_not_public_is_not_in_the_file(ended: Path, lines: list[str]) -> None:
    with open_store(ended) as store:
        _, second = Leagues(store).seasons(1)
        [owl] = store.submissions.versions("club/owl")
        code = SAMPLES["counter"].path.read_text().splitlines()[-1]
    text = "\n".join(lines)
    assert second.secret.hex() not in text
    assert second.commitment not in text
    assert owl.content in text, "its hash"
    assert code not in text
    assert '"notes"' not in text
    assert '"runner"' not in text


def test_a_season_that_goes_on_is_not_exported(ended: Path, tmp_path: Path) -> None:
    file = tmp_path / "season.jsonl"
    assert "season 2 of the league cambio has not ended" in (
        arena("export", "cambio", str(file), "--season", "2", db=ended, code=2).output
    )
    assert not file.exists()
    fresh = tmp_path / "fresh.db"
    with open_store(fresh, create=True) as store:
        leagues.cambio(store)
    assert "no season of the league cambio has ended" in arena("export", "cambio", str(file), db=fresh, code=2).output


def test_other_files_of_the_same_version_are_refused(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with open_store(other, create=True) as store:
        leagues.submit(store, "club/owl")
    assert "has other files of club/owl@1" in arena("import", str(file), db=other, code=2).output
    with open_store(other) as store:
        assert Leagues(store).all() == []
        assert len(store.submissions.all()) == 1, "nothing of it is there"


def test_an_export_that_fails_leaves_the_earlier_file(ended: Path, tmp_path: Path) -> None:
    copy, file = tmp_path / "copy.db", tmp_path / "league.jsonl"
    shutil.copy(ended, copy)
    arena("export", "cambio", str(file), db=copy)
    whole = file.read_bytes()
    with sqlite3.connect(copy) as connection:
        connection.execute("UPDATE batches SET state = 'leased' WHERE number = 2")
    assert "batch 2 is still under way" in arena("export", "cambio", str(file), db=copy, code=2).output
    assert file.read_bytes() == whole
    assert [path.name for path in tmp_path.glob("*league.jsonl*")] == ["league.jsonl"]


def test_two_exports_to_one_file_leave_it_whole(ended: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "league.jsonl"
    lines = exporting.league_lines

    def with_another(*args: Any, **named: Any) -> Iterator[bytes]:
        first, *rest = lines(*args, **named)
        yield first
        monkeypatch.undo()
        arena("export", "cambio", str(file), db=ended)  # from its beginning to its end
        yield from rest

    monkeypatch.setattr(exporting, "league_lines", with_another)
    arena("export", "cambio", str(file), db=ended)
    with open_store(ended) as store:
        assert file.read_bytes() == b"".join(lines(store, Leagues(store).named("cambio"), 1))


def test_a_database_that_people_use_takes_none_in(file: Path, tmp_path: Path) -> None:
    used = tmp_path / "used.db"
    with open_store(used, create=True) as store:
        store.accounts.add("club", "author", "0" * 64)
    assert "has accounts or open leagues: take the league into" in arena("import", str(file), db=used, code=2).output
    played = tmp_path / "played.db"
    with open_store(played, create=True) as store:
        leagues.cambio(store, "autumn")
    assert "has accounts or open leagues" in arena("import", str(file), db=played, code=2).output
    with open_store(played) as store:
        assert [league.name for league in Leagues(store).all()] == ["autumn"]


@pytest.mark.parametrize(
    ("kind", "old", "new", "sentence"),
    [
        ("league", '"format": 1', '"format": 2', "lines of format 2, and this arena reads 1"),
        ("league", '"kind": "league"', '"kind": "entry"', "is no archive of a league"),
        ("league", '\\"deals\\":2', '\\"deals\\":3', "the definition is not the one whose hash was published"),
        ("season", '"number": 1', '"number": 2', "its seasons are not 1 to 1"),
        ("league", '"season": 1', '"season": 1000000000000', "its seasons are not 1 to 1000000000000"),
        ("season", '"standings": "', '"standings": "\ud800', "no item of an archive"),
        ("season", '"days": 400', '"days": 400000000', "has no secret of 32 bytes, or no days"),
        ("season", '"days": 400', '"days": "x"', 'no season of a league: days must be a whole number, not "x"'),
        ("entry", '"number": 1', '"number": 2', "an entry is there twice"),
        ("league", '"name": "cambio"', '"name": "../cambio"', "'../cambio' is no name of a league"),
        ("entry", '"version": 1', '"version": 9223372036854775807', "a bot has no version 9223372036854775807"),
        ("entry", '"content": "', '"content": "../', "is no SHA-256 of files"),
        ("entry", '"bot": "', '"bot": "../', "entry 1: "),
        ("entry", '"owner": "', '"owner": "\\u202e', "is no name of an entry or an owner"),
        ("season", '"first_day": "2', '"first_day": "x2', "a time is not in ISO 8601 with its zone"),
        ("batch", '"created": "2', '"created": "x2', "a time is not in ISO 8601 with its zone"),
        ("batch", '"part": null', '"part": 3', "has no part 3"),
        ("snapshot", '"text": "[', '"text": "[1e999,[]]', "snapshot 1: "),
        ("decision", '"who": "', '"who": "not ', "of its log is not as it was written"),
        ("league", '"log_hash": "', '"log_hash": "0', "and was written up to entry "),
        ("league", '"log_hash"', '"hash_of_log"', 'no league of a league: unknown key "hash_of_log"'),
        ("batch", '"kind": "batch"', '"kind": "bench"', "no line of a league, or not in its place"),
        ("batch", '"state": "stored"', '"state": "void"', " is void and has another result"),
        ("batch", '"season": 1', '"season": 9', "has entries, or a season, that are not there"),
        ("match", '"number": 1', '"number": 3', " matches, not "),
        ("match", '"kind": "match"', '"kind": "mat', "no item of an archive"),
    ],
)
def test_damaged_files_are_refused_and_nothing_is_stored(
    lines: list[str], tmp_path: Path, kind: str, old: str, new: str, sentence: str
) -> None:
    place = next(n for n, line in enumerate(lines) if json.loads(line)["kind"] == kind and old in line)
    damaged = tmp_path / "damaged.jsonl"
    text = "\n".join([*lines[:place], lines[place].replace(old, new, 1), *lines[place + 1 :]])
    damaged.write_text(text, "utf-8", "surrogatepass")
    other = tmp_path / "other.db"
    assert sentence in arena("import", str(damaged), db=other, code=2).output
    assert not other.exists()


@pytest.mark.parametrize(
    ("kind", "details"),
    [
        ("end-season", {"season": 1}),
        ("readmit", {}),
        ("challenge", {"batch": 1, "entry": 2, "against": ["x"]}),
        ("grant", {"entry": 1, "words": [1], "secrets": [], "later": False}),
        ("revoke", {"entry": 1, "words": [], "secrets": []}),
    ],
)
def test_decisions_say_what_is_read_of_them(kind: str, details: dict[str, object]) -> None:
    with pytest.raises(ArchiveError, match=f"a decision of kind {kind} does not say"):
        check_details(kind, details, "file")
    check_details("pause", details, "file")


def test_grants_of_a_file_are_such_as_there_are() -> None:
    with pytest.raises(ArchiveError, match='there is no grant "internet"'):
        check_details("grant", {"entry": 1, "words": ["internet"], "secrets": [], "later": False}, "file")


@pytest.mark.parametrize(
    "values", [{"elo": "x"}, {"elo": 10**400}, {"elo": None}, {"owner": 1.5}, {"owner": "\x1b"}, {"is_placing": 1}]
)
def test_ratings_of_a_snapshot_are_numbers(values: dict[str, Any]) -> None:
    sound: dict[str, Any] = {"number": 1, "owner": "", "elo": 0, "ci95": None, "deals": 0, "recent_deals": 0}
    rated = RatedEntry(**{**sound, "cpu_us_per_deal": 0, **values})
    with pytest.raises(ArchiveError, match=f"file: an entry has no {next(iter(values))}"):
        check_snapshot(Snapshot(1, [rated]), "file")


def test_a_file_that_is_cut_off_is_refused(lines: list[str], tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    for end in (0, 1, len(lines) // 2, len(lines) - 1):
        cut.write_text("".join(f"{line}\n" for line in lines[:end]))
        arena("import", str(cut), db=tmp_path / "other.db", code=2)
    refused = arena("import", str(cut), db=tmp_path / "other.db", code=2)
    assert "cut.jsonl is not whole: its end is missing" in refused.output
    with pytest.raises(ArchiveError, match="x is not whole: its end is missing"):
        check_results(io.BytesIO(cut.read_bytes()), "x")
    assert not (tmp_path / "other.db").exists()


def test_a_result_that_was_changed_in_the_file_is_found(lines: list[str], tmp_path: Path) -> None:
    changed = tmp_path / "changed.jsonl"
    place = next(n for n, line in enumerate(lines) if json.loads(line)["kind"] == "match")
    values = json.loads(lines[place])
    values["match"]["seats"][0]["score"] = str(int(values["match"]["seats"][0].get("score", 0)) + 1)
    changed.write_text("\n".join([*lines[:place], json.dumps(values), *lines[place + 1 :]]))
    other = tmp_path / "other.db"
    assert "match 0 has the scores " in arena("import", str(changed), db=other, code=2).output
    values["scores"][0] += 1
    changed.write_text("\n".join([*lines[:place], json.dumps(values), *lines[place + 1 :]]))
    arena("import", str(changed), db=other)
    with open_store(other) as store:
        assert any("match 1: " in problem for problem in league_problems(store, Leagues(store).named("cambio")))


def test_an_import_that_ends_in_the_middle_leaves_nothing(
    lines: list[str], file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from arena.league.store import imported_leagues

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(imported_leagues, "_add_batch", full)
    other = tmp_path / "other.db"
    done = CliRunner().invoke(main, ["league", "import", str(file), "--db", str(other)])
    assert isinstance(done.exception, OSError)
    with open_store(other, create=True) as store:
        assert Leagues(store).all() == []
        assert store.submissions.all() == []
