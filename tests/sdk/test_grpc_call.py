"""The bot's end of the call, both ways to make it: in order, complete, and nothing of grpc is left behind.

What is deleted after the interpreter's threads may hang.
"""

import gc
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import grpc._cython
import pytest
from grpc._cython import cygrpc  # type: ignore[attr-defined]

from arena.sdk.direct_call import DirectCall
from arena.sdk.errors import CallLost
from arena.sdk.grpc_call import open_call
from arena.sdk.stub_call import StubCall
from referee.v1.play_pb2 import PlayRequest, PlayResponse

pytestmark = [
    pytest.mark.usefixtures("call_kind"),
    pytest.mark.parametrize("call_kind", ["direct", "stub"], indirect=True),
]


def calls() -> int:
    return sum(isinstance(thing, grpc.Call) for thing in gc.get_objects())


def request(number: int, text: str = "") -> bytes:
    message = PlayRequest()
    message.answers.answers.add(question=number, text=text)
    return message.SerializeToString()


def question(message: PlayRequest) -> int:
    return message.answers.answers[0].question


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Without the garbage collector, which would come too late in a process that ends."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def ends(requests: Iterator[PlayRequest], greet: PlayResponse) -> Iterator[PlayResponse]:
    next(requests)
    yield greet


def breaks(requests: Iterator[PlayRequest], greet: PlayResponse) -> Iterator[PlayResponse]:
    yield from ends(requests, greet)
    raise RuntimeError("the table fell over")


def test_kind_of_call(standin: Any, call_kind: str) -> None:
    call = open_call(standin.address)
    assert type(call) is {"direct": DirectCall, "stub": StubCall}[call_kind]
    call.close()


def test_kind_of_call_of_a_remote_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CA", "system")
    call = open_call("localhost:1")
    assert type(call) is StubCall
    call.close()


class OtherVersion:
    """The module cygrpc of a grpcio in which one thing is another."""

    def __init__(self, name: str, value: Any) -> None:
        self.name = name
        self.value = value

    def __getattr__(self, name: str) -> Any:
        return self.value if name == self.name else getattr(cygrpc, name)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SegregatedCall", None),
        ("BatchOperationEvent", object),
        ("ReceiveStatusOnClientOperation", object),
        ("Channel", type("Channel", (), {"segregated_call": None, "close": None})),
    ],
)
def test_other_version_of_grpcio(monkeypatch: pytest.MonkeyPatch, standin: Any, name: str, value: Any) -> None:
    """Where anything is missing or takes other arguments, the public API is used."""
    monkeypatch.delitem(sys.modules, "arena.sdk.direct_call")
    monkeypatch.setattr(grpc._cython, "cygrpc", OtherVersion(name, value))
    call = open_call(standin.address)
    assert type(call) is StubCall
    call.close()


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize(("talk", "lost"), [(ends, None), (breaks, "the table fell over")])
def test_closed_call_is_gone(
    standin: Any, greet: PlayResponse, call_kind: str, talk: Callable[..., Iterator[PlayResponse]], lost: str | None
) -> None:
    standin.talk = lambda requests: talk(requests, greet)
    before = calls()
    call: Any = open_call(standin.address)
    assert (calls() > before) == (call_kind == "stub")
    call.send(PlayRequest().SerializeToString())
    failure = None
    try:
        assert list(call.messages()) == [greet.SerializeToString()]
    except CallLost as error:
        failure = error  # kept, as by whoever reports it
    call.close()
    assert (lost or "None") in str(failure)
    assert failure is None or failure.received_any
    assert calls() == before
    if call_kind == "direct":
        assert call._pending == 0


def test_nobody_there() -> None:
    call = open_call("unix:/nowhere/s")
    call.send(request(1))
    with pytest.raises(CallLost, match="no connection to unix:/nowhere/s: .+") as lost:
        next(call.messages())
    assert not lost.value.received_any
    call.send(request(2))
    call.finish()
    call.close()


def test_all_messages_leave_before_the_bot_listens(standin: Any, greet: PlayResponse) -> None:
    """A bot that sends several messages while it thinks does not receive, and they leave all the same."""
    received: list[int] = []
    all_received = threading.Event()

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        for message in requests:
            received.append(question(message))
            if len(received) == 50:
                all_received.set()
        yield greet

    standin.talk = talk
    call = open_call(standin.address)
    for number in range(50):
        call.send(request(number))
    assert all_received.wait(10)
    assert received == list(range(50))
    call.finish()
    call.close()


def test_messages_from_several_threads(standin: Any, greet: PlayResponse) -> None:
    """Each thread's messages arrive in order while this one receives the echoes."""
    received: list[int] = []

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        for message in requests:
            received.append(question(message))
            yield greet

    standin.talk = talk
    call = open_call(standin.address)

    def send(first: int) -> None:
        for number in range(first, first + 200):
            call.send(request(number))

    threads = [threading.Thread(target=send, args=[first]) for first in (0, 1000, 2000)]
    for thread in threads:
        thread.start()
    messages = call.messages()
    assert [next(messages) for _ in range(600)] == [greet.SerializeToString()] * 600
    for thread in threads:
        thread.join()
    call.end()
    call.send(request(9))  # dropped: the bot has said that nothing follows
    assert list(messages) == []
    call.close()
    for first in (0, 1000, 2000):
        assert [number for number in received if first <= number < first + 1000] == list(range(first, first + 200))
    assert len(received) == 600


def test_large_messages(standin: Any) -> None:
    """Messages of megabytes need several writes and window updates, both ways."""
    sizes = []

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        for message in requests:
            sizes.append(len(message.answers.answers[0].text))
            response = PlayResponse()
            response.refusal.sentence = "x" * 7_000_000
            yield response

    standin.talk = talk
    call = open_call(standin.address)
    messages = call.messages()
    for number in range(3):
        call.send(request(number, "y" * 3_000_000))
        assert len(PlayResponse.FromString(next(messages)).refusal.sentence) == 7_000_000
    assert sizes == [3_000_000] * 3
    call.close()


def test_finish_waits_for_the_referee(standin: Any, greet: PlayResponse) -> None:
    received: list[int] = []

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        yield greet
        received.extend(map(question, requests))
        yield greet
        received.append(-1)

    standin.talk = talk
    call = open_call(standin.address)
    assert next(call.messages()) == greet.SerializeToString()
    for number in range(5):
        call.send(request(number))
    call.finish()
    assert received == [0, 1, 2, 3, 4, -1]
    call.close()


def test_direct_call_is_closed_while_another_thread_receives(standin: Any, greet: PlayResponse) -> None:
    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        yield greet
        with pytest.raises(Exception):  # noqa: B017, PT011 - grpcio raises a bare one where the client is gone
            list(requests)

    standin.talk = talk
    call = DirectCall(standin.address)
    messages = call.messages()
    next(messages)
    outcome: list[BaseException] = []

    def receive() -> None:
        try:
            next(messages)
        except CallLost as lost:
            outcome.append(lost)

    thread = threading.Thread(target=receive)
    thread.start()
    call.close()
    thread.join(10)
    assert [type(error) for error in outcome] == [CallLost]


def test_exception_of_a_signal_handler(standin: Any, greet: PlayResponse, call_kind: str) -> None:
    """It leaves `messages`; what is called afterwards neither hangs nor touches what gRPC has freed."""

    class Alarm(Exception):
        pass

    def handle(*_: Any) -> None:
        raise Alarm

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        yield greet
        with pytest.raises(Exception):  # noqa: B017, PT011
            list(requests)

    standin.talk = talk
    call = open_call(standin.address)
    messages = call.messages()
    next(messages)
    before = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(Alarm):
            next(messages)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    if call_kind == "direct":
        call.send(request(1))
        call.finish()
        with pytest.raises(CallLost, match="interrupted"):
            list(call.messages())
    call.close()


@pytest.mark.promise
@pytest.mark.parametrize("style", ["def", "async def"])
def test_referee_is_killed(
    standin: Any, write_bot: Any, deal: Any, greet: PlayResponse, style: str, call_kind: str
) -> None:
    """The server goes away without a word while the bot waits."""

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        next(requests)
        yield greet
        yield deal().start(1).ask(1, 1).response
        next(requests)
        standin._server.stop(None)
        with pytest.raises(Exception):  # noqa: B017, PT011
            next(requests)

    ended = standin.run(write_bot(f"{style} choose(self, question):\n    return 0"), talk)
    assert ended.code == 1
    assert ended.err.startswith("Mine lost its connection to the referee: ")
    assert ended.err.count("\n") == 1
