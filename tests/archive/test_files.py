"""Archives: what is written is read again, and what is damaged is told in a sentence."""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.results.archive import files, importing
from arena.results.archive.errors import ArchiveError
from arena.results.archive.exporting import items
from arena.results.archive.files import check_results, read, write
from arena.results.archive.importing import Archive
from arena.store import NoSuchRow, Store, StoreError, open_store
from arena.store.engine import backoff
from arena.values.canonical_json import canonical_json, hash_of_definition
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import OutputRow
from referee.games.cambio import CAMBIO
from referee.v1.archive_pb2 import ArchiveItem
from tests import played

pytestmark = pytest.mark.usefixtures("in_process")

MATCHES = 6
MOMENT = 1_700_000_000_000_000


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A database with a tournament of six matches, one of them with faults and notes, and a bot's last words."""
    store = open_store(tmp_path / "arena.db", create=True)
    number = store.add_tournament(played.tournament(CAMBIO, matches=MATCHES, options={"chips": "2"}))
    failing = {"faults": {3: "timeout", 4: "illegal"}, "notes": True}
    rows = [
        played.match(CAMBIO, number, options={"chips": "2"}, **(failing if number == 5 else {}))  # type: ignore[arg-type]
        for number in range(MATCHES)
    ]
    store.add_matches(
        number,
        rows,
        [OutputRow(1, 2, 3, "good night\n", truncated=True, name="Bot", version="2")],
        failures=[
            ProcessFailureRow(
                1, 2, 3, 1_700_000_000_000_000, "crash", "it ended", None, 9, (5, 1), None, "ouch\n", True
            ),
            ProcessFailureRow(1, 2, 3, 1_700_000_000_000_001, "connection", "it went", 0, None, (5,), 5),
        ],
    )
    store.mark_withdrawn(number, 2, "too many faults")
    store.finish_tournament(number)
    return store


def written(store: Store, number: int = 1, *, bare: bool = False) -> bytes:
    file = io.BytesIO()
    assert write(items(store, number, bare=bare), file) == MATCHES
    return file.getvalue()


def taken_in(store: Store, content: bytes) -> int:
    """Take an archive in; return the number of its tournament."""
    archive = Archive.of(lambda: read(io.BytesIO(content), "x"), "x")
    number = archive.place(store)
    archive.take_in(store, number)
    return number


def test_what_is_taken_in_is_what_was_written(store: Store, tmp_path: Path) -> None:
    content = written(store)
    with open_store(tmp_path / "other.db", create=True) as other:
        other.add_tournament(replace(played.tournament(CAMBIO, matches=10), secret=b"another" * 4))
        number = taken_in(other, content)
        assert number == 2
        taken, given = other.tournament(2), store.tournament(1)
        for same in ("game", "options", "definition", "definition_hash", "secret", "seed", "versions", "entrants",
                     "matches", "created", "finished"):  # fmt: skip
            assert getattr(taken, same) == getattr(given, same)
        assert list(other.records(2)) == list(store.records(1))
        assert other.outputs(2) == store.outputs(1)
        assert other.process_failures.of(2) == store.process_failures.of(1) != []
        taken_in(other, content)
        assert other.process_failures.of(2) == store.process_failures.of(1), "twice is once"
        assert other.match(taken.first_match + 5).outputs == store.match(given.first_match + 5).outputs


def test_the_items_stand_in_their_order(store: Store) -> None:
    assert [item.WhichOneof("item") for item in read(io.BytesIO(written(store)), "x")] == [
        "tournament", *["match"] * MATCHES, "output", "process_failure", "process_failure"
    ]  # fmt: skip


def test_bare_results_hold_nothing_of_the_machine(store: Store) -> None:
    text = written(store, bare=True).decode()
    for word in (
        "created",
        "finished",
        "versions",
        "charged_us",
        "duration_ms",
        "standstill_ms",
        "times",
        "phase",
        "player",
        "output",
    ):
        assert f'"{word}"' not in text
    assert '"answers"' in text


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda lines: lines[1:], "its first item must be the tournament"),
        (lambda lines: [*lines[:2], b'{"kind": "match"}', *lines[2:]], "x:3: no item of an archive"),
        (lambda lines: [*lines[:2], b"nonsense", *lines[2:]], "x:3: no item of an archive"),
        (lambda lines: [*lines[:-1], lines[2]], "match 1 is there twice, or beyond the schedule"),
        (lambda lines: [lines[0].replace(b"secret_hash", b"seed"), *lines[1:]], "secret is not the one whose hash"),
        (lambda lines: [lines[0].replace(rb"\"rounds\":5", rb"\"rounds\":6")], "definition is not the one whose hash"),
        (lambda lines: [lines[0].replace(rb"\"rounds\"", b""), *lines[1:]], "the definition of the tournament is no"),
        (lambda lines: [lines[0], lines[1].replace(b'"entrant": 3', b'"entrant": 9')], "a bot that is not in the"),
        (lambda lines: [*lines[:-2], lines[-2].replace(b'"entrant": 3', b'"entrant": 4')], "a process failure of"),
        (lambda lines: [*lines[:-2], lines[-2].replace(b'"matches": [5]', b'"matches": [6]')], "a process failure of"),
        (lambda lines: [*lines[:-2], lines[-2].replace(b'"17', b'"9917')], "a process failure of phase 1 does not fit"),
        (lambda lines: [*lines[:-2], lines[-2].replace(b"KIND_CONNECTION", b"KIND_UNSPECIFIED")], "a process failure"),
        (lambda lines: [], "its first item must be the tournament"),
        (lambda lines: lines[:-1], "x is not whole: its end is missing, so it was cut off or changed after it was exp"),
        (lambda lines: lines[:-2], "x is not whole: its end is missing"),
        (lambda lines: [*lines[:-2], lines[-1]], "x is not whole: it has 9 lines, and by its end 10"),
        (lambda lines: [*lines, lines[-1]], "x: something follows its end"),
        (lambda lines: [*lines[:-1], b'{"kind": "end", "end": 7}'], "x:11: no item of an archive"),
    ],
)
def test_a_damaged_archive_leaves_nothing(store: Store, damage: object, sentence: str, tmp_path: Path) -> None:
    assert callable(damage)
    content = b"\n".join(damage(written(store).splitlines()))
    with open_store(tmp_path / "other.db", create=True) as other:
        with pytest.raises(ArchiveError, match=sentence):
            taken_in(other, content)
        with pytest.raises(NoSuchRow):
            other.tournament()


def test_a_large_one_leaves_the_database_to_others_in_between(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is stopped leaves an unfinished tournament, which the same file makes whole; and no second one."""
    content = written(store)
    with open_store(tmp_path / "other.db", create=True) as other:
        found = []

        def pause(_: float) -> None:
            found.append(other.count(1))
            assert other.tournament(1).finished is None
            if len(found) == 2:
                raise KeyboardInterrupt

        monkeypatch.setattr(importing, "TRANSACTION_MATCHES", 2)
        monkeypatch.setattr(backoff, "pause", pause)
        with pytest.raises(KeyboardInterrupt):
            taken_in(other, content)
        assert found == [2, 4]
        monkeypatch.setattr(backoff, "pause", lambda _: None)
        assert [taken_in(other, content) for _ in range(2)] == [1, 1]
        assert other.tournament(1).finished == store.tournament(1).finished
        assert list(items(other, 1)) == list(items(store, 1))
        assert taken_in(other, written(store, bare=True)) == 2


def test_one_that_went_on_is_not_mixed_with_what_was_decided_otherwise(store: Store, tmp_path: Path) -> None:
    content = written(store)
    with open_store(tmp_path / "other.db", create=True) as other:
        taken_in(other, content)
        other.append_decision(1, "ann", "void", {"match": 3, "replay": False})
        with pytest.raises(StoreError, match=r"tournament 1 of .* is the same one with another log"):
            taken_in(other, content)
        assert other.count(1) == MATCHES - 1


@pytest.mark.parametrize(
    ("kind", "details"),
    [
        ("withdraw", '{"place": 9, "remaining": "drop", "results": "keep"}'),
        ("withdraw", '{"place": 1}'),
        ("leg", '{"leg": "first"}'),
        ("pause", "[]"),
    ],
)
def test_a_log_says_what_its_entries_are_about(store: Store, kind: str, details: str) -> None:
    entry = json.dumps({"kind": "action", "action": {"number": 1, "kind": kind, "details": details}})
    content = b"\n".join([*written(store).splitlines()[:-1], entry.encode()])
    with pytest.raises(ArchiveError, match=f"entry 1 of the log does not say what {kind} is about"):
        Archive.of(lambda: read(io.BytesIO(content), "x"), "x")


def test_a_log_that_does_not_say_where_it_ends_is_refused(store: Store) -> None:
    for kind in ("pause", "resume"):
        store.append_decision(1, "ann", kind, {})

    def cut() -> Iterator[ArchiveItem]:
        for item in items(store, 1):
            if item.HasField("tournament"):
                item.tournament.ClearField("log_entries")
                item.tournament.ClearField("log_hash")
            if not item.HasField("action") or item.action.kind != "resume":
                yield item

    with pytest.raises(ArchiveError, match=r"its log ends with entry 1 .*, and was written up to entry 0"):
        Archive.of(cut, "x")


def test_an_archive_that_was_cut_between_two_items_is_not_whole(store: Store) -> None:
    lines = written(store).splitlines(keepends=True)
    assert len(lines) > MATCHES
    for kept in range(1, len(lines)):
        content = b"".join(lines[:kept])
        with pytest.raises(ArchiveError, match="x is not whole: its end is missing"):
            list(read(io.BytesIO(content), "x"))
        with pytest.raises(ArchiveError, match="x is not whole: its end is missing"):
            check_results(io.BytesIO(content), "x")


def test_ratings_miss_a_line_by_the_end(store: Store, tmp_path: Path) -> None:
    lines = written(store).splitlines(keepends=True)
    for suffix in ("jsonl", "ndjson"):
        file = tmp_path / f"x.{suffix}"
        file.write_bytes(b"".join(lines[:-3] + lines[-2:]))
        result = CliRunner().invoke(main, ["ratings", str(file)], prog_name="arena")
        assert result.exit_code == 2
        assert f"x.{suffix}:10 is not whole: 9 lines stand before its end, which counts 10" in result.stderr


def test_archives_one_after_the_other_are_each_whole(store: Store) -> None:
    lines = written(store).splitlines(keepends=True)
    check_results(io.BytesIO(b"".join(lines * 2)), "x")
    with pytest.raises(ArchiveError, match="x is not whole: its end is missing"):
        check_results(io.BytesIO(b"".join([*lines, *lines[:-1]])), "x")
    with pytest.raises(ArchiveError, match=f"x:{2 * len(lines) - 1} is not whole: 9 lines stand before its end"):
        check_results(io.BytesIO(b"".join([*lines, *lines[:-2], lines[-1]])), "x")
    with pytest.raises(ArchiveError, match=f"x:{len(lines) + 1}: the record of a match, without the line of its"):
        check_results(io.BytesIO(b"".join([*lines, *lines[1:]])), "x")


@pytest.mark.parametrize("kind", ['"bench"', '["match"]', "{}", "null"])
def test_a_line_of_an_unknown_kind_is_refused(store: Store, kind: str) -> None:
    lines = written(store).splitlines()
    content = b"\n".join([*lines[:2], f'{{"kind": {kind}, "bench": {{}}}}'.encode(), *lines[2:]])
    with pytest.raises(ArchiveError, match=r"x:3: no line of a tournament, or not in its place: its kind is .*, and"):
        list(read(io.BytesIO(content), "x"))


@pytest.mark.parametrize("content", [b"PK\x03\x04 whatever", b"\xff\xff\xff\xff\x0f"])
def test_no_archive_at_all_is_told(content: bytes) -> None:
    with pytest.raises(ArchiveError, match="x:1: no item of an archive"):
        list(read(io.BytesIO(content), "x"))


def test_a_line_of_a_match_is_what_ratings_read(store: Store) -> None:
    line = json.loads(written(store).splitlines()[1])
    assert list(line) == ["kind", "bots", "ranks", "scores", "deal", "match"]
    assert line["bots"] == ["a", "b", "c", "d"]


def test_lines_that_nobody_can_read_are_sentences(store: Store) -> None:
    for line in (
        b'{"kind": "tournament", "tournament": ' + b"[" * 100_000,
        b'{"kind": "tournament", "tournament": {"secret": ' + b"9" * 10_000,
        b'{"kind": "tournament", "tournament": {"\\ud800": 1}}',
        b'{"kind": "tournament", "tournament": {"options": {"\\ud800": "1"}}}',
    ):
        with pytest.raises(ArchiveError, match="x:1: no item of an archive"):
            list(read(io.BytesIO(line), "x"))


def test_an_item_is_bounded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    content = written(store)
    assert len(list(read(io.BytesIO(content), "x"))) > MATCHES
    monkeypatch.setattr(files, "ITEM_BYTES", 100)
    with pytest.raises(ArchiveError, match=r"x:1: no item of an archive \(more than"):
        list(read(io.BytesIO(content), "x"))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"field": "x"}, 'field must be a list of objects, not "x"'),
        ({"seats": "3"}, 'seats must be a whole number, 1 or more, not "3"'),
        ({"seats": 10**18}, "it has 1000000000000000000 seats"),
        ({"rounds": 10**30}, "rounds must be at most 9223372036854775807, not 1000000000000000000000000000000"),
        ({"rounds": -1}, "rounds must be 1 or more, not -1"),
        ({"hash_version": 1}, "it is hashed by version 1 of the rule, and this arena knows version 2"),
        ({"team_of": [0, 7]}, "the teams of"),
        ({"team_of": [None]}, r"team_of\[0\] must be a whole number, not null"),
        ({"options": {"chips": 2}}, "options.chips must be a text in quotes, not 2"),
        ({"time": {"ponder": "\u202e"}}, r'time.ponder must be true or false, not "\\u202e"'),
        ({"stop": {"kind": "x"}}, 'stop.kind must be one of sprt, separated, not "x"'),
        ({"schedule": "x"}, 'schedule must be one of round-robin, .*, not "x"'),
        ({"game": None}, "game must be a text in quotes, not null"),
    ],
)
def test_a_definition_that_nobody_wrote_is_a_sentence(store: Store, change: dict[str, object], sentence: str) -> None:
    first, *rest = read(io.BytesIO(written(store)), "x")
    definition = json.loads(first.tournament.definition) | change
    first.tournament.definition = canonical_json(definition)
    with pytest.raises(ArchiveError, match=f"the definition of the tournament makes no sense: .*{sentence}"):
        Archive.of(lambda: iter([first, *rest]), "x")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("bots", lambda value: value[::-1]),
        ("ranks", lambda value: [rank + 1 for rank in value]),
        ("scores", lambda value: [value[0] + 1, *value[1:]]),
        ("deal", lambda value: value + 1),
    ],
)
def test_a_line_that_contradicts_its_record_is_refused(
    store: Store, tmp_path: Path, name: str, change: Callable[[Any], Any]
) -> None:
    lines = written(store).splitlines()
    place = next(n for n, line in enumerate(lines) if json.loads(line)["kind"] == "match")
    values = json.loads(lines[place])
    values[name] = change(values[name])
    lines[place] = json.dumps(values).encode()
    changed = b"\n".join(lines)
    sentence = f"x:{place + 1}: match 0 has the {name} .* beside its record, which says "
    with pytest.raises(ArchiveError, match=sentence):
        list(read(io.BytesIO(changed), "x"))
    with pytest.raises(ArchiveError, match=sentence):
        check_results(io.BytesIO(changed), "x")
    file = tmp_path / "x.jsonl"
    file.write_bytes(changed)
    result = CliRunner().invoke(main, ["ratings", str(file)], prog_name="arena")
    assert (result.exit_code, "the file was changed after it was exported" in result.stderr) == (2, True)


@pytest.mark.parametrize("first", [[], [b'{"bots": ["a", "b"], "ranks": [1, 2]}']], ids=["none", "another line"])
def test_a_match_without_the_line_of_its_tournament_is_refused(
    store: Store, tmp_path: Path, first: list[bytes]
) -> None:
    lines = [line for line in written(store).splitlines() if json.loads(line)["kind"] != "tournament"]
    place = next(n for n, line in enumerate(lines, 1) if json.loads(line)["kind"] == "match")
    file = tmp_path / "x.jsonl"
    file.write_bytes(b"\n".join([*first, *lines]))
    result = CliRunner().invoke(main, ["ratings", str(file)], prog_name="arena")
    sentence = f"x.jsonl:{place + len(first)}: the record of a match, without the line of its tournament before it"
    assert (result.exit_code, sentence in result.stderr) == (2, True)


@pytest.mark.parametrize("place", [0, 2, -1], ids=["the first", "a later one", "the line before"])
def test_a_match_that_is_there_twice_is_told(store: Store, tmp_path: Path, place: int) -> None:
    lines = written(store).splitlines()
    matches = [line for line in lines if json.loads(line)["kind"] == "match"]
    again = json.loads(matches[place])["match"].get("number", 0)
    end = lines.index(matches[-1]) + 1
    changed = b"\n".join([*lines[:end], matches[place], *lines[end:]])
    sentence = f"x:{end + 1}: match {again} is there twice, or not in its place"
    with pytest.raises(ArchiveError, match=sentence):
        check_results(io.BytesIO(changed), "x")


def test_a_record_is_refused_without_its_tournament_though_its_line_says_no_kind() -> None:
    with pytest.raises(ArchiveError, match="x:1: the record of a match, without the line of its tournament"):
        check_results(io.BytesIO(b'{"match": {"number": 0}, "bots": ["a", "b"], "ranks": [1, 2]}\n'), "x")


def test_an_archive_after_other_lines_is_compared_with_its_records(store: Store) -> None:
    lines = [b"", b'{"bots": ["a", "b"], "ranks": [1, 2]}', *written(store).splitlines()]
    check_results(io.BytesIO(b"\n".join(lines)), "x")
    place = next(n for n, line in enumerate(lines) if line and json.loads(line).get("kind") == "match")
    lines[place] = json.dumps(json.loads(lines[place]) | {"ranks": [7, 7]}).encode()
    with pytest.raises(ArchiveError, match=f"x:{place + 1}: match 0 has the ranks .* beside its record"):
        check_results(io.BytesIO(b"\n".join(lines)), "x")


def test_results_that_are_no_archive_are_left_alone() -> None:
    check_results(io.BytesIO(b'{"bots": ["a", "b"], "ranks": [1, 2]}\n'), "x")
    check_results(io.BytesIO(b'{"kind": "match", "match": 3, "bots": ["a", "b"], "ranks": [1, 2]}\n'), "x")
    check_results(io.BytesIO(b'{"bots": ["a", "b"], "ranks": [1, 2], "match": "final"}\n'), "x")
    check_results(io.BytesIO(b"no JSON"), "x")
    check_results(io.BytesIO(b""), "x")


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("game", "chess", "its game is chess, and by its definition cambio"),
        ("seed", "5", "its secret does not follow from the seed 5"),
        ("behaviour", 77, "the version of its rules is 77, and by its definition "),
    ],
)
def test_an_event_that_contradicts_its_definition_is_refused(
    store: Store, field: str, value: object, sentence: str
) -> None:
    def changed() -> Iterator[ArchiveItem]:
        for item in items(store, 1):
            if item.HasField("tournament"):
                definition = json.loads(item.tournament.definition) | {"behaviour": CAMBIO.behaviour}
                item.tournament.definition = canonical_json(definition)
                item.tournament.definition_hash = hash_of_definition(definition)
                setattr(item.tournament, field, value)
            yield item

    with pytest.raises(ArchiveError, match=sentence):
        Archive.of(changed, "x")
