"""The conformance vectors, as lines and back; and what becomes of questions."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict

from arena.bridge.bot_lines import BadLine
from arena.bridge.conversation import BotConversation
from referee.engine.registry import game
from referee.v1.play_pb2 import MatchEnd, MatchStart, PlayRequest, PlayResponse, Question, Turns
from referee.wire import view_schema

FOLDER = Path(__file__).parents[2] / "protos" / "vectors"
VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "vectors.json").read_text("utf-8"))["vectors"]
BYTES = {vector["name"]: base64.b64decode(vector["bytes"]) for vector in VECTORS}
TOKEN = "0123456789abcdef0123456789abcdef"


def lines(told: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in told.splitlines()]


def greeted(**wishes: object) -> BotConversation:
    talk = BotConversation(TOKEN)
    talk.hello(json.dumps({"type": "hello", **wishes}).encode())
    return talk


def request(message: bytes) -> dict[str, Any]:
    return MessageToDict(PlayRequest.FromString(message), preserving_proto_field_name=True)


def answered(talk: BotConversation, lines: list[bytes]) -> bytes:
    """Return the message for the referee that lines of the bot make."""
    return b"".join(message for message, _ in talk.read(lines))


def asking(talk: BotConversation, *ids: int, match: int = 1) -> list[dict[str, Any]]:
    """Begin a match of Cambio and ask questions with these numbers."""
    turns = Turns(starts=[MatchStart(match=match, game="cambio", view_type="referee.v1.CambioView")])
    turns.questions.extend(Question(id=id, match=match, legal=["keep", "exchange"]) for id in ids)
    return lines(talk.lines_of(PlayResponse(turns=turns).SerializeToString()))


def test_the_hellos_of_the_vectors() -> None:
    said = request(BotConversation(TOKEN).hello(b'{"type":"hello"}'))
    assert said == {**request(BYTES["hello"]), "hello": {**request(BYTES["hello"])["hello"], "wants_schema": True}}
    wishes = {"name": "Zürich, 東京 🎲", "version": "1.2.3", "games": ["cambio", "perudo"], "matches_at_once": 1}
    line = json.dumps({"type": "hello", **wishes, "wants_events": True, "whole_batches": True, "wants_ready": True})
    wanted = request(BYTES["hello, all fields"])
    wanted["hello"]["protocols"] = [1]
    assert request(BotConversation(TOKEN).hello(line.encode())) == wanted


@pytest.mark.parametrize("name", [v["name"] for v in VECTORS if v["message"] == "referee.v1.PlayResponse"])
def test_every_message_of_the_vectors_becomes_lines_with_all_it_says(name: str) -> None:
    talk = greeted(wants_events=True)
    talk.lines_of(BYTES["matches start"])
    response = PlayResponse.FromString(BYTES[name])
    told = lines(talk.lines_of(BYTES[name]))
    turns = response.turns
    if response.WhichOneof("message") == "welcome":
        assert told == [{"type": "welcome", "protocol": 1, "matches_at_once": 256}]
    elif response.WhichOneof("message") == "refusal":
        assert told[0]["sentence"] == response.refusal.sentence == talk.refused
        assert told[0]["type"] == "refusal"
    else:
        kinds = ["start"] * len(turns.starts) + ["question"] * len(turns.questions) + ["end"] * len(turns.ends)
        assert [line["type"] for line in told] == kinds
    for line, wire in zip(told, [*turns.starts, *turns.questions, *turns.ends], strict=False):
        same = MessageToDict(wire, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
        for key, given in line.items():
            if key in same and key not in ("view", "bot_seed"):
                assert given == same[key], key
    if name == "matches start and ask":
        assert told[0]["bot_seed"] == bytes(range(32)).hex()
        assert [line["question"] for line in told[2:]] == [1, 2]
        assert told[2]["view"]["card"] == -4
        assert told[2]["view"]["known"] == [-4, 99, 99]


def test_the_answers_of_the_vectors() -> None:
    talk = greeted()
    asking(talk, 1, 300, 9223372036854775815)
    many = Question(id=4, match=1, legal=[f"bid {n}" for n in range(130)])
    talk.lines_of(PlayResponse(turns=Turns(questions=[many])).SerializeToString())
    said = request(
        answered(
            talk,
            [
                b'{"type":"answer","question":1,"move":"keep"}',
                b'{"type":"answer","question":4,"move":129,"note":"sure to 87 %"}',
                b'{"type":"answer","question":3,"move":"bid 2xskull","say":"you bluff, don\'t you?"}',
                b'{"type":"answer","question":2,"move":-1}',
            ],
        )
    )
    wanted = request(BYTES["answers"])["answers"]["answers"]
    assert said["answers"]["answers"] == [
        wanted[0], {**wanted[1], "question": "4"}, wanted[2], {"question": "300"}
    ]  # fmt: skip


def test_in_games_that_are_played_with_words_any_text_is_an_answer() -> None:
    talk = greeted()
    start = MatchStart(match=1, game="cambio", view_type="referee.v1.CambioView", text_move="say", text_limit=9)
    questions = [Question(id=number, match=1, legal=["[4]", "say"]) for number in (1, 2, 3)]
    told = lines(talk.lines_of(PlayResponse(turns=Turns(starts=[start], questions=questions)).SerializeToString()))
    assert (told[0]["text_move"], told[0]["text_limit"]) == ("say", 9)
    moves = [json.dumps({"type": "answer", "move": move}).encode() for move in ("[4]", "I offer \ud83d it", "")]
    assert request(answered(talk, moves))["answers"]["answers"] == [
        {"question": "1", "index": 0},
        {"question": "2", "index": 1, "say": "I offer ?"},
        {"question": "3", "text": ""},
    ]


def test_an_answer_without_a_number_is_that_to_the_oldest_open_question() -> None:
    talk = greeted()
    assert [line.get("question") for line in asking(talk, 70, 71)] == [None, 1, 2]
    said = request(answered(talk, [b'{"type":"answer","move":1}', b" ", b'{"type":"answer","move":"keep"}']))
    assert said["answers"]["answers"] == [{"question": "70", "index": 1}, {"question": "71", "index": 0}]
    assert answered(talk, [b"", b" "]) == b""


def test_answers_to_questions_that_are_not_open_reach_the_referee_as_such() -> None:
    talk = greeted()
    asking(talk, 70)
    talk.lines_of(PlayResponse(turns=Turns(ends=[MatchEnd(match=1)])).SerializeToString())
    for line in (b'{"type":"answer","question":1,"move":0}', b'{"type":"answer","move":0}'):
        assert request(answered(talk, [line])) == {"answers": {"answers": [{}]}}


def test_a_whole_batch_is_announced() -> None:
    told = asking(greeted(whole_batches=True), 1, 2)
    assert [line["type"] for line in told] == ["start", "batch", "question", "question"]
    assert told[1] == {"type": "batch", "questions": 2}


def test_a_bot_says_for_each_match_when_it_is_ready() -> None:
    talk = greeted(wants_ready=True)
    starts = [
        MatchStart(match=number, view_type="referee.v1.CambioView", ready_question=ready, ready_time_ms=9000)
        for number, ready in ((1, 2**63 + 9), (2, 8), (3, 0))
    ]
    told = lines(talk.lines_of(PlayResponse(turns=Turns(starts=starts)).SerializeToString()))
    assert [(line.get("ready"), line.get("ready_time_ms")) for line in told] == [(True, 9000)] * 2 + [(None, None)]
    said = request(answered(talk, [b'{"type":"ready","match":1}']))
    assert said["answers"]["answers"] == [{"question": str(2**63 + 9), "index": 0}]
    assert [line["question"] for line in asking(talk, 70, match=4) if "question" in line] == [1], "numbers of their own"
    talk.lines_of(PlayResponse(turns=Turns(ends=[MatchEnd(match=2)])).SerializeToString())
    for match in (1, 2, 3, 99):
        line = json.dumps({"type": "ready", "match": match}).encode()
        assert request(answered(talk, [line])) == {"answers": {"answers": [{}]}}, "it is not waited for"
    assert request(answered(talk, [b'{"type":"answer","move":0}']))["answers"]["answers"][0]["question"] == "70"


def test_views_are_read_by_the_schema_that_comes_with_the_match() -> None:
    start = MatchStart(match=1, game="elsewhere", view_type="referee.v1.HyppView", schema=view_schema(game("hypp")))
    question = Question(id=1, match=1, legal=["bet 1"], view=b"\x08\x03")
    turns = Turns(starts=[start], questions=[question])
    assert lines(greeted().lines_of(PlayResponse(turns=turns).SerializeToString()))[1]["view"]["round"] == 3


def test_a_bad_line_is_counted_and_an_illegal_move_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    talk = greeted()
    asking(talk, 1, 2)
    assert request(answered(talk, [b'{"type":"answer","move":"jump"}'])) == {
        "answers": {"answers": [{"question": "1", "text": "jump"}]}
    }
    assert capsys.readouterr().err == (
        "line 2: the answer to question 1 is 'jump', not a legal move: "
        'answer with one of "keep", "exchange", or its index from 0 to 1\n'
    )
    with pytest.raises(BadLine, match="line 4: it is not JSON"):
        answered(talk, [b"", b"x"])
