"""Definitions as they are stored, and their hashes."""

from hashlib import sha256
from typing import Any

import pytest

from arena.store.stored_definition import HASH_VERSION, StoredClock, StoredDefinition, definition_text

HERE: dict[str, Any] = {
    "name": "owl",
    "command": ["/usr/bin/python3.11", "/home/ann/owl/owl.py", "--depth", "3", "/opt/book.bin"],
    "folder": "/home/ann/owl",
    "files": ["/home/ann/owl/owl.py", "/opt/book.bin"],
    "sha256": "ab" * 32,
}
THERE: dict[str, Any] = HERE | {
    "command": ["/venv/bin/python", "/srv/bots/owl/owl.py", "--depth", "3", "/data/book.bin"],
    "folder": "/srv/bots/owl",
    "files": ["/srv/bots/owl/owl.py", "/data/book.bin"],
}


def hashed(*bots: dict[str, Any], **values: Any) -> str:
    return StoredDefinition({"hash_version": 2, "rounds": 5, "field": list(bots)} | values).hash


def test_the_oldest_definitions_are_hashed_as_they_were() -> None:
    values = {"rounds": 5, "field": [HERE], "game": "cambio"}
    assert StoredDefinition(values).hash == sha256(definition_text(values).encode()).hexdigest()
    assert StoredDefinition({"b": 1, "a": "ü"}).hash == sha256('{"a":"ü","b":1}'.encode()).hexdigest()


def test_where_the_files_of_a_bot_lie_does_not_change_the_hash() -> None:
    assert hashed(HERE) == hashed(THERE)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "owl#2"},
        {"sha256": "cd" * 32},
        {"command": ["/usr/bin/node", *HERE["command"][1:]]},
        {"command": [*HERE["command"], "--fast"]},
        {"command": [HERE["command"][0], "/home/ann/owl/old/owl.py", *HERE["command"][2:]]},
        {"author": "ann"},
    ],
)
def test_whatever_decides_results_changes_the_hash(change: dict[str, Any]) -> None:
    assert hashed(HERE) != hashed(HERE | change)


def test_the_order_of_the_field_and_every_other_value_change_the_hash() -> None:
    assert hashed(HERE, THERE | {"name": "b"}) != hashed(THERE | {"name": "b"}, HERE)
    assert hashed(HERE) != hashed(HERE, rounds=6)


def test_attached_and_remote_bots_have_no_command() -> None:
    attached = HERE | {"command": [], "folder": "", "files": []}
    assert hashed(attached) == hashed(attached) != hashed(HERE)


def test_a_rule_of_the_future_is_not_guessed() -> None:
    assert hashed(HERE, hash_version=HASH_VERSION + 1) == ""


def test_what_an_older_arena_did_not_write_reads_as_it_was_then() -> None:
    oldest = StoredDefinition({"schedule": 1, "rounds": 3})
    assert (oldest.schedule, oldest.stop, oldest.team_of, oldest.clock, oldest.seats) == (
        "round-robin",
        "",
        (),
        None,
        0,
    )
    timed = StoredDefinition({"time": {"move_time_ms": 5, "bank_ms": 7, "strikes": 3}, "stop": {"kind": "sprt"}})
    assert (timed.clock, timed.stop) == (StoredClock(5, 7), "sprt")
