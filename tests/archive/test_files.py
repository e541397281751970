"""Archives: what is written is read again, and what is damaged is told in a sentence."""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.archive import files, importing
from arena.archive.errors import ArchiveError
from arena.archive.exporting import items
from arena.archive.files import FORMATS, check_results, read, write
from arena.archive.importing import Archive
from arena.cli import main
from arena.store import (
    NoSuchRow,
    Store,
    StoreError,
    backoff,
    open_store,
)
from arena.store.failure_rows import ProcessFailureRow
from arena.store.rows import OutputRow
from arena.store.stored_definition import definition_text
from referee.games.cambio import CAMBIO
from referee.v1.archive_pb2 import ArchiveItem
from tests import played

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


def written(store: Store, form: str, number: int = 1, *, bare: bool = False) -> bytes:
    file = io.BytesIO()
    assert write(items(store, number, bare=bare), form, file) == MATCHES
    return file.getvalue()


def taken_in(store: Store, content: bytes) -> int:
    """Take an archive in; return the number of its tournament."""
    archive = Archive.of(lambda: read(io.BytesIO(content), "x"), "x")
    number = archive.place(store)
    archive.take_in(store, number)
    return number


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_taken_in_is_what_was_written(store: Store, form: str, tmp_path: Path) -> None:
    content = written(store, form)
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


def test_both_forms_hold_the_same_items(store: Store) -> None:
    lines, protobuf = (list(read(io.BytesIO(written(store, form)), form)) for form in FORMATS)
    assert lines == protobuf
    assert [item.WhichOneof("item") for item in lines] == [
        "tournament", *["match"] * MATCHES, "output", "process_failure", "process_failure"
    ]  # fmt: skip


def test_bare_results_hold_nothing_of_the_machine(store: Store) -> None:
    text = written(store, "jsonl", bare=True).decode()
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
        (lambda lines: [*lines, lines[2]], "match 1 is there twice, or beyond the schedule"),
        (lambda lines: [lines[0].replace(b"secret_hash", b"seed"), *lines[1:]], "secret is not the one whose hash"),
        (lambda lines: [lines[0].replace(rb"\"rounds\":5", rb"\"rounds\":6")], "definition is not the one whose hash"),
        (lambda lines: [lines[0].replace(rb"\"rounds\"", b""), *lines[1:]], "the definition of the tournament is no"),
        (lambda lines: [lines[0], lines[1].replace(b'"entrant": 3', b'"entrant": 9')], "a bot that is not in the"),
        (lambda lines: [*lines[:-1], lines[-1].replace(b'"entrant": 3', b'"entrant": 4')], "a process failure of"),
        (lambda lines: [*lines[:-1], lines[-1].replace(b'"matches": [5]', b'"matches": [6]')], "a process failure of"),
        (lambda lines: [*lines[:-1], lines[-1].replace(b'"17', b'"9917')], "a process failure of phase 1 does not fit"),
        (lambda lines: [*lines[:-1], lines[-1].replace(b"KIND_CONNECTION", b"KIND_UNSPECIFIED")], "a process failure"),
        (lambda lines: [], "its first item must be the tournament"),
    ],
)
def test_a_damaged_archive_leaves_nothing(store: Store, damage: object, sentence: str, tmp_path: Path) -> None:
    assert callable(damage)
    content = b"\n".join(damage(written(store, "jsonl").splitlines()))
    with open_store(tmp_path / "other.db", create=True) as other:
        with pytest.raises(ArchiveError, match=sentence):
            taken_in(other, content)
        with pytest.raises(NoSuchRow):
            other.tournament()


def test_a_large_one_leaves_the_database_to_others_in_between(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is stopped leaves an unfinished tournament, which the same file makes whole; and no second one."""
    content = written(store, "jsonl")
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
        assert taken_in(other, written(store, "jsonl", bare=True)) == 2


def test_one_that_went_on_is_not_mixed_with_what_was_decided_otherwise(store: Store, tmp_path: Path) -> None:
    content = written(store, "jsonl")
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
    content = b"\n".join([*written(store, "jsonl").splitlines(), entry.encode()])
    with pytest.raises(ArchiveError, match=f"entry 1 of the log does not say what {kind} is about"):
        Archive.of(lambda: read(io.BytesIO(content), "x"), "x")


@pytest.mark.parametrize("cut", [-3, 40])
def test_protobuf_that_ends_too_soon_is_damaged(store: Store, cut: int) -> None:
    with pytest.raises(ArchiveError, match="is damaged, or the file is no archive"):
        list(read(io.BytesIO(written(store, "protobuf")[:cut]), "x"))


def test_no_archive_at_all_is_told() -> None:
    with pytest.raises(ArchiveError, match="x: item 1 is damaged, or the file is no archive"):
        list(read(io.BytesIO(b"PK\x03\x04 whatever"), "x"))


def test_a_line_of_a_match_is_what_ratings_read(store: Store) -> None:
    line = json.loads(written(store, "jsonl").splitlines()[1])
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
    for form in FORMATS:
        content = written(store, form)
        assert len(list(read(io.BytesIO(content), "x"))) > MATCHES
        with monkeypatch.context() as changed:
            changed.setattr(files, "ITEM_BYTES", 100)
            with pytest.raises(ArchiveError, match=r"x:1: no item of an archive \(more than|x: item 1 is damaged"):
                list(read(io.BytesIO(content), "x"))
    with pytest.raises(ArchiveError, match="item 1 is damaged"):
        list(read(io.BytesIO(b"\xff\xff\xff\xff\x0f"), "x"))  # four gigabytes, it says


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"field": "x"}, "field is 'x' and not a list"),
        ({"seats": "3"}, "seats is '3' and not a whole number"),
        ({"seats": 10**18}, "it has 1000000000000000000 seats"),
        ({"rounds": 10**30}, "rounds is '1000000000000000000000000000000' and not a whole number"),
        ({"rounds": -1}, "it has"),
        ({"team_of": [0, 7]}, "the teams of"),
        ({"team_of": [None]}, r"team_of\[0\] is 'None' and not a whole number"),
        ({"options": {"chips": 2}}, "options.chips is '2' and not a text"),
        ({"time": {"ponder": "\u202e"}}, r"time.ponder is '\\u202e' and not true or false"),
        ({"stop": {"kind": "x"}}, "stop.kind is 'x' and not sprt or separated"),
        ({"schedule": "x"}, "schedule is 'x' and not round-robin or"),
        ({"game": None}, "game is 'None' and not a text"),
    ],
)
def test_a_definition_that_nobody_wrote_is_a_sentence(store: Store, change: dict[str, object], sentence: str) -> None:
    first, *rest = read(io.BytesIO(written(store, "jsonl")), "x")
    definition = json.loads(first.tournament.definition) | change
    first.tournament.definition = definition_text(definition)
    first.tournament.definition_hash = sha256(first.tournament.definition.encode()).hexdigest()
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
    lines = written(store, "jsonl").splitlines()
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
    lines = [line for line in written(store, "jsonl").splitlines() if json.loads(line)["kind"] != "tournament"]
    place = next(n for n, line in enumerate(lines, 1) if json.loads(line)["kind"] == "match")
    file = tmp_path / "x.jsonl"
    file.write_bytes(b"\n".join([*first, *lines]))
    result = CliRunner().invoke(main, ["ratings", str(file)], prog_name="arena")
    sentence = f"x.jsonl:{place + len(first)}: the record of a match, without the line of its tournament before it"
    assert (result.exit_code, sentence in result.stderr) == (2, True)


def test_a_record_is_refused_without_its_tournament_though_its_line_says_no_kind() -> None:
    with pytest.raises(ArchiveError, match="x:1: the record of a match, without the line of its tournament"):
        check_results(io.BytesIO(b'{"match": {"number": 0}, "bots": ["a", "b"], "ranks": [1, 2]}\n'), "x")


def test_an_archive_after_other_lines_is_compared_with_its_records(store: Store) -> None:
    lines = [b"", b'{"bots": ["a", "b"], "ranks": [1, 2]}', *written(store, "jsonl").splitlines()]
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
                item.tournament.definition = definition_text(definition)
                item.tournament.definition_hash = sha256(item.tournament.definition.encode()).hexdigest()
                item.tournament.log_hash = ""
                setattr(item.tournament, field, value)
            yield item

    with pytest.raises(ArchiveError, match=sentence):
        Archive.of(changed, "x")
