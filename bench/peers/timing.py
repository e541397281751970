"""How all libraries are timed: random play of whole matches in one process, in CPU time, the median of some runs."""

import json
import time
from collections.abc import Callable

SECONDS = 1.0
RUNS = 5


def tell(library: str, version: str, game: str, seats: int, play: Callable[[], int]) -> None:
    """Print the decisions per second of a game as a line of JSON.

    play: plays one match, returns its decisions.
    """
    play()
    rates = []
    for _ in range(RUNS):
        decisions, began = 0, time.process_time()
        while time.process_time() - began < SECONDS:
            decisions += play()
        rates.append(decisions / (time.process_time() - began))
    line = {"library": library, "version": version, "game": game, "seats": seats, "rates": rates}
    print(json.dumps(line), flush=True)
