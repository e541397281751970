"""A short part of what `make fuzz` does with streams."""

from random import Random

from tests.fuzz import streams


def test_damaged_streams_harm_nobody() -> None:
    lot = streams.play(1, range(100))
    assert lot.failures == []
    assert {"PROTOCOL", "CRASH", "ILLEGAL"} <= lot.faults.keys(), "they come far enough to be judged"


def test_a_stream_is_made_again_from_its_number() -> None:
    assert streams.damaged(Random("1/7")) == streams.damaged(Random("1/7"))
    assert len({tuple(streams.damaged(Random(f"1/{number}"))) for number in range(100)}) == 100


def test_what_a_peer_does_wrong_in_its_headers_is_not_logged() -> None:
    assert streams.play(2, [943]).failures == []
