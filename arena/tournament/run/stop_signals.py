"""The signals that end a run in good order."""

import signal


def stop_signals() -> list[signal.Signals]:
    """Return Ctrl-C, a polite kill, and the end of the terminal unless that is ignored, as nohup has it."""
    heeded = [signal.SIGINT, signal.SIGTERM]
    return heeded if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN else [*heeded, signal.SIGHUP]
