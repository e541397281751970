"""What a bot does not use is not loaded, and is there for a bot that does."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.v1.cambio_pb2 import CambioView
from referee.v1.play_pb2 import PlayRequest, PlayResponse

PARTS = ("asyncio.events", "grpc.aio._channel", "google.protobuf.text_format")
PLAYS = f"""
def choose(self, question):
    return "keep" if question.view.card == 9 else "exchange"

def match_ended(self, match, scores, ranks):
    import sys
    print(*[part in sys.modules for part in {PARTS}])
"""
LOOKS = """
    import asyncio
    import grpc
    from google.protobuf import text_format

    async def ready():
        async with grpc.aio.insecure_channel("localhost:1") as channel:
            return channel.get_state()

    print(asyncio.run(ready()))
"""


@pytest.mark.parametrize(("body", "said"), [(PLAYS, ""), (PLAYS + LOOKS, "ChannelConnectivity.IDLE\n")])
def test_what_is_put_off(
    standin: Any, write_bot: Callable[[str], Path], deal: Any, greet: PlayResponse, body: str, said: str
) -> None:
    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        next(requests)
        yield greet
        yield deal().start(1).ask(1, 1, view=CambioView(card=9).SerializeToString()).response
        assert next(requests).answers.answers[0].index == 0
        yield deal().end(1).response

    ended = standin.run(write_bot(body), talk)
    assert (ended.out, ended.err, ended.code) == (f"False False False\n{said}", "", 0)
