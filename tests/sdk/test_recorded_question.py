"""Files of recorded questions that are damaged, forged or of another version: a sentence each."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from arena.sdk import BadQuestion, load_question
from arena.sdk.recorded_question import MAX_BYTES, parse_question
from referee.v1.cambio_pb2 import CambioView
from tests.bots.test_question_export import example


def with_value(keys: str, value: Any) -> bytes:
    """Return the example with another value under some keys."""
    values = deepcopy(example())
    *path, last = keys.split("/")
    inner: Any = values
    for key in path:
        inner = inner[int(key) if key.isdecimal() else key]
    inner[last] = value
    return json.dumps(values).encode()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (json.dumps(example()).encode()[:-90], "it is not valid JSON: "),
        (b"", "it is not valid JSON: "),
        (b"\xff\xfe{", "it is not valid JSON: "),
        (b"[" * 100_000, "its brackets are nested too deeply"),
        (b'{"a": ' * 100_000, "its brackets are nested too deeply"),
        (b"9" * 10_000, "it is not valid JSON: "),
        (b'{"format": NaN}', "it is not valid JSON: NaN is no JSON number"),
        (b" " * (MAX_BYTES + 1), "it is larger than 32 MiB"),
        (b"[]", "it is not a recorded question: "),
        (b'{"format": "arena scenario"}', "it is not a recorded question: "),
        (with_value("version", 2), "it is of version 2, but this arena reads version 1"),
        (with_value("version", None), "it is of version None, but"),
        (with_value("version", True), "it is of version True, but"),
        (with_value("match", []), "match is not an object"),
        (with_value("match/seats", "3"), "match.seats is not a whole number"),
        (with_value("match/seats", True), "match.seats is not a whole number"),
        (with_value("match/seat", 99), "match.seat is 99, but the seats are 0 to "),
        (with_value("match/bank_ms", 2**32), "match.bank_ms is not between 0 and 4,294,967,295"),
        (with_value("match/fischer", 1), "match.fischer is not true or false"),
        (with_value("match/bot_seed", "xyz"), "match.bot_seed is not hexadecimal"),
        (with_value("match/options", {"chips": 2}), "match.options.chips is not a text"),
        (with_value("match/game", "\ud800"), "a text in it contains half a surrogate pair"),
        (with_value("question/view", {"\udfff": 1}), "a text in it contains half a surrogate pair"),
        (with_value("before", {}), "before is not a list"),
        (with_value("before/1/legal", []), "before[1].legal is missing or empty"),
        (with_value("before/0/events", [1]), "before[0].events is not a text"),
        (with_value("before/0/values", [1]), "before[0].values[0] is not a list"),
        (with_value("before/0/values", [[1, 2.5]]), "before[0].values[0] is no line of a log: its number"),
        (with_value("before/0/values", [[True]]), "before[0].values[0] is no line of a log"),
        (with_value("question", None), "question is not an object"),
        (with_value("question/view", []), "question.view is not an object"),
        (with_value("expect", ["fly"]), "expect: 'fly' is not a legal move there: keep, exchange"),
        (with_value("source", {"match": []}), "source.'match' is neither a text nor a whole number"),
    ],
)
def test_a_bad_file_is_a_sentence(content: bytes, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    with pytest.raises(BadQuestion) as error:
        load_question(file)
    assert str(error.value).startswith(f"{file}: {sentence}")
    assert "\n" not in str(error.value)


def nested(depth: int) -> dict[str, Any]:
    return {"view": nested(depth - 1)} if depth else {}


@pytest.mark.parametrize(
    "view", [{"unheard_of": 1}, {"card": "a"}, {"card": 2**80}, {"chips": 3}, {"stage": "STAGE_MOON"}, nested(500)]
)
def test_a_view_of_another_kind_is_a_sentence(view: dict[str, Any]) -> None:
    question = parse_question(with_value("question/view", view))
    with pytest.raises(BadQuestion, match=r"^a view is no referee.v1.CambioView of this version of cambio: "):
        question.encoded_views(CambioView)


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadQuestion, match="cannot be read: No such file or directory"):
        load_question(tmp_path / "none.json")
