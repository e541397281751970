"""The signals that end a run in good order."""

import signal
from collections.abc import Awaitable, Callable

import trio

StopSource = Callable[[Callable[[signal.Signals], None]], Awaitable[None]]
"""Waits under trio until cancelled, and calls its argument with the signal by which a run is to end."""


async def stop_on_signals(stop: Callable[[signal.Signals], None]) -> None:
    """Call `stop` with each signal that ends a run. A `StopSource`, for the main thread only."""
    with trio.open_signal_receiver(*stop_signals()) as received:
        async for number in received:
            stop(signal.Signals(number))


def stop_signals() -> list[signal.Signals]:
    """Return Ctrl-C, a polite kill, and the end of the terminal unless that is ignored, as nohup has it."""
    signals = [signal.SIGINT, signal.SIGTERM]
    return signals if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN else [*signals, signal.SIGHUP]
