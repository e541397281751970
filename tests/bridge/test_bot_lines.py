import pytest

from arena.bridge.bot_lines import (
    AnswerLine,
    BadLine,
    HelloLine,
    ReadyLine,
    json_line,
    read_answer,
    read_hello,
)


def test_a_hello_says_as_much_as_it_likes() -> None:
    assert read_hello(b'{"type":"hello"}') == HelloLine()
    line = '{ "games": ["cambio"], "type": "hello", "name": "été", "matches_at_once": 1, "wants_events": true }\r'
    assert read_hello(line.encode()) == HelloLine("été", "", ["cambio"], 1, True)
    assert read_hello(b'{"type":"hello","wants_ready":true}') == HelloLine(wants_ready=True)


def test_a_move_is_a_text_or_an_index() -> None:
    assert read_answer(b'{"type":"answer","question":7,"move":"keep"}') == AnswerLine("keep", 7)
    assert read_answer(b'{"type":"answer","move":0,"note":"a","say":"b"}') == AnswerLine(0, None, "a", "b")


def test_a_bot_is_ready_for_a_match() -> None:
    assert read_answer(b'{"type":"ready","match":7}') == ReadyLine(7)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"keep", r"it is not JSON in UTF-8 \(.*\): 'keep'"),
        (b"\xff", "it is not JSON in UTF-8"),
        (b"[" * 100_000, "it is not JSON in UTF-8"),
        (b'{"type":"answer","move":' + b"1" * 5000 + b"}", "it is not JSON in UTF-8"),
        (b'["answer"]', "it is not a JSON object"),
        (b'{"move":0}', "every line after the hello must be an answer, such as .*: '{\"move\":0}'"),
        (b'{"type":"answer"}', "an answer must have a move"),
        (b'{"type":"answer","move":true}', "move must be the text of a legal move, or its index"),
        (b'{"type":"answer","move":1.5}', "move must be the text"),
        (b'{"type":"answer","move":0,"question":-1}', "question must be the number of a question"),
        (b'{"type":"answer","move":0,"note":3}', "note and say must be strings"),
        (b'{"type":"ready"}', "match must be the number of the match that the bot is ready for"),
        (b'{"type":"ready","match":true}', "match must be the number of the match"),
        (b'{"type":"ready","match":1,"move":0}', r"unknown key 'move' \(type, match\)"),
        (b'{"type":["ready"],"match":1}', "every line after the hello must be an answer"),
        (b'{"type":"answer","mvoe":0}', "unknown key 'mvoe'; did you mean \"move\"\\? \\(type, question,"),
    ],
)
def test_what_is_no_answer_is_told_in_a_sentence(line: bytes, why: str) -> None:
    with pytest.raises(BadLine, match=why):
        read_answer(line)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"type":"answer","move":0}', "the first line must be a hello, such as"),
        (b'{"type":"hello","name":3}', "name and version must be strings"),
        (b'{"type":"hello","games":"cambio"}', "games must be a list of strings"),
        (b'{"type":"hello","matches_at_once":-1}', "matches_at_once must be an integer"),
        (b'{"type":"hello","whole_batches":1}', "must be true or false"),
        (b'{"type":"hello","wants_ready":1}', "must be true or false"),
        (b'{"type":"ready","match":1}', "the first line must be a hello"),
    ],
)
def test_what_is_no_hello_is_told_in_a_sentence(line: bytes, why: str) -> None:
    with pytest.raises(BadLine, match=why):
        read_hello(line)


def test_a_bad_line_is_quoted_as_text_that_does_no_harm() -> None:
    with pytest.raises(BadLine) as caught:
        read_answer(b"\x1b[2J" + b"x" * 500)
    assert f": '\\x1b[2J{'x' * 73}...'; a bot prints its messages alone on" in str(caught.value)


def test_what_a_bot_is_told_is_one_line_of_ascii_without_spaces() -> None:
    assert json_line({"b": ["é\n"], "a": -1}) == b'{"b":["\\u00e9\\n"],"a":-1}\n'
