"""An analysis in a process of its own, so that a server keeps its turn."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from arena.analysis.match_chances import analyse
from arena.checking.check_pool import interrupts_held, take_interrupts
from arena.errors import ArenaError
from arena.store.rows import StoredMatch
from referee.engine.errors import EngineError

NICENESS = 10
"""How much the process steps back behind others."""


@contextmanager
def analysis_process(match: StoredMatch, perspective: int | None) -> "Iterator[Connection[Any, Any]]":
    """Start the analysis of a match, and end it with the block. perspective: as in `match_chances.analyse`.

    The pipe gives ("progress", done, total) after each frame, then ("chances", JSON values) or ("failed", a sentence);
    it ends early (EOFError) if the process is killed.
    """
    context = get_context("spawn")
    pipe, far_end = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(far_end, match, perspective), daemon=True)
    with interrupts_held():
        process.start()
    far_end.close()
    try:
        yield pipe
    finally:
        process.kill()
        process.join()
        process.close()
        pipe.close()


def _run(pipe: "Connection[Any, Any]", match: StoredMatch, perspective: int | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    take_interrupts()
    os.nice(NICENESS)
    try:
        made = analyse(match, perspective, report=lambda done, total: pipe.send(("progress", done, total)))
        pipe.send(("chances", made.to_json()))
    except (ArenaError, EngineError) as error:
        pipe.send(("failed", str(error)))
    except BrokenPipeError:
        return  # nobody waits for it any more
