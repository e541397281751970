"""Definitions as they are stored, and their hashes."""

from typing import Any

import pytest

from arena.values.canonical_json import hash_of_definition

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
    return hash_of_definition({"hash_version": 2, "rounds": 5, "field": list(bots)} | values)


def test_the_hash_of_a_definition_never_changes() -> None:
    values = {"game": "cambio", "seats": 4, "name": "Über"}
    assert hashed(HERE, **values) == "152f5afe13d17eb494190b384a8fedde7dc52aa5243253b13d6106bcf7f6973b"


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
