"""What is known of a bot that said no valid hello in time."""

import pytest

from referee.connection.endpoints import Approach
from referee.process.cpu_accounting import CpuUse
from referee.session.silent_start import Silence

SILENT = Approach("it made no gRPC call", is_known=False)


@pytest.mark.parametrize(
    ("use", "printed", "idle", "sentence"),
    [
        (
            CpuUse(9.84, 0.1), 0, False,
            ": it made no gRPC call and computed for 9.8 s of that time: does it loop, or load too much, before it "
            "connects to ARENA_ADDRESS?",
        ),
        (
            CpuUse(2.0, 6.5), 0, False,
            ": it made no gRPC call and computed for 2.0 s of that time; for 6.5 s there was no core for it: give it "
            "more time to start",
        ),
        (
            CpuUse(0.1, 0.0), 65_536, True,
            ": it made no gRPC call and computed for 0.1 s of that time: it waits for something; it must connect to "
            "ARENA_ADDRESS and say hello",
        ),
        (
            CpuUse(9.9, 0.0), 30_500_000, False,
            ": it made no gRPC call and printed 30.5 MB: print less, as whoever prints more than 64 KB has to wait",
        ),
        (None, 0, False, ": it made no gRPC call"),
    ],
)  # fmt: skip
def test_what_it_did_instead_is_told_with_the_numbers(
    use: CpuUse | None, printed: int, idle: bool, sentence: str
) -> None:
    silence = Silence(SILENT, use, 10.0, printed)
    assert silence.sentence == sentence
    assert silence.is_idle is idle


def test_how_far_it_came_says_more_than_what_it_computed() -> None:
    silence = Silence(Approach("it opened a stream and sent no hello"), CpuUse(10.0, 0.0), 10.0, 1 << 20)
    assert silence.sentence == ": it opened a stream and sent no hello"
    assert not silence.is_idle
