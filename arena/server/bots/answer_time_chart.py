"""The histogram of a bot's answer times."""

from bisect import bisect_left
from itertools import product

from arena.record.text import duration
from arena.replay.html import Element
from arena.server.bots.answer_times import AnswerTimes
from arena.server.pages.axes import ticks
from arena.server.templates import TEMPLATES

WIDTH, HEIGHT = 240, 14
"""Size of the longest bar, in pixels."""

_answer_times = TEMPLATES.macro("bots/answer_times.html", "answer_times", english=True)

EDGES = (1.0, *(float(step * 10**power) for power, step in product(range(9), (1, 2, 5)) if step * 10**power > 1))
"""Edges of the bins in µs, in steps of 1, 2, 5; they cover all times that a record can hold."""


def histogram(sample: AnswerTimes) -> Element:
    """Return the times as a table with a row for each bin of a logarithmic scale."""
    counts = bins(sample.micros)
    first = next(number for number, times in enumerate(counts) if times)
    last = max(number for number, times in enumerate(counts) if times)
    most = max(counts)
    rows = [
        (
            _span(number),
            f"{counts[number]:,}",
            f"{counts[number] * 100 / len(sample.micros):.1f}",
            round(WIDTH * counts[number] / most, 1),
        )
        for number in range(first, last + 1)
    ]
    median, slow = (duration(_quantile(sample.micros, share)) for share in (0.5, 0.99))
    sentence = (
        f"{len(sample.micros):,} answers in {sample.matches:,} of its newest matches of {sample.game}; "
        f"median {median}, 99th percentile {slow}. Times are stored in steps of 7.5 %."
    )
    return _answer_times(sentence, _marks(most / len(sample.micros)), rows, WIDTH, HEIGHT)


def bins(micros: tuple[float, ...]) -> list[int]:
    """Return the counts before the first edge, between edges, and after the last.

    micros: sorted times in µs.
    """
    ends = [bisect_left(micros, edge) for edge in EDGES]
    return [end - begin for begin, end in zip((0, *ends), (*ends, len(micros)), strict=True)]


def _span(number: int) -> str:
    if number == 0:
        return duration(0)
    return f"{_edge(number - 1)} to {_edge(number)}" if number < len(EDGES) else f"{_edge(number - 1)} or more"


def _edge(number: int) -> str:
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if EDGES[number] >= size:
            return f"{EDGES[number] / size:.0f} {unit}"
    return f"{EDGES[number]:.0f} µs"


def _quantile(micros: tuple[float, ...], share: float) -> float:
    return micros[min(len(micros) - 1, int(share * len(micros)))]


def _marks(most: float) -> list[tuple[float, str]]:
    """Return the scale of the bars: where each mark stands, in pixels, and its text.

    most: the share of all answers that the longest bar stands for.
    """
    marks = ticks(0, most * 100, 5)
    return [(round(WIDTH * mark / 100 / most, 1), f"{mark} %" if mark else "0") for mark in marks]
