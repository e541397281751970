"""Bots as processes, against a stand-in that speaks the protocol through grpcio."""

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto

from arena.sdk import Bot
from referee.v1.cambio_pb2 import CambioView
from referee.v1.play_pb2 import PlayRequest, PlayResponse, Refusal

pytestmark = [
    pytest.mark.promise,
    pytest.mark.usefixtures("call_kind"),
    pytest.mark.parametrize("call_kind", ["direct", "stub"], indirect=True),
]

Write = Callable[[str], Path]
SINGLE = "def choose(self, question):\n    return question.legal[-1]\n"


def answered(request: PlayRequest) -> dict[int, int | str | None]:
    """Return a bot's answers by question."""
    answers = request.answers.answers
    return {answer.question: getattr(answer, answer.WhichOneof("move") or "", None) for answer in answers}


def receive(requests: Iterator[PlayRequest], count: int) -> list[Any]:
    """Return so many answers, in however many messages they come: slow ones are not waited for."""
    received: list[Any] = []
    while len(received) < count:
        received += next(requests).answers.answers
    return received


def test_hello_questions_and_end(standin: Any, write_bot: Write, deal: Any, greet: PlayResponse) -> None:
    bot = write_bot(
        """
name = "mine"
version = "7"
games = ("cambio", "cucco")
matches_at_once = 5
wants_events = True

def match_started(self, match):
    print("start", match.number, match.game, match.options, match.seat, match.seats, match.names, match.move_time_ms)

def choose(self, question):
    question.note(f"holding {question.view.card}")
    question.say("hm")
    print(question.id, question.events, question.bank_ms, question.charged_us, question.again)
    question.match.memory["asked"] = question.match.memory.get("asked", 0) + 1
    return "exchange" if question.view.card < 3 else 0

def match_ended(self, match, scores, ranks):
    print("end", match.number, scores, ranks, match.events, match.memory)
"""
    )
    weak, strong = CambioView(card=-2).SerializeToString(), CambioView(card=9).SerializeToString()
    hellos, answers = [], []

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        hellos.append(next(requests).hello)
        yield greet
        first = deal().start(1, options={"reveal": "anti"}, names=["a", "b"], move_time_ms=1000).start(2)
        yield first.ask(1, 1, view=weak, events=["deal"], bank_ms=900).ask(2, 2, view=strong).response
        answers.append(receive(requests, 2))
        yield deal().ask(3, 1, view=strong, charged_us=70, again=True).response
        answers.append(receive(requests, 1))
        yield deal().end(1, (5, -3, 0, 1), (1, 4, 3, 2), events=["over"]).end(2).response

    ended = standin.run(bot, talk)
    assert (ended.code, ended.err) == (0, "")
    (hello,) = hellos
    assert list(hello.protocols) == [1]
    assert (hello.token, hello.name, hello.version, list(hello.games)) == ("sesame", "mine", "7", ["cambio", "cucco"])
    assert (hello.matches_at_once, hello.wants_events, hello.wants_schema, hello.whole_batches) == (
        5,
        True,
        False,
        False,
    )
    first, second = answers
    assert [(answer.question, answer.index, answer.note, answer.say) for answer in first] == [
        (1, 1, "holding -2", "hm"),
        (2, 0, "holding 9", "hm"),
    ]
    assert [(answer.question, answer.index) for answer in second] == [(3, 0)]
    assert ended.out.splitlines() == [
        "start 1 cambio {'reveal': 'anti'} 1 4 ('a', 'b') 1000",
        "start 2 cambio {} 1 4 () 0",
        "1 ('deal',) 900 0 False",
        "2 () 0 0 False",
        "3 () 0 70 True",
        "end 1 (5, -3, 0, 1) (1, 4, 3, 2) ('over',) {'asked': 2}",
        "end 2 () () () {'asked': 1}",
    ]


def test_port_and_large_messages(tcp_standin: Any, write_bot: Write, deal: Any, greet: PlayResponse) -> None:
    """Messages larger than HTTP/2's windows and frames, both ways, over TCP."""
    bot = write_bot("def choose(self, question):\n    question.note('n' * 2000)\n    return 'keep'\n")
    received: list[Any] = []

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        next(requests)
        yield greet
        batch = deal()
        for number in range(1, 401):
            batch.start(number).ask(number, number, view=b"v" * 1000)
        yield batch.response
        while sum(len(batch) for batch in received) < 400:
            received.append(next(requests).answers.answers)
        yield deal().end(1).response

    assert tcp_standin.run(bot, talk).code == 0
    answers = [answer for batch in received for answer in batch]
    assert [answer.question for answer in answers] == list(range(1, 401))
    assert {answer.note for answer in answers} == {"n" * 1024}


def test_slow_answers_leave_before_the_batch_is_done(
    standin: Any, write_bot: Write, deal: Any, greet: PlayResponse, tmp_path: Path
) -> None:
    """The second answer of the batch waits until the referee has the first."""
    flag = tmp_path / "first answer arrived"
    bot = write_bot(
        f"""
from pathlib import Path
from time import perf_counter

def choose(self, question):
    late = self.perf_counter() + 0.03
    while self.perf_counter() < late if question.id == 1 else not self.Path({str(flag)!r}).exists():
        pass
    return "keep"
"""
    )
    received = []

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        next(requests)
        yield greet
        yield deal().start(1).start(2).ask(1, 1).ask(2, 2).response
        received.append(answered(next(requests)))
        flag.touch()
        received.append(answered(next(requests)))

    ended = standin.run(bot, talk)
    assert (ended.code, ended.err) == (0, "")
    assert received == [{1: 0}, {2: 0}]


def test_whole_batches(standin: Any, write_bot: Write, deal: Any, greet: PlayResponse) -> None:
    bot = write_bot("def choose_all(self, questions):\n    return [len(questions) % 2 for q in questions]\n")
    received = []

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        assert next(requests).hello.whole_batches
        yield greet
        yield deal().start(1).start(2).start(3).ask(1, 1).ask(2, 2).ask(3, 3).response
        received.append(answered(next(requests)))
        yield deal().ask(4, 1).ask(5, 2).response
        received.append(answered(next(requests)))

    assert standin.run(bot, talk).code == 0
    assert received == [{1: 1, 2: 1, 3: 1}, {4: 0, 5: 0}]


def test_coroutines_answer_at_the_same_time(standin: Any, write_bot: Write, deal: Any, greet: PlayResponse) -> None:
    """The first question is answered only after the second has been: they are under way together."""
    bot = write_bot(
        """
import trio
seen = trio.Event()

async def choose(self, question):
    if question.id == 1:
        await self.seen.wait()
    self.seen.set()
    return "exchange"
"""
    )
    received: dict[int, Any] = {}

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        assert not next(requests).hello.whole_batches
        yield greet
        yield deal().start(1).start(2).ask(1, 1).ask(2, 2).response
        while len(received) < 2:
            received.update(answered(next(requests)))

    ended = standin.run(bot, talk)
    assert (ended.code, ended.err) == (0, "")
    assert received == {1: 1, 2: 1}


@pytest.mark.parametrize(
    "choose", ["def choose(self, q):", "async def choose(self, q):", "def choose_all(self, qs):\n    q = qs[0]"]
)
def test_a_bot_says_for_each_match_when_it_is_ready(
    standin: Any, write_bot: Write, deal: Any, greet: PlayResponse, choose: str
) -> None:
    returned = '["keep"]' if "all" in choose else '"keep"'
    bot = write_bot(
        f"""
wants_ready = True

def match_started(self, match):
    print("loads for", match.number, match.ready_time_ms, flush=True)

{choose}
    print("chooses in", q.match.number)
    return {returned}
"""
    )
    received: list[Any] = []

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        assert next(requests).hello.wants_ready
        yield greet
        yield deal().start(1, ready_question=7, ready_time_ms=9000).start(2, ready_question=8).start(3).response
        received.extend(answered(next(requests)) for _ in range(2))
        yield deal().ask(9, 1).response
        received.append(answered(next(requests)))

    ended = standin.run(bot, talk)
    assert (ended.code, ended.err) == (0, "")
    assert received == [{7: 0}, {8: 0}, {9: 0}]
    assert ended.out.splitlines() == ["loads for 1 9000", "loads for 2 0", "loads for 3 0", "chooses in 1"]


def test_whole_batches_of_a_coroutine(tcp_standin: Any, write_bot: Write, deal: Any, greet: PlayResponse) -> None:
    bot = write_bot("async def choose_all(self, questions):\n    return ('keep',) * len(questions)\n")
    received = []

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        assert next(requests).hello.whole_batches
        yield greet
        yield deal().start(1).ask(1, 1).ask(2, 1).response
        received.append(answered(next(requests)))

    assert tcp_standin.run(bot, talk).code == 0
    assert received == [{1: 0, 2: 0}]


@pytest.mark.parametrize(
    ("returned", "sent", "told"),
    [
        ("None", None, "returned None, not a legal move in match 1"),
        ("'fold'", "fold", "returned 'fold', not a legal move"),
        ("2", None, 'return one of "keep", "exchange", or its index from 0 to 1'),
        ("-1", None, "returned -1"),
        ("True", None, "returned True"),
        ("'\\ud800' * 2000", "?" * 1024, "not a legal move"),
    ],
)
def test_wrong_returns(
    standin: Any, write_bot: Write, deal: Any, greet: PlayResponse, returned: str, sent: Any, told: str
) -> None:
    """What is no move reaches the referee as an illegal one, and the author in words."""
    received = []

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        next(requests)
        yield greet
        yield deal().start(1).ask(1, 1).response
        received.append(answered(next(requests)))

    ended = standin.run(write_bot(f"def choose(self, question):\n    return {returned}\n"), talk)
    assert ended.code == 0
    assert received == [{1: sent}]
    assert told in ended.err
    assert ended.err.startswith("Mine.choose returned ")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            "def choose(self, question):\n    if question.id == 2:\n        raise ValueError('no idea')\n    return 0",
            "no idea",
        ),
        ("async def choose(self, question):\n    raise ValueError('no idea')", "no idea"),
        ("def choose_all(self, questions):\n    return ['keep']", "returned 1 moves for 2 questions"),
        ("def choose_all(self, questions):\n    return 'keep'", "returned 1 moves for 2 questions"),
        ("pass", "Mine defines neither choose nor choose_all"),
        ("def match_started(self, match):\n    raise ValueError('no idea')", "no idea"),
    ],
)
def test_crash(standin: Any, write_bot: Write, deal: Any, greet: PlayResponse, body: str, told: str) -> None:
    received: dict[int, Any] = {}

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        next(requests)
        yield greet
        yield deal().start(1).start(2).ask(1, 1).ask(2, 2).response
        for request in requests:
            received.update(answered(request))

    ended = standin.run(write_bot(body), _until_lost(talk))
    assert ended.code == 1
    assert "Traceback" in ended.err
    assert told in ended.err
    if "question.id == 2" in body:
        assert received == {1: 0}  # what was answered before is not lost


def _until_lost(talk: Callable[..., Iterator[PlayResponse]]) -> Callable[..., Iterator[PlayResponse]]:
    """Let the bot's end of the stream break."""
    import grpc

    def lenient(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        try:
            yield from talk(requests)
        except grpc.RpcError:
            return
        except Exception as failure:
            if type(failure) is not Exception:  # grpcio raises a bare one where the client is gone
                raise

    return lenient


def test_a_bot_may_run_a_loop_of_its_own(standin: Any, write_bot: Write, deal: Any, greet: PlayResponse) -> None:
    bot = write_bot("""
import asyncio

def choose(self, question):
    return self.asyncio.run(self.asyncio.sleep(0, "exchange"))
""")
    received = []

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        next(requests)
        yield greet
        yield deal().start(1).start(2).ask(1, 1).ask(2, 2).response
        received.append(answered(next(requests)))

    assert standin.run(bot, talk).code == 0
    assert received == [{1: 1, 2: 1}]


@pytest.mark.parametrize("style", ["def", "async def"])
@pytest.mark.parametrize("thinks", [False, True])
def test_ctrl_c(standin: Any, write_bot: Write, deal: Any, greet: PlayResponse, style: str, thinks: bool) -> None:
    """It comes while the bot thinks, or while it waits for the referee."""
    think = "os.kill(os.getpid(), signal.SIGINT)" if thinks else "question.note(str(os.getpid()))"
    bot = write_bot(f"{style} choose(self, question):\n    import os, signal\n    {think}\n    return 0")

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        next(requests)
        yield greet
        yield deal().start(1).ask(1, 1).response
        for request in requests:
            os.kill(int(request.answers.answers[0].note), signal.SIGINT)

    ended = standin.run(bot, _until_lost(talk))
    assert (ended.code, ended.out, ended.err) == (130, "", "")


def test_refusal(standin: Any, write_bot: Write) -> None:
    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        next(requests)
        response = PlayResponse()
        response.refusal.reason = Refusal.REASON_PROTOCOL
        response.refusal.sentence = "you speak [1], I speak [2]"
        yield response

    for style in ("def", "async def"):
        ended = standin.run(write_bot(f"{style} choose(self, question):\n    return 0"), talk)
        assert (ended.code, ended.out) == (1, "")
        assert ended.err == "Mine was refused by the referee: you speak [1], I speak [2]\n"


@pytest.mark.parametrize("style", ["def", "async def"])
def test_referee_fails(standin: Any, write_bot: Write, greet: PlayResponse, style: str) -> None:
    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        next(requests)
        yield greet
        raise RuntimeError("the table fell over")

    with pytest.raises(RuntimeError, match="the table fell over"):
        standin.run(write_bot(f"{style} choose(self, question):\n    return 0"), talk)


@pytest.mark.parametrize("style", ["def", "async def"])
@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("unix:/nowhere/s", "Mine lost its connection to the referee: no connection to unix:/nowhere/s: "),
        ("nowhere", "Mine lost its connection to the referee: no connection to nowhere: "),
    ],
)
def test_nobody_there(run_bot: Any, write_bot: Write, style: str, address: str, told: str) -> None:
    bot = write_bot(f"{style} choose(self, question):\n    return 0")
    ended = run_bot(bot, {"ARENA_ADDRESS": address, "ARENA_TOKEN": "t"})
    assert ended.code == 1
    assert ended.err.startswith(told)
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize("environment", [{}, {"ARENA_ADDRESS": "unix:/x"}])
def test_started_by_hand(run_bot: Any, write_bot: Write, environment: Mapping[str, str]) -> None:
    bot = write_bot("games = ('cucco',)\n\n" + SINGLE)
    ended = run_bot(bot, environment)
    assert (ended.code, ended.out) == (2, "")
    assert f'arena match --game cucco "python {bot}" random' in ended.err


def test_view_of_a_game_nobody_imported(standin: Any, write_bot: Write, deal: Any, greet: PlayResponse) -> None:
    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        next(requests)
        yield greet
        yield deal().start(1, game="whist", view_type="elsewhere.v1.WhistView").ask(1, 1).response
        list(requests)

    ended = standin.run(write_bot("def choose(self, question):\n    return question.view.card"), _until_lost(talk))
    assert ended.code == 1
    assert "the views of whist are elsewhere.v1.WhistView messages, which no imported module defines" in ended.err
    assert "or set wants_schema = True" in ended.err


def test_view_of_a_game_nobody_imported_by_its_schema(
    standin: Any, write_bot: Write, deal: Any, greet: PlayResponse
) -> None:
    file = FileDescriptorProto(name="elsewhere/whist.proto", package="elsewhere.v1", syntax="proto3")
    field = file.message_type.add(name="WhistView").field.add(name="trumps", number=1)
    field.type, field.label = FieldDescriptorProto.TYPE_STRING, FieldDescriptorProto.LABEL_OPTIONAL
    bot = write_bot("wants_schema = True\n\ndef choose(self, question):\n    print(question.view.trumps)\n    return 0")
    hellos = []

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        hellos.append(next(requests).hello)
        yield greet
        for match in (1, 2):
            start = deal().start(match, game="whist", view_type="elsewhere.v1.WhistView")
            start.response.turns.starts[0].schema.file.append(file)
            yield start.ask(match, match, view=b"\x0a\x06hearts").response
            next(requests)

    ended = standin.run(bot, talk)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == "hearts\nhearts\n"
    assert [hello.wants_schema for hello in hellos] == [True]


def test_the_name_of_one_game_is_one_game() -> None:
    class Lone(Bot[Any]):
        games = "cambio"  # type: ignore[assignment]

    class Child(Lone):
        pass

    assert [list(found.games) for found in (Lone, Child, Lone())] == [["cambio"]] * 3
