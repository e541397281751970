"""The log of a server."""

import io
import json
import logging

import pytest

from arena.values.server_log import Notice, configure, log_event, log_line, report_bug


def test_each_event_is_an_object_of_json_on_a_line_of_its_own() -> None:
    stream = io.StringIO()
    configure("json", stream)
    log_event("batch_stored", "batch 3 of club is stored", league="club", batch=3, account="", secret="s3cret")
    log_line(Notice("the disk is full", "database_unavailable"))
    log_line("anything\x1b[31m else\nwith a line")
    log_event("database_retried", "unseen", level=logging.DEBUG)
    batch, full, other = map(json.loads, stream.getvalue().splitlines())
    assert batch.pop("time").endswith("+00:00")
    message = "batch 3 of club is stored"
    assert batch == {"level": "info", "event": "batch_stored", "message": message, "league": "club", "batch": 3}
    assert (full["level"], full["event"], full["message"]) == ("warning", "database_unavailable", "the disk is full")
    assert other["event"] == "notice"
    assert other["message"].isprintable()
    assert "\x1b" not in stream.getvalue()


def test_a_mistake_of_arena_is_one_line_with_its_traceback() -> None:
    stream = io.StringIO()
    configure("json", stream)
    try:
        raise ValueError("two\nlines")
    except ValueError as error:
        report_bug(error)
    (line,) = stream.getvalue().splitlines()
    values = json.loads(line)
    assert (values["level"], values["event"]) == ("error", "bug")
    assert "ValueError: two\nlines" in values["traceback"]


def test_as_text_there_are_the_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    log_event("sign_in", "before there is a log")
    try:
        raise ValueError("a bug")
    except ValueError as error:
        report_bug(error)
        assert "ValueError: a bug" in capsys.readouterr().err, "without a log, on stderr"
        stream = io.StringIO()
        configure("text", stream)
        log_line(Notice("the disk is full", "database_unavailable"))
        report_bug(error)
    assert stream.getvalue().startswith("the disk is full\nTraceback ")
    assert capsys.readouterr().err == ""


def test_a_notice_is_its_sentence() -> None:
    notice = Notice("batch 3 came to no result", "batch_failed", league="club", batch=3)
    assert notice == "batch 3 came to no result"
    assert notice.fields == {"league": "club", "batch": 3}
