"""The path of each parameter, drawn as SVG: one chart below the other."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from arena.values.texts import printable
from arena_tune.course import Course
from arena_tune.parameters import Parameter
from arena_tune.plan import SPSA
from arena_tune.spsa import late
from arena_tune.stored_runs import StoredRun

WIDTH, LEFT, RIGHT = 800, 76, 96
"""Pixels of the picture, and beside the charts."""

HEIGHT, TOP, GAP, BOTTOM = 130, 58, 40, 34
"""Pixels of a chart, above the first, between two, and below the last."""

MOST_POINTS = 800
"""Of a line: as many as there are pixels."""

STYLE = (
    "svg{background:#fff;color:#1c2733;font:13px system-ui,sans-serif}"
    "text{fill:currentColor}.quiet{fill:#5b6875}.end{text-anchor:end}.middle{text-anchor:middle}"
    ".frame{fill:none;stroke:#c3cbd3}.start{stroke:#5b6875;stroke-dasharray:4 4}"
    ".late{fill:#0b62a8;fill-opacity:.1}.mean{stroke:#0b62a8;stroke-width:2}"
    ".path{fill:none;stroke:#0b62a8;stroke-width:1.5;stroke-linejoin:round}.title{font-size:16px;font-weight:600}"
    "@media(prefers-color-scheme:dark){svg{background:#12181f;color:#e6ebf0}.quiet{fill:#9aa7b4}.frame{stroke:#3a4652}"
    ".start{stroke:#9aa7b4}.path,.mean{stroke:#6db3f2}.late{fill:#6db3f2}}"
)


def path_picture(run: StoredRun) -> str:
    """Return a run as an SVG file."""
    course, parameters = run.course(), run.plan.parameters
    height = TOP + len(parameters) * (HEIGHT + GAP) - GAP + BOTTOM
    title = f"Run {run.id}: {run.game}, {run.plan.name}"
    said = f"{len(course.path):,} of {run.plan.iterations:,} iterations, {run.plan.search}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-label="{_text(title)}">',
        f"<style>{STYLE}</style>",
        f'<text class="title" x="{LEFT}" y="24">{_text(title)}</text>',
        f'<text class="quiet" x="{WIDTH - RIGHT}" y="24" text-anchor="end">{said}</text>',
    ]
    for place, parameter in enumerate(parameters):
        parts += _chart(run, course, place, parameter, TOP + place * (HEIGHT + GAP))
    bottom = height - BOTTOM + 18
    parts.append(f'<text class="quiet" x="{LEFT}" y="{bottom}">0</text>')
    parts.append(f'<text class="quiet end" x="{WIDTH - RIGHT}" y="{bottom}">{run.plan.iterations:,}</text>')
    parts.append(f'<text class="quiet middle" x="{(LEFT + WIDTH - RIGHT) / 2:g}" y="{bottom}">iterations</text>')
    return "\n".join([*parts, "</svg>", ""])


def _chart(run: StoredRun, course: Course, place: int, parameter: Parameter, top: int) -> list[str]:
    """Return the chart of one parameter, between its bounds."""
    width = WIDTH - LEFT - RIGHT

    def x(number: float) -> float:
        return round(LEFT + width * number / run.plan.iterations, 1)

    def y(value: float) -> float:
        share = (value - parameter.least) / (parameter.most - parameter.least)
        return round(top + HEIGHT * (1 - share), 1)

    values = [parameter.start, *(values[place] for values in course.path)]
    tuned = course.tuned[place]
    points = " ".join(f"{x(number)},{y(values[number])}" for number in _thinned(values))
    parts = [
        f'<text x="{LEFT}" y="{top - 8}">{_text(parameter.name)}</text>',
        f'<text class="quiet end" x="{LEFT - 8}" y="{top + 10}">{parameter.most:.6g}</text>',
        f'<text class="quiet end" x="{LEFT - 8}" y="{top + HEIGHT}">{parameter.least:.6g}</text>',
    ]
    if run.plan.search == SPSA and course.path:
        begun = len(course.path) - len(late(course.path))
        parts.append(
            f'<rect class="late" x="{x(begun)}" y="{top}" width="{round(x(len(course.path)) - x(begun), 1)}" '
            f'height="{HEIGHT}"></rect>'
        )
        parts.append(_line("mean", x(begun), x(len(course.path)), y(tuned)))
    parts += [
        _line("start", LEFT, WIDTH - RIGHT, y(parameter.start)),
        f'<polyline class="path" points="{points}"></polyline>',
        f'<rect class="frame" x="{LEFT}" y="{top}" width="{width}" height="{HEIGHT}"></rect>',
    ]
    at, start_at = _apart(y(tuned) + 4, y(parameter.start) + 4)
    right = WIDTH - RIGHT + 8
    parts.append(f'<text x="{right}" y="{at}">{parameter.text(tuned)} now</text>')
    parts.append(f'<text class="quiet" x="{right}" y="{start_at}">{parameter.text(parameter.start)} start</text>')
    return parts


def _line(kind: str, left: float, right: float, at: float) -> str:
    return f'<line class="{kind}" x1="{left}" x2="{right}" y1="{at}" y2="{at}"></line>'


def _apart(one: float, other: float) -> tuple[float, float]:
    """Return where two labels stand, far enough from each other."""
    if abs(one - other) >= 16:
        return one, other
    middle = (one + other) / 2
    return (middle - 8, middle + 8) if one <= other else (middle + 8, middle - 8)


def _thinned(values: Sequence[float]) -> list[int]:
    """Return which values are drawn, by their places: evenly spread, the last among them."""
    count = min(len(values), MOST_POINTS)
    return [round(place * (len(values) - 1) / max(count - 1, 1)) for place in range(count)]


def _text(text: str) -> str:
    return escape(printable(text, ""), {'"': "&quot;"})
