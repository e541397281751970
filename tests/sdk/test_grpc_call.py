"""The bot's end of the call leaves nothing of grpc behind: what is deleted after the interpreter's threads may hang."""

import gc
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest

from arena.sdk.errors import CallLost
from arena.sdk.grpc_call import GrpcCall
from referee.v1.play_pb2 import PlayRequest, PlayResponse


def calls() -> int:
    return sum(isinstance(thing, grpc.Call) for thing in gc.get_objects())


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


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize(("talk", "lost"), [(ends, None), (breaks, "the table fell over")])
def test_closed_call_is_gone(
    standin: Any, greet: PlayResponse, talk: Callable[..., Iterator[PlayResponse]], lost: str | None
) -> None:
    standin.talk = lambda requests: talk(requests, greet)
    before = calls()
    call = GrpcCall(standin.address)
    assert calls() > before
    call.send(PlayRequest().SerializeToString())
    failure = None
    try:
        assert list(call.messages()) == [greet.SerializeToString()]
    except CallLost as error:
        failure = error  # kept, as by whoever reports it
    call.close()
    assert (lost or "None") in str(failure)
    assert calls() == before
